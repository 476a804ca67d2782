internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

// How a client of a route that forwards says where it is to go.
extension PendingConnection {
    /// Looks at what has come; it is taken away only as far as it is for us.
    func readEntry() {
        if !early.isEmpty, !hasEnded, association == nil {
            read(early)
            if entry?.destination != nil { return }
        }
        while client.isReadable, !hasEnded {
            guard association == nil else {
                readAssociated()
                continue
            }
            switch client.socket.peek(into: context.tools.buffer, limit: ForwardEntry.limit) {
            case .wouldBlock: client.isReadable = false
            case .moved(let count): read(early + context.tools.buffer.bytes(0..<count))
            case .ended: over(end(by: .client, how: .fin))
            case .failed: over(end(by: .client, how: .rst))
            }
            if entry?.destination != nil { return }
        }
    }

    private func read(_ bytes: [UInt8]) {
        switch entry?.read(bytes) {
        case .needsMore:
            // More is reported when it comes.
            client.isReadable = false
            if client.hasHungUp { over(end(by: .client, how: .fin)) }
        case .answer(let answer, let consumed):
            take(consumed)
            say(answer)
        case .destination(let destination, let consumed):
            take(consumed)
            begin(destination)
        case .association(let consumed):
            take(consumed)
            associate()
        case .refused(let answer):
            say(answer)
            turnAway()
        case nil: break
        }
    }

    /// Opens a relay for datagrams, which goes with the connection.
    private func associate() {
        association = context.owner?.associate(self)
        deadline = .never
        say(SOCKSHandshake.reply(relayAt: association?.address))
        if association == nil { turnAway() }
    }

    /// Looks at a connection that has a relay; it carries nothing but its own end.
    private func readAssociated() {
        switch client.socket.discardReceived(using: context.tools.buffer) {
        case .wouldBlock: client.isReadable = false
        case .moved: break
        case .ended: over(end(by: .client, how: .fin))
        case .failed: over(end(by: .client, how: .rst))
        }
    }

    private func begin(_ destination: Destination) {
        do throws(DestinationRules.Refusal) {
            try entry?.settings.rules.check(destination)
            target = Upstream(destination.endpoint)
            move(to: context.owner?.context(to: destination))
            if isStopped(by: context.faults.faults(on: identity.id, destinedTo: destination)) {
                return
            }
            guard !context.link.refusesConnections else {
                return over(end(by: .limit, how: .refused))
            }
            openAfterLookup()
        } catch {
            turnAway(error == .notAllowed ? .notAllowed : .unclearHost)
        }
    }

    /// Lets the faults of connections to a server act; whether one of them is that there is no
    /// connection.
    ///
    /// A server that refuses is told as the proxy's protocol tells it; one that is silent, by silence.
    private func isStopped(by faults: ConnectionFaults?) -> Bool {
        replaceFaults(faults)
        if let faults, let fault = faults.refusedBy {
            context.reporter.refused(by: fault, faults, on: identity.id)
            refusesByFault = true
            turnAway(.refusedByServer)
            return true
        }
        context.faults.connectHappened(identity.id)
        guard let faults, let fault = faults.silencedBy else { return false }
        context.reporter.silenced(by: fault, faults, on: identity.id)
        isSilenced = true
        return true
    }

    /// Tells the client why it gets no connection, and ends it.
    func turnAway(_ outcome: ForwardOutcome) {
        if outcome == .notAllowed || outcome == .unclearHost, let destination = entry?.destination {
            context.reporter.turnedAway(identity.id, destination, outcome)
        }
        if let reply = entry?.reply(outcome) { say(reply) }
        turnAway()
    }

    /// Ends a connection that was answered.
    ///
    /// What is still to be read is taken away first: closing resets otherwise, and the answer is lost.
    private func turnAway() {
        _ = client.socket.discardReceived(using: context.tools.buffer)
        client.shutDown()
        client.close(resetting: false, on: context.loop)
        guard refusesByFault else { return over(end(by: .upstream, how: .fin)) }
        var end = end(by: .fault, how: .refused)
        (end.up.isExact, end.down.isExact) = (true, true)
        over(end)
    }

    private func take(_ count: Int) {
        let known = min(count, early.count)
        early.removeFirst(known)
        take(count - known, from: client)
    }

    /// Reads so many bytes that were looked at.
    func take(_ count: Int, from peer: Peer) {
        guard count > 0 else { return }
        _ = peer.socket.receive(into: context.tools.buffer, limit: count)
    }

    func say(_ bytes: [UInt8]) { say(bytes, to: client) }

    /// Writes a few bytes, for which the kernel has room.
    func say(_ bytes: [UInt8], to peer: Peer) {
        guard !bytes.isEmpty else { return }
        context.tools.buffer.fill(bytes)
        _ = peer.socket.send(context.tools.buffer, from: 0, count: bytes.count)
    }
}

extension ForwardOutcome {
    init(_ error: SystemError) {
        self =
            switch error {
            case .connectionRefused: .refusedByServer
            case .timedOut: .timedOut
            case _ where error.isLookup: .unknownHost
            default: .unreachable
            }
    }
}
