internal import Analysis
internal import Basics
internal import Journal
internal import Reports

/// Judged runs as JUnit XML: a suite for each journal, a case for each check that applies and each
/// demand, and one for the run as a whole.
struct RunReportJUnit {
    let runs: [JudgedRun]
    /// Suites of other checks, such as those of the server.
    var further: [JUnitDocument.Suite] = []

    /// Some readers refuse more suites than these.
    static let maximumRuns = 10_000

    func lines() -> [String] {
        JUnitDocument(suites: runs.prefix(Self.maximumRuns).map(suite) + further).lines()
    }

    private func suite(_ run: JudgedRun) -> JUnitDocument.Suite {
        let checks = run.report.checks.filter { $0.verdict != .skipped }
            .map { testCase($0, of: run) }
        let demands = run.outcomes.map { outcome in
            testCase(outcome.item.text, outcome.verdict, outcome.words, [outcome.words], of: run)
        }
        return JUnitDocument.Suite(
            name: run.name,
            milliseconds: milliseconds(run),
            cases: checks + demands + [whole(run)]
        )
    }

    private func whole(_ run: JudgedRun) -> JUnitDocument.Case {
        let findings = run.report.findings.map { "\($0.kind.rawValue): \($0.words)" }
        var whole = testCase(
            "run",
            run.verdict,
            run.reason,
            [run.reason] + findings + ["repeat with: \(run.reproduction)"],
            of: run
        )
        whole.milliseconds = milliseconds(run)
        return whole
    }

    private func milliseconds(_ run: JudgedRun) -> UInt64 {
        (run.report.durationNanoseconds + 500_000) / 1_000_000
    }

    /// A check fails on its own only if it counts on its own.
    private func testCase(_ result: CheckResult, of run: JudgedRun) -> JUnitDocument.Case {
        let isRequired =
            !result.check.isAdvisory && run.expectation == nil && run.decision == nil
        let verdict: Verdict =
            switch result.verdict {
            case .pass: .pass
            case .fail where isRequired: .fail
            case .fail, .inconclusive, .skipped: .skipped
            }
        let lines = result.lines.map(String.init).joined(separator: ", ")
        return testCase(
            "\(result.check.rawValue) \(result.check.title)",
            verdict,
            (result.check.isAdvisory ? "advice" : result.verdict.rawValue)
                + ": \(result.observed)",
            [result.observed, "allowed: \(result.limit)", "lines of the journal: \(lines)"],
            of: run
        )
    }

    private func testCase(
        _ name: String,
        _ verdict: Verdict,
        _ message: String,
        _ details: [String],
        of run: JudgedRun
    ) -> JUnitDocument.Case {
        let outcome: JUnitDocument.Outcome =
            switch verdict {
            case .pass: .passed
            case .fail: .failed(type: "fail", message: message, details: details)
            case .inconclusive: .error(type: "inconclusive", message: message, details: details)
            case .skipped: .skipped(message: message)
            }
        return JUnitDocument.Case(className: run.name, name: name, outcome: outcome)
    }
}
