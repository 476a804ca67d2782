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
    /// How long it is to last; nil until it is released.
    var span: LinkEngine.Duration?
}

// What is done to a connection by hand.
extension GatedSession {
    /// Lets nothing through any more, neither bytes nor ends; a reset passes.
    ///
    /// - Returns: false if it is held already, or over.
    @discardableResult
    func hold(for span: LinkEngine.Duration? = nil) -> Bool {
        guard held == nil, isMoving, !isInHole, peers[.client].leg == .active,
            peers[.upstream].leg == .active
        else { return false }
        host.live.pauseCount += 1
        held = HeldPlace(
            sinceNanoseconds: host.loop.nowNanoseconds,
            up: flows[.up].delivered,
            down: flows[.down].delivered,
            number: host.live.pauseCount,
            span: span
        )
        return true
    }

    /// Lets everything go on.
    ///
    /// - Returns: where and since when it was held, and the faults that do the same; nil if it was
    ///   not.
    func release() -> (place: HeldPlace, faults: [String])? {
        guard let place = held else { return nil }
        let faults = endHold()
        continueLater()
        return (place, faults)
    }

    /// Holds everything back for a time.
    func stall(for span: LinkEngine.Duration) -> Bool {
        guard hold(for: span), let number = held?.number else { return false }
        let nanoseconds = UInt64(max(0, span.nanoseconds))
        setAlarm(atNanoseconds: host.loop.nowNanoseconds + nanoseconds) { session in
            if session.held?.number == number { _ = session.release() }
        }
        return true
    }

    /// Ends a pause, and tells of it as of the stalls that do the same again.
    @discardableResult
    func endHold() -> [String] {
        guard let place = held else { return [] }
        held = nil
        let elapsed = elapsed(place)
        // What ended by itself lasted as long as was asked for.
        let faults = stalls(place, for: min(place.span ?? elapsed, elapsed))
        for fault in faults { host.faultFired(.byHand(fault), on: identity.id) }
        return faults.map(\.id)
    }

    /// The stalls that do what is done to a connection that is held; none if it is not.
    var heldFaults: [String] {
        guard let place = held else { return [] }
        return stalls(place, for: place.span ?? elapsed(place)).map(\.id)
    }

    /// How long a connection has been held, in whole milliseconds, so that it can be read.
    private func elapsed(_ place: HeldPlace) -> LinkEngine.Duration {
        let nanoseconds = host.loop.nowNanoseconds - place.sinceNanoseconds
        return .milliseconds(max(1, Int64(nanoseconds / 1_000_000)))
    }

    private func stalls(_ place: HeldPlace, for span: LinkEngine.Duration) -> [ArmedFault] {
        [
            fault(.down, at: place.down, .stall(.time(span))),
            fault(.up, at: place.up, .stall(.time(span))),
        ]
    }

    private func fault(_ direction: Direction, at offset: UInt64, _ effect: Effect) -> ArmedFault {
        let fault = Fault(
            connections: OrdinalSelector(.one(identity.id.ordinal)),
            anchor: .byte(direction, .at(offset)),
            effect: effect
        )
        return ArmedFault(
            id: fault.canonicalText,
            direction: direction,
            offset: offset,
            effect: effect
        )
    }

    /// Ends the connection as a fault at the byte that was delivered last.
    ///
    /// Which side got it matters: at a byte of the other direction, which was delivered before, a
    /// replay would end the connection before what has followed.
    ///
    /// - Returns: the fault that does the same; nil if it is ending already.
    func cut(_ effect: Effect) -> [String]? {
        guard isMoving, peers[.client].leg == .active, peers[.upstream].leg == .active else {
            return nil
        }
        endHold()
        if lastDelivery == nil, flows[.up].received > 0 {
            host.noteDifference(
                "connection c\(identity.id.ordinal) was ended before anything of it was delivered;"
                    + " a replay ends it at once, perhaps before its first request"
            )
        }
        let direction = lastDelivery ?? .down
        let fault = fault(direction, at: flows[direction].delivered, effect)
        flows[direction].gate.close(by: fault.id)
        begin(.byHand(fault))
        return [fault.id]
    }

    /// Arms faults that came while the connection is open; answers whether one could be.
    func arm(_ faults: ConnectionFaults) -> Bool {
        var isArmed = false
        for fault in faults.up where flows[.up].gate.arm(fault) { isArmed = true }
        for fault in faults.down where flows[.down].gate.arm(fault) { isArmed = true }
        if isArmed { continueLater() }
        return isArmed
    }

    /// Goes by other faults in requests from the next request on; nil if nobody looks at those.
    func adopt(_ plan: RequestPlan, adding id: String?) -> MessageGate.Adoption? {
        guard let adoption = messages?.gate.adopt(plan, adding: id) else { return nil }
        tellMessages()
        continueLater()
        return adoption
    }

    /// Takes back a fault that has not acted here.
    func disarm(_ id: String) -> Bool {
        let up = flows[.up].gate.disarm(id)
        return flows[.down].gate.disarm(id) || up
    }
}
