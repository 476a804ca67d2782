internal import Analysis
internal import Basics
internal import Faults
internal import Journal
internal import Origin
package import Trials

extension PointOutcome {
    /// What a trial showed.
    ///
    /// - Parameters:
    ///   - trial: its outcome.
    ///   - checks: what counts besides the result and the required checks.
    package init(_ trial: TrialOutcome, counting checks: CountedChecks = CountedChecks()) {
        self.init(ending: Ending(trial), content: Content(trial.oracles))
        let failed = trial.oracles.filter { $0.verdict == .fail }
        oracleWords = failed.first.map { "\($0.name): \($0.words)" }
        isOriginSide = !failed.isEmpty && failed.allSatisfy(\.isOriginSide)
        faults = trial.faults.map(FaultState.init)
        let report = RunReport(trial.timedRecords, evidence: Evidence(trial, checks))
        requests = TrafficReading.shapes(report)
        isStillProgressing = ending == .deadline && report.isStillProgressing
        isSilent = ending == .deadline && trial.isSilent
        isStillRetrying = ending == .deadline && !isSilent && report.isStillRetrying
        mayHaveActed = report.endsWithUnsafeRequest
        failedChecks = checks.failures(report)
        advice = checks.advice(report)
        doubts =
            trial.oracles.filter { $0.verdict == .inconclusive }.map {
                "\($0.name): \($0.words)"
            } + checks.doubts(report)
        troubles = trial.troubles
        disturbance = trial.disturbances.first
        hasCheckOfTimes = checks.concernTimes(report)
        switch trial.ending {
        case .notFound(let words): troubles.append("not found: \(words)")
        case .notStarted(let words): troubles.append("cannot be started: \(words)")
        case .exited, .killed, .stuck: break
        }
        let foreign = trial.escapes.first.map { escape in
            switch escape {
            case .foreignRequests(_, let first): "a request went around linkcond: \(first)"
            }
        }
        escape = foreign ?? report.certainDetour
        for case .upstream(_, let trouble, let words) in trial.records.lazy.map(\.record)
        where trouble != .notAllowed {
            unreachable = words
        }
        map = BoundaryMap(trial.records.lazy.map(\.record))
        lastWords = LastWords.of(trial.errorOutput).map(trial.place.abbreviate)
        let said = ending.isSuccess ? nil : lastWords
        evidence =
            TrafficReading.evidence(trial) + (said.map { ["it said: \($0)"] } ?? [])
            + checks.explanations(report).prefix(TrafficReading.checkLimit)
        milliseconds = UInt64(trial.elapsed.wholeMilliseconds)
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
    ///
    /// Several files to compare one result with are versions of it: one has to fit.
    fileprivate init(_ results: [OracleResult]) {
        let results = results.filter { result in
            result.verdict != .fail
                || !results.contains { $0.verdict == .pass && $0.isVersion(of: result) }
        }
        let failed = results.filter { $0.verdict == .fail }
        guard failed.isEmpty else {
            self = failed.map(\.content).max { $0.severity < $1.severity } ?? .wrong
            return
        }
        self = results.contains { $0.verdict == .pass } ? .right : .unknown
    }

    private var severity: Int {
        switch self {
        case .right, .unknown: 0
        case .missing: 1
        case .partial: 2
        case .denied: 3
        case .wrong: 4
        }
    }
}

extension OracleResult {
    fileprivate var content: PointOutcome.Content {
        switch flaw {
        case .missing: .missing
        case .beginning: .partial
        case .different: .wrong
        case nil: name == OracleResult.serverCheck ? .denied : .wrong
        }
    }

    fileprivate func isVersion(of other: OracleResult) -> Bool {
        subject != nil && subject == other.subject
    }
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

extension RunResult {
    /// What the embedded origin got; the file is somebody else's to read.
    init(_ origin: OriginState?) {
        self.init()
        let uploads = origin?.uploads ?? []
        self.uploads = uploads.filter { $0.state == "complete" }
            .map { Content(bytes: $0.bytes, digest: $0.digest) }
            .sorted { ($0.digest ?? "", $0.bytes) < ($1.digest ?? "", $1.bytes) }
        if let objects = origin?.objects, objects.count == 1 { object = objects[0].path }
        pendingBytes = uploads.filter { $0.state != "complete" }.reduce(0) { $0 + $1.bytes }
    }
}
