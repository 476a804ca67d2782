internal import SystemIO

/// Makes a connection: looks the name up, tries its addresses, and goes through the TLS handshake.
///
/// Addresses are tried in the order of the system, the families in turn. Each has a short head start
/// before the next is tried too; the first that connects is taken (the idea of RFC 8305).
final class Connector {
    private let endpoint: ClientEndpoint
    private let client: HTTPClient
    private let offersHTTP2: Bool
    private let done: (Result<ByteStream, ClientFailure>) -> Void
    private var limit: TimeLimit?
    private var headStart: TimeLimit?
    private var addresses: [SocketAddress] = []
    private var attempts: [ConnectAttempt] = []
    private var failures: [ClientFailure.Reason] = []
    private var handshake: HandshakeWatcher?
    private var isOver = false

    init(
        _ endpoint: ClientEndpoint,
        client: HTTPClient,
        offersHTTP2: Bool,
        done: @escaping (Result<ByteStream, ClientFailure>) -> Void
    ) {
        self.endpoint = endpoint
        self.client = client
        self.offersHTTP2 = offersHTTP2
        self.done = done
    }

    /// Begins; with addresses that are known from before, no name is looked up.
    func start(knowing known: [SocketAddress]?) {
        limit = TimeLimit(loop: client.loop, alarms: client.alarms) { [weak self] in
            self?.fail(.connectTimeout)
        }
        headStart = TimeLimit(loop: client.loop, alarms: client.alarms) { [weak self] in
            self?.tryNext()
        }
        limit?.set(after: client.settings.connectTime)
        if let path = endpoint.unixPath { return tryAll([.unix(path)]) }
        if let address = SocketAddress(numericHost: endpoint.host, port: endpoint.port) {
            return tryAll([address])
        }
        if let known { return tryAll(known) }
        NameResolver.resolve(endpoint.host, port: endpoint.port, on: client.loop) { [weak self] in
            self?.resolved($0)
        }
    }

    /// Ends without a word.
    func cancel() {
        isOver = true
        limit = nil
        headStart = nil
        for attempt in attempts { attempt.close() }
        attempts = []
        handshake?.stream.close()
        handshake = nil
    }

    private func resolved(_ result: Result<[SocketAddress], SystemError>) {
        guard !isOver else { return }
        switch result {
        case .success(let found) where !found.isEmpty:
            client.remember(found, for: endpoint)
            tryAll(found)
        case .success: fail(.resolve(.noSuchFile))
        case .failure(let error): fail(.resolve(error))
        }
    }

    // MARK: Attempts

    private func tryAll(_ found: [SocketAddress]) {
        addresses = Self.alternating(found).reversed()
        tryNext()
    }

    /// The families in turn, each in its order (RFC 8305 §4).
    static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
        func isIPv6(_ address: SocketAddress) -> Bool {
            if case .ipv6 = address { return true }
            return false
        }
        let first = addresses.first.map(isIPv6) ?? false
        let preferred = addresses.filter { isIPv6($0) == first }
        let others = addresses.filter { isIPv6($0) != first }
        return (0..<max(preferred.count, others.count)).flatMap {
            preferred.dropFirst($0).prefix(1) + others.dropFirst($0).prefix(1)
        }
    }

    private func tryNext() {
        guard !isOver, handshake == nil else { return }
        guard let address = addresses.popLast() else {
            if attempts.isEmpty { failAll() }
            return
        }
        do throws(SystemError) {
            let attempt = try ConnectAttempt(address, loop: client.loop) { [weak self] in
                self?.ended($0, $1)
            }
            attempts.append(attempt)
            headStart?.set(after: client.settings.attemptDelay)
            try attempt.start()
        } catch {
            failures.append(Self.reason(error))
            attempts.removeAll { !$0.isOpen }
            tryNext()
        }
    }

    private func ended(_ attempt: ConnectAttempt, _ error: SystemError?) {
        guard !isOver, handshake == nil else { return attempt.close() }
        attempts.removeAll { $0 === attempt }
        guard let error else { return connected(attempt) }
        failures.append(Self.reason(error))
        attempt.close()
        tryNext()
    }

    private func connected(_ attempt: ConnectAttempt) {
        headStart = nil
        for other in attempts { other.close() }
        attempts = []
        do throws(TLSError) {
            let tls =
                endpoint.isSecure
                ? try TLSSession(
                    client.tlsContext(),
                    host: endpoint.host,
                    protocols: offersHTTP2 ? ["h2", "http/1.1"] : nil
                ) : nil
            let stream = attempt.takeStream(tls: tls, buffers: client.buffers)
            guard tls != nil else { return succeed(stream) }
            let watcher = HandshakeWatcher(stream) { [weak self] in self?.shakeHands() }
            handshake = watcher
            try? stream.watch(watcher)
            shakeHands()
        } catch {
            attempt.close()
            fail(.tls(error))
        }
    }

    private func shakeHands() {
        guard !isOver, let stream = handshake?.stream else { return }
        switch stream.establish() {
        case .moved: succeed(stream)
        case .wouldBlock: break
        case .ended: fail(.reset)
        case .failed(.tls(let error)): fail(.tls(error))
        case .failed(.truncated), .failed(.system): fail(.reset)
        }
    }

    // MARK: The end

    private func succeed(_ stream: ByteStream) {
        handshake = nil
        isOver = true
        limit = nil
        done(.success(stream))
    }

    /// All addresses were tried; the first failure that says most.
    private func failAll() {
        let telling = failures.first { $0 == .refused } ?? failures.first
        client.remember(nil, for: endpoint)
        fail(telling ?? .connectTimeout)
    }

    private func fail(_ reason: ClientFailure.Reason) {
        guard !isOver else { return }
        cancel()
        done(.failure(ClientFailure(reason)))
    }

    private static func reason(_ error: SystemError) -> ClientFailure.Reason {
        if error == .connectionRefused { return .refused }
        if error == .timedOut { return .connectTimeout }
        return error.isExhaustion ? .local(error) : .unreachable(error)
    }
}

/// Hears of a connection during its TLS handshake.
private final class HandshakeWatcher: ReadinessHandler {
    let stream: ByteStream
    private let onReady: () -> Void

    init(_ stream: ByteStream, onReady: @escaping () -> Void) {
        self.stream = stream
        self.onReady = onReady
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        stream.note(readiness)
        onReady()
    }
}
