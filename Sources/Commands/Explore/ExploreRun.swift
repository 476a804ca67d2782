internal import Arguments
internal import Exploration
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

/// One exploration, from the first baseline to the exit code.
///
/// Everything happens on the loop's thread; what is said of it is in `ExploreReporter`.
final class ExploreRun {
    private let options: ExploreOptions
    private let console: Console
    private let loop: EventLoop
    private let sandbox: Sandbox
    private let runner: CampaignRunner
    private let memory: FailureMemory?
    private let settings: ReportSettings
    private let reporter: ExploreReporter
    private let jobs: Int
    private let quietTrial: Trial
    private var review: ServerReview?
    /// Where our own files of the runs go.
    private let runFolders: [String]
    private var sharedFolder: SharedFolder?
    /// Why the runs disturb each other, if the first ones showed that they do.
    private var sharedOutput: String?
    private var watchers: [SignalWatcher] = []
    private var timer: Timer?
    private var isEnded = false
    private var failure: SandboxError?
    private var signal: ExitCode?
    private let startNanoseconds: UInt64

    /// - Parameters:
    ///   - options: as they were given.
    ///   - profile: the network of every run.
    ///   - replay: the command line that repeats a point, with `{}` for its schedule.
    ///   - console: where results and progress go.
    ///   - temporaryFolder: where runs have their folders.
    /// - Throws: what cannot be opened or read.
    init(
        _ options: ExploreOptions,
        profile: Profile,
        replay: String,
        console: Console,
        temporaryFolder: String
    ) throws(Failure) {
        self.options = options
        self.console = console
        loop = try .forRun()
        startNanoseconds = loop.realNanoseconds
        let tool = "\(CommandSet.program) \(Version.number)"
        var settings = ReportSettings(
            tool: tool,
            command: options.program,
            seed: options.campaign.seed,
            effects: options.campaign.effects,
            depth: options.campaign.depth,
            replay: replay,
            deadlineMilliseconds: options.deadlineMilliseconds,
            allowedUnreached: options.allowedUnreached,
            requiresComplete: options.requiresComplete
        )
        settings.warp = options.campaign.warp
        self.settings = settings
        memory = try options.failures.map { path throws(Failure) in
            try FailureMemory(path, command: options.program)
        }
        reporter = try ExploreReporter(options, settings, console: console)
        let plan = ExplorePlan(options, profile, descriptors: DescriptorLimit.raise())
        jobs = plan.jobs
        quietTrial = plan.quietTrial
        runFolders = [temporaryFolder] + (options.traces.map { [$0] } ?? [])
        do throws(SandboxError) {
            sandbox = try Sandbox(
                loop: loop,
                settings: plan.sandbox(tool: tool, temporaryFolder: temporaryFolder)
            )
        } catch {
            throw Failure(error)
        }
        do throws(SandboxError) {
            runner = try CampaignRunner(
                Campaign(options.campaign, remembered: memory?.points ?? []),
                in: sandbox,
                settings: plan.runner(temporaryFolder: temporaryFolder),
                makeTrial: plan.trial
            )
        } catch {
            sandbox.close()
            loop.finishClosing()
            throw Failure(error)
        }
    }

    func runToEnd() throws(Failure) -> ExitCode {
        defer { shutDown() }
        try watch()
        if let setup = options.setup { try runHook(setup, "setup") }
        runner.onProgress = { [weak self] in self?.reportNews() }
        runner.onEnd = { [weak self] in
            self?.failure = $0
            self?.isEnded = true
        }
        let workingFolder = FileSystem.currentDirectory
        if !runFolders.contains(workingFolder) {
            let outputs = ["/dev/fd/1", "/dev/fd/2"] + (options.output.report.map { [$0] } ?? [])
            sharedFolder = SharedFolder(workingFolder, outputs: outputs)
        }
        runner.start()
        while !isEnded { loop.runOnce() }
        reportNews()
        try reviewServer()
        if let teardown = options.teardown { try runHook(teardown, "teardown") }
        return try finish()
    }

    /// Checks the server, whatever came of the command, once that is known.
    private func reviewServer() throws(Failure) {
        guard let repetition = options.reviewsServer, let map = runner.campaign.map, signal == nil
        else { return }
        let review = ServerReview(map, repetition: repetition, on: loop)
        self.review = review
        guard !review.isEmpty else { return }
        var isOver = false
        do throws(SandboxError) {
            loop.setSpeed(1)
            _ = try sandbox.start(review.trial(like: quietTrial)) { _ in isOver = true }
        } catch {
            throw Failure(error)
        }
        while !isOver, signal == nil { loop.runOnce() }
    }

