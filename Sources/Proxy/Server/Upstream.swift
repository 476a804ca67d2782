internal import Basics
internal import SystemIO

/// Where a route's connections go, with the addresses its name was last found to have.
final class Upstream {
    /// Asks what a name means; the answer comes later, on the loop.
    typealias Resolver = (
        _ host: String, _ port: UInt16, EventLoop,
        _ done: @escaping (Result<[SocketAddress], SystemError>) -> Void
    ) -> Void

    let endpoint: Endpoint
    /// Empty as long as the name has not been looked up.
    private(set) var addresses: [SocketAddress]
    var resolve: Resolver
    /// When the latest answer came, on the loop's clock; nil before the first.
    private var answeredAt: Instant?
    private var isLookingUp = false
    /// Called with the reason if there are no addresses.
    private var waiting: [(SystemError?) -> Void] = []

    /// How long an answer is used before the name is looked up again, so that one that moves is
    /// followed.
    var lifetime = Duration.seconds(2)

    /// - Parameters:
    ///   - endpoint: a name is looked up when a connection needs it.
    ///   - addresses: what its name means, if that is known.
    ///   - time: when it was found out, on the loop's clock.
    ///   - resolver: looks names up.
    init(
        _ endpoint: Endpoint,
        addresses: [SocketAddress] = [],
        answeredAt time: Instant? = nil,
        resolver: @escaping Resolver = { NameResolver.resolve($0, port: $1, on: $2, answer: $3) }
    ) {
        self.endpoint = endpoint
        self.addresses = endpoint.numericAddress.map { [$0] } ?? addresses
        answeredAt = time
        resolve = resolver
    }

    /// Whether the addresses may be used without looking the name up first.
    func isFresh(at now: Instant) -> Bool {
        guard case .tcp = endpoint, endpoint.numericAddress == nil else { return true }
        guard let answered = answeredAt, !addresses.isEmpty else { return false }
        return now - answered < lifetime
    }

    /// Looks the name up because its addresses did not answer.
    ///
    /// Connections use the old addresses meanwhile, and after a lookup that fails.
    func lookUpAgain(on loop: EventLoop) {
        guard case .tcp(let host, let port) = endpoint, endpoint.numericAddress == nil,
            !isLookingUp
        else { return }
        isLookingUp = true
        resolve(host, port, loop) { [weak self, weak loop] answer in
            guard let loop else { return }
            self?.receive(answer, at: loop.now)
        }
    }

    /// Looks the name up; several may ask at once.
    ///
    /// - Parameters:
    ///   - loop: where the answer comes.
    ///   - done: called later, with the reason if there are no addresses.
    func lookUp(on loop: EventLoop, then done: @escaping (SystemError?) -> Void) {
        waiting.append(done)
        lookUpAgain(on: loop)
    }

    private func receive(
        _ answer: Result<[SocketAddress], SystemError>,
        at now: Instant
    ) {
        isLookingUp = false
        answeredAt = now
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
