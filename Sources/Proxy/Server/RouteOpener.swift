internal import Basics
internal import SystemIO

/// Opens the listeners of routes and looks up their upstreams, or reports why that cannot be.
struct RouteOpener {
    let loop: EventLoop
    let allowsRemote: Bool
    /// Whether an upstream's name is looked up only when a connection needs it.
    let findsUpstreamsLate: Bool
    /// The proxy that looks names of servers up; nil if we do.
    var via: NextProxy?

    func upstream(of route: ProxyConfiguration.Route) throws(ProxyError) -> Upstream {
        let endpoint = route.upstream
        let isFoundThere = via.map { !$0.exceptions.contains(endpoint) } ?? false
        guard route.forward == nil, !isFoundThere || route.carriesDatagrams else {
            return Upstream(endpoint)
        }
        return try upstream(at: endpoint)
    }

    func upstream(at endpoint: Endpoint) throws(ProxyError) -> Upstream {
        guard !findsUpstreamsLate, endpoint.numericAddress == nil else { return Upstream(endpoint) }
        return Upstream(
            endpoint,
            addresses: try lookUp(endpoint),
            answeredAt: loop.now
        )
    }

    /// Listens where a route wants it, or on the socket that the process was started with.
    func listener(
        of route: ProxyConfiguration.Route,
        number: Int,
        for target: any ListenerTarget
    ) throws(ProxyError) -> Listener {
        guard let descriptor = route.descriptor else {
            return try listen(on: route.listen, number, target)
        }
        let listener: Listener
        do throws(SystemError) {
            listener = try Listener(
                inherited: descriptor,
                on: loop,
                route: number,
                target: target
            )
        } catch {
            throw ProxyError(
                .refused,
                "descriptor \(descriptor) of LISTEN_FDS is no stream socket that listens;"
                    + " use ListenStream= and Accept=no"
            )
        }
        try checkReach(listener.address, Endpoint(listener.address))
        return listener
    }

    private func listen(
        on endpoint: Endpoint,
        _ number: Int,
        _ target: any ListenerTarget
    ) throws(ProxyError) -> Listener {
        let address = try address(of: endpoint)
        try prepareSocketFile(address)
        do throws(SystemError) {
            return try Listener(at: address, on: loop, route: number, target: target)
        } catch {
            throw cannotListen(on: endpoint, error)
        }
    }

    /// Where to listen, if that is allowed.
    func address(of endpoint: Endpoint) throws(ProxyError) -> SocketAddress {
        let address: SocketAddress
        if let numeric = endpoint.numericAddress {
            address = numeric
        } else {
            address = try lookUp(endpoint)[0]
        }
        try checkReach(address, endpoint)
        return address
    }

    func cannotListen(on endpoint: Endpoint, _ error: SystemError) -> ProxyError {
        ProxyError(
            .addressUnavailable,
            "cannot listen on \(endpoint): \(error)" + Self.advice(error)
        )
    }

    private static func advice(_ error: SystemError) -> String {
        switch error {
        case .addressInUse: "; choose another port, or port 0 for a free one"
        case .permissionDenied: "; choose a port above 1023"
        default: ""
        }
    }

    private func checkReach(
        _ address: SocketAddress,
        _ endpoint: Endpoint
    ) throws(ProxyError) {
        guard !address.isLoopback, !allowsRemote else { return }
        throw ProxyError(
            .refused,
            "other machines could reach \(endpoint); listen on 127.0.0.1, or allow it with"
                + " --allow-remote"
        )
    }

    private func lookUp(_ endpoint: Endpoint) throws(ProxyError) -> [SocketAddress] {
        guard case .tcp(let host, let port) = endpoint else {
            throw ProxyError(.internal, "no address for \(endpoint)")
        }
        do throws(SystemError) {
            return try NameResolver.resolveNow(host, port: port, on: loop)
        } catch {
            throw ProxyError(
                .upstreamUnavailable,
                "cannot find host '\(host)': \(error); check the name, or give an address"
            )
        }
    }

    private func prepareSocketFile(_ address: SocketAddress) throws(ProxyError) {
        guard case .unix(let path) = address else { return }
        let state: SocketFile.State
        do throws(SystemError) {
            state = try SocketFile.state(at: path)
        } catch {
            throw ProxyError(.addressUnavailable, "cannot look at '\(path)': \(error)")
        }
        switch state {
        case .absent: break
        case .stale: SocketFile.remove(path)
        case .live:
            throw ProxyError(
                .addressUnavailable,
                "another process listens on unix:\(path); stop it first"
            )
        case .notSocket:
            throw ProxyError(
                .addressUnavailable,
                "'\(path)' exists and is no socket; choose another path"
            )
        }
    }
}
