internal import Arguments
internal import Basics
internal import ControlAPI
internal import Journal
internal import SystemIO
internal import ToxiproxyCompatibility

/// One run of the Toxiproxy server, from its first line to its end.
///
/// Everything happens on the loop's thread.
final class ToxiproxyRun {
    private let options: ToxiproxyOptions
    private let console: Console
    private let log: ToxiproxyLog
    private let loop: EventLoop
    private let startedAt: Instant
    private let registry: ToxiproxyRegistry
    private let api: ToxiproxyAPI
    private var server: ToxiproxyServer?
    private var journal: JournalFile?
    private var watchers: [SignalWatcher] = []
    private let notifier = ServiceNotifier(environment: CurrentProcess.environment)
    private var outcome: ExitCode?
    /// Nil until it is to end.
    private var drainNotice: DrainNotice?
    private var isJournalFailureTold = false

    init(_ options: ToxiproxyOptions, console: Console) throws(Failure) {
        self.options = options
        self.console = console
        log = ToxiproxyLog(console: console, threshold: options.logThreshold)
        loop = try .forRun()
        startedAt = loop.now
        let inbox = Inbox()
        registry = ToxiproxyRegistry(
            loop: loop,
            seed: options.seed,
            allowsRemote: options.allowsRemote,
            startedAt: startedAt,
            onRecord: options.journalPath == nil ? nil : { inbox.run?.record($0, at: $1) }
        )
        api = ToxiproxyAPI(registry: registry)
        inbox.run = self
    }

    /// Where records go; a run cannot be named before it is made.
    private final class Inbox { weak var run: ToxiproxyRun? }

    /// Runs until it is told to end.
    func runToEnd() throws(Failure) -> ExitCode {
        do throws(Failure) {
            try start()
        } catch {
            shutDown()
            throw error
        }
        if outcome == nil { loop.run() }
        return finish()
    }

    // MARK: Start

    private func start() throws(Failure) {
        if let path = options.journalPath {
            journal = try JournalFile(
                path,
                in: options.journalParts,
                on: loop,
                startedAt: startedAt
            ) { console.log("\(CommandSet.program): \($0)") }
        }
        registry.onEvent = { [weak self] in self?.log.write($0) }
        api.showsProxyMetrics = options.showsProxyMetrics
        if options.showsRuntimeMetrics {
            api.processMetrics = Self.processMetrics
        }
        watchers = try EndSignals.watch(on: loop) { [weak self] code, limitMilliseconds in
            // Stopping a container is no failure.
            self?.drain(code == .terminated ? .success : code, limitMilliseconds)
        }
        record(.start(runStart))
        try makeProxies()
        try listen()
    }

    private func listen() throws(Failure) {
        do throws(SystemError) {
            let server = try ToxiproxyServer(
                loop: loop,
                place: options.place,
                api: api,
                access: ToxiproxyAccess(
                    allowedHosts: Set(options.allowedHosts),
                    allowsAnyHost: options.allowsRemote
                )
            )
            registry.ownAddresses = server.addresses
            self.server = server
            log.write(
                .info,
                Self.readyMessage,
                [
                    "address": .string(server.address.description), "seed": .number(options.seed),
                    "version": .string(ToxiproxyAPI.version),
                    "linkcond": .string(Version.number),
                ],
                isNeeded: true
            )
            if let trouble = notifier.ready("listening on \(server.address)") {
                log.write(.warn, trouble)
            }
        } catch {
            throw Failure(
                .unavailable,
                "cannot listen on \(options.place): \(error); choose another port with --port"
            )
        }
        if registry.ownAddresses.contains(where: { !$0.isLoopback }) {
            log.write(.warn, "other machines can reach the API, which asks for no password")
        }
        for warning in options.warnings { log.write(.warn, warning) }
    }

    /// What containers with Toxiproxy wait for.
    private static let readyMessage = "Starting Toxiproxy HTTP server"

    private func makeProxies() throws(Failure) {
        guard !options.proxies.isEmpty else { return }
        var result: Result<[NamedProxy], ToxiproxyError>?
        api.populate(options.proxies) { outcome, _ in result = outcome }
        while result == nil { loop.runOnce() }
        if case .failure(let error) = result {
            throw Failure(error.status == 500 ? .unavailable : .configuration, error.text)
        }
        for warning in options.proxies.flatMap(\.warnings) { log.write(.warn, warning) }
    }

    private var runStart: RunStart {
        RunStart(
            tool: "\(CommandSet.program) \(Version.number)",
            command: "toxiproxy",
            seed: options.seed,
            schedule: "",
            profile: "none",
            profileDigest: "",
            environment: ["pid": .number(CurrentProcess.identifier)]
        )
    }

    // MARK: Running

    private func record(_ record: JournalRecord, at time: Instant? = nil) {
        journal?.write(record, now: time ?? loop.now)
        guard let failure = journal?.failure, !isJournalFailureTold else { return }
        isJournalFailureTold = true
        log.write(.error, "cannot write the journal: \(failure); the proxies go on without it")
    }

    private static func processMetrics() -> String {
        var metrics = MetricsText()
        metrics.add(ProcessUsage())
        return metrics.text
    }

    // MARK: End

    /// The first signal lets open connections finish, the second ends at once.
    private func drain(_ code: ExitCode, _ limitMilliseconds: UInt64) {
        guard outcome == nil, drainNotice == nil else { return end(code) }
        notifier.stopping()
        server?.stop()
        let notice = DrainNotice(
            limitMilliseconds: limitMilliseconds,
            busyConnections: { [registry] in registry.busyConnections },
            tell: { [log] in log.write(.info, $0) }
        )
        notice.give(on: loop)
        drainNotice = notice
        registry.drain(limitMilliseconds: limitMilliseconds) { [weak self] in self?.end(code) }
    }

    private func end(_ code: ExitCode) {
        outcome = outcome ?? code
        loop.stop()
    }

    private func finish() -> ExitCode {
        var code = outcome ?? .success
        shutDown()
        record(.end(RunEnd(exitCode: UInt8(code.rawValue), digest: journal?.digest)))
        journal?.finish()
        console.output.flush(milliseconds: 2_000)
        if journal?.failure != nil { code = .writeError }
        return code
    }

    /// Closes everything, and lets the loop see that it is closed.
    private func shutDown() {
        for watcher in watchers { watcher.close() }
        drainNotice = nil
        server?.stop()
        registry.stop()
        loop.finishPendingWork()
        // A loop that is told to stop does not wait for anything.
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }
}
