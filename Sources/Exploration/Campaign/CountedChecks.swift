package import Analysis
internal import Journal
internal import Trials

/// Which of the analysis' checks count in an exploration.
///
/// The result itself is judged apart from them, from the oracles and from both sides. Errors fail;
/// warnings, among them all rules about the distances between retries, are told, and fail where that was
/// asked for: what a clock decides makes findings that do not always come again. Nor does a check count
/// that cannot tell, unless it was asked for; those of times cannot where the machine has disturbed them.
package struct CountedChecks: Hashable, Sendable {
    /// What was asked for besides the required checks.
    package var expectation: Expectation?
    /// Bytes that may be sent again for each cut of a download.
    package var maximumResentBytes: UInt64?
    /// Tries in a row that bring a transfer no byte forward, at most.
    package var maximumTries: Int?
    /// Whether warnings fail.
    package var isStrict = false
    /// Checks that are taken for passed, by wish of the user.
    package var accepted: Set<Check> = []

    package init() {}

    /// What is told, but fails nothing.
    func advice(_ report: RunReport) -> [PointOutcome.Advice] {
        report.checks.compactMap { result in
            guard result.check != .r2, !counts(result.check), !accepted.contains(result.check),
                report.canTell(result.check), let finding = result.finding
            else { return nil }
            return .init(check: result.check, words: finding.words)
        }
    }

    /// Whether a violation fails.
    private func counts(_ check: Check) -> Bool {
        if wantedChecks.contains(check) { return true }
        guard check != .r2, !accepted.contains(check) else { return false }
        return check.level == .error || isStrict && check.level == .warning
    }

    /// What failed and counts: required checks in their order, then what was asked for.
    func failures(_ report: RunReport) -> [PointOutcome.FailedCheck] {
        let wanted = Set(wantedChecks)
        let counted = report.checks.filter { counts($0.check) && report.canTell($0.check) }
        let checks = counted.compactMap { result -> PointOutcome.FailedCheck? in
            guard let finding = result.finding else { return nil }
            var failed = PointOutcome.FailedCheck(
                name: result.check.rawValue,
                kind: finding.kind,
                reason: finding.words
            )
            failed.isDemanded = wanted.contains(result.check)
            return failed
        }
        return checks + exceeded(report)
    }

    /// What explains a wrong result, whether it counts or not: failed checks, then what else failed.
    func explanations(_ report: RunReport) -> [String] {
        let checks = report.checks.filter {
            report.canTell($0.check)
                && ($0.check == .r5 || $0.check != .r2 && $0.check.level == .error
                    || counts($0.check))
        }
        return checks.compactMap(\.finding).map { finding in
            "\(finding.check?.rawValue ?? ""): \(finding.words)"
        } + exceeded(report).map { "\($0.name): \($0.reason)" }
    }

    /// Whether a check of times counts that failed, or something of times was asked for.
    func concernTimes(_ report: RunReport) -> Bool {
        expectation?.items.contains { $0.demand.isOfTimes } ?? false
            || report.checks.contains {
                $0.check.isOfTimes && counts($0.check) && $0.finding != nil
            }
    }

    /// What was asked for and cannot be told.
    func doubts(_ report: RunReport) -> [String] {
        // Too few retries to judge their distances are no reason to doubt a run.
        let checks = wantedChecks.filter { !$0.rawValue.hasPrefix("B") }.map(report.result)
        return checks.filter { $0.verdict == .inconclusive }.map {
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
    /// What a trial says besides its journal, and the limits that somebody chose.
    init(_ trial: TrialOutcome, _ checks: CountedChecks) {
        self.init(trial)
        if let limit = checks.maximumResentBytes { maximumResentBytes = limit }
        if let limit = checks.maximumTries { maximumTries = limit }
    }
}

extension RunReport {
    /// Whether the result of a check holds: on a busy machine, no check of times does.
    fileprivate func canTell(_ check: Check) -> Bool { !isDisturbed || !check.isOfTimes }
}
