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
    private var quietRuns = QuietRuns()
    private var silences = Silences()
    /// Numbers of runs whose command runs again.
    private var recovering: Set<Int> = []
    /// Numbers of runs whose clients were seen to wait for a time when their own was over.
    private var waited: Set<Int> = []
    /// How many looks at a late, idle run have found no sign that it waits for a time.
    private var signlessLooks: [Int: Int] = [:]
    private var quietAlarm = TimerQueue.Token.none
    private var canary: Canary?
    /// How often runs were disturbed by the machine, by their numbers.
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
        let quiet = quietRuns.look(at: runs.mapValues(\.running))
        places.sawWaiting(quiet)
        endSilent(quiet)
        endLate()
        if settings.quietMilliseconds != nil { places.share(quiet) }
        pump()
    }

    /// Ends the runs that are silent for longer than this client was ever seen to wait.
    private func endSilent(_ quiet: [Int]) {
        guard let least = settings.silenceMilliseconds else { return }
        let now = sandbox.loop.now
        for (number, run) in runs
        where run.isRecovering && recovering.insert(number).inserted {
            // Its first client may have been silent up to its deadline.
            silences.didEnd(number)
            silences.end(number, at: now)
        }
        for number in silences.note(quiet, at: now, least: .milliseconds(clamping: least)) {
            guard let run = runs[number], run.mayBeSuspected, !awaits(number, run) else { continue }
            silences.didEnd(number)
            run.endSilence(patience: patience(run))
        }
    }

    /// Ends the runs that take much longer than those without faults, or try again and again.
    private func endLate() {
        for (number, run) in runs where run.clientTime > .zero {
            let campaign = suite.members[run.test].campaign
            guard let limit = derivedDeadline(campaign) else { continue }
            let usual = UInt64(campaign.usualConnections)
            let isLate = run.clientTime > .milliseconds(Int64(limit))
            // Who waits for another try is not found to hang.
            let isRetrying = run.connections > usual
            let isTireless = run.connections > Self.mostTries * usual
            // Who was seen to wait for a time may go on when it has come, up to the trial's deadline.
            if isLate, !isRetrying || !WaitingCall.isKnown, mayAwait(number, run) {
                waited.insert(number)
            }
            let isOver = isLate && !waited.contains(number)
            guard isTireless || isOver && (isRetrying || isIdle(number) && isHopeless(number))
            else {
                continue
            }
            silences.didEnd(number)
            // A client that tries this often is judged by what its tries brought.
            run.endLate(
                isBetweenTries: isTireless || isRetrying && awaits(number, run),
                patience: isTireless ? nil : patience(run)
            )
        }
    }

    /// Whether nothing has happened in a run for a while, so that it is not about to end.
    private func isIdle(_ number: Int) -> Bool {
        silence(of: number) >= .seconds(1)
    }

    /// Whether several looks in a row have found no sign that a run may go on: one alone may come just
    /// when a client has woken up and waits for nothing.
    private func isHopeless(_ number: Int) -> Bool {
        signlessLooks[number, default: 0] += 1
        return signlessLooks[number, default: 0] >= 3
    }

    /// As many as no client needs, for each connection of a run without faults.
    private static let mostTries: UInt64 = 50

    /// Between two looks of a client that polls without ever giving up: curl's waits take a second.
    private static let longestPollingPause = Duration.seconds(1)

    /// Whether a client is seen to wait for a time that will come.
    ///
    /// - Parameters:
    ///   - number: of the run.
    ///   - run: the client's.
    ///   - least: a shorter timeout is no sign.
    /// - Returns: false if nothing of the kind is seen.
    private func awaits(_ number: Int, _ run: PointRun, longerThan least: Duration = .zero) -> Bool
    {
        waits(of: run)?.endInTime(longerThan: max(silence(of: number), least)) ?? false
    }

    /// How long a client is seen to wait, if that is longer than a run waits for it.
    private func patience(_ run: PointRun) -> Duration? { waits(of: run)?.patience }

    /// Nil if its client does not run.
    private func waits(of run: PointRun) -> ClientWaits? {
        run.running?.processGroup.map { ClientWaits(of: $0, speed: sandbox.loop.speed) }
    }

    /// For how long nothing has happened in a run.
    private func silence(of number: Int) -> Duration {
        silences.length(number, at: sandbox.loop.now)
    }

    /// Whether a client may go on after a timeout: it is seen to wait for one, or it wakes up repeatedly
    /// and may check a timeout that cannot be seen.
    ///
    /// If the system does not show what programs wait for, every client may.
    private func mayAwait(_ number: Int, _ run: PointRun) -> Bool {
        guard WaitingCall.isKnown else { return true }
        guard !settings.pollsForever else {
            return awaits(number, run, longerThan: Self.longestPollingPause)
        }
        return awaits(number, run)
            || waits(of: run)?.wakeUp(within: silence(of: number)) ?? false
    }

    /// Of a run with faults, in milliseconds: what those without needed, many times over.
    private func derivedDeadline(_ campaign: Campaign) -> UInt64? {
        guard let least = settings.derivedDeadlineMilliseconds, let baseline = campaign.baseline
        else { return nil }
        return max(least, Self.deadlineFactor * baseline.milliseconds)
    }

    private static let deadlineFactor: UInt64 = 20

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

    /// How often a run that was disturbed is made again.
    private static let maximumDisturbances = 3

    /// What the machine has disturbed proves nothing, and mostly is not disturbed again.
    private func isToBeMadeAgain(_ run: SearchRun, _ outcome: PointRun.Outcome) -> Bool {
        guard case .ended(let point) = outcome, point.isDisturbed else { return false }
        disturbances[run.number, default: 0] += 1
        return disturbances[run.number, default: 0] <= Self.maximumDisturbances
    }

    private func end(_ run: SearchRun, _ outcome: PointRun.Outcome) {
        guard !isOver else { return }
        if isToBeMadeAgain(run, outcome) { return begin(run) }
        runs[run.number] = nil
        if case .ended(let point) = outcome, point.ending == .deadline {
            silences.didEnd(run.number)
        }
        silences.end(run.number, at: sandbox.loop.now)
        recovering.remove(run.number)
        waited.remove(run.number)
        signlessLooks[run.number] = nil
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
