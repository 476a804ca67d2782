internal import Libuv
internal import Proxy

/// Proxies that are gone for clients of the API, while their last connections end.
final class LeavingProxies: ReadinessHandler {
    private var leaving: [ObjectIdentifier: ProxyServer] = [:]
    /// Without connections, to be stopped.
    private var empty: [ProxyServer] = []

    /// How long the last bytes of a connection that was ended may take.
    private static let limitMilliseconds: UInt64 = 3_000

    var servers: [ProxyServer] { Array(leaving.values) }

    var openConnections: Int { leaving.values.reduce(0) { $0 + $1.openConnections } }

    /// Lets a proxy accept nothing more and ends its connections.
    ///
    /// - Parameters:
    ///   - server: of the proxy; it is stopped when its last connection has ended.
    ///   - resetting: by resets, which tell clients that something is missing; otherwise in order.
    ///   - whenEmpty: called then, before it is stopped.
    func add(_ server: ProxyServer, resetting: Bool, whenEmpty: @escaping () -> Void = {}) {
        let key = ObjectIdentifier(server)
        leaving[key] = server
        server.suspendListening()
        if !resetting { server.finishConnections() }
        let limit = resetting ? 0 : Self.limitMilliseconds
        server.drain(limitMilliseconds: limit) { [weak self] in
            guard let self, leaving.removeValue(forKey: key) != nil else { return }
            whenEmpty()
            // Later: one of its connections is at work.
            empty.append(server)
            server.loop.runLater(self)
        }
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        let gone = empty
        empty = []
        for server in gone { server.stop() }
    }

    /// Ends everything at once.
    func stop() {
        for server in servers + empty { server.stop() }
        leaving = [:]
        empty = []
    }
}

extension ProxyServer {
    /// Lets several accept nothing more and their open connections finish.
    ///
    /// - Parameters:
    ///   - servers: any number.
    ///   - milliseconds: connections that are open then are reset.
    ///   - done: called once, on the loop, when none is open.
    static func drain(
        _ servers: [ProxyServer],
        limitMilliseconds milliseconds: UInt64,
        then done: @escaping () -> Void
    ) {
        var waiting = servers.count + 1
        let oneIsDone = {
            waiting -= 1
            if waiting == 0 { done() }
        }
        for server in servers { server.drain(limitMilliseconds: milliseconds, then: oneIsDone) }
        oneIsDone()
    }
}
