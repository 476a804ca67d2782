package import Analysis
package import Basics
package import Journal

/// What the transfers of a run have done so far, from its records.
///
/// Read anew when it is asked for and something has happened since.
package struct TransferBook {
    private var records: [Timed<JournalRecord>] = []
    private var report: RunReport?
    private var document: JSONValue?
    /// Records that are forgotten, the oldest first.
    private var forgotten = 0

    /// Records at most: reading them takes some ten milliseconds.
    private static let limit = 10_000

    package init() {}

    /// Takes the next record of the run.
    package mutating func take(_ record: JournalRecord, at time: Instant) {
        guard Self.counts(record) else { return }
        let line = forgotten + records.count + 1
        records.append(Timed(record, line: line, at: time))
        document = nil
        report = nil
        guard records.count > Self.limit else { return }
        // In large steps, since each moves the rest.
        forgotten += Self.limit / 4
        records.removeFirst(Self.limit / 4)
    }

    /// Draws and notes tell nothing of transfers.
    private static func counts(_ record: JournalRecord) -> Bool {
        switch record {
        case .draw, .note: false
        default: true
        }
    }

    /// `{"transfers": […], "checks": […], "findings": […], "forgottenRecords": N}`.
    package mutating func read() -> JSONValue {
        if let document { return document }
        let report = judged()
        let made: JSONValue = [
            "transfers": .array(report.transfers.map(\.document)),
            "checks": .array(report.checks.map(\.document)),
            "findings": .array(report.findings.map(\.document)),
            "forgottenRecords": .number(forgotten),
        ]
        document = made
        return made
    }

    /// Bytes of all transfers together.
    package mutating func figures() -> Transfer.Figures { judged().figures }

    private mutating func judged() -> RunReport {
        if let report { return report }
        let made = RunReport(records)
        report = made
        return made
    }
}
