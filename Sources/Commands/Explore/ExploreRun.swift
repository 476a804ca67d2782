internal import Arguments
internal import Basics
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
    /// Of each test; empty if nothing is remembered.
    private let memories: [FailureMemory]
    /// Of each test.
    private let settings: [ReportSettings]
    /// An earlier report to compare with, and its name.
    private let old: (report: SuiteReport, name: String)?
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
    private let startedAt: Instant

    /// - Parameters:
    ///   - options: as they were given.
    ///   - tests: their names; one nil for a single command.
    ///   - profile: the network of every run.
    ///   - replay: the command line that repeats a point of a test, with `{}` for its schedule.
    ///   - console: where results and progress go.
    ///   - temporaryFolder: where runs have their folders.
    /// - Throws: what cannot be opened or read.
    init(
        _ options: ExploreOptions,
        tests: [String?],
        profile: Profile,
        replay: (_ program: [String]) -> String,
        console: Console,
        temporaryFolder: String
    ) throws(Failure) {
        self.options = options
        self.console = console
        loop = try .forRun(maximumMemoryBytes: options.maximumMemoryBytes)
        startedAt = loop.realNow
        let tool = "\(CommandSet.program) \(Version.number)"
        let programs = tests.map { Self.program(options, $0) }
        settings = zip(tests, programs).map { test, program in
            var settings = ReportSettings(
                tool: tool,
                test: test,
                command: program,
                seed: options.campaign.seed,
                effects: options.campaign.effects,
                depth: options.campaign.depth,
                replay: replay(program),
                deadlineMilliseconds: options.deadlineMilliseconds,
                allowedUnreached: options.allowedUnreached,
                requiresComplete: options.requiresComplete
            )
            settings.warp = options.campaign.warp
            return settings
        }
        memories = try Self.memories(options, programs)
        old = try options.baselineReport.map { path throws(Failure) in
            (try ReportFile.read(path), path)
        }
        reporter = try ExploreReporter(options, settings, console: console)
        let plan = ExplorePlan(
            options,
            profile,
            tests: tests,
            descriptors: DescriptorLimit.raise()
        )
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
                Self.suite(options, memories, count: tests.count),
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

    /// CMD with the name of a test.
    private static func program(_ options: ExploreOptions, _ test: String?) -> [String] {
        guard let test else { return options.program }
        return options.program.map { $0.replacing(TestSource.placeholder, with: test) }
    }

    private static func memories(
        _ options: ExploreOptions,
        _ programs: [[String]]
    ) throws(Failure) -> [FailureMemory] {
        guard let path = options.failures else { return [] }
        return try programs.map { program throws(Failure) in
            try FailureMemory(path, command: program)
        }
    }

    /// A campaign for each test; they share what runs there may be.
    private static func suite(
        _ options: ExploreOptions,
        _ memories: [FailureMemory],
        count: Int
    ) -> CampaignSuite {
        var settings = options.campaign
        settings.runLimit = nil
        settings.looksFirst = count > 1
        let campaigns = (0..<count).map { index in
            Campaign(settings, remembered: memories.isEmpty ? [] : memories[index].points)
        }
        return CampaignSuite(campaigns, runLimit: options.campaign.runLimit)
    }

    func runToEnd() throws(Failure) -> ExitCode {
        defer { shutDown() }
        try watch()
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
        if let teardown = options.teardown {
            _ = try ShellStep(option: "--teardown", text: teardown).run()
        }
        return try finish()
    }

    /// Checks the server, whatever came of the command, once that is known.
    private func reviewServer() throws(Failure) {
        guard let repetition = options.reviewsServer,
            let map = runner.suite.members.compactMap(\.campaign.map).first, signal == nil
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
        for (test, news) in runner.takeNews() {
            reporter.report(news, of: test)
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
        reporter.showProgress(runner.suite.progress, elapsed: loop.realNow - startedAt)
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
        let elapsed = UInt64((loop.realNow - startedAt).wholeMilliseconds)
        let tests = zip(runner.suite.members, settings).map { member, settings in
            var test = CampaignReport(member.campaign, settings: settings)
            test.elapsedMilliseconds = elapsed
            return test
        }
        var report = SuiteReport(tests)
        if let old { report.compare(with: old.report, named: old.name) }
        var (code, reason) = ending(report)
        if let errors = review?.errors, errors > 0 {
            if code == .success { code = .findings }
            reason += "; the server breaks \(Figures.count(errors, "rule"))"
        }
        if sharedOutput == nil, code != .success, let warning = sharedFolder?.warning(jobs: jobs) {
            console.log(warning)
        }
        if let review {
            let isJSON = options.output.isJSON
            try console.write(isJSON ? review.json : review.lines(style: console.outputStyle))
        }
        try reporter.reportEnd(report, review, code: code, reason: reason)
        for (memory, test) in zip(memories, tests) { memory.remember(test) }
        console.output.flush(milliseconds: 2_000)
        console.errors.flush(milliseconds: 1_000)
        return code
    }

    /// The exit code, and its reason in one line.
    private func ending(_ report: SuiteReport) -> (ExitCode, String) {
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
