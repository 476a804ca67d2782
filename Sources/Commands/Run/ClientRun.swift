internal import Arguments
internal import Basics
internal import Exploration
internal import Journal
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

/// One run of `run` or `replay`, from the listener to the exit code.
///
/// Everything happens on the loop's thread; what is said of it is in `+Telling`.
final class ClientRun {
    let plan: RunPlan
    let console: Console
    let loop: EventLoop
    private let sandbox: Sandbox
    private var running: RunningTrial?
    private var watchers: [SignalWatcher] = []
    private var journal: JournalFile?
    private var outcome: TrialOutcome?
    private var review: ServerReview?
    /// Whether the run, which has no command, ended at its deadline, as it was to.
    private(set) var hasRunItsTime = false
    /// The signal that came first; the exit code if the run has to be judged.
    private(set) var signal: Int32?
    var description: RunDescription
    var tally = RunTally()
    var upstreamNotices = UpstreamNotices()
    let startedAt: Instant
    private var isJournalFailureTold = false
    private(set) var canonical = CanonicalJournal()

    /// What is passed on to the command, and its number.
    private static let signals: [(SignalWatcher.Signal, ChildProcess.Signal, Int32)] = [
        (.interrupt, .interrupt, 2), (.terminate, .terminate, 15), (.hangUp, .hangUp, 1),
        (.quit, .quit, 3),
    ]

    init(_ plan: RunPlan, console: Console, temporaryFolder: String) throws(Failure) {
        self.plan = plan
        self.console = console
        description = plan.description
        loop = try .forRun(maximumMemoryBytes: plan.options.maximumMemoryBytes)
        startedAt = loop.now
        let tool = "\(CommandSet.program) \(Version.number)"
        var settings = SandboxSettings(tool: tool, temporaryFolder: temporaryFolder)
        if plan.options.server.upstream == nil {
            // A connection then has a third socket, the origin's.
            settings.connectionsPerTrial = max(1, (DescriptorLimit.raise() - 64) / 3)
        }
        do throws(SandboxError) {
            sandbox = try Sandbox(loop: loop, settings: settings)
        } catch {
            throw Failure(error)
        }
    }

    /// Runs to its end.
    ///
    /// - Returns: the exit code of the program.
    func runToEnd() throws(Failure) -> Int32 {
        defer { shutDown() }
        try prepare()
        try compareBase()
        if let signal { return 128 + signal }
        try start()
        while outcome == nil { loop.runOnce() }
        try reviewServer()
        return try finish()
    }

    /// Checks the server that the command talked to, if that was asked for.
    private func reviewServer() throws(Failure) {
        guard let repetition = plan.options.reviewsServer, let outcome, signal == nil else {
            return
        }
        let map = BoundaryMap(outcome.records.lazy.map(\.record))
        let review = ServerReview(map, repetition: repetition, on: loop)
        self.review = review
        guard !review.isEmpty else { return }
        var isOver = false
        do throws(SandboxError) {
            running = try sandbox.start(review.trial(like: plan.trial)) { _ in isOver = true }
        } catch {
            throw Failure(error)
        }
        while !isOver { loop.runOnce() }
    }

    // MARK: Start

    private func prepare() throws(Failure) {
        try plan.options.output.requireWritable()
        if let path = plan.options.journalPath {
            journal = try JournalFile(
                path,
                in: plan.options.journalParts,
                on: loop,
                startedAt: startedAt
            ) { console.log("\(CommandSet.program): \($0)") }
        }
        // A file of an earlier run must not be taken for this one's.
        if let path = plan.options.readyFile { FileSystem.removeFormer(path) }
        try makeFolder()
        try watchSignals()
    }

    private func start() throws(Failure) {
        var announcement: Failure?
        do throws(SandboxError) {
            running = try sandbox.start(
                plan.trial,
                onRecord: { [weak self] in self?.take($0) },
                onReady: { place throws(SandboxError) in
                    do throws(Failure) {
                        try announce(place)
                    } catch {
                        announcement = error
                        throw SandboxError(.internal, error.message)
                    }
                },
                completion: { [weak self] in self?.take($0) }
            )
        } catch {
            throw announcement ?? Failure(error)
        }
    }

    /// Runs the command without faults if the schedule says what messages it was made for.
    private func compareBase() throws(Failure) {
        var isOver = false
        let check = BaseCheck(plan.trial, in: sandbox) { [weak self] warning in
            isOver = true
            if let warning { self?.tell(warning) }
        }
        guard let check else { return }
        do throws(SandboxError) {
            try check.start()
        } catch {
            throw Failure(error)
        }
        while !isOver { loop.runOnce() }
    }

    private func makeFolder() throws(Failure) {
        guard let path = plan.options.folder else { return }
        do throws(SystemError) {
            _ = try Folder.make(path)
        } catch {
            throw Failure(.cannotCreate, "cannot make the folder '\(path)': \(error)")
        }
    }

