internal import Reports

/// The report of an exploration as JUnit XML: each point is a test case.
package enum ReportJUnit {
    package static func document(_ report: CampaignReport, replay: ReportText) -> [String] {
        var seen: Set<PointIdentity> = []
        let records = report.records.filter {
            $0.isCounted && seen.insert($0.point.identity).inserted
        }
        let baseline = report.problem.map { [testCase($0)] } ?? []
        let suite = JUnitDocument.Suite(
            name: "linkcond explore " + report.settings.command.joined(separator: " "),
            milliseconds: records.reduce(0) { $0 + $1.milliseconds },
            cases: baseline + records.map { testCase($0, replay) }
        )
        return JUnitDocument(suites: [suite]).lines()
    }

    /// The runs without faults, which failed.
    private static func testCase(_ problem: BaselineProblem) -> JUnitDocument.Case {
        JUnitDocument.Case(
            className: "baseline",
            name: "without faults",
            outcome: .error(type: "baseline", message: problem.words, details: [])
        )
    }

    private static func testCase(
        _ record: PointRecord,
        _ replay: ReportText
    ) -> JUnitDocument.Case {
        JUnitDocument.Case(
            className: record.positions.joined(separator: " + "),
            name: record.point.schedule,
            milliseconds: record.milliseconds,
            outcome: outcome(record, replay)
        )
    }

    private static func outcome(
        _ record: PointRecord,
        _ replay: ReportText
    ) -> JUnitDocument.Outcome {
        let judgement = record.judgement
        switch judgement.letter {
        case "X":
            return .failed(
                type: judgement.word,
                message: judgement.reason,
                details: [judgement.reason] + record.evidence + [replay.command(for: record)]
            )
        case "-": return .skipped(message: judgement.reason)
        case "?": return .error(type: judgement.word, message: judgement.reason, details: [])
        default: return .passed
        }
    }
}
