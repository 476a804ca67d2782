internal import Basics
internal import Faults
package import SystemIO
package import Trials

/// Runs the campaigns of a suite in a sandbox: as many trials at once as there is room for.
///
/// Everything happens on the loop's thread. Call `close` before the sandbox's.
package final class CampaignRunner: ReadinessHandler {
    package private(set) var suite: CampaignSuite
    private let sandbox: Sandbox
    private let settings: RunnerSettings
    private let makeTrial: (SearchRun) -> Trial
    private let alarms: TimerQueue
    private let folders: RunFolders
    /// What the baselines of each test fetched, where it changes from request to request.
    private var objects: [Int: String] = [:]
    private var runs: [Int: PointRun] = [:]
    private var places: RunPlaces
    /// The longest run without faults so far.
    private var slowestMilliseconds: UInt64 = 0
    private let watch: RunWatch
    private var quietAlarm = TimerQueue.Token.none
    private var canary: Canary?
    /// How often times that matter were disturbed by the machine, by the numbers of the runs.
    private var disturbances: [Int: Int] = [:]
    /// Ends the search, and then what confirms its findings; by everybody's clock.
    private var searchTimer: Timer?
    /// Ends the baselines of a suite that takes too long over them; by everybody's clock, too.
    private var baselineTimer: Timer?
    /// How much of the time is left for that, and whether it has come.
    private var graceMilliseconds: UInt64 = 0
    private var isGrace = false
    /// A run that waits until those of another speed have ended.
    private var held: SearchRun?
    private var isStarting = false
    private var isOver = false
    private var failure: SandboxError?

    /// Called after each run that ended, and once more at the end.
    package var onProgress: () -> Void = {}
    /// Called once, when nothing runs and nothing is left to run.
    package var onEnd: (SandboxError?) -> Void = { _ in }

    /// - Parameters:
    ///   - suite: what to search.
    ///   - sandbox: where.
    ///   - settings: how much at once, and for how long.
    ///   - makeTrial: a trial for a run, with everything but its folder and its own faults, which come
    ///     before those that every run has.
    /// - Throws: `folder` or `internal`, in words.
    package init(
        _ suite: CampaignSuite,
        in sandbox: Sandbox,
        settings: RunnerSettings,
        makeTrial: @escaping (SearchRun) -> Trial
    ) throws(SandboxError) {
        self.suite = suite
        self.sandbox = sandbox
        self.settings = settings
        self.makeTrial = makeTrial
        watch = RunWatch(settings, loop: sandbox.loop)
        places = RunPlaces(jobs: settings.jobs, idleJobs: settings.idleJobs)
        folders = try RunFolders(settings)
        do throws(SystemError) {
            alarms = try TimerQueue(loop: sandbox.loop)
        } catch {
            throw SandboxError(.internal, "cannot make a timer: \(error)")
        }
    }

    /// The same for a single command.
    package convenience init(
        _ campaign: Campaign,
        in sandbox: Sandbox,
        settings: RunnerSettings,
        makeTrial: @escaping (SearchRun) -> Trial
    ) throws(SandboxError) {
        try self.init(
            CampaignSuite([campaign]),
            in: sandbox,
            settings: settings,
            makeTrial: makeTrial
        )
    }

    /// The campaign of the first test, which is the only one of a single command.
    package var campaign: Campaign { suite.members[0].campaign }

    package func start() {
        if let limit = settings.searchMilliseconds {
            searchTimer = try? Timer(loop: sandbox.loop) { [weak self] in self?.timePassed() }
            let grace = min(settings.confirmationMilliseconds, limit / 5)
            graceMilliseconds = grace
            searchTimer?.start(afterMilliseconds: limit - grace)
            if suite.members.count > 1 {
                baselineTimer = try? Timer(loop: sandbox.loop) { [weak self] in
                    self?.endBaselines()
                }
                baselineTimer?.start(afterMilliseconds: limit / 2)
            }
        }
        startCanary()
        pump()
    }

    /// Sees beside the search whether a failure that is there is seen.
    private func startCanary() {
        guard settings.hasCanary else { return }
        let canary = Canary(in: sandbox, judge: settings.canaryJudge) { [weak self] in
            self?.endCanary($0)
        }
        self.canary = canary
        do throws(SandboxError) {
            try canary.start()
        } catch {
            endCanary(error)
        }
    }

    private func endCanary(_ problem: SandboxError? = nil) {
        canary?.close()
        canary = nil
        guard let problem else { return pump() }
        failure = failure ?? problem
        stop()
    }

    /// Half of the time is for finding out what there is to explore.
    private func endBaselines() {
        guard !isOver else { return }
        suite.endBaselines()
        pump()
    }

    /// Ends the search if there is something to confirm, and after a while everything.
    private func timePassed() {
        guard !isGrace else {
            suite.endSearch()
            return stop()
        }
        isGrace = true
        searchTimer?.start(afterMilliseconds: graceMilliseconds)
        guard suite.needsConfirmation else { return }
        suite.endSearch()
        pump()
    }

    /// Ends everything that runs, and the campaign with it.
    package func stop() {
        guard !isOver else { return }
        suite.stop()
        held = nil
        endCanary()
        for run in runs.values { run.abandon() }
        pump()
    }

    /// What happened since the last time.
    package func takeNews() -> [(test: Int, news: CampaignNews)] { suite.takeNews() }

    package func close() {
        isOver = true
        searchTimer?.close()
        baselineTimer?.close()
        alarms.close()
        canary?.close()
        canary = nil
        runs.removeAll()
        folders.close()
    }

    // MARK: Running

    /// Starts what there is room for.
    private func pump() {
        // The canary lives by everybody's clock.
        guard !isOver, !isStarting, suite.warp == 1 || canary == nil else { return }
        isStarting = true
        while places.hasRoom, let run = next(idle: false) {
            places.begin(run.number, isIdle: false)
            begin(run)
        }
        while places.hasIdleRoom(startsSlowly: startsSlowly), let run = next(idle: true) {
            places.begin(run.number, isIdle: true)
            begin(run)
        }
        isStarting = false
        watchForQuiet()
        if runs.isEmpty && canary == nil && suite.isFinished() { sandbox.loop.runLater(self) }
    }

    /// Whether the client may take long before it does anything.
    private var startsSlowly: Bool { slowestMilliseconds >= Self.slowStartMilliseconds }

    private static let slowStartMilliseconds: UInt64 = 500

    /// The next run, at its own speed: one of another speed than those under way waits for their end.
    private func next(idle: Bool) -> SearchRun? {
        guard held == nil || held?.isIdle == idle && runs.isEmpty else { return nil }
        guard let run = held ?? suite.next(idle: idle) else { return nil }
        let speed = run.isAtRealSpeed ? 1 : suite.warp
        guard speed == sandbox.loop.speed || runs.isEmpty else {
            held = run
            return nil
        }
        held = nil
        if speed != sandbox.loop.speed { sandbox.loop.setSpeed(speed) }
        return run
    }

    // MARK: Waiting

    /// Between two looks for runs that are silent, if nothing else is looked for.
    private static let watchMilliseconds: UInt64 = 250

    /// As long as all places are taken, looks for runs that only wait.
    private func watchForQuiet() {
        let quiet = places.isCrowded ? settings.quietMilliseconds : nil
        let watch = settings.silenceMilliseconds.map { _ in Self.watchMilliseconds }
        guard let pause = quiet ?? watch, quietAlarm == .none, !runs.isEmpty else { return }
        // A look costs as much at any speed.
        let span = Duration.milliseconds(clamping: pause * sandbox.loop.speed)
        quietAlarm = alarms.set(after: span) { [weak self] in
            self?.lookForQuiet()
        }
    }

    private func lookForQuiet() {
        quietAlarm = .none
        let quiet = watch.look(at: runs)
        places.sawWaiting(quiet)
        watch.endSilent(quiet, of: runs)
        watch.endLate(runs) { suite.members[$0].campaign }
        if settings.quietMilliseconds != nil { places.share(quiet) }
        pump()
    }

    package func ready(_ readiness: Readiness, tag: UInt32) {
        guard !isOver, runs.isEmpty, canary == nil else { return }
        isOver = true
        onProgress()
        onEnd(failure)
    }

    private func begin(_ run: SearchRun) {
        var trial = makeTrial(run)
        let campaign = suite.members[run.test].campaign
        do throws(SandboxError) {
            trial.schedule = FaultSchedule(
                seed: campaign.settings.seed,
                faults: run.point.faults + trial.schedule.faults
            )
            trial.folder = try folders.make(run.number)
            trial.ordinal = run.number
            if suite.members[run.test].campaign.map?.hasUploads == true {
                trial.uploadFolder = trial.folder.map { "\($0)/\(RunFolders.uploadsName)" }
            }
            let pointRun = PointRun(
                trial,
                run,
                settings,
                object: objects[run.test],
                in: sandbox
            ) { [weak self] in self?.end(run, $0) }
            runs[run.number] = pointRun
            try pointRun.start()
        } catch {
            fail(run, error)
        }
    }

    /// A trial that cannot begin ends the campaign: what keeps one from beginning keeps all.
    private func fail(_ run: SearchRun, _ error: SandboxError) {
        runs[run.number] = nil
        places.end(run.number)
        failure = failure ?? error
        suite.stop()
        endCanary()
        for other in runs.values { other.abandon() }
        sandbox.loop.runLater(self)
    }

    /// How often a run whose times were disturbed is made again.
    private static let maximumDisturbances = 3

    /// Times that a busy machine disturbed prove nothing, and the next run is mostly undisturbed.
    private func isToBeMadeAgain(_ run: SearchRun, _ outcome: PointRun.Outcome) -> Bool {
        guard case .ended(let point) = outcome, point.spoiltTimes != nil else { return false }
        disturbances[run.number, default: 0] += 1
        return disturbances[run.number, default: 0] <= Self.maximumDisturbances
    }

    private func end(_ run: SearchRun, _ outcome: PointRun.Outcome) {
        guard !isOver else { return }
        if isToBeMadeAgain(run, outcome) { return begin(run) }
        runs[run.number] = nil
        var isByDeadline = false
        if case .ended(let point) = outcome { isByDeadline = point.ending == .deadline }
        watch.end(run.number, isByDeadline: isByDeadline)
        places.end(run.number)
        switch outcome {
        case .failed(let error): return fail(run, error)
        case .interrupted: folders.remove(run.number)
        case .ended(var point):
            point.trace = folders.finish(
                run.number,
                isWorthKeeping: settings.isWorthKeeping(run, point)
            )
            if point.trace != nil { folders.keep(point.records, of: run.number) }
            point.records = []
            if run.purpose == nil {
                slowestMilliseconds = max(slowestMilliseconds, point.milliseconds)
            }
            let objectsChange = suite.members[run.test].campaign.settings.objectsChange
            // A command that leaves nothing in {out} cannot be compared with anything.
            if run.purpose == nil, objectsChange, point.result?.file != nil {
                objects[run.test] = point.result?.object
            }
            suite.finish(run, point)
        }
        onProgress()
        pump()
    }
}
