internal import Basics
internal import Faults
internal import Journal
internal import LinkEngine
internal import LinkProfile
internal import SystemIO

// A client has connected.
extension ProxyServer: AcceptorOwner {
    private static let sweepTime = Duration.milliseconds(250)

    var hasRoom: Bool { !connections.isFull }

    func descriptorsRanOut(_ error: SystemError) { context.descriptorsRanOut(error) }

    func received(
        _ client: consuming Socket,
        as id: ConnectionID,
        route: Int,
        having bytes: [UInt8]
    ) {
        if connections.isFull { connections.oldestSilent?.giveWay() }
        let identity = ConnectionIdentity(
            number: connections.nextNumber(),
            id: id,
            route: route,
            acceptedAt: loop.now
        )
        faults.enforceDowntime(on: route)
        context.reporter.accepted(id, client: client.peerAddress)
        let faults = self.faults.faults(on: id, to: destination(of: route))
        if isRefused(identity, faults) { return refuse(client, identity, by: .fault) }
        self.faults.connectHappened(id)
        if let faults, let fault = faults.silencedBy {
            context.reporter.silenced(by: fault, faults, on: id)
            connections.insert(BlackholedConnection(context, identity, client: client))
            return
        }
        // A client that says where it goes may go over another link.
        if acceptor.entry(of: route) == nil, presentContext.link.refusesConnections {
            return refuse(client, identity, by: .limit)
        }
        open(client, identity, faults, having: bytes)
    }

    /// The server of all connections of a route; nil if each client says where it goes.
    private func destination(of route: Int) -> Destination? {
        guard acceptor.entry(of: route) == nil,
            case .tcp(let host, let port) = acceptor.upstream(of: route).endpoint
        else { return nil }
        let name =
            configuration.routes.indices.contains(route)
            ? configuration.routes[route].upstreamName : nil
        return Destination(host: name ?? host, port: port)
    }

    /// Whether a fault refuses a connection, or someone by hand; records it.
    private func isRefused(
        _ identity: ConnectionIdentity,
        _ faults: ConnectionFaults?
    ) -> Bool {
        if let faults, let fault = faults.refusedBy {
            context.reporter.refused(by: fault, faults, on: identity.id)
            return true
        }
        guard manual.refusesNext(on: identity.route) else { return false }
        self.faults.refusedByHand(identity.id, faults)
        return true
    }

    private func refuse(
        _ client: consuming Socket,
        _ identity: ConnectionIdentity,
        by party: ConnectionEnd.Party
    ) {
        context.resets.reset(client, acceptedAt: identity.acceptedAt)
        let nothing = ConnectionEnd.Delivered(bytes: 0, isExact: true)
        context.reporter.ended(
            ConnectionEnd(
                connection: identity.id,
                by: party,
                how: .refused,
                down: nothing,
                up: nothing
            )
        )
    }

    private func open(
        _ client: consuming Socket,
        _ identity: ConnectionIdentity,
        _ faults: ConnectionFaults?,
        having bytes: [UInt8]
    ) {
        let context = presentContext
        context.bound(client, .client)
        let pending = PendingConnection(
            context,
            identity,
            acceptor: acceptor,
            faults: faults,
            client: client,
            having: bytes
        )
        connections.insert(pending)
        sweepConnects()
        pending.start()
        if connections.isFull, connections.oldestSilent == nil { pauseAccepting() }
    }

    private func pauseAccepting() {
        acceptor.pause()
        context.reporter.descriptorsRanOut(
            "the limit of open connections, \(connections.count), is reached; further ones wait"
        )
    }

    /// Looks now and then for connects that take too long, while there are any.
    ///
    /// One timer for all: setting one for each would cost as much as the rest of its bookkeeping.
    private func sweepConnects() {
        guard connectSweep == .none else { return }
        connectSweep = context.timers.set(after: Self.sweepTime) {
            [weak self] in
            guard let self else { return }
            connectSweep = .none
            guard connections.pendingCount > 0 else { return }
            let now = loop.now
            for connection in connections.inOrder { connection.checkDeadline(at: now) }
            sweepConnects()
        }
    }
}

// What becomes of it.
extension ProxyServer: ConnectionOwner {
    @discardableResult
    func connected(_ pending: PendingConnection) -> any Connection {
        pending.surrender()
        if let onUpstreamConnection, let address = pending.upstream.socket.localAddress {
            onUpstreamConnection(address)
        }
        var gate = faultGate(for: pending.identity.id, pending.faults)
        if pending.carriesURLs { gate.expectHTTP1() }
        let isSpliced =
            pending.faults == nil && !gate.followsMessages && pending.early.isEmpty
            && !pending.carriesURLs && isUnobstructed(pending.context.link)
        return isSpliced ? splice(pending) : inspect(pending, gate)
    }

