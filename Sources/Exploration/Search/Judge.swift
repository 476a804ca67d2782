internal import Analysis
internal import Faults

/// Judges a run from both sides.
///
/// A fault that passes must be outlasted: success, with the right content. One that does not pass
/// must be failed honestly: not with success, before the deadline, leaving nothing that looks like
/// the result; and a later run without faults must finish.
package struct Judge: Hashable, Sendable {
    /// Classes that are taken for right, by wish of the user.
    package var accepted: Set<FindingClass> = []

    /// How reasons begin that are about the run without faults in the same folder.
    static let laterRun = "a later run without faults"
    /// How reasons begin of a run whose faults did not act.
    static let withoutFault = "without any fault: "

    package init(accepted: Set<FindingClass> = []) { self.accepted = accepted }

    package func judge(_ point: Point, _ outcome: PointOutcome) -> PointJudgement {
        if let trouble = outcome.troubles.first { return .inconclusive(reason: trouble) }
        let fired = outcome.faults.contains { !$0.isUnreached }
        let unreached = outcome.faults.firstIndex { $0.isUnreached }
        if let escape = outcome.escape { return .failure(.escaped, reason: escape) }
        if let worst = failures(point, outcome).min(by: { $0.kind < $1.kind }) {
            // Without its fault a failure is none of the fault's doing.
            guard fired || point.faults.isEmpty else {
                return .failure(.flaky, reason: "\(Self.withoutFault)\(worst.reason)")
            }
            return .failure(worst.kind, reason: worst.reason)
        }
        if let unreached, case .unreached(let reason) = outcome.faults[unreached] {
            return .unreached(reason: "\(point.faults[unreached].canonicalText): \(reason)")
        }
        if outcome.faults.contains(.undelivered) {
            return .inconclusive(reason: "bytes before the fault were not acknowledged")
        }
        if let doubt = outcome.doubts.first { return .inconclusive(reason: doubt) }
        return outcome.ending.isSuccess ? .pass : .honest
    }

    private typealias Wrong = (kind: FindingClass, reason: String)

    private func failures(_ point: Point, _ outcome: PointOutcome) -> [Wrong] {
        var wrongs: [Wrong] = []
        switch outcome.ending {
        case .exited(0): wrongs += dishonestSuccess(outcome)
        case .deadline: wrongs.append((.hang, "still running at the deadline"))
        case .exited, .signal: wrongs += failure(point, outcome)
        }
        wrongs += unfinished(outcome)
        wrongs += outcome.failedChecks.map { ($0.kind, "\($0.name): \($0.reason)") }
        return wrongs.filter { !accepted.contains($0.kind) }
    }

    private func dishonestSuccess(_ outcome: PointOutcome) -> [Wrong] {
        switch outcome.content {
        case .right, .unknown: []
        case .wrong:
            [(.corrupt, "exit 0, but the content is no version of the object")]
        case .partial:
            outcome.isOriginSide
                ? [(.lost, "exit 0, but the origin has a part only")]
                : [(.dishonest, "exit 0, but the content is a part only")]
        case .missing:
            outcome.isOriginSide
                ? [(.lost, "exit 0, but the origin has nothing")]
                : [(.dishonest, "exit 0, but there is no result")]
        }
    }

    private func failure(_ point: Point, _ outcome: PointOutcome) -> [Wrong] {
        var wrongs: [Wrong] = []
        if outcome.content == .wrong, !outcome.isOriginSide {
            wrongs.append(
                (.dishonest, "\(outcome.ending.text), but leaves what looks like a result")
            )
        }
        if !point.isPermanent {
            wrongs.append((.giveup, "\(outcome.ending.text), though the failure passes"))
        }
        return wrongs
    }

    /// What the fault-free run afterwards did not mend.
    private func unfinished(_ outcome: PointOutcome) -> [Wrong] {
        guard let recovery = outcome.recovery else { return [] }
        switch (recovery.ending, recovery.content) {
        case (.exited(0), .wrong):
            return [(.corrupt, "\(Self.laterRun) ends with wrong content")]
        case (.exited(0), .partial), (.exited(0), .missing):
            return [(.dishonest, "\(Self.laterRun) ends with exit 0 and a part only")]
        case (.exited(0), _): return []
        case (.deadline, _): return [(.hang, "\(Self.laterRun) does not end")]
        case (let ending, _):
            return [(.giveup, "\(Self.laterRun) does not finish: \(ending.text)")]
        }
    }
}

extension PointOutcome.FaultState {
    fileprivate var isUnreached: Bool {
        if case .unreached = self { return true }
        return false
    }
}

extension PointOutcome.Ending {
    package var text: String {
        switch self {
        case .exited(let code): "exit \(code)"
        case .signal(let number): "signal \(number)"
        case .deadline: "deadline"
        }
    }
}
