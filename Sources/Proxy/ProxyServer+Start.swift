internal import LinkProfile
package import Libuv

// How routes become listeners and upstreams, and what is refused.
extension ProxyServer {
    func openRoutes() throws(ProxyError) {
        for (index, route) in configuration.routes.enumerated() {
            upstreams.append(try upstream(of: route))
            if let descriptor = route.descriptor {
                listeners.append(try adopt(descriptor, index))
            } else {
                listeners.append(try listen(route.listen, index))
            }
            accepted.append(0)
        }
        for upstream in upstreams {
            for address in upstream.addresses where isOwn(address) {
                throw ProxyError(
                    .refused,
                    "upstream \(upstream.endpoint) is this proxy's own listener;"
                        + " give the server's address"
                )
            }
        }
    }

    /// Whether `address` is one of our own listeners, so that a connection would come back to us.
    func isOwn(_ address: SocketAddress) -> Bool {
        let address = address.canonical
        if refusesUpstream?(address) == true { return true }
        return anyOwnEndpoint { $0.answers(at: address) }
    }

    /// Whether one of our listeners, or of what else the program listens on, is as asked.
    private func anyOwnEndpoint(_ isMeant: (SocketAddress) -> Bool) -> Bool {
        listeners.contains { isMeant($0.address) }
            || otherEndpoints?().contains(where: isMeant) == true
    }

    /// Whether a connected socket ends at one of our own endpoints that take any address.
    func leadsBack(_ socket: borrowing Socket) -> Bool {
        // Most have none, and to ask the system for addresses costs more.
        guard anyOwnEndpoint(\.isWildcard) else { return false }
        guard let local = socket.localAddress, let peer = socket.peerAddress else { return false }
        let isThisMachine = local.with(port: 0) == peer.with(port: 0)
        return isThisMachine && anyOwnEndpoint { $0.isWildcard && $0.port == peer.port }
    }

    private func upstream(of route: ProxyConfiguration.Route) throws(ProxyError) -> Upstream {
        guard configuration.findsUpstreamsLate, route.upstream.numericAddress == nil else {
            return try lookUp(route.upstream)
        }
        return Upstream(route.upstream)
    }

    private func lookUp(_ endpoint: Endpoint) throws(ProxyError) -> Upstream {
        if let address = endpoint.numericAddress {
            return Upstream(endpoint: endpoint, addresses: [address])
        }
        guard case .tcp(let host, let port) = endpoint else {
            throw ProxyError(.internal, "no address for \(endpoint)")
        }
        do throws(SystemError) {
            let found = try NameResolver.resolveNow(host, port: port, on: loop)
            return Upstream(endpoint: endpoint, addresses: found)
        } catch {
            throw ProxyError(
                .upstreamUnavailable,
                "cannot find host '\(host)': \(error); check the name, or give an address"
            )
        }
    }

    /// Listens on a socket that the process was started with.
    private func adopt(_ descriptor: Int32, _ route: Int) throws(ProxyError) -> Listener {
        let listener: Listener
        do throws(SystemError) {
            listener = try Listener(host: self, route: route, inherited: descriptor)
        } catch {
            throw ProxyError(
                .refused,
                "descriptor \(descriptor) of LISTEN_FDS is no stream socket that listens;"
                    + " use ListenStream= and Accept=no"
            )
        }
        guard listener.address.isLoopback || configuration.allowsRemote else {
            throw Self.reachable(Endpoint(listener.address))
        }
        return listener
    }

    private static func reachable(_ endpoint: Endpoint) -> ProxyError {
        ProxyError(
            .refused,
            "other machines could reach \(endpoint); listen on 127.0.0.1, or allow it with"
                + " --allow-remote"
        )
    }

    private func listen(_ endpoint: Endpoint, _ route: Int) throws(ProxyError) -> Listener {
        let address = try listenAddress(endpoint)
        try prepareSocketFile(address)
        do throws(SystemError) {
            return try Listener(host: self, route: route, on: address)
        } catch {
            throw ProxyError(
                .addressUnavailable,
                "cannot listen on \(endpoint): \(error)" + Self.advice(error)
            )
        }
    }

    private static func advice(_ error: SystemError) -> String {
        switch error {
        case .addressInUse: "; choose another port, or port 0 for a free one"
        case .permissionDenied: "; choose a port above 1023"
        default: ""
        }
    }

    private func listenAddress(_ endpoint: Endpoint) throws(ProxyError) -> SocketAddress {
        let address: SocketAddress
        if let numeric = endpoint.numericAddress {
            address = numeric
        } else {
            address = try lookUp(endpoint).addresses[0]
        }
        guard address.isLoopback || configuration.allowsRemote else {
            throw Self.reachable(endpoint)
        }
        return address
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

extension SocketAddress {
    /// Whether a listener that is bound here answers a connection to `address`, which is canonical.
    package func answers(at address: SocketAddress) -> Bool {
        let own = canonical
        if own == address { return true }
        guard let port = address.port, own.port == port else { return false }
        return own.isWildcard && (address.isLoopback || address.isWildcard)
            || address.isWildcard && own.isLoopback
    }
}
