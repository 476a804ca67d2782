internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

// What is done to a flow by hand, as faults at the datagram that comes next.
extension Flow: Steerable {
    func bytes(_ direction: Direction) -> UInt64 { ways[direction].tally.bytes }

    /// Ends it: a hole is silence for good, anything else has the flow forgotten.
    ///
    /// A datagram knows no other end; the client's next one comes to the server from another port.
    func cut(_ effect: Effect) -> [String]? {
        guard !isEnded else { return nil }
        if held != nil { _ = release() }
        if case .hole = effect {
            steer { $0.silence() }
            return [tell(.up, next(.up), effect)]
        }
        forget()
        return [tell(.up, max(1, ways.up.tally.count), .forget)]
    }

    /// Comes from another address from the next datagram on; nil if it has ended.
    func handOver() -> [String]? {
        guard !isEnded else { return nil }
        moveAddress()
        return [tell(.up, next(.up), .rebind(.address))]
    }

    func hold() -> Bool { hold(until: .never, for: nil) }

    func stall(for span: Duration) -> [String]? {
        guard hold(until: now + span, for: span) else { return nil }
        let faults = heldFaults.map(\.canonicalText)
        let number = held?.number
        _ = context.tools.timers.set(
            after: span
        ) { [weak self] in
            guard let self, held?.number == number else { return }
            _ = release()
        }
        return faults
    }

    private func hold(until end: Instant, for span: Duration?) -> Bool {
        guard !isEnded, held == nil else { return false }
        holds += 1
        held = HeldPlace(
            since: context.tools.loop.now,
            up: ways.up.tally.count,
            down: ways.down.tally.count,
            number: holds,
            span: span
        )
        steer { $0.hold(until: end) }
        return true
    }

    func release() -> (place: HeldPlace, faults: [String])? {
        guard let place = held else { return nil }
        let faults = heldFaults
        held = nil
        steer { $0.hold(until: .start) }
        for direction in Direction.allCases { ways[direction].release(self) }
        for fault in faults {
            guard case .datagrams(let direction, _) = fault.anchor else { continue }
            let number = (direction == .up ? place.up : place.down) + 1
            context.registry.firedByHand(fault, at: Self.address(direction, number), on: id)
        }
        return (
            HeldPlace(
                since: place.since,
                up: bytes(.up),
                down: bytes(.down),
                number: place.number,
                span: place.span
            ),
            faults.map(\.canonicalText)
        )
    }

    var heldFaults: [Fault] {
        guard let place = held else { return [] }
        let elapsed = context.tools.loop.now - place.since
        let span = place.span ?? .milliseconds(max(1, elapsed.wholeMilliseconds))
        return [
            fault(.down, place.down + 1, .stall(.time(span))),
            fault(.up, place.up + 1, .stall(.time(span))),
        ]
    }

    // MARK: As faults

    private func steer(_ change: (inout FlowGate) -> Void) {
        var gate =
            gate
            ?? FlowGate(
                faults: FaultPlan(faults: [], seed: 0).faults(onFlow: id.ordinal),
                isIPv6: client.isIPv6,
                counted: (up: ways.up.tally.count, down: ways.down.tally.count)
            )
        change(&gate)
        self.gate = gate
    }

    private func next(_ direction: Direction) -> UInt64 { ways[direction].tally.count + 1 }

    private func fault(_ direction: Direction, _ number: UInt64, _ effect: Effect) -> Fault {
        let ordinals = OrdinalSelector.one(UInt32(clamping: number))
        let flow = FaultTarget.flows(.one(id.ordinal), nil)
        return Fault(FaultAddress(flow, .datagrams(direction, ordinals)), effect)
    }

    /// Records it as done by hand; returns the fault that does the same.
    private func tell(_ direction: Direction, _ number: UInt64, _ effect: Effect) -> String {
        let fault = fault(direction, number, effect)
        context.registry.firedByHand(fault, at: Self.address(direction, number), on: id)
        return fault.canonicalText
    }

    private static func address(_ direction: Direction, _ number: UInt64) -> String {
        (direction == .up ? "up" : "down") + "#\(number)"
    }
}
