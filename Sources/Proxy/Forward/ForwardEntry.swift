/// How a client of a forward proxy says where it wants to go, in either protocol.
package struct ForwardEntry {
    private enum Form {
        case undecided
        case http(ProxyRequest)
        case socks(SOCKSHandshake)
    }

    let settings: ForwardSettings
    private let address: String
    private var form = Form.undecided
    package private(set) var destination: Destination?

    /// The most bytes that are looked at.
    static let limit = ProxyRequest.limit

    /// - Parameters:
    ///   - settings: what is spoken, and where connections may go.
    ///   - address: where the proxy listens.
    package init(_ settings: ForwardSettings, address: String) {
        self.settings = settings
        self.address = address
    }

    /// Whether what follows are requests in absolute form.
    package var carriesURLs: Bool {
        if case .http(let request) = form { !request.isTunnel } else { false }
    }

    /// Makes what turns requests in absolute form into those that their server gets.
    ///
    /// - Parameter readsAnswers: whether nothing else reads what the server answers.
    /// - Returns: nil if there are no such requests.
    package func relay(readsAnswers: Bool) -> RequestRelay? {
        guard case .http(let request) = form, !request.isTunnel, let destination else { return nil }
        return RequestRelay(
            to: destination,
            credentials: settings.credentials,
            readsAnswers: readsAnswers
        )
    }

    /// Looks at all bytes that have come and were not consumed.
    package mutating func read(_ bytes: [UInt8]) -> ForwardStep {
        if case .undecided = form { decide(bytes) }
        let step: ForwardStep
        switch form {
        case .undecided: return bytes.isEmpty ? .needsMore : .refused([])
        case .http(var request):
            step = request.read(bytes, address: address)
            form = .http(request)
        case .socks(var handshake):
            step = handshake.read(bytes)
            form = .socks(handshake)
        }
        if case .destination(let destination, _) = step { self.destination = destination }
        return step
    }

    /// By the first byte.
    private mutating func decide(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        if first == SOCKSHandshake.version {
            if settings.takesSOCKS { form = .socks(SOCKSHandshake(settings.credentials)) }
        } else if settings.takesHTTP {
            form = .http(ProxyRequest(settings.credentials))
        }
    }

    /// What the client is told; nil for nothing.
    func reply(_ outcome: ForwardOutcome) -> [UInt8]? {
        guard let destination else { return nil }
        switch form {
        case .undecided: return nil
        case .http(let request): return request.reply(outcome, destination)
        case .socks(let handshake): return handshake.reply(outcome)
        }
    }
}
