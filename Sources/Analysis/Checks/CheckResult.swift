package import Journal

/// What one check found.
package struct CheckResult: Hashable, Sendable {
    package var check: Check
    package var verdict: Verdict
    /// What was seen, for people.
    package var observed: String
    /// What is allowed.
    package var limit: String
    /// A word or two that are the same in equal runs; empty for a pass.
    package var reason: String
    /// Lines of the journal that show it.
    package var lines: [Int]

    package init(
        _ check: Check,
        _ verdict: Verdict,
        observed: String,
        limit: String,
        reason: String = "",
        lines: [Int] = []
    ) {
        self.check = check
        self.verdict = verdict
        self.observed = observed
        self.limit = limit
        self.reason = reason
        self.lines = Array(Set(lines.filter { $0 > 0 }).sorted().prefix(Self.maximumLines))
    }

    package static let maximumLines = 20

    /// This result as a record of the journal.
    package var report: VerdictReport {
        VerdictReport(
            check: check.rawValue,
            verdict,
            observed: observed,
            limit: limit,
            lines: lines,
            reason: reason
        )
    }

    /// One result from those of several transfers: the worst counts, the first of equally bad ones.
    static func merged(_ results: [CheckResult], else skipped: CheckResult) -> CheckResult {
        let order: [Verdict] = [.fail, .inconclusive, .pass]
        for verdict in order {
            if let result = results.first(where: { $0.verdict == verdict }) { return result }
        }
        return results.first ?? skipped
    }
}
