internal import Arguments
internal import Basics
internal import DNS
internal import Faults
internal import Journal
internal import NameService
internal import SystemIO
internal import Trials

/// One run of the name server, from its first line to its end.
///
/// Everything happens on the loop's thread.
final class DNSRun {
    private let options: DNSOptions
    private let console: Console
    private let loop: EventLoop
    private let startedAt: Instant
    private let server: NameServer
    private var journal: JournalFile?
    private var timer: Timer?
    private var watchers: [SignalWatcher] = []
    private var addresses: [SocketAddress] = []
    private var queries = QueryTally()
    private let notifier = ServiceNotifier(environment: CurrentProcess.environment)
    /// The exit code.
    private var outcome = ExitCode.success.rawValue
    private var client: ResolvingCommand?

    init(options: DNSOptions, console: Console) throws(Failure) {
        self.options = options
        self.console = console
        loop = try .forRun()
        startedAt = loop.now
        do throws(SystemError) {
            server = try NameServer(
                loop: loop,
                settings: options.settings,
                upstream: options.upstream,
                takesConnections: options.takesConnections
            )
        } catch {
            throw Failure(.internalError, "cannot start a timer: \(error)")
        }
    }

    /// Runs until it is told to end.
    func runToEnd() throws(Failure) -> Int32 {
        do throws(Failure) {
            try start()
        } catch {
            shutDown()
            throw error
        }
        loop.run()
        return try finish()
    }

    private var elapsed: Duration { loop.now - startedAt }

    // MARK: Start

    private func start() throws(Failure) {
        // A file of an earlier run must not be taken for this one's.
        if let path = options.readyFile { FileSystem.removeFormer(path) }
        if let path = options.journalPath {
            journal = try JournalFile(
                path,
                in: options.journalParts,
                on: loop,
                startedAt: startedAt,
                waitMilliseconds: min(options.durationMilliseconds ?? .max, 5_000)
            ) { console.log($0) }
        }
        addresses = try listen()
        server.onReport = { [weak self] in self?.note($0, $1) }
        watchers = try EndSignals.watch(on: loop) { [weak self] code, _ in self?.end(code) }
        try announce()
        record(.start(runStart))
        try startCommand()
        guard let limit = options.durationMilliseconds else { return }
        do throws(SystemError) {
            timer = try Timer(loop: loop) { [weak self] in self?.end(.success) }
            timer?.start(afterMilliseconds: limit)
        } catch {
            throw Failure(.internalError, "cannot start a timer: \(error)")
        }
    }

    private func listen() throws(Failure) -> [SocketAddress] {
        do throws(ListenFailure) {
            if options.listens.isEmpty, !options.program.isEmpty {
                return [try server.listenForResolvers()]
            }
            let wanted = options.listens.isEmpty ? [.loopback(port: 0)] : options.listens
            return try wanted.map { address throws(ListenFailure) in
                try server.listen(on: address)
            }
        } catch {
            throw Failure(.unavailable, error.description)
        }
    }

    private func startCommand() throws(Failure) {
        guard !options.program.isEmpty, let address = addresses.first else { return }
        client = try ResolvingCommand(
            options.program,
            asking: address,
            temporaryFolder: OriginCommand.temporaryFolder,
            on: loop
        ) { [weak self] in self?.loop.stop() }
    }

    /// Prints where it listens, and only then tells programs that wait for that.
    private func announce() throws(Failure) {
        let description = DNSDescription(addresses: addresses, seed: options.settings.seed)
        let lines = options.isJSON ? [description.json.text] : description.listeningLines
        if options.program.isEmpty {
            try console.write(lines)
        } else if !options.isQuiet {
            for line in lines { console.log(line) }
        }
        try ReadyNotice.give(
            description.json,
            file: options.readyFile,
            descriptor: options.readyDescriptor
        )
        let status = description.listeningLines.joined(separator: "; ")
        if let problem = notifier.ready(status) { console.log(problem) }
        guard !options.isQuiet, options.program.isEmpty else { return }
        for line in description.advice(for: options.settings) { console.log(line) }
    }

    private var runStart: RunStart {
        let faults = options.settings.faults.map { ";\($0.canonicalText)" }.joined()
        let environment: JSONObject = [
            "pid": .number(CurrentProcess.identifier),
            "began_ms": .number(WallClock.timeSince1970.wholeMilliseconds),
            "listen": .array(addresses.map { .string($0.description) }),
            "upstream": .optional(options.upstream?.description),
        ]
        return RunStart(
            tool: "\(CommandSet.program) \(Version.number)",
            command: "dns",
            seed: options.settings.seed,
            schedule: "lc1;seed=\(options.settings.seed)\(faults)",
            profile: "none",
            profileDigest: "",
            environment: environment
        )
    }

    // MARK: Running

    private func note(_ report: QueryReport, _ client: SocketAddress?) {
        queries.add(report.source)
        let entry = report.record(from: client)
        record(entry)
        guard !options.isQuiet else { return }
        if options.isJSON { tell(RunSummary.event("query", entry).text) }
        guard case .dns(let told, let environment) = entry else { return }
        let line = DNSText.line(told, environment)
        console.log("\(Figures.clock(elapsed))  \(line)")
    }

    /// Prints a result; on standard error if standard output is another's.
    private func tell(_ line: String) {
        if options.program.isEmpty && options.journalPath != "-" {
            console.offer(line)
        } else {
            console.log(line)
        }
    }

    private func record(_ record: JournalRecord) {
        journal?.write(record, now: loop.now)
    }

    // MARK: End

    private func end(_ code: ExitCode) {
        outcome = code.rawValue
        // The command may end itself first; a second signal ends it at once.
        if let client, client.isRunning { return client.end() }
        loop.stop()
    }

    private func finish() throws(Failure) -> Int32 {
        notifier.stopping()
        let summary = DNSSummary(
            seed: options.settings.seed,
            elapsed: elapsed,
            accounts: server.resolver.accounts,
            queries: queries,
            lostAnswers: server.lostAnswers
        )
        shutDown()
        let code = try client?.exitCode() ?? outcome
        for account in summary.accounts { record(DNSText.record(account)) }
        record(.end(RunEnd(exitCode: UInt8(clamping: code), digest: journal?.digest)))
        journal?.finish()
        if !options.isQuiet { show(summary) }
        console.output.flush(milliseconds: 2_000)
        console.errors.flush(milliseconds: 1_000)
        guard let journal, let failure = journal.failure else { return code }
        console.report(
            Failure(.writeError, "journal '\(journal.path)' is not complete: \(failure)")
        )
        return ExitCode.writeError.rawValue
    }

    private func show(_ summary: DNSSummary) {
        let isOnErrors = !options.program.isEmpty || options.journalPath == "-"
        let style = isOnErrors ? console.errorStyle : console.outputStyle
        for line in options.isJSON ? [summary.json.text] : summary.lines(style: style) {
            tell(line)
        }
    }

    /// Closes everything, and lets the loop see that it is closed.
    private func shutDown() {
        timer?.close()
        for watcher in watchers { watcher.close() }
        client?.close()
        server.stop()
        loop.finishClosing()
    }
}
