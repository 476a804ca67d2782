internal import Journal

/// What requests are for: their targets, but for WebSockets without the query.
///
/// In the query, a client that comes back to a WebSocket names its last message, or a token.
struct SocketNames {
    /// Paths of WebSockets, without queries.
    private var paths: Set<Substring> = []

    init(_ transcript: Transcript) {
        for exchange in transcript.exchanges where exchange.isWebSocket {
            paths.insert(Self.path(exchange.target))
        }
    }

    /// - Parameters:
    ///   - exchange: a request, which may be for something else at the path of a WebSocket.
    ///   - target: its own, or one that stands for it.
    /// - Returns: what it is for.
    func name(of exchange: Exchange, _ target: String) -> String {
        guard !paths.isEmpty else { return target }
        let path = Self.path(target)
        return paths.contains(path) && exchange.mayOpenWebSocket ? String(path) : target
    }

    private static func path(_ target: String) -> Substring { target.prefix { $0 != "?" } }
}

extension Exchange {
    /// Whether it opens a WebSocket, or may have asked for one in vain.
    fileprivate var mayOpenWebSocket: Bool {
        if isWebSocket { return true }
        guard method == "GET" || method == "CONNECT" else { return false }
        return status.map { !(200...299).contains($0) } ?? true
    }

    fileprivate var isWebSocket: Bool {
        (receivedMessages ?? sentMessages)?.value.kind == .webSocket
    }
}
