/// What one direction of a connection must know of the other: the requests without a final response.
struct OpenExchanges: Sendable {
    struct Exchange: Sendable {
        let number: Int
        let method: String
        /// Whether the answer may end HTTP on this connection.
        let maySwitch: Bool
        /// Whether the client waits for a 100 before it sends content.
        let expectsContinue: Bool
        private var interims: [Int: Int] = [:]

        init(_ number: Int, _ head: RequestHead) {
            self.number = number
            method = head.method
            maySwitch =
                head.method == "CONNECT"
                || (head.version == .http11 && head.fields.contains("Upgrade"))
            expectsContinue = head.fields.list("Expect", hasToken: "100-continue")
        }

        /// Counts an interim response; the count of those with its status.
        mutating func count(interim status: Int) -> Int {
            interims[status, default: 0] += 1
            return interims[status, default: 0]
        }
    }

    /// Requests that may be without an answer at a time.
    static let limit = 1_024

    /// Without a final response, the oldest first.
    private(set) var open: [Exchange] = []
    /// Requests seen.
    private(set) var count = 0
    /// How HTTP ended, if it did.
    private(set) var switched: OpaqueReason?
    /// Request that opened a WebSocket, whose frames are what follows.
    private(set) var webSocket: Int?
    /// Request whose client was given a final answer although it expected a 100.
    private(set) var refused: Int?

    /// Adds a request and gives it its ordinal.
    mutating func add(_ head: RequestHead) -> Int {
        count += 1
        open.append(Exchange(count, head))
        return count
    }

    /// Counts an interim response to the oldest request.
    mutating func count(interim status: Int) -> Int {
        open.isEmpty ? 0 : open[0].count(interim: status)
    }

    /// Takes the oldest request, whose final response this is.
    mutating func answer(_ head: ResponseHead) {
        guard !open.isEmpty else { return }
        let exchange = open.removeFirst()
        if head.opensTunnel(answering: exchange.method) {
            switched = head.status == 101 ? .upgrade : .tunnel
            if head.opensWebSocket { webSocket = exchange.number }
        }
        if exchange.expectsContinue { refused = exchange.number }
    }
}
