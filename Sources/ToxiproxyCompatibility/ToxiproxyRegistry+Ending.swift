internal import ControlAPI
internal import Proxy
internal import SystemIO

// The end of one proxy, and of all.
extension ToxiproxyRegistry {
    /// Ends a proxy and its connections.
    package func remove(_ name: String) throws(ToxiproxyError) {
        let proxy = try proxy(name)
        proxies[name] = nil
        retire(proxy)
        log(proxy, "deleted")
    }

    /// Accepts nothing more and lets open connections finish.
    ///
    /// - Parameters:
    ///   - milliseconds: connections that are open then are reset.
    ///   - done: called once, on the loop, when none is open.
    package func drain(limitMilliseconds milliseconds: UInt64, then done: @escaping () -> Void) {
        ProxyServer.drain(
            all.map(\.server),
            limitMilliseconds: milliseconds,
            closesIdle: true,
            then: done
        )
    }

    /// Ends everything at once; call it before the loop ends.
    package func stop() {
        for proxy in all { proxy.server.stop() }
        leaving.stop()
        proxies = [:]
    }

    /// Ends connections as Toxiproxy does, by closing them.
    func retire(_ proxy: NamedProxy) { leaving.add(proxy.server, resetting: false) }
}
