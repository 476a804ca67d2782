internal import Analysis
internal import FaultInjection
internal import Journal

extension PointOutcome {
    /// What a trial showed.
    ///
    /// - Parameters:
    ///   - trial: its outcome.
    ///   - checks: what counts besides the result and the required checks.
    package init(_ trial: TrialOutcome, counting checks: CountedChecks = CountedChecks()) {
        self.init(ending: Ending(trial), content: Content(trial.oracles))
        let failed = trial.oracles.filter { $0.verdict == .fail }
        isOriginSide = !failed.isEmpty && failed.allSatisfy(\.isOriginSide)
        faults = trial.faults.map(FaultState.init)
        let records = trial.records.enumerated().map { index, entry in
            Timed(entry.record, line: index + 1, atNanoseconds: entry.atNanoseconds)
        }
        let report = RunReport(records, evidence: Evidence(trial, checks))
        requests = TrafficReading.shapes(report)
        failedChecks = checks.failures(report)
        doubts =
            trial.oracles.filter { $0.verdict == .inconclusive }.map {
                "\($0.name): \($0.words)"
            } + checks.doubts(report)
        troubles = trial.troubles
        switch trial.ending {
        case .notFound(let words): troubles.append("not found: \(words)")
        case .notStarted(let words): troubles.append("cannot be started: \(words)")
        case .exited, .killed, .stuck: break
        }
        escape = trial.escapes.first.map { escape in
            switch escape {
            case .foreignRequests(_, let first): "a request went around linkcond: \(first)"
            }
        }
        map = BoundaryMap(trial.records.lazy.map(\.record))
        evidence = TrafficReading.evidence(trial)
        milliseconds = trial.elapsedNanoseconds / 1_000_000
    }
}

extension PointOutcome.Ending {
    fileprivate init(_ trial: TrialOutcome) {
        guard !trial.isTimedOut else {
            self = .deadline
            return
        }
        switch trial.ending {
        case .exited(let code): self = .exited(Int32(clamping: code))
        case .killed(let signal): self = .signal(Int32(clamping: signal))
        case .notFound, .notStarted: self = .exited(Int32(clamping: trial.ending.exitCode))
        case .stuck: self = .deadline
        }
    }
}

extension PointOutcome.Content {
    /// The worst that an oracle found.
    fileprivate init(_ results: [OracleResult]) {
        let failed = results.filter { $0.verdict == .fail }
        guard failed.isEmpty else {
            let flaws = Set(failed.map { $0.flaw ?? .different })
            self =
                flaws.contains(.different) ? .wrong : flaws.contains(.missing) ? .missing : .partial
            return
        }
        self = results.contains { $0.verdict == .pass } ? .right : .unknown
    }
}

extension OracleResult {
    /// Whether it is about what the server has, not about what the client made.
    fileprivate var isOriginSide: Bool { name == "server-check" || name == "fetch-check" }
}

extension PointOutcome.FaultState {
    fileprivate init(_ row: FaultLedger.Row) {
        if row.fired > 0 {
            self = .fired
        } else if row.undelivered > 0 {
            self = .undelivered
        } else {
            self = .unreached(reason: row.reason.description)
        }
    }
}
