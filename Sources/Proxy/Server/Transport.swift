/// What a proxy forwards to a server, by the scheme that asks for it.
package enum Transport: String, Hashable, Sendable, CaseIterable {
    case connections = "tcp"
    case datagrams = "udp"
    /// Both, at one port.
    case both = "udp+tcp"
}

extension ProxyConfiguration.Route {
    /// The route as it is for connections, and one for datagrams at the same port, as far as each is
    /// forwarded.
    package func carrying(_ transport: Transport) -> [Self] {
        var datagrams = self
        datagrams.carriesDatagrams = true
        switch transport {
        case .connections: return [self]
        case .datagrams: return [datagrams]
        case .both:
            datagrams.sharesPort = true
            return [self, datagrams]
        }
    }
}
