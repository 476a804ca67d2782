internal import Basics
internal import Analysis
internal import Faults

/// Judges a run from both sides.
///
/// A fault that passes must be outlasted: success, with the right content. One that does not pass
/// must be failed honestly: not with success, before the deadline, leaving nothing that looks like
/// the result; and a later run without faults must finish. A request that must not be repeated
/// blindly may be failed honestly, too, if its answer may be lost. What rests on times, as that a client
/// hangs, proves nothing on a machine that was too busy for them; all else stands.
package struct Judge: Hashable, Sendable {
    /// Classes that are taken for right, by wish of the user.
    package var accepted: Set<FindingClass> = []

    /// How reasons begin that are about the run in the same folder afterwards.
    static let laterRun = "a later run"
    /// How reasons begin of a run that was ended between two tries.
    static let stillRetrying = "still retrying when it was ended"
    /// How reasons begin of a run that was ended while it waited for a time that would have come.
    static let stillWaiting = "still waiting when it was ended"
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
        if let disturbance = outcome.spoiltTimes { return .inconclusive(reason: disturbance) }
        if let unreached, case .unreached(let reason) = outcome.faults[unreached] {
            return .unreached(reason: "\(point.faults[unreached].canonicalText): \(reason)")
        }
        if outcome.faults.contains(.undelivered) {
            return .inconclusive(reason: "bytes before the fault were not acknowledged")
        }
        if outcome.isStillProgressing {
            return .inconclusive(
                reason: "still progressing at the deadline; a longer --deadline judges it"
            )
        }
        if outcome.isStillRetrying {
            return .inconclusive(
                reason: "\(Self.stillRetrying); --deadline says how long it may"
            )
        }
        if let seconds = outcome.patienceSeconds {
            return .inconclusive(
                reason: "\(Self.stillWaiting), and gives an answer \(seconds) s;"
                    + " a longer --deadline judges it"
            )
        }
        if let doubt = outcome.doubts.first { return .inconclusive(reason: doubt) }
        return outcome.ending.isSuccess ? .pass : .honest
    }

    private func failures(_ point: Point, _ outcome: PointOutcome) -> [Wrong] {
        var wrongs: [Wrong] = []
        let waitsAsTold = outcome.ending == .deadline && point.asksForEver
        let isSpoilt = outcome.ending == .deadline && outcome.disturbance != nil
        let isUndecided =
            outcome.isStillProgressing || outcome.isStillRetrying
            || outcome.patienceSeconds != nil || isSpoilt
        if !isUndecided, !waitsAsTold {
            wrongs += Self.verdict(
                Result(
                    ending: outcome.ending,
                    content: outcome.content,
                    isOriginSide: outcome.isOriginSide,
                    canSucceed: point.canBeOutlasted && !outcome.mayHaveActed
                )
            )
        }
        wrongs += unfinished(point, outcome)
        wrongs += outcome.failedChecks.filter { $0.counts(beside: outcome) }
            .map { ($0.kind, "\($0.name): \($0.reason)") }
        return wrongs.filter { !accepted.contains($0.kind) }
    }

    /// What the fault-free run afterwards did not mend.
    private func unfinished(_ point: Point, _ outcome: PointOutcome) -> [Wrong] {
        guard let recovery = outcome.recovery else { return [] }
        let run = "\(Self.laterRun) \(point.laterWords)"
        switch (recovery.ending, recovery.content) {
        case (.exited(0), .wrong):
            return [(.corrupt, "\(run) ends with wrong content")]
        case (.exited(0), .partial), (.exited(0), .missing):
            return [(.dishonest, "\(run) ends with exit 0 and a part only")]
        case (.exited(0), .denied):
            return [(.lost, "\(run) ends with exit 0, but the check of the server fails")]
        case (.exited(0), .right), (.exited(0), .unknown): return []
        case (.deadline, _):
            return outcome.disturbance == nil ? [(.hang, "\(run) does not end")] : []
        case (.signal, _):
            return [(.crash, "\(run) is killed by \(recovery.ending.text)")]
        // A server that gives what does not fit, each time, is a reason to stop.
        case (.exited, _) where point.faults.contains { $0.effect.kind.family.isOfServer }:
            return []
        case (.exited, _):
            return [(.giveup, "\(run) does not finish: \(recovery.ending.text)")]
        }
    }
}

extension PointOutcome.FailedCheck {
    /// Whether it says more than how the run came out: the ending is always known, the content mostly.
    fileprivate func counts(beside outcome: PointOutcome) -> Bool {
        guard kind.isOfOutcome, !isDemanded else { return true }
        return kind != .hang && outcome.content == .unknown
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

extension Judge {
    /// The check, or the quantity with its limit, that a reason such as `R5: ...` begins with.
    static func failedCheck(in reason: String) -> Substring? {
        let isMarked = reason.hasPrefix(withoutFault)
        let reason = reason.dropFirst(isMarked ? withoutFault.count : 0)
        guard let end = reason.firstRange(of: ": ") else { return nil }
        let name = reason[..<end.lowerBound]
        return isCheck(name) ? name : nil
    }

    static func isCheck(_ name: Substring) -> Bool {
        (try? Expectation(parsing: String(name))) != nil
    }
}
