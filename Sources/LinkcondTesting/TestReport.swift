internal import Basics
internal import Exploration
internal import Faults
internal import Journal
internal import Trials

/// What is to be said of a network after its test.
struct TestReport: Sendable {
    /// Why the test proves nothing.
    var doubts: [String] = []
    /// What may have made it different, but is no fault of the test: a busy machine.
    var warnings: [String] = []
    /// What happened, as JSON Lines.
    var journal: [UInt8] = []

    init(_ outcome: TrialOutcome, mustFire: Bool) {
        for case .foreignRequests(let count, let first) in outcome.escapes {
            doubts.append(
                "\(count) requests went around the network, the first was \(first); use"
                    + " Linkcond.current?.url"
            )
        }
        if outcome.hasNoTraffic {
            doubts.append("nothing came through the network; use Linkcond.current?.url")
        } else if mustFire {
            for fault in outcome.silentFaults { doubts.append(Self.words(fault)) }
        }
        addTroubles(outcome)
        journal = Self.journal(outcome.records)
    }

    static func journal(_ records: [TrialRecord]) -> [UInt8] {
        records.enumerated().flatMap { sequence, entry in
            entry.record.line(
                sequence: UInt64(sequence),
                at: entry.at
            )
        }
    }

    private mutating func addTroubles(_ outcome: TrialOutcome) {
        var late: Set<String> = []
        for case .trouble(.latePacing, let words) in outcome.records.lazy.map(\.record) {
            late.insert(words)
        }
        for trouble in outcome.troubles {
            let words = "the network itself was in trouble: \(trouble)"
            if late.contains(trouble) { warnings.append(words) } else { doubts.append(words) }
        }
    }

    private static func words(_ fault: FaultLedger.Row) -> String {
        fault.undelivered > 0
            ? "fault \(fault.id): the bytes before it were not proven to arrive"
            : "fault \(fault.id) never fired (\(fault.reason))"
    }
}
