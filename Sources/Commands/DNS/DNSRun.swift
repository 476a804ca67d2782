internal import Arguments
internal import Basics
internal import DNS
internal import Journal
internal import NameService
internal import SystemIO

/// One run of the name server, from its first line to its end.
///
/// Everything happens on the loop's thread.
final class DNSRun {
    private let options: DNSOptions
    private let console: Console
    private let loop: EventLoop
    private let startNanoseconds: UInt64
    private let server: NameServer
    private var journal: JournalFile?
    private var timer: Timer?
    private var watchers: [SignalWatcher] = []
    private var addresses: [SocketAddress] = []
    private var queries: [QueryReport.Source: Int] = [:]
    private let notifier = ServiceNotifier(environment: CurrentProcess.environment)
    private var outcome = ExitCode.success

    init(options: DNSOptions, console: Console) throws(Failure) {
        self.options = options
        self.console = console
        loop = try .forRun()
        startNanoseconds = loop.nowNanoseconds
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
    func runToEnd() throws(Failure) -> ExitCode {
        do throws(Failure) {
            try start()
        } catch {
            shutDown()
            throw error
        }
        loop.run()
        return finish()
    }

    private var elapsedNanoseconds: Int64 { Int64(loop.nowNanoseconds - startNanoseconds) }

    // MARK: Start

    private func start() throws(Failure) {
        // A file of an earlier run must not be taken for this one's.
        if let path = options.readyFile { FileSystem.removeFormer(path) }
        if let path = options.journalPath {
            journal = try JournalFile(path, startNanoseconds: startNanoseconds)
        }
        for address in options.listens { addresses.append(try listen(on: address)) }
        server.onReport = { [weak self] in self?.note($0, $1) }
        watchers = try EndSignals.watch(on: loop) { [weak self] code, _ in self?.end(code) }
        try announce()
        record(.start(runStart))
        guard let limit = options.durationMilliseconds else { return }
        do throws(SystemError) {
            timer = try Timer(loop: loop) { [weak self] in self?.end(.success) }
            timer?.start(afterMilliseconds: limit)
        } catch {
            throw Failure(.internalError, "cannot start a timer: \(error)")
        }
    }

    private func listen(on address: SocketAddress) throws(Failure) -> SocketAddress {
        // Each query would come back, and be passed on again.
        guard address != options.upstream else {
            throw Failure(.usage, "--upstream \(address) is this server itself; name another one")
        }
        do throws(SystemError) {
            return try server.listen(on: address)
        } catch {
            let advice =
                switch error {
                case .addressInUse: "; choose another port, or port 0 for a free one"
                case .permissionDenied: "; ports below 1024 need privileges, choose another one"
                default: ""
                }
            throw Failure(.unavailable, "cannot listen on \(address): \(error)\(advice)")
        }
    }

    /// The first line comes first; whoever waits for a file or descriptor may ask then, too.
    private func announce() throws(Failure) {
        let description = DNSDescription(addresses: addresses, seed: options.settings.seed)
        try console.write(options.isJSON ? [description.json.text] : description.listeningLines)
        try ReadyNotice.give(
            description.json,
            file: options.readyFile,
            descriptor: options.readyDescriptor
        )
        let status = description.listeningLines.joined(separator: "; ")
        if let problem = notifier.ready(status) { console.log(problem) }
        guard !options.isQuiet else { return }
        for line in description.advice(for: options.settings) { console.log(line) }
    }

    private var runStart: RunStart {
        let faults = options.settings.faults.map { ";\($0.canonicalText)" }.joined()
        let environment: JSONObject = [
            "pid": .number(CurrentProcess.identifier),
            "began_ms": .number(WallClock.nanosecondsSince1970 / 1_000_000),
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
        queries[report.source, default: 0] += 1
        let entry = DNSText.record(report, client)
        record(entry)
        if options.isJSON, !options.isQuiet {
            console.offer(RunSummary.event("query", entry).text)
        }
        guard !options.isQuiet else { return }
        console.log(
            "\(Figures.clock(nanoseconds: elapsedNanoseconds))  \(DNSText.line(report, client))"
        )
    }

    private func record(_ record: JournalRecord) {
        journal?.write(record, nowNanoseconds: loop.nowNanoseconds)
    }

    // MARK: End

    private func end(_ code: ExitCode) {
        outcome = code
        loop.stop()
    }

    private func finish() -> ExitCode {
        notifier.stopping()
        let summary = DNSSummary(
            seed: options.settings.seed,
            elapsedNanoseconds: elapsedNanoseconds,
            accounts: server.resolver.accounts,
            queries: queries,
            lostAnswers: server.lostAnswers
        )
        shutDown()
        for account in summary.accounts { record(DNSText.record(account)) }
        record(.end(RunEnd(exitCode: UInt8(outcome.rawValue), digest: journal?.digest)))
        journal?.finish()
        if !options.isQuiet { show(summary) }
        console.output.flush(milliseconds: 2_000)
        console.errors.flush(milliseconds: 1_000)
        guard let journal, let failure = journal.failure else { return outcome }
        console.report(
            Failure(.writeError, "journal '\(journal.path)' is not complete: \(failure)")
        )
        return .writeError
    }

    /// Prints the summary; on standard error if standard output is the journal's.
    private func show(_ summary: DNSSummary) {
        guard options.journalPath != "-" else {
            for line in summary.lines(style: console.errorStyle) { console.log(line) }
            return
        }
        let lines =
            options.isJSON ? [summary.json.text] : summary.lines(style: console.outputStyle)
        for line in lines { console.offer(line) }
    }

    /// Closes everything, and lets the loop see that it is closed.
    private func shutDown() {
        timer?.close()
        for watcher in watchers { watcher.close() }
        server.stop()
        loop.finishClosing()
    }
}