    private func reportNews() {
        for news in runner.takeNews() {
            reporter.report(news)
            if case .baseline = news { checkSharing() }
        }
        showProgress()
    }

    /// What is searched with runs that use one file is none of the faults' doing.
    private func checkSharing() {
        guard sharedOutput == nil else { return }
        sharedOutput = sharedFolder?.sharedOutput(of: options.program, jobs: jobs)
        if sharedOutput != nil { runner.stop() }
    }

    private func showProgress() {
        let elapsed = Int64(clamping: loop.realNanoseconds - startNanoseconds)
        reporter.showProgress(runner.campaign.progress, elapsedNanoseconds: elapsed)
    }

    /// Waits for a command of the user that stands before or after everything.
    private func runHook(_ text: String, _ name: String) throws(Failure) {
        var problem: String??
        do throws(SandboxError) {
            let command = try HookCommand(
                ExplorePlan.shell(text),
                environment: CurrentProcess.wholeEnvironment,
                on: loop
            ) { problem = .some($0) }
            while problem == nil && signal == nil { loop.runOnce() }
            if problem == nil { command.kill() }
        } catch {
            throw Failure(error)
        }
        if case .some(.some(let words)) = problem { throw Failure(.usage, "--\(name): \(words)") }
    }

    // MARK: Signals

    private func watch() throws(Failure) {
        watchers = [
            try loop.watch(.interrupt) { [weak self] in self?.end(.interrupted) },
            try loop.watch(.terminate) { [weak self] in self?.end(.terminated) },
        ]
        do throws(SystemError) {
            let timer = try Timer(loop: loop) { [weak self] in self?.showProgress() }
            timer.start(afterMilliseconds: 250, repeatMilliseconds: 250)
            self.timer = timer
        } catch {
            throw Failure(.internalError, "cannot start a timer: \(error)")
        }
    }

    /// The first signal ends all runs, and the report is written; a second one ends at once.
    private func end(_ code: ExitCode) {
        guard signal == nil else {
            isEnded = true
            return
        }
        signal = code
        runner.stop()
    }

    // MARK: End

    private func finish() throws(Failure) -> ExitCode {
        reporter.clearProgress()
        if let failure { throw Failure(failure) }
        var report = CampaignReport(runner.campaign, settings: settings)
        report.elapsedMilliseconds = (loop.realNanoseconds - startNanoseconds) / 1_000_000
        var (code, reason) = ending(report)
        if let errors = review?.errors, errors > 0 {
            if code == .success { code = .findings }
            reason += "; the server breaks \(errors) rule\(errors == 1 ? "" : "s")"
        }
        if sharedOutput == nil, code != .success, let warning = sharedFolder?.warning(jobs: jobs) {
            console.log(warning)
        }
        if let review {
            let isJSON = options.output.isJSON
            try console.write(isJSON ? review.json : review.lines(style: console.outputStyle))
        }
        try reporter.reportEnd(report, code: code, reason: reason)
        memory?.remember(report)
        console.output.flush(milliseconds: 2_000)
        console.errors.flush(milliseconds: 1_000)
        return code
    }

    /// The exit code, and its reason in one line.
    private func ending(_ report: CampaignReport) -> (ExitCode, String) {
        if let sharedOutput { return (.baselineFailed, sharedOutput) }
        if let signal { return (signal, "ended by a signal; \(report.verdict.reason)") }
        switch report.problem {
        case .failed: return (.baselineFailed, report.verdict.reason)
        case .unreachable: return (.unavailable, report.verdict.reason)
        case .noTraffic: return (.nothingToExplore, report.verdict.reason)
        case .disturbed, nil: break
        }
        switch report.verdict {
        case .passed(let reason): return (.success, reason)
        case .findings(let reason): return (.findings, reason)
        case .inconclusive(let reason): return (.inconclusive, reason)
        }
    }

    private func shutDown() {
        timer?.close()
        for watcher in watchers { watcher.close() }
        runner.close()
        sandbox.close()
        loop.finishPendingWork()
        loop.finishClosing()
    }
}
