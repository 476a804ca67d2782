internal import Analysis
internal import Basics
internal import Journal
internal import Reports

/// Judged runs as JUnit XML: a suite for each journal, a case for each check that applies and each
/// other demand, and one for the run as a whole, which is also that of the demand `pass`.
struct RunReportJUnit {
    let runs: [JudgedRun]
    /// Suites of other checks, such as those of the server.
    var further: [JUnitDocument.Suite] = []

    /// Some readers refuse more suites than these.
    static let maximumRuns = 10_000
    private static let shownChanges = 200

    func lines() -> [String] {
        JUnitDocument(suites: runs.prefix(Self.maximumRuns).map(suite) + further).lines()
    }

    private func suite(_ run: JudgedRun) -> JUnitDocument.Suite {
        let demands = run.outcomes
        let checks = run.report.checks.compactMap { result in
            testCase(result, demands.first { $0.item.demand == .check(result.check) }, of: run)
        }
        return JUnitDocument.Suite(
            name: run.name,
            milliseconds: milliseconds(run),
            cases: checks + demands.compactMap { testCase($0, of: run) } + [whole(run)]
        )
    }

    private func whole(_ run: JudgedRun) -> JUnitDocument.Case {
        let findings = run.report.findings.filter { !run.reason.contains($0.words) }
            .map { "\($0.kind.rawValue): \($0.words)" }
        var whole = testCase(
            "the run as a whole",
            run.verdict,
            run.reason,
            [run.reason] + findings + ["repeat with: \(run.reproduction)"],
            of: run
        )
        whole.milliseconds = milliseconds(run)
        let changes = run.report.transcript.changes
        whole.output = ChangeText.lines(
            changes.list,
            limit: Self.shownChanges,
            leftOut: changes.leftOut
        )
        return whole
    }

    private func milliseconds(_ run: JudgedRun) -> UInt64 {
        (run.report.duration + .microseconds(500)).clampedNanoseconds / 1_000_000
    }

    /// The case of a check, which is also that of the demand for it.
    ///
    /// - Returns: nil for a check that does not apply and was not asked for.
    private func testCase(
        _ result: CheckResult,
        _ demand: Expectation.Outcome?,
        of run: JudgedRun
    ) -> JUnitDocument.Case? {
        let found = demand?.verdict ?? result.verdict
        let words = demand?.words ?? result.observed
        if demand == nil, found == .skipped { return nil }
        let (verdict, message): (Verdict, String) =
            switch found {
            case .fail where !counts(result.check, in: run):
                (.skipped, "not demanded; it would fail: \(words)")
            case .inconclusive where !mustBeKnown(result.check, in: run):
                (.skipped, "inconclusive: \(words)")
            case .pass, .fail, .inconclusive, .skipped: (found, words)
            }
        let lines = result.lines.map(String.init).joined(separator: ", ")
        return testCase(
            "\(result.check.rawValue) \(result.check.title)",
            verdict,
            message,
            [words] + (result.limit.isEmpty ? [] : ["allowed: \(result.limit)"])
                + (lines.isEmpty ? [] : ["lines of the journal: \(lines)"]),
            of: run
        )
    }

    /// Whether the run fails with this check.
    private func counts(_ check: Check, in run: JudgedRun) -> Bool {
        let isJudgedWhole = run.expectation == nil && run.decision == nil
        return isJudgedWhole && !check.isAdvisory || mustBeKnown(check, in: run)
            // A file to compare with demands the result, whatever else is demanded.
            || check == .r2 && run.decision != nil && run.report.evidence.oracle != .unknown
    }

    /// Whether a run of which this check says nothing certain is no pass.
    private func mustBeKnown(_ check: Check, in run: JudgedRun) -> Bool {
        let demands = run.expectation?.items.map(\.demand) ?? []
        return demands.contains(.check(check)) || demands.contains(.pass) && !check.isAdvisory
    }

    /// The case of a demand that has none as a check or as the run.
    private func testCase(
        _ outcome: Expectation.Outcome,
        of run: JudgedRun
    ) -> JUnitDocument.Case? {
        let name: String
        switch outcome.item.demand {
        case .pass, .check: return nil
        case .failure: name = "demanded: the command fails"
        case .quantity: name = "demanded: \(outcome.item.text)"
        }
        return testCase(name, outcome.verdict, outcome.words, [outcome.words], of: run)
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
