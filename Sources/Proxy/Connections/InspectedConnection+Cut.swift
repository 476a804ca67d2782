internal import Basics
internal import Faults
internal import Journal
internal import LinkEngine
internal import SystemIO

/// An ending that waits until the receiver's kernel has acknowledged all that was written.
///
/// A close with linger 0 throws away what the kernel has not yet delivered, so "exactly N bytes,
/// then a reset" needs this proof first.
struct Cut {
    /// Nil for an end by the byte budget.
    let fault: ArmedFault?
    let near: Side
    /// When to give up; put off while the receiver takes something.
    var deadline: Instant
    /// What the receivers had not taken at the last look.
    var untakenBytes = Int.max
    /// Whether the proof is over, and the server crashes.
    var isCrashing = false

    /// Whose kernels are asked.
    var receivers: [Side] { fault == nil ? [.client, .upstream] : [near] }
}

// Resets that follow on an exact byte.
extension InspectedConnection {
    private static let crashDelay = Duration.milliseconds(50)
    /// How often the proof is asked for.
    private static let proofInterval = Duration.microseconds(500)

    var proofLimit: Duration { .milliseconds(clamping: context.limits.deliveryTimeoutMilliseconds) }

    /// Resets the near leg once everything written has arrived; without a fault, both.
    func cut(by fault: ArmedFault?, near: Side) {
        let deadline = context.loop.now + proofLimit
        phase = .cutting(Cut(fault: fault, near: near, deadline: deadline))
        prove()
    }

    /// Ends the connection with resets once everything written has arrived: the budget is spent.
    func endByBudget() {
        guard isMoving, peers[.client].leg == .active, peers[.upstream].leg == .active else {
            return
        }
        cut(by: nil, near: .client)
    }

    /// Ends the wait because a peer went away.
    func proveNow(_ cut: Cut) { complete(cut, isProven: isProven(cut)) }

    /// Whether bytes that the budget has paid for wait to be written before it ends everything.
    func owesBeforeCut(_ direction: Direction) -> Bool {
        guard case .cutting(let cut) = phase, cut.fault == nil else { return false }
        return flows[direction].approved > 0
    }

    private func prove() {
        guard case .cutting(var cut) = phase else { return }
        let now = context.loop.now
        let untaken = untakenBytes(cut)
        if untaken < cut.untakenBytes {
            cut.untakenBytes = untaken
            cut.deadline = now + proofLimit
            phase = .cutting(cut)
        }
        let isProven = isProven(cut)
        if isProven || now >= cut.deadline {
            complete(cut, isProven: isProven)
        } else {
            setAlarm(at: now + Self.proofInterval) { $0.prove() }
        }
    }

    /// Bytes before the cut that no receiver's kernel has acknowledged.
    private func untakenBytes(_ cut: Cut) -> Int {
        let waiting = cut.fault == nil ? flows[.up].approved + flows[.down].approved : 0
        return cut.receivers.reduce(waiting) { $0 + peers[$1].untakenBytes }
    }

    private func isProven(_ cut: Cut) -> Bool {
        if owesBeforeCut(.up) || owesBeforeCut(.down) { return false }
        return cut.receivers.allSatisfy { peers[$0].hasTakenAll } && isRead(cut)
    }

    /// Whether a server that is to be reset, or to crash, has read what its kernel has acknowledged: a
    /// reset throws away what has not been read, and a crash takes it along.
    private func isRead(_ cut: Cut) -> Bool {
        guard let fault = cut.fault, let origin = context.faults.origin else { return true }
        let server = peers[.upstream].socket.localAddress
        if case .crash = fault.effect { return origin.hasRead(from: server) }
        return cut.near == .client || origin.hasDealtWithAll(from: server) ?? true
    }

    private func complete(_ cut: Cut, isProven: Bool) {
        phase = .moving
        guard let fault = cut.fault else {
            ending = (.limit, .rst)
            over(resetting: true)
            return
        }
        guard case .crash(let loss) = fault.effect, let origin = context.faults.origin else {
            return reset(by: fault, near: cut.near, isProven: isProven)
        }
        var cut = cut
        cut.isCrashing = true
        phase = .cutting(cut)
        // Read is not yet stored: the server gets time to do what it does with what it has.
        setAlarm(at: context.loop.now + Self.crashDelay) {
            session in
            origin.crash(losing: loss) { [weak session] isBack in
                guard let session, !session.isOver else { return }
                session.phase = .moving
                session.reset(by: fault, near: cut.near, isProven: isProven && isBack)
            }
        }
    }

    /// Notes that a leg broke while everything waits for an ending.
    func noteBreak(in cut: Cut) {
        if !cut.isCrashing {
            if peers[cut.near].isBroken { proveNow(cut) }
        } else if peers[cut.near].hasHungUp || peers[cut.near].isBroken {
            // The process is dead; what its kernel still keeps of it must not hold the port.
            closeLeg(cut.near, resetting: true)
        }
    }
}
