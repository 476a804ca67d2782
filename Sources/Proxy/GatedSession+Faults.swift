internal import FaultInjection
internal import Journal
internal import LinkEngine
internal import Libuv

/// An ending that waits until the receiver's kernel has acknowledged all that was written.
///
/// A close with linger 0 throws away what the kernel has not yet delivered, so "exactly N bytes,
/// then a reset" needs this proof first.
struct Cut {
    /// Nil for an end by the byte budget.
    let fault: ArmedFault?
    let near: Side
    /// When to give up; put off while the receiver takes something.
    var deadlineNanoseconds: UInt64
    /// What the receivers had not taken at the last look.
    var untakenBytes = Int.max
}

// What faults do to the two legs. The near leg receives the direction of the fault.
extension GatedSession {
    /// How often the proof is asked for.
    private static let proofIntervalNanoseconds: UInt64 = 500_000

    /// Lets an effect act that ends something.
    func begin(_ fault: ArmedFault) {
        switch fault.effect {
        case .reset:
            waitForProof(fault, near: Side(receiverOf: fault.direction))
        case .finish: finish(fault)
        case .hole(let both, let duration): openHole(fault, both: both, for: duration)
        case .slow, .corrupt, .stall, .refuse: break
        }
    }

    /// Lets the stream go on after a stall.
    func resume(_ direction: Direction, after duration: LinkEngine.Duration) {
        let time = host.loop.nowNanoseconds + UInt64(duration.nanoseconds)
        setAlarm(atNanoseconds: time) { session in
            if direction == .up { session.up.gate.resume() } else { session.down.gate.resume() }
            session.work()
        }
    }

    /// Ends the connection with resets once everything written has arrived: the budget is spent.
    func endByBudget() {
        guard cut == nil, leg(.client) == .active, leg(.upstream) == .active else { return }
        waitForProof(nil, near: .client)
    }

    // Reset.

    private func waitForProof(_ fault: ArmedFault?, near: Side) {
        cut = Cut(
            fault: fault,
            near: near,
            deadlineNanoseconds: host.loop.nowNanoseconds + proofLimitNanoseconds
        )
        prove()
    }

    private func prove() {
        guard var cut else { return }
        let now = host.loop.nowNanoseconds
        let untaken = untakenBytes(cut)
        if untaken < cut.untakenBytes {
            cut.untakenBytes = untaken
            cut.deadlineNanoseconds = now + proofLimitNanoseconds
            self.cut = cut
        }
        let isProven = isProven(cut)
        if isProven || now >= cut.deadlineNanoseconds {
            complete(cut, isProven: isProven)
        } else {
            setAlarm(atNanoseconds: now + Self.proofIntervalNanoseconds) { $0.prove() }
        }
    }

    /// Ends the wait because a peer went away.
    func proveNow() {
        guard let cut else { return }
        complete(cut, isProven: isProven(cut))
    }

    /// Whether bytes that the budget has paid for wait to be written before it ends everything.
    func owesBeforeCut(_ direction: Direction) -> Bool {
        guard let cut, cut.fault == nil else { return false }
        return direction == .up ? up.approved > 0 : down.approved > 0
    }

    private var proofLimitNanoseconds: UInt64 {
        host.limits.deliveryTimeoutMilliseconds * 1_000_000
    }

    /// Bytes before the cut that no receiver's kernel has acknowledged.
    private func untakenBytes(_ cut: Cut) -> Int {
        let waiting = cut.fault == nil ? up.approved + down.approved : 0
        let peers = cut.fault == nil ? [Side.client, .upstream] : [cut.near]
        return peers.reduce(waiting) {
            $0 + ($1 == .client ? client.untakenBytes : upstream.untakenBytes)
        }
    }

    private func isProven(_ cut: Cut) -> Bool {
        if owesBeforeCut(.up) || owesBeforeCut(.down) { return false }
        let peers = cut.fault == nil ? [Side.client, .upstream] : [cut.near]
        return peers.allSatisfy { $0 == .client ? client.hasTakenAll : upstream.hasTakenAll }
    }

