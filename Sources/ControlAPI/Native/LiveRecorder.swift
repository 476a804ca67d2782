package import FaultInjection
internal import Journal
package import LinkEngine
package import Proxy

/// Writes down what is done by hand as faults at bytes, so that a session becomes a schedule.
package struct LiveRecorder: Sendable {
    /// The faults that do the same again, in the order in which they were asked for.
    package private(set) var faults: [Fault] = []
    /// What a schedule cannot say, in words.
    package private(set) var remarks: [String] = []

    package init() {}

    /// Faults of one schedule.
    private static let faultLimit = ScheduleLimits.faults
    private static let remarkLimit = 64

    /// Connections were ended at a byte.
    package mutating func cut(_ places: [LivePlace], _ kind: LiveCut) -> [String] {
        let effect: Effect =
            switch kind {
            case .rst: .reset
            case .fin: .finish
            case .hole: .hole(both: true, for: nil)
            }
        return places.map { add(effect, .down, $0.down, $0.connection) }
    }

    /// Connections were held back for a time.
    package mutating func stall(
        _ places: [LivePlace],
        for duration: LinkEngine.Duration
    ) -> [String] {
        places.flatMap { place in
            let effect = Effect.stall(.time(duration))
            return [
                add(effect, .down, place.down, place.connection),
                add(effect, .up, place.up, place.connection),
            ]
        }
    }

    /// A pause ended.
    package mutating func resume(_ places: [LivePlace]) -> [String] {
        places.flatMap { place -> [String] in
            // A schedule's times are whole milliseconds, so that it can be read.
            let milliseconds = max(1, Int64((place.heldNanoseconds ?? 0) / 1_000_000))
            return stall([place], for: .milliseconds(milliseconds))
        }
    }

    /// A fault was added as it is.
    package mutating func add(_ fault: Fault) {
        guard faults.count < Self.faultLimit else {
            remark("only the first \(Self.faultLimit) faults are kept")
            return
        }
        if !faults.contains(fault) { faults.append(fault) }
    }

    /// Takes back a fault that was added, so that a session ends up without it.
    package mutating func remove(_ fault: Fault) { faults.removeAll { $0 == fault } }

    /// Something was done that a schedule cannot say.
    package mutating func remark(_ text: String) {
        guard remarks.count < Self.remarkLimit, !remarks.contains(text) else { return }
        remarks.append(text)
    }

    /// Forgets everything.
    package mutating func clear() { self = LiveRecorder() }

    private mutating func add(
        _ effect: Effect,
        _ direction: Direction,
        _ offset: UInt64,
        _ connection: ConnectionID
    ) -> String {
        if connection.listener != 1 {
            remark("a schedule does not tell listeners apart, and this session had several")
        }
        let fault = Fault(
            connections: OrdinalSelector(.one(connection.ordinal)),
            anchor: .byte(direction, .at(offset)),
            effect: effect
        )
        add(fault)
        return fault.canonicalText
    }
}
