internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

// What effects do to a whole connection: to the bytes of a direction, and to the two legs. The near leg
// receives the direction of the fault.
extension InspectedConnection {
    /// An effect after which the stream goes on acts at once; others are handed back.
    func act(_ fault: ArmedFault) -> Step {
        if case .record = fault.tlsPlace { return actInRecord(fault) }
        let direction = fault.direction
        switch (fault.effect, fault.effect.hold) {
        case (_, let span?): resume(fault, after: span)
        case (.slow(let rate), _):
            let now = context.loop.now
            flows[direction].pace = Pace(rate: rate, now: now)
        case (.corrupt, _): flows[direction].corruptNext(fault.flippedBits)
        case (.purge(let names), _):
            guard context.faults.files?.purge(names) ?? false else {
                context.reporter.unreached(fault, .noFile, on: identity.id)
                return .moved
            }
        case (.late(_, let address), _) where gate.hasStreams: resume(fault, after: .until(address))
        default:
            precondition(fault.effect.endsConnection, "'\(fault.effect.name)' does nothing here")
            return .fault(fault)
        }
        context.faults.fired(markedIfClientSends(fault), on: identity.id)
        return .moved
    }

    private func resume(_ fault: ArmedFault, after span: Effect.Hold) {
        hold(span) { session in
            session.gate.resume(fault)
            session.makeProgress()
        }
    }

    /// Lets an effect act that ends something.
    func begin(_ fault: ArmedFault) {
        if leavesAnswersOpen(fault) { settle(fault) } else { end(by: markedIfClientSends(fault)) }
    }

    func end(by fault: ArmedFault) {
        switch (fault.effect, fault.effect.nearEnding) {
        case (.late(_, let address), _): cutOffLateBytes(fault, until: address)
        case (.hole(let both, let duration), _): openHole(fault, both: both, for: duration)
        case (_, .rst): cut(by: fault, near: Side(receiverOf: fault.direction))
        case (_, .fin): finish(fault)
        case (_, nil): preconditionFailure("'\(fault.effect.name)' ends nothing here")
        }
    }

    /// Resets the client; what was read of it reaches the server later.
    private func cutOffLateBytes(_ fault: ArmedFault, until address: FaultAddress) {
        context.faults.fired(fault, on: identity.id)
        flows[.up].isExactByFault = true
        flows[.down].isHoled = true
        gate.close(.down, by: fault.id)
        ending = (.fault, .rst)
        closeLeg(.client, resetting: true)
        leaveLink()
        hold(.until(address)) { session in
            session.gate.resume(.up)
            session.makeProgress()
        }
        continueLater()
    }

    /// Leaves the server alone once it has what came late.
    func endLateBytes() {
        guard peers[.client].leg == .closed, peers[.upstream].leg == .active,
            gate.hasPassedLateBytes, !flows[.up].hasApproved
        else { return }
        silence(.upstream, as: .halfOpen)
    }

    /// Resets the near leg, as far as proven behind the last byte, and ends the far one.
    func reset(by fault: ArmedFault, near: Side, isProven: Bool) {
        context.faults.fired(fault, on: identity.id, isDelivered: isProven)
        endStreams(by: fault, isExact: isProven)
        ending = (.fault, .rst)
        closeLeg(near, resetting: true)
        endFarLeg(near.opposite, fault, same: .rst)
        leaveLink()
        continueLater()
    }

    private func finish(_ fault: ArmedFault) {
        let near = Side(receiverOf: fault.direction)
        context.faults.fired(fault, on: identity.id)
        endStreams(by: fault, isExact: true)
        ending = (.fault, .fin)
        discard(near, for: fault.options.drain)
        endFarLeg(near.opposite, fault, same: .fin)
        leaveLink()
        continueLater()
    }

    func openHole(
        _ fault: ArmedFault,
        both: Bool,
        for duration: Duration?
    ) {
        context.faults.fired(fault, on: identity.id)
        ending = (.fault, .hole)
        flows[fault.direction].isHoled = true
        flows[fault.direction].isExactByFault = true
        if both || fault.far != .same {
            let near = Side(receiverOf: fault.direction)
            endStreams(by: fault, isExact: true)
            flows[fault.direction.opposite].isHoled = true
            silence(near, as: .silent)
            endFarLeg(near.opposite, fault, same: .hole)
            leaveLink()
        }
        peers[.client].socket.probeWhenIdle(seconds: Self.probeSeconds)
        if let duration {
            let time = context.loop.now.later(by: duration)
            setAlarm(at: time) { session in
                session.endStreams(by: fault, isExact: true)
                session.over(resetting: true)
            }
        }
        continueLater()
    }

    /// Closes the gate in both directions.
    ///
    /// How far the other direction came, and whether it had ended, depends on the moment.
    private func endStreams(by fault: ArmedFault, isExact: Bool) {
        for direction in Direction.allCases {
            gate.close(direction, by: fault.id)
            flows[direction].isExactByFault = isExact && direction == fault.direction
        }
    }

    private func endFarLeg(_ side: Side, _ fault: ArmedFault, same: FarEnding) {
        switch fault.far == .same ? same : fault.far {
        case .rst, .same: closeLeg(side, resetting: true)
        case .fin: discard(side, for: fault.options.drain)
        case .hole: silence(side, as: fault.far == .hole ? .halfOpen : .silent)
        }
    }

    // Legs without a part in the transfer.

    /// How long a silent peer may be idle before its kernel is asked whether it is still there.
    ///
    /// A client that has closed looks like one that has only sent its last byte, for as long as
    /// nothing is written to it. Its kernel forgets the connection a minute after such a close
    /// (Linux: `tcp_fin_timeout`) and then answers a probe with a reset; an application that still
    /// waits has no notice of probes (RFC 9293 §3.8.4).
    private static let probeSeconds = 5

    /// Sends our end, then reads and forgets until the peer ends too, for a limited time.
    func discard(_ side: Side, for duration: Duration? = nil) {
        peers[side].shutDown()
        peers[side].leg = .discarding
        let span = duration ?? proofLimit
        awaitDiscarded(side, untaken: .max, for: span)
    }

    /// Closes a leg that was ended, but not while its receiver still takes what was sent before.
    private func awaitDiscarded(_ side: Side, untaken: Int, for span: Duration) {
        setAlarm(at: context.loop.now.later(by: span)) { session in
            let left = session.peers[side].untakenBytes
            if left > 0, left < untaken {
                session.awaitDiscarded(side, untaken: left, for: span)
            } else {
                session.closeLeg(side, resetting: false)
                session.makeProgress()
            }
        }
    }

    private func silence(_ side: Side, as leg: Peer.Leg) {
        guard peers[side].leg == .active else { return }
        peers[side].leg = leg
        peers[side].socket.probeWhenIdle(seconds: Self.probeSeconds)
    }
}
