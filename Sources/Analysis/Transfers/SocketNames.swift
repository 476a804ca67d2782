internal import Journal

/// What requests are for: their targets, but for WebSockets without the query.
///
/// A client that comes back to a WebSocket says there what it had last, or with which token it may.
struct SocketNames {
    /// Paths of WebSockets, without queries.
    private var paths: Set<Substring> = []

    init(_ transcript: Transcript) {
        for exchange in transcript.exchanges where exchange.isWebSocket {
            paths.insert(Self.path(exchange.target))
        }
    }

    func name(of target: String) -> String {
        let path = Self.path(target)
        return paths.contains(path) ? String(path) : target
    }

    private static func path(_ target: String) -> Substring { target.prefix { $0 != "?" } }
}

extension Exchange {
    fileprivate var isWebSocket: Bool {
        (receivedMessages ?? sentMessages)?.value.kind == .webSocket
    }
}
