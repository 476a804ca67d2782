package import Reports

extension ProbeReport {
    package var junit: JUnitDocument { JUnitDocument(suites: [suite()]) }

    /// A test case for each check; one that only warns is skipped, since readers know no warnings.
    ///
    /// - Parameter problem: why not all could be checked.
    /// - Returns: the suite, named after the URL.
    package func suite(problem: String? = nil) -> JUnitDocument.Suite {
        let cases = results.map { result in
            JUnitDocument.Case(
                className: result.check.source,
                name: "\(result.check.name) \(result.check.rule)",
                outcome: outcome(result)
            )
        }
        let trouble = problem.map { words in
            JUnitDocument.Case(
                className: "server",
                name: "can be checked",
                outcome: .error(type: "inconclusive", message: words, details: [])
            )
        }
        return JUnitDocument.Suite(
            name: "linkcond probe \(url)",
            milliseconds: 0,
            cases: (trouble.map { [$0] } ?? []) + cases
        )
    }

    private func outcome(_ result: ProbeResult) -> JUnitDocument.Outcome {
        switch result.verdict {
        case .passed: .passed
        case .doesNotApply(let reason): .skipped(message: reason)
        case .failed(let seen) where result.check.level == .warning:
            .skipped(message: "warning: \(seen)")
        case .failed(let seen):
            .failed(
                type: "rule",
                message: seen,
                details: [seen, "again: \(repetition(result.check.name))"]
            )
        }
    }
}
