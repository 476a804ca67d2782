internal import FaultInjection
internal import Libuv

/// One run of a campaign: the trial with its faults, and after a fault that lasts and a failure one
/// without faults in the same folder, to see whether the client finishes.
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
    private let sandbox: Sandbox
    private let onEnd: (Outcome) -> Void
    private var running: RunningTrial?
    private var hook: HookCommand?
    private var isAbandoned = false

    init(
        _ trial: Trial,
        _ run: SearchRun,
        _ settings: RunnerSettings,
        in sandbox: Sandbox,
        onEnd: @escaping (Outcome) -> Void
    ) {
        self.trial = trial
        self.run = run
        hooks = settings.hooks
        checks = settings.checks
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

    private func startTrial() throws(SandboxError) {
        running = try sandbox.start(trial) { [weak self] in self?.trialEnded($0) }
    }

    private func trialEnded(_ outcome: TrialOutcome) {
        running = nil
        guard !outcome.isInterrupted, !isAbandoned else { return onEnd(.interrupted) }
        let point = PointOutcome(outcome, counting: checks)
        guard run.point.isPermanent, !point.ending.isSuccess, point.troubles.isEmpty else {
            return collect(point)
        }
        recover(point)
    }

    /// The same again without faults, where the first run left off.
    private func recover(_ point: PointOutcome) {
        var trial = trial
        trial.schedule.faults = []
        do throws(SandboxError) {
            running = try sandbox.start(trial) { [weak self] in
                self?.recoveryEnded(point, $0)
            }
        } catch {
            onEnd(.failed(error))
        }
    }

    private func recoveryEnded(_ point: PointOutcome, _ outcome: TrialOutcome) {
        running = nil
        guard !outcome.isInterrupted, !isAbandoned else { return onEnd(.interrupted) }
        var point = point
        let recovery = PointOutcome(outcome, counting: checks)
        point.recovery = .init(ending: recovery.ending, content: recovery.content)
        point.evidence += ["then without faults:"] + recovery.evidence
        point.troubles += recovery.troubles
        point.milliseconds += recovery.milliseconds
        collect(point)
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
            "LINKCOND_RUN=\(run.number)", "LINKCOND_DIR=\(trial.folder ?? "")",
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
