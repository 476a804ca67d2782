package import Analysis
internal import Basics
package import Journal
internal import Proxy

extension Evidence {
    /// What the outcome of a trial says beyond its journal.
    package init(_ trial: TrialOutcome) {
        self.init()
        exitCode = trial.ending.exitCode
        if case .killed(let signal) = trial.ending { self.signal = signal }
        isTimedOut = trial.isTimedOut
        takesConnections = trial.place.transport != .datagrams
        hasOwnOrigin = trial.origin != nil
        oracle = Oracle(trial.oracles.filter { !$0.isServerCheck })
        serverCheck = Self.serverCheck(trial.oracles.filter(\.isOriginSide))
        for case .foreignRequests(let count, _) in trial.escapes { foreignConnections += count }
    }

    private static func serverCheck(_ results: [OracleResult]) -> ServerCheck {
        if results.isEmpty { return .notRun }
        if results.contains(where: { $0.verdict == .fail }) { return .fail }
        return results.allSatisfy { $0.verdict == .pass } ? .pass : .unknown
    }
}

extension Evidence.Oracle {
    /// The worst of what was compared.
    fileprivate init(_ results: [OracleResult]) {
        if let wrong = results.first(where: { $0.verdict == .fail }) {
            self =
                switch wrong.flaw {
                case .missing: .missing
                case .beginning: .beginning(wrong.words)
                case .different, nil: .differs(wrong.words)
                }
        } else {
            let isKnown = !results.isEmpty && results.allSatisfy { $0.verdict == .pass }
            self = isKnown ? .matches : .unknown
        }
    }
}

extension TrialOutcome {
    /// The journal as the analysis reads it.
    package var timedRecords: [Timed<JournalRecord>] {
        records.enumerated().map { index, entry in
            Timed(entry.record, line: index + 1, at: entry.at)
        }
    }
}

extension OracleResult {
    fileprivate var isServerCheck: Bool { name == Self.serverCheck }
}
