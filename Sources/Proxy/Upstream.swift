internal import Libuv

/// Where a route's connections go, with what its name was found to mean.
final class Upstream {
    let endpoint: Endpoint
    private(set) var addresses: [SocketAddress]
    private var isLookingUp = false

    /// Goes to `addresses`, of which there is at least one.
    init(endpoint: Endpoint, addresses: [SocketAddress]) {
        self.endpoint = endpoint
        self.addresses = addresses
    }

    /// Asks again what the name means, because its addresses did not answer.
    ///
    /// Connections go on with the old addresses meanwhile, and after a lookup that fails.
    func lookUpAgain(on loop: EventLoop) {
        guard case .tcp(let host, let port) = endpoint, endpoint.numericAddress == nil,
            !isLookingUp
        else { return }
        isLookingUp = true
        NameResolver.resolve(host, port: port, on: loop) { [weak self] answer in
            self?.isLookingUp = false
            if case .success(let found) = answer, !found.isEmpty { self?.addresses = found }
        }
    }
}
