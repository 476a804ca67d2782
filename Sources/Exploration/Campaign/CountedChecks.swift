internal import Journal
package import Analysis

/// Which of the analysis' checks count in an exploration.
///
/// The result itself is judged apart from them, from the oracles and from both sides. A check that
/// cannot tell counts only if it was asked for: most of them need more retries than one run has.
package struct CountedChecks: Hashable, Sendable {
    /// What was asked for besides the required checks.
    package var expectation: Expectation?
    /// Bytes that may be sent again for each cut of a download.
    package var maximumResentBytes: UInt64?
    /// Tries of one transfer at most.
    package var maximumTries: Int?

    package init() {}

    /// What failed and counts: required checks in their order, then what was asked for.
    func failures(_ report: RunReport) -> [PointOutcome.FailedCheck] {
        let required = report.checks.filter { !$0.check.isAdvisory && $0.check != .r2 }
        let wanted = wantedChecks.filter(\.isAdvisory).map(report.result)
        let checks = (required + wanted).compactMap { result in
            result.finding.map {
                PointOutcome.FailedCheck(
                    name: result.check.rawValue,
                    kind: $0.kind,
                    reason: $0.words
                )
            }
        }
        return checks + exceeded(report)
    }

    /// What was asked for and cannot be told.
    func doubts(_ report: RunReport) -> [String] {
        wantedChecks.map(report.result).filter { $0.verdict == .inconclusive }.map {
            "\($0.check.rawValue), \($0.check.title): \($0.observed)"
        }
    }

    private var wantedChecks: [Check] {
        (expectation?.items ?? []).compactMap { item in
            guard case .check(let check) = item.demand else { return nil }
            return check
        }
    }

    /// Quantities beyond their limit, of a run that succeeded: a lasting fault may cost any number.
    private func exceeded(_ report: RunReport) -> [PointOutcome.FailedCheck] {
        guard report.exitCode == 0, let outcomes = expectation?.outcomes(of: report) else {
            return []
        }
        return outcomes.compactMap { outcome in
            guard case .quantity = outcome.item.demand, outcome.verdict == .fail else {
                return nil
            }
            return .init(name: outcome.item.text, kind: .waste, reason: outcome.words)
        }
    }
}

extension Evidence {
    /// What a trial says besides its journal.
    init(_ trial: TrialOutcome, _ checks: CountedChecks) {
        self.init()
        exitCode = trial.ending.exitCode
        isTimedOut = trial.isTimedOut
        oracle = Oracle(trial.oracles)
        if let limit = checks.maximumResentBytes { maximumResentBytes = limit }
        if let limit = checks.maximumTries { maximumTries = limit }
        let answers = trial.oracles.filter { $0.name == "server-check" }.map(\.verdict)
        if answers.contains(.fail) {
            serverCheck = .fail
        } else if let answer = answers.first {
            serverCheck = answer == .pass ? .pass : .unknown
        }
    }
}

extension Evidence.Oracle {
    fileprivate init(_ results: [OracleResult]) {
        let results = results.filter { $0.name != "server-check" }
        if let wrong = results.first(where: { $0.verdict == .fail }) {
            self = wrong.flaw == .missing ? .missing : .differs(wrong.words)
        } else {
            self = results.contains { $0.verdict == .pass } ? .matches : .unknown
        }
    }
}
