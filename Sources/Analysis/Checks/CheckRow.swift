/// All that is known of a check, and what judges a run by it: one row of the table.
///
/// The rows are beside the judgments, in the folder of the letter.
struct CheckRow: Sendable {
    let check: Check
    let title: String
    let measure: String
    let level: Check.Level
    let finding: Finding.Class
    let isOfTimes: Bool
    let source: String
    let judge: @Sendable (CheckContext) -> CheckResult

    init(
        _ check: Check,
        _ title: String,
        measure: String,
        level: Check.Level,
        finding: Finding.Class,
        isOfTimes: Bool = false,
        source: String,
        judge: @escaping @Sendable (CheckContext) -> CheckResult
    ) {
        self.check = check
        self.title = title
        self.measure = measure
        self.level = level
        self.finding = finding
        self.isOfTimes = isOfTimes
        self.source = source
        self.judge = judge
    }
}

extension CheckRow {
    fileprivate static let table: [Check: CheckRow] = {
        let rows =
            ofBytes + ofResults + ofUploads + ofBackoff + ofRetryLimits + ofRetriedRequests
            + ofDatagrams + ofQUIC + ofStreams + ofMessages + ofCalls + ofTLS
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.check, $0) })
    }()
}

extension Check {
    var row: CheckRow {
        guard let row = CheckRow.table[self] else {
            preconditionFailure("the table of checks lacks a row for '\(rawValue)'")
        }
        return row
    }
}
