internal import FaultInjection
internal import Journal
internal import LinkEngine
internal import Libuv

/// Since when a connection is held back, and how far it had come.
struct HeldPlace {
    let sinceNanoseconds: UInt64
    let up: UInt64
    let down: UInt64
    /// Tells one pause of a connection from another.
    let number: Int
}

// What is done to a connection by hand.
extension GatedSession {
    /// Lets nothing through any more, neither bytes nor ends; a reset passes.
    ///
    /// - Returns: false if it is held already, or over.
    @discardableResult
    func hold() -> Bool {
        guard held == nil, isMoving else { return false }
        host.live.pauseCount += 1
        held = HeldPlace(
            sinceNanoseconds: host.loop.nowNanoseconds,
            up: flows[.up].delivered,
            down: flows[.down].delivered,
            number: host.live.pauseCount
        )
        return true
    }

    /// Lets everything go on.
    ///
    /// - Returns: where and since when it was held; nil if it was not.
    func release() -> HeldPlace? {
        guard let place = held else { return nil }
        held = nil
        continueLater()
        return place
    }

    /// Holds everything back for a time.
    func stall(nanoseconds: UInt64) -> Bool {
        guard hold(), let number = held?.number else { return false }
        setAlarm(atNanoseconds: host.loop.nowNanoseconds + nanoseconds) { session in
            if session.held?.number == number { _ = session.release() }
        }
        return true
    }

    /// Ends the connection as a fault at the byte that the client has got last.
    ///
    /// - Returns: false if it is ending already.
    func cut(_ effect: Effect) -> Bool {
        guard isMoving, peers[.client].leg == .active, peers[.upstream].leg == .active else {
            return false
        }
        held = nil
        let offset = flows[.down].delivered
        let id = "c\(identity.id.ordinal):down+\(offset)=\(effect.canonicalText)"
        let fault = ArmedFault(id: id, direction: .down, offset: offset, effect: effect)
        flows[.down].gate.close(by: id)
        begin(.bytes(fault))
        return true
    }

    /// Arms faults that came while the connection is open; answers whether one could be.
    func arm(_ faults: ConnectionFaults) -> Bool {
        var isArmed = false
        for fault in faults.up where flows[.up].gate.arm(fault) { isArmed = true }
        for fault in faults.down where flows[.down].gate.arm(fault) { isArmed = true }
        if isArmed { continueLater() }
        return isArmed
    }

    /// Takes back a fault that has not acted here.
    func disarm(_ id: String) -> Bool {
        let up = flows[.up].gate.disarm(id)
        return flows[.down].gate.disarm(id) || up
    }
}
