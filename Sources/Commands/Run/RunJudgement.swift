internal import Analysis
internal import Faults
internal import Journal
internal import Trials

/// What a run is worth: whether it is what was asked for, and whether it proves anything.
struct RunJudgement: Hashable, Sendable {
    /// What the journal says of transfers and checks.
    let report: RunReport
    /// What is wrong, the most important first.
    private(set) var failures: [String] = []
    /// Why the run proves nothing, even if nothing is wrong.
    private(set) var doubts: [String] = []

    /// - Parameters:
    ///   - outcome: what happened.
    ///   - demands: what was asked for.
    ///   - hasCommand: whether the run started a client itself.
    init(_ outcome: TrialOutcome, demands: RunDemands, hasCommand: Bool = true) {
        report = RunReport(outcome.timedRecords, evidence: demands.evidence(of: outcome))
        if outcome.isTimedOut {
            failures.append("the deadline came before the command ended")
        }
        for item in demands.expectation.outcomes(of: report) {
            let words = item.item.text == "pass" ? item.words : "\(item.item.text): \(item.words)"
            switch item.verdict {
            case .fail: failures.append(words)
            case .inconclusive: doubts.append(words)
            case .pass, .skipped: break
            }
        }
        addOracles(outcome)
        for doubt in Self.doubts(outcome, hasCommand: hasCommand) where !doubts.contains(doubt) {
            doubts.append(doubt)
        }
        if report.isVoid, doubts.isEmpty { doubts = report.doubts }
    }

    /// An oracle counts whatever the expectation says, which may have told of it already.
    private mutating func addOracles(_ outcome: TrialOutcome) {
        for oracle in outcome.oracles {
            let words = "\(oracle.name): \(oracle.words)"
            switch oracle.verdict {
            case .pass: break
            case .fail: failures.append(words)
            case .inconclusive: doubts.append(words)
            }
        }
    }

    var verdict: Verdict {
        failures.isEmpty ? (doubts.isEmpty ? .pass : .inconclusive) : .fail
    }

    /// The verdict and its reasons in one line.
    var line: String {
        reasons.isEmpty ? verdict.rawValue : "\(verdict.rawValue): \(reason)"
    }

    /// Why, in words without a full stop.
    var reason: String {
        reasons.isEmpty ? verdict.rawValue : reasons.joined(separator: "; ")
    }

    private var reasons: [String] { verdict == .fail ? failures : doubts }

    /// Why a run proves nothing, whatever was asked for.
    ///
    /// - Parameters:
    ///   - outcome: what happened.
    ///   - hasCommand: whether the run started a client itself.
    ///   - optional: identities of faults that need not have fired.
    /// - Returns: sentences without full stops; nothing if the run proves something.
    static func doubts(
        _ outcome: TrialOutcome,
        hasCommand: Bool = true,
        optional: Set<String> = []
    ) -> [String] {
        switch outcome.ending {
        // Nothing has happened, and the reason is told.
        case .notFound, .notStarted: return []
        case .exited, .killed, .stuck: break
        }
        var doubts: [String] = []
        for case .foreignRequests(let count, let first) in outcome.escapes {
            doubts.append(
                "\(Figures.count(count, "request")) went around linkcond, the first was \(first)"
            )
        }
        if outcome.hasNoTraffic && outcome.escapes.isEmpty {
            doubts.append(
                "nothing came through linkcond"
                    + (hasCommand ? "; does the command use {url}?" : "")
            )
        }
        for fault in outcome.silentFaults
        where !outcome.hasNoTraffic && !optional.contains(fault.id) {
            doubts.append(
                fault.undelivered > 0
                    ? "\(fault.id): the bytes before it were not proven to arrive"
                    : "\(fault.id) never fired (\(fault.reason))"
            )
        }
        return doubts + outcome.troubles.map { "trouble of linkcond's own: \($0)" }
    }

    /// Why a run is inconclusive of which nothing was demanded: somebody named a fault, the command
    /// succeeded, and that proves nothing.
    ///
    /// - Parameters:
    ///   - outcome: what happened.
    ///   - hasCommand: whether the run started a client itself.
    ///   - optional: identities of the faults that come from the profile, not from the user.
    /// - Returns: nothing if the command's exit code tells enough.
    static func missingProof(
        _ outcome: TrialOutcome,
        hasCommand: Bool = true,
        optional: Set<String> = []
    ) -> [String] {
        guard outcome.ending.isSuccess,
            outcome.faults.contains(where: { !optional.contains($0.id) })
        else {
            return []
        }
        var reasons = doubts(outcome, hasCommand: hasCommand, optional: optional)
        let isMissed = outcome.silentFaults.contains { !optional.contains($0.id) }
        if isMissed, !outcome.hasNoTraffic {
            let owner = hasCommand ? "the command" : "the client"
            reasons.append("let the fault act where \(owner) gets to, or leave it out")
        }
        return reasons
    }

    /// As in `exit code 7` or `killed by signal 9`.
    static func words(_ ending: ClientEnding) -> String {
        switch ending {
        case .exited(let code): "exit code \(code)"
        case .killed(let signal): "killed by signal \(signal)"
        case .notFound(let words): "not found: \(words)"
        case .notStarted(let words): "cannot be started: \(words)"
        case .stuck: "it did not end"
        }
    }
}
