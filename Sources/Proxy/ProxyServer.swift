package import Libuv

/// A proxy: listeners, the connections that came through them, and the link they share.
///
/// Everything happens on the thread of its loop. Keep it until `stop()`, or `drain`, is through.
package final class ProxyServer {
    package let loop: EventLoop
    let limits: ProxyLimits
    let tools: TransferTools
    private let configuration: ProxyConfiguration
    private var listeners: [Listener] = []
    private var upstreams: [Upstream] = []
    private var sessions: [UInt32: Session] = [:]
    private var connecting: [UInt32: Session] = [:]
    private var nextOrdinal: UInt32 = 0
    private var connectionLimit = 0
    private var sweep: Timer?
    private var isSweeping = false
    private var isDraining = false
    private var drainTimer: Timer?
    private var onDrained: (() -> Void)?
    private var endedUpBytes: UInt64 = 0
    private var endedDownBytes: UInt64 = 0

    package init(loop: EventLoop, configuration: ProxyConfiguration) {
        self.loop = loop
        self.configuration = configuration
        limits = configuration.limits
        tools = TransferTools(configuration.limits)
    }

    /// Binds all listeners and begins to accept.
    ///
    /// - Returns: where each route listens, with the ports that were found.
    /// - Throws: what is wrong with the first route that cannot be served; nothing listens then.
    package func start() throws(ProxyError) -> [Endpoint] {
        connectionLimit = limits.connections ?? max(1, (DescriptorLimit.raise() - 64) / 2)
        do throws(ProxyError) {
            for (index, route) in configuration.routes.enumerated() {
                upstreams.append(try lookUp(route.upstream))
                listeners.append(try listen(route.listen, index))
            }
            try refuseLoops()
            try resumeAccepting()
        } catch {
            closeListeners()
            throw error
        }
        return listeners.map { Endpoint($0.address) }
    }

    /// Stops accepting and lets open connections finish.
    ///
    /// - Parameters:
    ///   - milliseconds: connections that are open then are reset.
    ///   - action: called once, on the loop, when no connection is open.
    package func drain(limitMilliseconds milliseconds: UInt64, then action: @escaping () -> Void) {
        closeListeners()
        isDraining = true
        onDrained = action
        drainTimer = try? Timer(loop: loop) { [weak self] in self?.resetAll() }
        drainTimer?.start(afterMilliseconds: milliseconds)
        finishDrainIfEmpty()
    }

    /// Ends everything at once; open connections are reset.
    package func stop() {
        closeListeners()
        resetAll()
        sweep?.close()
        drainTimer?.close()
    }

    /// What is going on; computed when asked for.
    package func snapshot() -> ProxySnapshot {
        var snapshot = ProxySnapshot()
        snapshot.openConnections = sessions.count
        snapshot.totalConnections = UInt64(nextOrdinal)
        snapshot.up.bytes = sessions.values.reduce(endedUpBytes) { $0 + $1.upBytes }
        snapshot.down.bytes = sessions.values.reduce(endedDownBytes) { $0 + $1.downBytes }
        snapshot.connections = sessions.values.sorted { $0.ordinal < $1.ordinal }.map {
            ProxySnapshot.Connection(
                ordinal: $0.ordinal,
                route: $0.route,
                client: $0.clientAddress,
                upBytes: $0.upBytes,
                downBytes: $0.downBytes
            )
        }
        return snapshot
    }

    // What listeners and sessions report.

    func accepted(_ socket: consuming Socket, on route: Int) {
        let session = Session(host: self, ordinal: nextOrdinal, route: route, client: socket)
        nextOrdinal += 1
        sessions[session.ordinal] = session
        connecting[session.ordinal] = session
        startSweep()
        session.start(upstreams[route].addresses)
        if sessions.count >= connectionLimit { pauseAccepting() }
    }

    func acceptFailed(_ error: SystemError) {
        tools.pipes.releaseIdle()
        reportInternal("cannot accept: \(error)")
        pauseAccepting()
    }

    func connectEnded(_ session: Session) { connecting[session.ordinal] = nil }

    func connectFailed(_ session: Session, _ error: SystemError) {
        upstreams[session.route].lookUpAgain(on: loop)
    }

    func ended(_ session: Session) {
        sessions[session.ordinal] = nil
        endedUpBytes += session.upBytes
        endedDownBytes += session.downBytes
        if !isDraining, sessions.count < connectionLimit { try? resumeAccepting() }
        finishDrainIfEmpty()
    }

    func reportInternal(_ text: String) {}

    /// Whether `address` is one of our own listeners, so that a connection would come back to us.
    func isOwn(_ address: SocketAddress) -> Bool {
        listeners.contains { listener in
            if listener.address == address { return true }
            guard let port = address.port, listener.address.port == port else { return false }
            return listener.address.isWildcard && (address.isLoopback || address.isWildcard)
                || address.isWildcard && listener.address.isLoopback
        }
    }

    // Starting.

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
                "cannot find upstream '\(host)': \(error); check the name, or give an address"
            )
        }
    }

    private func listen(_ endpoint: Endpoint, _ route: Int) throws(ProxyError) -> Listener {
        let address = try listenAddress(endpoint)
        try prepareSocketFile(address)
        do throws(SystemError) {
            return try Listener(host: self, route: route, on: address)
        } catch {
            throw ProxyError(.addressUnavailable, "cannot listen on \(endpoint): \(error)")
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
            throw ProxyError(
                .refused,
                "\(endpoint) can be reached from other machines;"
                    + " listen on 127.0.0.1, or add --allow-remote"
            )
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

    private func refuseLoops() throws(ProxyError) {
        for upstream in upstreams {
            for address in upstream.addresses where isOwn(address) {
                throw ProxyError(
                    .refused,
                    "upstream \(upstream.endpoint) is this proxy's own listener"
                )
            }
        }
    }

    // Running.

    private func resumeAccepting() throws(ProxyError) {
        do throws(SystemError) {
            for listener in listeners { try listener.resume() }
        } catch {
            throw ProxyError(.internal, "cannot watch a listener: \(error)")
        }
    }

    private func pauseAccepting() {
        for listener in listeners { listener.pause() }
    }

    private func closeListeners() {
        for listener in listeners { listener.close() }
        listeners.removeAll()
    }

    private func resetAll() {
        for session in sessions.values.sorted(by: { $0.ordinal < $1.ordinal }) { session.reset() }
    }

    private func finishDrainIfEmpty() {
        guard isDraining, sessions.isEmpty, let action = onDrained else { return }
        onDrained = nil
        drainTimer?.close()
        action()
    }

    /// Looks for connects that take too long, only while there are connects.
    private func startSweep() {
        guard !isSweeping else { return }
        if sweep == nil { sweep = try? Timer(loop: loop) { [weak self] in self?.sweepConnects() } }
        isSweeping = true
        sweep?.start(afterMilliseconds: 250, repeatMilliseconds: 250)
    }

    private func sweepConnects() {
        let now = loop.nowNanoseconds
        for session in connecting.values.sorted(by: { $0.ordinal < $1.ordinal }) {
            session.checkConnectTimeout(nowNanoseconds: now)
        }
        guard connecting.isEmpty else { return }
        isSweeping = false
        sweep?.stop()
    }
}
