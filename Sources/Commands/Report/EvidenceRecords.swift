internal import Analysis
internal import Journal

/// The records that findings and checks point at, as lines of the journal.
struct EvidenceRecords {
    /// By their line in the journal, from 1.
    let lines: [Int: String]

    /// None, where the journal is not at hand.
    static let none = EvidenceRecords(lines: [:])

    /// Records at most, and characters of one.
    private static let limit = 400
    private static let length = 2_000

    private init(lines: [Int: String]) { self.lines = lines }

    init(_ report: RunReport, _ records: [Timed<JournalRecord>]) {
        let checks = report.checks.filter { $0.verdict == .fail || $0.verdict == .inconclusive }
        let wanted = Set(report.findings.flatMap(\.lines) + checks.flatMap(\.lines))
        var lines: [Int: String] = [:]
        for record in records where wanted.contains(record.line) && lines.count < Self.limit {
            let bytes = record.value.line(
                sequence: UInt64(record.line - 1),
                elapsedNanoseconds: record.atNanoseconds
            )
            lines[record.line] = String(
                String(decoding: bytes.dropLast(), as: UTF8.self).prefix(Self.length)
            )
        }
        self.lines = lines
    }
}
