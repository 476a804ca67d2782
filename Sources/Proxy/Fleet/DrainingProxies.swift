package import SystemIO

/// Proxies that are gone for clients of the API, while their last connections end.
package final class DrainingProxies: ReadinessHandler {
    private var draining: [ObjectIdentifier: ProxyServer] = [:]
    /// Without connections, to be stopped.
    private var empty: [ProxyServer] = []

    /// How long the last bytes of a connection that was ended may take.
    private static let limitMilliseconds: UInt64 = 3_000

    /// In no particular order.
    var servers: [ProxyServer] { Array(draining.values) }

    package init() {}

    package var openConnections: Int { draining.values.reduce(0) { $0 + $1.openConnections } }

    /// Lets a proxy accept nothing more and ends its connections.
    ///
    /// - Parameters:
    ///   - server: of the proxy; it is stopped when its last connection has ended.
    ///   - resetting: by resets, which show clients that something is missing; otherwise normally.
    ///   - whenEmpty: called then, before it is stopped.
    package func add(_ server: ProxyServer, resetting: Bool, whenEmpty: @escaping () -> Void = {}) {
        let key = ObjectIdentifier(server)
        draining[key] = server
        server.suspendListening()
        if !resetting { server.finishConnections() }
        let limit = resetting ? 0 : Self.limitMilliseconds
        server.drain(limitMilliseconds: limit) { [weak self] in
            guard let self, draining.removeValue(forKey: key) != nil else { return }
            whenEmpty()
            // Later: one of its connections is at work.
            empty.append(server)
            server.loop.runLater(self)
        }
    }

    package func ready(_ readiness: Readiness, tag: UInt32) {
        let gone = empty
        empty = []
        for server in gone { server.stop() }
    }

    /// Ends everything at once.
    package func stop() {
        for server in servers + empty { server.stop() }
        draining = [:]
        empty = []
    }
}

extension ProxyServer {
    /// Stops several proxies accepting and lets their open connections finish.
    ///
    /// - Parameters:
    ///   - servers: any number.
    ///   - milliseconds: connections that are open then are reset.
    ///   - closesIdle: whether connections on which nothing happens are closed at once.
    ///   - done: called once, on the loop, when none is open.
    package static func drain(
        _ servers: [ProxyServer],
        limitMilliseconds milliseconds: UInt64,
        closesIdle: Bool = false,
        then done: @escaping () -> Void
    ) {
        var waiting = servers.count + 1
        let oneIsDone = {
            waiting -= 1
            if waiting == 0 { done() }
        }
        for server in servers {
            server.drain(
                limitMilliseconds: milliseconds,
                closesIdle: closesIdle,
                then: oneIsDone
            )
        }
        oneIsDone()
    }
}
