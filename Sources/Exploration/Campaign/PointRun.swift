internal import Basics
internal import Faults
internal import Journal
internal import Proxy
internal import SystemIO
internal import Trials

/// One run of a campaign: the trial with its faults, and after a failure one without faults in the same
/// folder, to see whether the client finishes: if the fault lasts, or a part was left to go on with.
final class PointRun {
    enum Outcome {
        case ended(PointOutcome)
        /// The campaign was stopped.
        case interrupted
        case failed(SandboxError)
    }

    private let trial: Trial
    private let run: SearchRun
    private let hooks: RunHooks
    private let checks: CountedChecks
    private let derivesDeadline: Bool
    private let keepsRecords: Bool
    private let sandbox: Sandbox
    /// Whether the trial's only oracle tells if the result is the object's current version.
    private let comparesVersions: Bool
    private let onEnd: (Outcome) -> Void
    /// The trial under way; nil between trials, and while a hook of the user runs.
    private(set) var running: RunningTrial?
    private var hook: HookCommand?
    private var isAbandoned = false
    /// What the client was seen to wait for when it was ended.
    private var patience: Duration?
    private var endedBetweenTries = false
    /// Whether the first run has ended, and the command runs again.
    private(set) var isRecovering = false

    /// How often the address of the first trial is asked for again.
    private static let addressTries = 100
    private static let addressPause = Duration.milliseconds(10)

    /// - Parameters:
    ///   - trial: with everything but what `settings` say.
    ///   - run: what it is for.
    ///   - settings: of the campaign.
    ///   - object: that changes while it is fetched; the result may be the version it ends as.
    ///   - sandbox: where it runs.
    ///   - onEnd: called once.
    init(
        _ trial: Trial,
        _ run: SearchRun,
        _ settings: RunnerSettings,
        object: String?,
        in sandbox: Sandbox,
        onEnd: @escaping (Outcome) -> Void
    ) {
        var trial = trial
        comparesVersions = trial.oracles.isEmpty && object != nil
        if trial.oracles.isEmpty, let object {
            trial.oracles = [.fetch(url: object, reference: "{out}")]
        }
        self.trial = trial
        self.run = run
        hooks = settings.hooks
        checks = settings.checks
        keepsRecords = settings.traceFolder != nil
        derivesDeadline = settings.derivedDeadlineMilliseconds != nil
        self.sandbox = sandbox
        self.onEnd = onEnd
    }

    /// - Throws: why it cannot begin; then nothing more is said.
    func start() throws(SandboxError) {
        guard let reset = hooks.reset else { return try startTrial() }
        try startHook(reset, "reset") { [weak self] in
            guard let self else { return }
            do throws(SandboxError) {
                try startTrial()
            } catch {
                onEnd(.failed(error))
            }
        }
    }

    /// Kills what runs.
    func abandon() {
        isAbandoned = true
        running?.abandon()
        hook?.kill()
    }

    /// Index of the test in its suite.
    var test: Int { run.test }

    /// Connections of the trial under way.
    var connections: UInt64 { running?.proxy?.snapshot(rows: 0).totalConnections ?? 0 }

    /// For how long its client has been at work.
    var clientTime: Duration { running?.clientTime ?? .zero }

    /// Whether it may be ended on a mere suspicion.
    var mayBeSuspected: Bool { !run.isPatient && !isRecovering }

    /// - Parameter patience: the timeout that the client is waiting on, if it is longer than
    ///   the exploration waits.
    func endSilence(patience: Duration?) {
        self.patience = patience
        running?.endSilence()
    }

    /// - Parameters:
    ///   - isBetweenTries: whether the client is seen to wait for the time of its next try.
    ///   - patience: as for `endSilence`.
    func endLate(isBetweenTries: Bool, patience: Duration?) {
        endedBetweenTries = isBetweenTries
        self.patience = patience
        running?.endLate()
    }

    private func startTrial() throws(SandboxError) {
        running = try sandbox.start(trial) { [weak self] in self?.trialEnded($0) }
    }

    private func trialEnded(_ outcome: TrialOutcome) {
        running = nil
        guard !outcome.isInterrupted, !isAbandoned else { return onEnd(.interrupted) }
        let address = outcome.place.listen
        take(outcome) { [weak self] in self?.firstEnded($0, at: address) }
    }