    private func complete(_ cut: Cut, isProven: Bool) {
        self.cut = nil
        guard let fault = cut.fault else {
            ending = (.limit, .rst)
            over(resetting: true)
            return
        }
        host.faultFired(fault, on: identity.id, isDelivered: isProven)
        endStreams(by: fault, isExact: isProven)
        ending = (.fault, .rst)
        closeLeg(cut.near, resetting: true)
        endFarLeg(cut.near.opposite, fault, same: .rst)
        leaveLink()
        continueLater()
    }

    // End.

    private func finish(_ fault: ArmedFault) {
        let near = Side(receiverOf: fault.direction)
        host.faultFired(fault, on: identity.id)
        endStreams(by: fault, isExact: true)
        ending = (.fault, .fin)
        discard(near)
        endFarLeg(near.opposite, fault, same: .fin)
        leaveLink()
        continueLater()
    }

    // Silence.

    private func openHole(
        _ fault: ArmedFault,
        both: Bool,
        for duration: LinkEngine.Duration?
    ) {
        host.faultFired(fault, on: identity.id)
        ending = (.fault, .hole)
        let near = Side(receiverOf: fault.direction)
        if fault.direction == .up { up.isHoled = true } else { down.isHoled = true }
        if fault.direction == .up { up.isExact = true } else { down.isExact = true }
        if both || fault.far != .same {
            endStreams(by: fault, isExact: true)
            up.isHoled = true
            down.isHoled = true
            silence(near)
            endFarLeg(near.opposite, fault, same: .hole)
            leaveLink()
        }
        if let duration {
            let time = host.loop.nowNanoseconds + UInt64(duration.nanoseconds)
            setAlarm(atNanoseconds: time) { session in
                session.endStreams(by: fault, isExact: true)
                session.over(resetting: true)
            }
        }
        continueLater()
    }

    // The legs.

    /// Tells both gates that nothing passes any more.
    private func endStreams(by fault: ArmedFault, isExact: Bool) {
        up.gate.close(by: fault.id)
        down.gate.close(by: fault.id)
        // How far the other direction came, and whether it had ended, depends on the moment.
        up.isExact = isExact && fault.direction == .up
        down.isExact = isExact && fault.direction == .down
    }

    private func endFarLeg(_ side: Side, _ fault: ArmedFault, same: FarEnding) {
        switch fault.far == .same ? same : fault.far {
        case .rst, .same: closeLeg(side, resetting: true)
        case .fin: discard(side)
        case .hole: silence(side)
        }
    }

    /// Sends our end, then reads and forgets until the peer ends too, for a limited time.
    private func discard(_ side: Side) {
        if side == .client {
            client.shutDown()
            client.leg = .discarding
        } else {
            upstream.shutDown()
            upstream.leg = .discarding
        }
        awaitDiscarded(side, untaken: .max)
    }

    /// Closes a leg that was ended, but not while its receiver still takes what was sent before.
    private func awaitDiscarded(_ side: Side, untaken: Int) {
        setAlarm(atNanoseconds: host.loop.nowNanoseconds + proofLimitNanoseconds) { session in
            let left =
                side == .client ? session.client.untakenBytes : session.upstream.untakenBytes
            if left > 0, left < untaken {
                session.awaitDiscarded(side, untaken: left)
            } else {
                session.closeLeg(side, resetting: false)
                session.work()
            }
        }
    }

    private func silence(_ side: Side) {
        guard leg(side) == .active else { return }
        if side == .client { client.leg = .silent } else { upstream.leg = .silent }
    }

    private func leaveLink() {
        link?.remove(identity.number)
        link = nil
    }
}

extension Peer {
    /// Bytes that the peer's kernel has not acknowledged; 0 once the socket is closed or broken.
    fileprivate var untakenBytes: Int {
        socket.isOpen && !isBroken && !socket.isUnix ? socket.unacknowledgedBytes : 0
    }

    /// Whether the peer's kernel has acknowledged everything, or there is no peer any more.
    ///
    /// A Unix socket hands bytes over at once and keeps them when it is closed.
    fileprivate var hasTakenAll: Bool {
        guard socket.isOpen, !isBroken else { return false }
        return socket.isUnix || socket.unacknowledgedBytes == 0
    }
}
