internal import Analysis
internal import Exploration
internal import Journal

/// Judged runs as JUnit XML: a suite for each journal, a case for each check and demand, and one for
/// the run as a whole.
///
/// Readers differ in what they take beyond name, class name, time, failure, error and skipped, so
/// nothing else is written, and details are in the failure's text.
struct RunReportJUnit {
    let runs: [JudgedRun]

    /// More cases than these are not read by every reader.
    static let maximumRuns = 10_000

    func lines() -> [String] {
        let suites = runs.prefix(Self.maximumRuns).map(suite)
        let counts = suites.reduce(into: Counts()) { $0.add($1.counts) }
        return ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites\(counts.attributes)>"]
            + suites.flatMap(\.lines) + ["</testsuites>"]
    }

    private struct Counts {
        var tests = 0
        var failures = 0
        var errors = 0
        var skipped = 0
        var nanoseconds: UInt64 = 0

        mutating func add(_ other: Counts) {
            tests += other.tests
            failures += other.failures
            errors += other.errors
            skipped += other.skipped
            nanoseconds = max(nanoseconds, other.nanoseconds)
        }

        var attributes: String {
            " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\""
                + " skipped=\"\(skipped)\" time=\"\(RunReportJUnit.seconds(nanoseconds))\""
        }
    }

    private func suite(_ run: JudgedRun) -> (lines: [String], counts: Counts) {
        var counts = Counts()
        counts.nanoseconds = run.report.durationNanoseconds
        var cases: [String] = []
        for result in run.report.checks { cases += testCase(result, of: run, &counts) }
        for outcome in run.outcomes {
            cases += testCase(
                outcome.item.text,
                outcome.verdict,
                outcome.words,
                [outcome.words],
                of: run,
                &counts
            )
        }
        let findings = run.report.findings.map { "\($0.kind.rawValue): \($0.words)" }
        cases += testCase(
            "run",
            run.verdict,
            run.reason,
            [run.reason] + findings + ["repeat with: \(run.reproduction)"],
            of: run,
            &counts
        )
        let head = "  <testsuite name=\"\(MarkupText.escaped(run.name))\"\(counts.attributes)>"
        return ([head] + cases + ["  </testsuite>"], counts)
    }

    /// A check fails on its own only if it counts on its own.
    private func testCase(
        _ result: CheckResult,
        of run: JudgedRun,
        _ counts: inout Counts
    ) -> [String] {
        let name = "\(result.check.rawValue) \(result.check.title)"
        let isRequired = !result.check.isAdvisory && run.expectation == nil
        let verdict: Verdict =
            switch result.verdict {
            case .pass: .pass
            case .fail where isRequired: .fail
            case .fail, .inconclusive, .skipped: .skipped
            }
        let lines = result.lines.map(String.init).joined(separator: ", ")
        return testCase(
            name,
            verdict,
            result.verdict == .skipped
                ? result.reason : "\(result.verdict.rawValue): \(result.observed)",
            [result.observed, "allowed: \(result.limit)", "lines of the journal: \(lines)"],
            of: run,
            &counts
        )
    }

    private func testCase(
        _ name: String,
        _ verdict: Verdict,
        _ message: String,
        _ details: [String],
        of run: JudgedRun,
        _ counts: inout Counts
    ) -> [String] {
        counts.tests += 1
        let head =
            "    <testcase classname=\"\(MarkupText.escaped(run.name))\""
            + " name=\"\(MarkupText.escaped(name))\" time=\"0.000\""
        let message = MarkupText.escaped(message)
        let text = MarkupText.escaped(details.joined(separator: "\n"))
        switch verdict {
        case .pass: return [head + "/>"]
        case .fail:
            counts.failures += 1
            return [
                head + ">", "      <failure type=\"fail\" message=\"\(message)\">\(text)</failure>",
                "    </testcase>",
            ]
        case .inconclusive:
            counts.errors += 1
            return [
                head + ">",
                "      <error type=\"inconclusive\" message=\"\(message)\">\(text)</error>",
                "    </testcase>",
            ]
        case .skipped:
            counts.skipped += 1
            return [head + ">", "      <skipped message=\"\(message)\"/>", "    </testcase>"]
        }
    }

    private static func seconds(_ nanoseconds: UInt64) -> String {
        Figures.fixed(nanoseconds, scale: 1_000_000_000, decimals: 3)
    }
}
