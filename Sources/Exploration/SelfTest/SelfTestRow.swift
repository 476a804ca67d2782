internal import Analysis

/// What came of one case of the self-test.
package struct SelfTestRow: Hashable, Sendable {
    package enum Result: Hashable, Sendable {
        /// The mistake was found, as what, and by which smallest schedule.
        case found(FindingClass, schedule: String)
        /// Nothing wrong was found in a client that does nothing wrong.
        case clean
        /// The mistake was not found; what was, in words.
        case missed(String)
        /// A client that does nothing wrong was accused.
        case accused(String)
        /// The exploration did not come about.
        case failed(String)

        package var isRight: Bool {
            switch self {
            case .found, .clean: true
            case .missed, .accused, .failed: false
            }
        }
    }

    package let name: String
    package let meaning: String
    package let result: Result
    package let runs: Int

    init(_ test: SelfTestCase, _ report: CampaignReport?, failure: String?) {
        name = test.name
        meaning = test.meaning
        runs = report?.records.count ?? 0
        guard let report, failure == nil else {
            result = .failed(failure ?? "")
            return
        }
        if test.bug == nil {
            result = Self.judgeGood(report)
        } else {
            result = Self.judgePlanted(test, report)
        }
    }

    private static func judgeGood(_ report: CampaignReport) -> Result {
        guard let finding = report.findings.first(where: { $0.kind.isFailure || $0.kind == .flaky })
        else {
            return .clean
        }
        return .accused("\(text(finding)): \(finding.reason)")
    }

    private static func judgePlanted(_ test: SelfTestCase, _ report: CampaignReport) -> Result {
        let right = report.findings.first {
            test.classes.contains($0.kind) && $0.minimal.faults.count == test.faultCount
                && $0.confirmations.of > 0 && $0.confirmations.equal == $0.confirmations.of
        }
        if let right { return .found(right.kind, schedule: right.minimal.schedule) }
        let others = report.findings.map(text)
        return .missed(others.isEmpty ? "nothing was found" : others.joined(separator: ", "))
    }

    private static func text(_ finding: Finding) -> String {
        "\(finding.kind.rawValue) \(finding.minimal.schedule) \(finding.confirmations.text)"
    }

    /// One line for people.
    package var text: String {
        let (word, rest) =
            switch result {
            case .found(let kind, let schedule): ("found", "\(kind.rawValue)  \(schedule)")
            case .clean: ("clean", "\(runs) runs")
            case .missed(let words): ("MISSED", words)
            case .accused(let words): ("ACCUSED", words)
            case .failed(let words): ("FAILED", words)
            }
        return "\(name)  \(meaning): \(word)  \(rest)"
    }
}
