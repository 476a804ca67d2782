internal import Analysis
internal import Basics
internal import Journal

/// The records that findings and checks point at, as lines of the journal.
struct EvidenceRecords {
    /// By their line in the journal, from 1.
    let lines: [Int: String]

    /// Records at most, and characters of one.
    private static let limit = 400
    private static let length = 2_000

    init(_ report: RunReport, _ records: [Timed<JournalRecord>]) {
        let wanted = report.citedLines
        var lines: [Int: String] = [:]
        for record in records where wanted.contains(record.line) && lines.count < Self.limit {
            let bytes = record.value.line(
                sequence: UInt64(record.line - 1),
                at: record.at
            )
            lines[record.line] = String(
                String(decoding: bytes.dropLast(), as: UTF8.self).prefix(Self.length)
            )
        }
        self.lines = lines
    }
}
