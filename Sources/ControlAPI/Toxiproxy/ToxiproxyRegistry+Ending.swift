internal import Libuv
internal import Proxy

// The end of one proxy, and of all.
extension ToxiproxyRegistry {
    /// How long the last bytes of a connection that was ended may take.
    private static let leavingMilliseconds: UInt64 = 3_000

    /// Ends a proxy and its connections.
    package func remove(_ name: String) throws(ToxiproxyError) {
        let proxy = try proxy(name)
        proxies[name] = nil
        retire(proxy)
        tell(proxy, "deleted")
    }

    /// Accepts nothing more and lets open connections finish.
    ///
    /// - Parameters:
    ///   - milliseconds: connections that are open then are reset.
    ///   - done: called once, on the loop, when none is open.
    package func drain(limitMilliseconds milliseconds: UInt64, then done: @escaping () -> Void) {
        var waiting = proxies.count + 1
        let oneIsDone = {
            waiting -= 1
            if waiting == 0 { done() }
        }
        for proxy in all {
            proxy.server.drain(limitMilliseconds: milliseconds, then: oneIsDone)
        }
        oneIsDone()
    }

    /// Ends everything at once; call it before the loop ends.
    package func stop() {
        for proxy in all { proxy.server.stop() }
        for server in leaving.values { server.stop() }
        for server in sweeper.servers { server.stop() }
        proxies = [:]
        leaving = [:]
        sweeper.servers = []
    }

    func retire(_ proxy: NamedProxy) {
        let server = proxy.server
        let key = ObjectIdentifier(server)
        leaving[key] = server
        server.suspendListening()
        server.finishConnections()
        server.drain(limitMilliseconds: Self.leavingMilliseconds) { [weak self] in
            guard let self, leaving.removeValue(forKey: key) != nil else { return }
            // Later: one of its connections is at work.
            sweeper.servers.append(server)
            loop.runLater(sweeper)
        }
    }

    /// Stops proxies after the turn in which their last connection ended.
    final class Sweeper: ReadinessHandler {
        var servers: [ProxyServer] = []

        func ready(_ readiness: Readiness, tag: UInt32) {
            let gone = servers
            servers = []
            for server in gone { server.stop() }
        }
    }
}