    /// Tells where to connect, before the command starts.
    private func announce(_ place: TrialPlace) throws(Failure) {
        description.routes[0].listen = place.listen
        description.lookups?.address = place.nameServer
        description.lookups?.names = place.names
        description.control = place.origin.map { _ in place.control }
        let ready = Console.bytes([description.json.text])
        do throws(SystemError) {
            if let path = plan.options.readyFile { try FileSystem.replace(path, with: ready) }
            if let descriptor = plan.options.readyDescriptor {
                try OutputFile(inherited: descriptor).writeAll(ready)
            }
        } catch {
            let file = plan.options.readyFile ?? "descriptor \(plan.options.readyDescriptor ?? 0)"
            throw Failure(.cannotCreate, "cannot write readiness to '\(file)': \(error)")
        }
        if plan.options.program.isEmpty {
            try console.write(description.listeningLines + description.lookupLines)
        }
        tellStart()
    }

    private func watchSignals() throws(Failure) {
        for (watched, passed, number) in Self.signals {
            watchers.append(
                try loop.watch(watched) { [weak self] in
                    self?.signalCame(passed, number)
                }
            )
        }
        watchers.append(
            try loop.watch(.suspend) { [weak self] in
                self?.running?.pass(.stop)
                CurrentProcess.stop()
            }
        )
        watchers.append(
            try loop.watch(.resume) { [weak self] in
                self?.running?.pass(.resume)
            }
        )
    }

    /// The first signal goes to the command, and the run ends as usual; a second one ends at once.
    private func signalCame(_ passed: ChildProcess.Signal, _ number: Int32) {
        guard signal == nil else {
            sandbox.abandon()
            return
        }
        signal = number
        if !plan.options.program.isEmpty {
            tell(
                "\(number == 2 ? "SIGINT" : "SIGTERM") passed to the command; a second one ends the run at once"
            )
        }
        sandbox.interrupt(passed)
    }

    // MARK: Records

    private func take(_ entry: TrialRecord) {
        tally.add(entry.record)
        canonical.add(entry.record)
        journal?.write(entry.record, now: startedAt + (entry.at - .start))
        if let failure = journal?.failure, !isJournalFailureTold {
            isJournalFailureTold = true
            tell("cannot write journal '\(journal?.path ?? "")': \(failure); the run continues")
        }
        tellRecord(entry.record)
    }

    // MARK: End

    private func finish() throws(Failure) -> Int32 {
        guard let outcome else { throw Failure(.internalError, "the run has no outcome") }
        let judgement = plan.options.demands.map {
            RunJudgement(outcome, demands: $0, hasCommand: hasCommand)
        }
        var code = exitCode(outcome, judgement)
        let digest = journal?.digest
        journal?.write(
            .end(RunEnd(exitCode: UInt8(truncatingIfNeeded: code), digest: digest)),
            now: loop.now
        )
        journal?.finish()
        tellEnd(outcome, judgement, digest: journal.map { ($0.path, digest) })
        if let review {
            for line in review.lines(style: console.errorStyle) { console.log(line) }
            if code == 0, review.errors > 0 { code = ExitCode.findings.rawValue }
        }
        try plan.options.output.write(judged(outcome, judgement), review, to: console)
        if let journal, let failure = journal.failure {
            code = ExitCode.ownFailure.rawValue
            console.report(
                Failure(.ownFailure, "journal '\(journal.path)' is not complete: \(failure)")
            )
        }
        console.errors.flush(milliseconds: 2_000)
        return code
    }

    private func take(_ outcome: TrialOutcome) {
        var outcome = outcome
        if !hasCommand, outcome.isTimedOut {
            hasRunItsTime = true
            outcome.isTimedOut = false
        }
        self.outcome = outcome
    }

    private func exitCode(_ outcome: TrialOutcome, _ judgement: RunJudgement?) -> Int32 {
        if case .stuck = outcome.ending, signal == nil { return ExitCode.ownFailure.rawValue }
        // Without a command there is no code but the signal's.
        if let signal, judgement != nil || plan.options.program.isEmpty { return 128 + signal }
        guard let judgement else {
            return missingProof(outcome).isEmpty
                ? Int32(outcome.ending.exitCode) : ExitCode.inconclusive.rawValue
        }
        return judgement.verdict.exitCode.rawValue
    }

    private func shutDown() {
        for watcher in watchers { watcher.close() }
        sandbox.close()
        loop.finishPendingWork()
        loop.finishClosing()
    }
}

extension Verdict {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .pass: .success
        case .fail: .findings
        case .inconclusive, .skipped: .inconclusive
        }
    }
}

extension Failure {
    init(_ error: SandboxError) {
        let code: ExitCode =
            switch error.kind {
            case .refused: .usage
            case .unavailable: .unavailable
            case .folder: .cannotCreate
            case .internal: .internalError
            }
        self.init(code, error.description)
    }
}
