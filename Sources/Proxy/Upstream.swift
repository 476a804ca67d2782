internal import Libuv

/// Where a route's connections go, with what its name was found to mean.
final class Upstream {
    let endpoint: Endpoint
    /// Empty as long as nobody has looked up the name.
    private(set) var addresses: [SocketAddress]
    private var isLookingUp = false
    /// Told of the answer, or of why there is none.
    private var waiting: [(SystemError?) -> Void] = []

    init(endpoint: Endpoint, addresses: [SocketAddress]) {
        self.endpoint = endpoint
        self.addresses = addresses
    }

    /// Goes where the address says; a name is looked up when it is needed.
    convenience init(_ endpoint: Endpoint) {
        self.init(endpoint: endpoint, addresses: endpoint.numericAddress.map { [$0] } ?? [])
    }

    /// Asks again what the name means, because its addresses did not answer.
    ///
    /// Connections go on with the old addresses meanwhile, and after a lookup that fails.
    func lookUpAgain(on loop: EventLoop) {
        guard case .tcp(let host, let port) = endpoint, endpoint.numericAddress == nil,
            !isLookingUp
        else { return }
        isLookingUp = true
        NameResolver.resolve(host, port: port, on: loop) { [weak self] in self?.take($0) }
    }

    /// Asks what the name means; several may ask at once.
    ///
    /// - Parameters:
    ///   - loop: where the answer comes.
    ///   - done: called later, with the reason if there are no addresses.
    func lookUp(on loop: EventLoop, then done: @escaping (SystemError?) -> Void) {
        waiting.append(done)
        lookUpAgain(on: loop)
    }

    private func take(_ answer: Result<[SocketAddress], SystemError>) {
        isLookingUp = false
        var failure: SystemError?
        switch answer {
        case .success(let found): if !found.isEmpty { addresses = found }
        case .failure(let error): failure = error
        }
        let actions = waiting
        waiting = []
        for action in actions { action(addresses.isEmpty ? failure : nil) }
    }
}
