internal import FaultInjection
internal import Journal
internal import LinkEngine
internal import LinkProfile
internal import Libuv

// The life of connections, as listeners and sessions report it.
extension ProxyServer {
    private static let sweepNanoseconds: UInt64 = 250_000_000
    static let retryNanoseconds: UInt64 = 100_000_000

    func accept(_ socket: consuming Socket, on route: Int) {
        if connections.count >= connectionLimit { oldestSilent?.giveWay() }
        accepted[route] += 1
        let identity = ConnectionIdentity(
            number: nextNumber,
            id: ConnectionID(listener: listenerNumber(route), ordinal: accepted[route]),
            route: route,
            acceptedAtNanoseconds: loop.nowNanoseconds
        )
        nextNumber += 1
        listenNoMore(before: accepted[route] &+ 1, on: route)
        reporter.accepted(identity.id, client: socket.peerAddress)
        let faults = faults(on: identity.id)
        if let faults, let fault = faults.refusedBy {
            reporter.refused(by: fault, faults, on: identity.id)
            refuse(socket, identity, by: .fault)
            return
        }
        if live.takeRefusal(route) {
            refusedByHand(identity.id, faults)
            refuse(socket, identity, by: .fault)
            return
        }
        for event in requestPlan.events(atConnect: identity.id.ordinal) { happened(event) }
        if let faults, let fault = faults.silencedBy {
            reporter.silenced(by: fault, faults, on: identity.id)
            connections[identity.number] = SilentConnection(
                host: self,
                identity: identity,
                client: socket
            )
            return
        }
        guard budget?.refusesNow != true else {
            refuse(socket, identity, by: .limit)
            return
        }
        prepare(socket)
        let pending = PendingConnection(
            host: self,
            identity: identity,
            faults: faults,
            client: socket
        )
        connections[identity.number] = pending
        pendingCount += 1
        sweepConnects()
        pending.start(lookupDelay: configuration.profile.nameLookupDelay)
        if connections.count >= connectionLimit, oldestSilent == nil { pauseAccepting() }
    }

    /// What gives way to a new connection when there are too many.
    private var oldestSilent: (any Connection)? {
        connections.values.lazy.filter(\.onlySilenceIsLeft)
            .min { $0.identity.number < $1.identity.number }
    }

    /// Bounds what the kernel keeps for a shaped connection, so that the proxy is no endless
    /// buffer.
    func prepare(_ socket: borrowing Socket) {
        if link != nil { bound(socket) }
    }

    func bound(_ socket: borrowing Socket) {
        socket.limitBuffers(received: limits.shapedReceiveBytes, unsent: limits.shapedUnsentBytes)
    }

    func upstream(of connection: PendingConnection) -> Upstream {
        upstreams[connection.identity.route]
    }

    /// The number of a route's listener in records.
    func listenerNumber(_ route: Int) -> UInt32 { configuration.firstListener + UInt32(route) }

    func connected(_ pending: PendingConnection) {
        let identity = pending.identity
        let faults = pending.faults
        pendingCount -= 1
        pending.surrender()
        let upstream = pending.upstream
        if let onUpstreamConnection, let address = upstream.socket.localAddress {
            onUpstreamConnection(address)
        }
        let messages = messageDesk(for: identity.id)
        if link == nil, faults == nil, budget == nil, messages == nil, toxics.isEmpty,
            !live.isPaused
        {
            let session = DirectSession(
                host: self,
                identity: identity,
                client: pending.client,
                upstream: upstream
            )
            connections[identity.number] = session
            session.start()
        } else {
            let session = GatedSession(
                host: self,
                identity: identity,
                client: pending.client,
                upstream: upstream,
                faults: faults,
                messages: messages,
                link: link
            )
            connections[identity.number] = session
            if !toxics.isEmpty { session.set(toxics) }
            if live.isPaused { session.hold() }
            session.start()
        }
    }

    func connectFailed(_ pending: PendingConnection, _ error: SystemError) {
        let upstream = upstreams[pending.identity.route]
        upstream.lookUpAgain(on: loop)
        reporter.upstreamFailed(pending.identity.id, upstream.endpoint, error)
    }

    func ended(_ connection: any Connection, _ end: ConnectionEnd) {
        guard connections.removeValue(forKey: connection.identity.number) != nil else { return }
        if connection is PendingConnection { pendingCount -= 1 }
        link?.remove(connection.identity.number)
        endedBytes.up += end.up.bytes
        endedBytes.down += end.down.bytes
        endedReceived.up += connection.received(.up)
        endedReceived.down += connection.received(.down)
        reporter.ended(end)
        if isAccepting, connections.count < connectionLimit { try? resumeAccepting() }
        finishDrainIfEmpty()
    }

    /// Resets a client; one that has said and heard nothing yet may see first that it is connected.
    func reset(_ client: Peer, of connection: any Connection) {
        let isUntouched = connection.received(.up) == 0 && connection.bytes(.down) == 0
        guard isUntouched, client.socket.isOpen, !client.isBroken else {
            client.close(resetting: true, on: loop)
            return
        }
        earlyResets.reset(
            client.surrender(),
            token: client.token,
            acceptedAtNanoseconds: connection.identity.acceptedAtNanoseconds
        )
    }

    /// Looks now and then for connects that take too long, as long as there are any.
    ///
    /// One alarm for all: setting one for each would cost as much as the rest of its bookkeeping.
    private func sweepConnects() {
        guard sweepAlarm == .none else { return }
        sweepAlarm = alarms.set(afterNanoseconds: Self.sweepNanoseconds) { [weak self] in
            guard let self else { return }
            sweepAlarm = .none
            guard pendingCount > 0 else { return }
            let now = loop.nowNanoseconds
            for case let pending as PendingConnection in inOrder {
                pending.checkDeadline(nowNanoseconds: now)
            }
            sweepConnects()
        }
    }

    // Accepting.

    func resumeAccepting() throws(ProxyError) {
        do throws(SystemError) {
            for listener in listeners { try listener.resume() }
        } catch {
            throw ProxyError(.internal, "cannot watch a listener: \(error)")
        }
    }

    /// The system did not give us a connection, most likely for want of descriptors.
    func acceptFailed(_ error: SystemError) {
        if error.isExhaustion {
            descriptorsRanOut(error)
        } else {
            reporter.trouble(.other, "cannot accept: \(error)")
        }
        for listener in listeners { listener.pause() }
        alarms.cancel(retryAlarm)
        retryAlarm = alarms.set(afterNanoseconds: Self.retryNanoseconds) { [weak self] in
            guard let self, isAccepting, connections.count < connectionLimit else { return }
            try? resumeAccepting()
        }
    }

    /// Gives back what can be spared, and tells.
    func descriptorsRanOut(_ error: SystemError) {
        tools.pipes.releaseIdle()
        earlyResets.finish()
        reporter.descriptorsRanOut("\(error); connections wait until others end")
    }

    private func pauseAccepting() {
        for listener in listeners { listener.pause() }
        reporter.descriptorsRanOut(
            "the limit of open connections, \(connections.count), is reached; further ones wait"
        )
    }

    private func refuse(
        _ socket: consuming Socket,
        _ identity: ConnectionIdentity,
        by party: ConnectionEnd.Party
    ) {
        earlyResets.reset(socket, acceptedAtNanoseconds: identity.acceptedAtNanoseconds)
        let nothing = ConnectionEnd.Delivered(bytes: 0, isExact: true)
        reporter.ended(
            ConnectionEnd(
                connection: identity.id,
                by: party,
                how: .refused,
                down: nothing,
                up: nothing
            )
        )
    }
}
