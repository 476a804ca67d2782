internal import Analysis
package import Reports

/// The report of an exploration as JUnit XML: each point is a test case, each test a suite.
package enum ReportJUnit {
    /// - Parameters:
    ///   - report: what was found.
    ///   - further: suites of other checks, such as those of the server.
    /// - Returns: the document's lines.
    package static func document(
        _ report: SuiteReport,
        further: [JUnitDocument.Suite] = []
    ) -> [String] {
        JUnitDocument(
            suites: report.tests.map { suite($0, report.comparison?.known ?? []) } + further
        ).lines()
    }

    private static func suite(
        _ report: CampaignReport,
        _ known: Set<String>
    ) -> JUnitDocument.Suite {
        var seen: Set<PointIdentity> = []
        let records = report.records.filter {
            $0.isCounted && seen.insert($0.point.identity).inserted
        }
        let isIdle = report.settings.test != nil && report.isWithoutTraffic
        let baseline = report.problem.map { [testCase($0, isSkipped: isIdle)] } ?? []
        let name = report.settings.test ?? report.settings.command.joined(separator: " ")
        let replay = ReportText(report)
        let ids = known.isEmpty ? [:] : report.findingIDs
        let old = ids.filter { known.contains($0.value) }.keys
        return JUnitDocument.Suite(
            name: "linkcond explore \(name)",
            milliseconds: records.reduce(0) { $0 + $1.milliseconds },
            cases: baseline
                + records.map {
                    testCase($0, replay, isKnown: old.contains($0.point.identity))
                }
        )
    }

    /// The runs without faults, which failed.
    private static func testCase(
        _ problem: BaselineProblem,
        isSkipped: Bool
    ) -> JUnitDocument.Case {
        JUnitDocument.Case(
            className: "baseline",
            name: "without faults",
            outcome: isSkipped
                ? .skipped(message: problem.words)
                : .error(type: "baseline", message: problem.words, details: [])
        )
    }

    private static func testCase(
        _ record: PointRecord,
        _ replay: ReportText,
        isKnown: Bool
    ) -> JUnitDocument.Case {
        JUnitDocument.Case(
            className: record.positions.joined(separator: " + "),
            name: record.point.schedule,
            milliseconds: record.milliseconds,
            outcome: outcome(record, replay, isKnown: isKnown)
        )
    }

    private static func outcome(
        _ record: PointRecord,
        _ replay: ReportText,
        isKnown: Bool
    ) -> JUnitDocument.Outcome {
        let judgement = record.judgement
        if isKnown, let kind = judgement.failure {
            return .skipped(message: "known: \(kind.rawValue): \(judgement.reason)")
        }
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
