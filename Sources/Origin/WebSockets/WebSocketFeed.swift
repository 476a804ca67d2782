internal import HTTPTransport
internal import HTTPWire

/// `/ws/N?after=ID`: a WebSocket with N numbered messages; `/ws`: one that sends back what comes.
struct WebSocketFeed {
    /// The numbers of the messages that are sent before the close frame; nil to send back what comes.
    let messages: Range<UInt64>?

    /// Nil for a path that is another object's.
    init?(_ path: ObjectPath) throws(ObjectProblem) {
        guard path.names.first == "ws", path.names.count <= 2, !path.isFolder else { return nil }
        guard path.names.count == 2 else {
            guard (path.query ?? "").isEmpty else {
                throw ObjectProblem(400, "/ws has no query; messages are at /ws/N?after=ID.")
            }
            messages = nil
            return
        }
        guard let count = UInt64(path.names[1]) else { return nil }
        guard count <= EventFeed.maximumEvents else {
            throw ObjectProblem(404, "N in /ws/N is at most \(EventFeed.maximumEvents).")
        }
        let last = try Self.last(path.query ?? "")
        messages = min(last, count) + 1..<count + 1
    }

    private static func last(_ query: String) throws(ObjectProblem) -> UInt64 {
        guard !query.isEmpty else { return 0 }
        guard query.hasPrefix("after="), let last = UInt64(query.dropFirst(6)) else {
            throw ObjectProblem(400, "The only query is ?after=ID, the number of a message.")
        }
        return last
    }

    /// A message with its number, which is what to come back with.
    static func message(_ number: UInt64) -> [UInt8] {
        Array(#"{"id":\#(number),"data":"event \#(number)"}"#.utf8)
    }

    /// Answers the handshake and turns the connection into a WebSocket.
    func begin(_ exchange: OriginExchange, idleSeconds: Int) {
        let handshake: WebSocketHandshake
        do throws(WebSocketHandshake.Problem) {
            handshake = try WebSocketHandshake(exchange.head)
        } catch {
            return refuse(exchange, error)
        }
        guard exchange.isRequestComplete else {
            return exchange.refuse(400, "A WebSocket handshake must not have content.")
        }
        WebSocketSession(exchange, messages: messages, idleSeconds: idleSeconds)
            .start(handshake.answer)
    }

    private func refuse(_ exchange: OriginExchange, _ problem: WebSocketHandshake.Problem) {
        switch problem {
        case .upgradeRequired:
            exchange.refuse(
                problem.status,
                "This target takes only WebSocket handshakes of version 13, in HTTP/1.1.",
                WebSocketHandshake.invitation
            )
        case .badRequest(let text): exchange.refuse(problem.status, text)
        }
    }
}
