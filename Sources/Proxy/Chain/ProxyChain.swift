/// The next proxy of all connections, with the addresses that its name has.
final class ProxyChain {
    let proxy: NextProxy
    var upstream: Upstream

    init(_ proxy: NextProxy) {
        self.proxy = proxy
        upstream = Upstream(proxy.endpoint)
    }

    /// Whether a server is reached through it.
    func leads(to server: Endpoint) -> Bool { !proxy.exceptions.contains(server) }
}
