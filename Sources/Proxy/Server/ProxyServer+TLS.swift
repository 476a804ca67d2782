internal import Faults
internal import SystemIO

// Where TLS is opened: on routes and in tunnels, not on connections to the forward proxy itself.
extension ProxyServer {
    /// The TLS of a new connection; nil if what passes is not opened.
    func tlsStage(of pending: PendingConnection) -> TLSStage? {
        guard let terminator = context.tls else { return nil }
        if let host = pending.tunnelHost {
            guard terminator.endsClients else { return nil }
            return TLSStage(
                terminator,
                upstreamHost: host,
                mirrorsClient: true,
                faults: pending.faults?.handshake ?? [],
                pool: context.tools.chunks
            )
        }
        if pending.carriesURLs { return nil }
        let route = pending.identity.route
        let name =
            configuration.routes.indices.contains(route)
            ? configuration.routes[route].upstreamName : nil
        guard name != nil || terminator.endsClients else { return nil }
        return TLSStage(
            terminator,
            upstreamHost: name,
            faults: pending.faults?.handshake ?? [],
            pool: context.tools.chunks
        )
    }
}
