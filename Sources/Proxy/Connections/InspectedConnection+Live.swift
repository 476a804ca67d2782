internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// Since when a connection is held back, and how far it had come.
struct HeldPlace {
    let since: Instant
    let up: UInt64
    let down: UInt64
    /// Tells one pause of a connection from another.
    let number: Int
    /// How long it is to last; nil until it is released.
    var span: Duration?
}

// What is done to a connection by hand.
extension InspectedConnection {
    /// Lets nothing through any more, neither bytes nor ends; a reset passes.
    ///
    /// - Returns: false if it is held already, or over.
    @discardableResult
    func hold() -> Bool { hold(for: nil) }

    private func hold(for span: Duration?) -> Bool {
        guard held == nil, isMoving, !isInHole, peers[.client].leg == .active,
            peers[.upstream].leg == .active
        else { return false }
        holdCount += 1
        held = HeldPlace(
            since: context.loop.now,
            up: flows[.up].delivered,
            down: flows[.down].delivered,
            number: holdCount,
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

    /// Holds everything back for a time; returns the faults that do the same.
    func stall(for span: Duration) -> [String]? {
        guard hold(for: span), let number = held?.number else { return nil }
        setAlarm(at: context.loop.now.later(by: span)) { session in
            if session.held?.number == number { _ = session.release() }
        }
        return heldFaults.map(\.canonicalText)
    }

    /// Ends a pause, and tells of it as of the stalls that do the same again.
    @discardableResult
    func endHold() -> [String] {
        guard let place = held else { return [] }
        held = nil
        let elapsed = elapsed(place)
        // What ended by itself lasted as long as was asked for.
        let faults = stalls(place, for: min(place.span ?? elapsed, elapsed))
        for fault in faults { context.faults.fired(fault, on: identity.id) }
        return faults.map(\.id)
    }

    /// The stalls that do what is done to a connection that is held; none if it is not.
    var heldFaults: [Fault] {
        guard let place = held else { return [] }
        return stalls(place, for: place.span ?? elapsed(place)).map {
            $0.fault(onConnection: identity.id.ordinal)
        }
    }

    /// How long a connection has been held, in whole milliseconds, so that it can be read.
    private func elapsed(_ place: HeldPlace) -> Duration {
        .milliseconds(max(1, (context.loop.now - place.since).wholeMilliseconds))
    }

    private func stalls(_ place: HeldPlace, for span: Duration) -> [ArmedFault] {
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
        return ArmedFault(byHand: fault.canonicalText, direction, at: offset, effect)
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
            context.faults.recorder.difference(
                "connection c\(identity.id.ordinal) was ended before anything of it was delivered;"
                    + " a replay ends it at once, perhaps before its first request"
            )
        }
        let direction = lastDelivery ?? .down
        let fault = fault(direction, at: flows[direction].delivered, effect)
        gate.close(direction, by: fault.id)
        begin(fault)
        return [fault.id]
    }

    /// Arms faults that came while the connection is open; answers whether one could be.
    func arm(_ faults: ConnectionFaults) -> Bool {
        var isArmed = false
        for fault in faults.up + faults.down where gate.arm(fault) { isArmed = true }
        if isArmed { continueLater() }
        return isArmed
    }

    /// Goes by other faults in requests from the next request on; nil if nobody looks at those.
    func adopt(_ plan: RequestPlan, adding id: String?) -> FaultGate.Adoption? {
        guard gate.followsMessages else { return nil }
        let adoption = gate.adopt(plan, adding: id)
        reportNotes()
        continueLater()
        return adoption
    }

    /// Takes back a fault that has not acted here.
    func disarm(_ id: String) -> Bool {
        lulls.removeAll { $0.id == id }
        return gate.disarm(id)
    }
}