    /// Reads what a trial showed and, if no oracle says whether it is right, what it made.
    private func take(_ trial: TrialOutcome, then next: @escaping (PointOutcome) -> Void) {
        var point = PointOutcome(trial, counting: checks)
        let own = (isRecovering ? run.point.later : run.point).faults.count
        point.missed = trial.faults.dropFirst(own).filter { $0.fired == 0 }.map {
            "\($0.id) never fired (\($0.reason))"
        }
        point.faults = Array(point.faults.prefix(own))
        if endedBetweenTries, point.ending == .deadline { point.isStillRetrying = true }
        endedBetweenTries = false
        if let patience, derivesDeadline, point.ending == .deadline {
            point.patienceSeconds = UInt64(patience.wholeSeconds)
            point.isSilent = false
        }
        patience = nil
        // Somebody who gives a deadline wants an end before it.
        if !derivesDeadline { point.isStillRetrying = false }
        if keepsRecords, !isRecovering {
            point.records = trial.records.enumerated().flatMap { index, entry in
                entry.record.line(
                    sequence: UInt64(index),
                    at: entry.at
                )
            }
        }
        if run.keepsJournal {
            var journal = CanonicalJournal()
            for record in trial.records { journal.add(record.record) }
            point.journal = journal
        }
        guard self.trial.oracles.isEmpty || comparesVersions else { return next(point) }
        var result = RunResult(trial.origin)
        if comparesVersions {
            result.current = point.content == .unknown ? nil : point.content
            point.content = .unknown
            point.isOriginSide = false
            point.doubts = []
        }
        let path = trial.place.out
        BackgroundWork.run(
            on: sandbox.loop,
            { try? FileComparison.digest(of: path) },
            done: { [weak self] found in
                guard let self else { return }
                if isAbandoned { return onEnd(.interrupted) }
                result.file = found.map { .init(bytes: $0.size, digest: $0.digest) }
                point.result = result
                next(point)
            }
        )
    }

    /// Those that every run has.
    private var commonFaults: ArraySlice<Fault> {
        trial.schedule.faults.dropFirst(run.point.faults.count)
    }

    private func firstEnded(_ point: PointOutcome, at address: Endpoint) {
        let mayGoOn = run.point.isPermanent || run.purpose != nil && point.leavesPart
        guard mayGoOn, !point.ending.isSuccess, point.troubles.isEmpty else {
            return collect(point)
        }
        var later = trial
        later.schedule.faults = run.point.later.faults + commonFaults
        // What a client keeps to go on with is of one URL.
        later.listen = address
        recover(point, later)
    }

    /// The same again without faults, where the first run left off.
    private func recover(_ point: PointOutcome, _ later: Trial, tries: Int = 1) {
        guard !isAbandoned else { return onEnd(.interrupted) }
        isRecovering = true
        do throws(SandboxError) {
            running = try sandbox.start(later) { [weak self] in
                self?.recoveryEnded(point, $0)
            }
        } catch {
            guard error.kind == .unavailable, later.listen != trial.listen else {
                return onEnd(.failed(error))
            }
            // A connection of another program may have the port for a moment.
            guard tries >= Self.addressTries else {
                _ = sandbox.alarms.set(after: Self.addressPause) {
                    [weak self] in
                    self?.recover(point, later, tries: tries + 1)
                }
                return
            }
            // Another program has taken the port meanwhile.
            var elsewhere = later
            elsewhere.listen = trial.listen
            recover(point, elsewhere)
        }
    }

    private func recoveryEnded(_ point: PointOutcome, _ outcome: TrialOutcome) {
        running = nil
        guard !outcome.isInterrupted, !isAbandoned else { return onEnd(.interrupted) }
        take(outcome) { [weak self] in self?.recovered(point, $0) }
    }

    private func recovered(_ point: PointOutcome, _ recovery: PointOutcome) {
        var point = point
        point.recovery = .init(
            ending: recovery.ending,
            content: recovery.content,
            result: recovery.result
        )
        point.recovery?.resumes = recovery.requests.contains(where: \.isResumption)
        meetLater(&point, recovery)
        point.evidence += ["then \(run.point.laterWords):"] + recovery.evidence
        point.troubles += recovery.troubles
        point.disturbance = point.disturbance ?? recovery.disturbance
        point.milliseconds += recovery.milliseconds
        collect(point)
    }

    /// Faults of the server that waited for the second start.
    private func meetLater(_ point: inout PointOutcome, _ recovery: PointOutcome) {
        let later = run.point.later.faults
        for (index, state) in zip(later.indices, recovery.faults) where state == .fired {
            let path = later[index].address.target
            for (place, fault) in run.point.faults.enumerated() {
                guard case .object(let object, _) = fault.address.target,
                    FaultTarget.object(object, .one(1)) == path, fault.effect == later[index].effect
                else { continue }
                point.faults[place] = .fired
            }
        }
    }

    private func collect(_ point: PointOutcome) {
        guard let collect = hooks.collect else { return onEnd(.ended(point)) }
        do throws(SandboxError) {
            try startHook(collect, "collect") { [weak self] in self?.onEnd(.ended(point)) }
        } catch {
            onEnd(.failed(error))
        }
    }

    private func startHook(
        _ words: [String],
        _ name: String,
        then next: @escaping () -> Void
    ) throws(SandboxError) {
        let place = [
            "LINKCOND_RUN=\(run.number)", "\(TrialPlace.folderVariable)=\(trial.folder ?? "")",
            "LINKCOND_SEED=\(trial.seed)", "LINKCOND_SCHEDULE=\(trial.schedule.canonicalText)",
        ]
        hook = try HookCommand(words, environment: hooks.environment + place, on: sandbox.loop) {
            [weak self] problem in
            guard let self else { return }
            hook = nil
            if isAbandoned { return onEnd(.interrupted) }
            if let problem {
                return onEnd(.failed(SandboxError(.refused, "--\(name): \(problem)")))
            }
            next()
        }
    }
}
