internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

// How a connection comes to its end.
extension InspectedConnection {
    var isInHole: Bool { flows[.up].isHoled || flows[.down].isHoled }

    /// Whether nothing can pass in either direction any more, and only the two sides' patience
    /// keeps the connection.
    ///
    /// Such a connection is not waited for when the run ends, and makes room when there are too
    /// many connections.
    var onlySilenceIsLeft: Bool {
        isMoving && peers[.client].leg != .discarding && peers[.upstream].leg != .discarding
            && !mayPass(.up) && !mayPass(.down)
    }

    private func mayPass(_ direction: Direction) -> Bool {
        !flows[direction].isHoled && flows[direction].end < .passed
            && (flows[direction].hasApproved || !context.link.isStalledByBudget)
            && peers[.client].leg == .active && peers[.upstream].leg == .active
    }

    func drainBegan() { continueLater() }
    func budgetChanged(isMetered: Bool) { continueLater() }
    func budgetSpent() { endByBudget() }

    /// After an upload an answer is due; after a download the client has the word.
    var isIdle: Bool {
        isMoving && held == nil && lastDelivery != .up && firstToEnd == nil && !isInHole
            && peers[.client].leg == .active && peers[.upstream].leg == .active
            && isEmpty(flows[.up]) && isEmpty(flows[.down])
    }

    private func isEmpty(_ flow: GatedFlow) -> Bool {
        flow.queue.isEmpty && !flow.hasApproved && flow.toxics?.count ?? 0 == 0
    }

    func closeIdle() {
        ending = ending ?? (.shutdown, .fin)
        over(resetting: false)
    }

    func giveWay() {
        // Its descriptors are needed now.
        peers[.client].close(resetting: true, on: context.loop)
        over(resetting: true)
    }

    func closeLeg(_ side: Side, resetting: Bool) {
        guard resetting, side == .client else {
            peers[side].close(resetting: resetting, on: context.loop)
            return
        }
        context.reset(peers[.client], of: self)
    }

    /// Attends to legs that no longer take part.
    ///
    /// - Returns: whether there may be more to do.
    func serveIdleLegs() -> Bool {
        let hasMore = serve(.client)
        return serve(.upstream) || hasMore
    }

    /// Ends what is over by now.
    func handleEndings() {
        endLateBytes()
        noteBreaks()
        endIfDone()
        leaveIfDone()
    }

    private func serve(_ side: Side) -> Bool {
        switch peers[side].leg {
        case .active, .closed: return false
        case .discarding:
            switch peers[side].socket.discardReceived(using: tools.buffer) {
            case .moved: return true
            case .wouldBlock: return false
            case .ended, .failed: closeLeg(side, resetting: false)
            }
        case .silent, .halfOpen:
            // Without a client nobody is left for whom an upstream's half-close would matter.
            let isLast = side == .upstream && peers[.client].leg == .closed
            if peers[side].isBroken || isLast && peers[side].hasHungUp {
                closeLeg(side, resetting: true)
            } else if peers[side].isCutOff {
                discard(side)
                return true
            }
        }
        return false
    }

    /// Deals with resets, and with clients that have left a hole.
    private func noteBreaks() {
        switch phase {
        case .over: return
        case .cutting(let cut): noteBreak(in: cut)
        case .moving:
            noteBreak(.client)
            noteBreak(.upstream)
        }
    }

    private func noteBreak(_ side: Side) {
        guard !isOver, peers[side].leg == .active else { return }
        if side == .client, isInHole {
            leaveHole()
        } else if peers[side].isBroken {
            passReset(from: side)
        }
    }

    /// Ends a hole that no peer observes any more; silence has no other end.
    private func leaveHole() {
        if peers[.client].isBroken {
            over(resetting: true)
        } else if peers[.client].isCutOff {
            // What was sent before our end may still be on its way to the client.
            closeLeg(.upstream, resetting: true)
            discard(.client)
            continueLater()
        }
    }

    private func passReset(from side: Side) {
        if flows[side.sends].isHoled {
            closeLeg(side, resetting: false)
            return
        }
        ending = ending ?? (side.party, .rst)
        guard let link else {
            over(resetting: true)
            return
        }
        closeLeg(side, resetting: false)
        link.abort(identity.stream(side.sends))
    }

    /// Ends both sides in order and forgets what still comes, for a limited time.
    func finish(by party: ConnectionEnd.Party) {
        guard isMoving, peers[.client].leg == .active, peers[.upstream].leg == .active else {
            // It ends already; somebody wants that to be at once.
            over(resetting: false)
            return
        }
        ending = ending ?? (party, .fin)
        leaveLink()
        leaveToxics()
        forgetUnread()
        discard(.client)
        discard(.upstream)
        continueLater()
    }

    func endIfDone() {
        guard !isOver else { return }
        if let closing, flows[closing].end == .passed {
            self.closing = nil
            flows[closing].isExactByFault = true
            finish(by: .fault)
            return
        }
        if isDeaf { return finish(by: (firstToEnd ?? .client).party) }
        let isFinished =
            flows[.up].end == .passed && flows[.down].end == .passed
            && peers[.client].isFlushed && peers[.upstream].isFlushed
        if isFinished { ending = ending ?? ((firstToEnd ?? .client).party, .fin) }
        let clientIsGone = peers[.client].leg == .closed
        if isFinished || clientIsGone && peers[.upstream].leg == .closed {
            over(resetting: false)
        } else if clientIsGone, peers[.upstream].leg == .silent {
            over(resetting: true)
        } else if onlySilenceIsLeft {
            context.owner?.fellSilent(self)
        }
    }

    /// Ends everything that is left.
    func over(resetting: Bool) {
        if case .cutting(let cut) = phase, let fault = cut.fault {
            // The connection ended while the proof was waited for.
            context.faults.fired(fault, on: identity.id, isDelivered: false)
        }
        guard !isOver else { return }
        if let fault = settling { context.faults.fired(fault, on: identity.id, isDelivered: false) }
        endHold()
        phase = .over
        for alarm in alarms { context.timers.cancel(alarm) }
        alarms.removeAll()
        leaveToxics()
        forgetUnread()
        closeLeg(.client, resetting: resetting)
        closeLeg(.upstream, resetting: resetting)
        link?.remove(identity.number)
        closeGate()
        closeLulls()
        context.owner?.ended(self, connectionEnd)
    }

    private var connectionEnd: ConnectionEnd {
        let ending = ending ?? (.limit, .rst)
        var end = end(by: ending.by, how: ending.how)
        end.down.isExact = isExact(.down, ending.by)
        end.up.isExact = isExact(.up, ending.by)
        if let session = peers[.client].secure?.session {
            end.earlyBytes = UInt64(session.earlyByteCount)
            end.isSealed = session.isEstablished || end.earlyBytes > 0
        }
        if tls == nil { end.passedTLS = peers.passedTLS }
        end.lateStreams = lateStreams
        end.hasStreams = gate.hasStreams
        end.clientEndedAt = clientEnd.map { .start + $0.elapsed(since: context.startedAt) }
        return end
    }

    /// Whether the count of a direction does not depend on the moment.
    ///
    /// After a fault that is so for its own direction only, even if the other one had ended: its
    /// end and the fault may come in either order.
    private func isExact(_ direction: Direction, _ party: ConnectionEnd.Party) -> Bool {
        if party == .fault { return flows[direction].isExactByFault }
        // Frames that give windows back come as the moment has it.
        return flows[direction].end == .passed && !gate.hasStreams
    }
}
