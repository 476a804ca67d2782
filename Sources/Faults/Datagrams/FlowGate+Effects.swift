internal import Basics

// What effects do to a datagram.
extension FlowGate {
    /// Returns whether the fault did anything that was not done before.
    mutating func act(
        _ entry: FlowFaults.Entry,
        _ hit: Hit,
        at now: Instant,
        on verdict: inout Verdict
    ) -> Bool {
        switch (entry.effect, entry.effect.hold) {
        case (_, .time(let duration)?):
            self[entry.direction].heldUntil = now.later(by: duration)
        case (.drop, _): verdict.isDropped = true
        case (.hole(let both, let duration), _):
            let end = duration.map { now.later(by: $0) } ?? .never
            self[entry.direction].silentUntil = end
            if both { self[entry.direction.opposite].silentUntil = end }
            verdict.isDropped = true
        case (.duplicate, _): verdict.isDoubled = true
        case (.reorder(let count), _): verdict.overtakers = Int(count)
        case (.delay(let duration), _):
            verdict.delay = min(verdict.delay + duration, .century)
        case (.mark(let mark), _): verdict.mark = mark
        case (.rebind(let what), _): verdict.rebinding = what
        case (.forget, _): verdict.isForgotten = true
        case (.corrupt(let within), _): return corrupt(entry, hit, within: within, &verdict)
        default: preconditionFailure("'\(entry.effect.name)' does nothing to a datagram")
        }
        return true
    }

    /// Flips a drawn bit; never one of QUIC's version, which would make it another protocol.
    private func corrupt(
        _ entry: FlowFaults.Entry,
        _ hit: Hit,
        within: UInt16?,
        _ verdict: inout Verdict
    ) -> Bool {
        let count = min(hit.range.count, within.map { Int($0) } ?? .max)
        let spared = hit.hasVersion ? min(4, max(0, count - 1)) : 0
        guard count > spared else { return false }
        let draw = entry.change.integer(
            below: UInt64(count - spared) * 8,
            at: entry.index(hit.ordinal)
        )
        var place = Int(draw / 8)
        if spared > 0, place > 0 { place += spared }
        verdict.changes.append(
            Change(place: hit.range.lowerBound + place, flips: 1 << UInt8(draw % 8))
        )
        return true
    }
}
