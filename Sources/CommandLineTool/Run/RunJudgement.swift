internal import Exploration
internal import FaultInjection

/// What a run is worth: whether it is what was asked for, and whether it proves anything.
struct RunJudgement: Hashable, Sendable {
    enum Verdict: String, Hashable, Sendable {
        case pass, fail, inconclusive
    }

    /// What is wrong, the most important first.
    private(set) var failures: [String] = []
    /// Why the run proves nothing, even if nothing is wrong.
    private(set) var doubts: [String] = []

    init(_ outcome: TrialOutcome, expectation: RunExpectation) {
        if outcome.isTimedOut {
            failures.append("the deadline came before the command ended")
        } else if let objection = expectation.objection(to: outcome.ending) {
            failures.append(objection)
        }
        for oracle in outcome.oracles where oracle.verdict == .fail {
            failures.append("\(oracle.name): \(oracle.words)")
        }
        for oracle in outcome.oracles where oracle.verdict == .inconclusive {
            doubts.append("\(oracle.name): \(oracle.words)")
        }
        doubts += Self.doubts(outcome)
    }

    var verdict: Verdict {
        failures.isEmpty ? (doubts.isEmpty ? .pass : .inconclusive) : .fail
    }

    /// The verdict and its reasons in one line.
    var line: String {
        switch verdict {
        case .pass: "pass"
        case .fail: "fail: " + failures.joined(separator: "; ")
        case .inconclusive: "inconclusive: " + doubts.joined(separator: "; ")
        }
    }

    /// Why a run proves nothing, whatever was asked for.
    static func doubts(_ outcome: TrialOutcome) -> [String] {
        switch outcome.ending {
        // Nothing has happened, and the reason is told.
        case .notFound, .notStarted: return []
        case .exited, .killed, .stuck: break
        }
        var doubts: [String] = []
        for escape in outcome.escapes {
            switch escape {
            case .foreignRequests(let count, let first):
                doubts.append(
                    "\(Figures.count(count, "request")) went around linkcond, the first was"
                        + " \(first)"
                )
            }
        }
        if outcome.hasNoTraffic && outcome.escapes.isEmpty {
            doubts.append("nothing came through linkcond; does the command use {url}?")
        }
        for fault in outcome.silentFaults where !outcome.hasNoTraffic {
            doubts.append(
                fault.undelivered > 0
                    ? "\(fault.id): the bytes before it were not proven to arrive"
                    : "\(fault.id) never fired (\(fault.reason))"
            )
        }
        return doubts + outcome.troubles.map { "trouble of linkcond's own: \($0)" }
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