    private func splice(_ pending: PendingConnection) -> SplicedConnection {
        let session = SplicedConnection(
            pending.context,
            pending.identity,
            client: pending.client,
            upstream: pending.upstream
        )
        connections.insert(session)
        session.start()
        return session
    }

    private func inspect(_ pending: PendingConnection, _ gate: consuming ConnectionGate)
        -> InspectedConnection
    {
        let relay = pending.entry?.relay(readsAnswers: !gate.followsMessages)
        let session = InspectedConnection(
            pending.context,
            pending.identity,
            client: pending.client,
            upstream: pending.upstream,
            gate: gate,
            lulls: pending.faults?.lulls ?? [],
            recorder: messageRecorder(for: pending.identity.id),
            tls: tlsStage(of: pending),
            handshake: pending.faults?.handshake ?? [],
            relay: relay,
            early: pending.early,
            link: pending.context.link.driver
        )
        connections.insert(session)
        if !toxics.isEmpty { session.set(toxics) }
        if manual.isPaused { session.hold() }
        session.start()
        return session
    }

    /// Whether nothing acts on all connections over a link.
    private func isUnobstructed(_ link: SharedLink) -> Bool {
        context.tls == nil && link.driver == nil && !link.isMetered && toxics.isEmpty
            && !manual.isPaused
    }

    /// What a connection's bytes pass; it follows messages if anything depends on them.
    private func faultGate(
        for id: ConnectionID,
        _ byteFaults: ConnectionFaults?
    ) -> ConnectionGate {
        let requests = faults.plan.requests
        let matters =
            observesMessages || !configuration.rewrites.isEmpty
            || requests.concerns(connection: id.ordinal, hosts: faults.hosts(id))
        guard matters else { return ConnectionGate(faults: byteFaults) }
        return ConnectionGate(
            faults: byteFaults,
            plan: requests,
            connection: id.ordinal,
            hosts: faults.hosts(id),
            rewrites: configuration.rewrites
        )
    }

    /// What makes records of a connection's messages; nil if no one wants them.
    private func messageRecorder(for id: ConnectionID) -> MessageRecorder? {
        observesMessages ? MessageRecorder(id, startedAt: context.startedAt) : nil
    }

    private var observesMessages: Bool {
        configuration.observesRequests && context.reporter.isObserved
    }

    func connectFailed(_ pending: PendingConnection, _ error: SystemError) {
        let upstream = pending.target
        upstream.lookUpAgain(on: loop)
        context.reporter.upstreamFailed(pending.identity.id, upstream.endpoint, error)
        onUpstreamFailure?(upstream.endpoint, error)
    }

    func context(to server: Destination) -> ConnectionContext {
        let own = hostContexts.first { $0.hosts.matches(host: server.host, port: server.port) }
        return own?.context ?? presentContext
    }

    /// The next proxy carries no datagrams, and they may not go around it.
    func associate(_ pending: PendingConnection) -> Association? {
        guard context.chain == nil, let rules = pending.entry?.settings.rules,
            let client = pending.clientAddress, let own = pending.client.socket.localAddress
        else { return nil }
        do throws(SystemError) {
            return try Association(
                pending.identity.id,
                client: client,
                at: own,
                rules: rules,
                table: flows.relays(ofListener: pending.identity.id.listener),
                link: { [weak self] in self?.context(to: $0).link }
            )
        } catch {
            if error.isExhaustion { descriptorsRanOut(error) }
            return nil
        }
    }

    func gate(_ session: SplicedConnection) -> InspectedConnection {
        let gated = session.surrender()
        connections.insert(gated)
        if !toxics.isEmpty { gated.set(toxics) }
        gated.start()
        return gated
    }

    /// The client of a connection that is over has asked for another server, with these bytes.
    func reconnect(_ client: consuming Socket, route: Int, having bytes: [UInt8]) {
        guard !acceptor.isClosed else { return client.close() }
        acceptor.receiveAgain(client, on: route, having: bytes)
    }

    /// Nothing can pass on a connection any more.
    ///
    /// It stays while there is room, as on a real network, but the end of the run does not wait
    /// for it.
    func fellSilent(_ session: InspectedConnection) {
        if acceptor.isClosed {
            session.over(resetting: true)
        } else if connections.isFull {
            try? acceptor.resume()
        }
    }

    func ended(_ connection: any Connection, _ end: ConnectionEnd) {
        guard connections.remove(connection, end) else { return }
        connection.context.link.remove(connection.identity.number)
        faults.ended(connection.identity.id)
        context.reporter.ended(end, to: connection.identity.server)
        paths.ended(on: connection.context.link)
        if !acceptor.isClosed, hasRoom { try? acceptor.resume() }
        draining?.connectionEnded()
    }
}
