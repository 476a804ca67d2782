internal import Arguments
internal import Basics
internal import HTTPWire
internal import Origin
internal import SystemIO

/// One run of the origin, from its first line to its end.
///
/// Everything happens on the loop's thread.
final class OriginRun {
    private let options: OriginOptions
    private let console: Console
    private let loop: EventLoop
    private let startedAt: Instant
    private let server: OriginServer
    private var log: OutputFile?
    private var timers: [Timer] = []
    private var watchers: [SignalWatcher] = []
    private var progress = OriginProgress()
    private let notifier = ServiceNotifier(environment: CurrentProcess.environment)
    private var outcome: ExitCode?
    /// Nil until it is to end.
    private var drainNotice: DrainNotice?
    private var isLogFailureTold = false

    init(options: OriginOptions, console: Console) throws(Failure) {
        self.options = options
        self.console = console
        loop = try .forRun()
        startedAt = loop.now
        log = try Self.openLog(options.accessLog)
        if let path = options.statePath, path != "-" { try OutputPlace.check(path, "the state") }
        // A file of an earlier run must not be taken for this one's.
        if let path = options.readyFile { FileSystem.removeFormer(path) }
        do throws(OriginError) {
            server = try OriginServer(loop: loop, configuration: options.configuration)
        } catch {
            loop.stop()
            for _ in 0..<4 { loop.runOnce() }
            throw Failure(error)
        }
    }

    private static func openLog(_ path: String?) throws(Failure) -> OutputFile? {
        guard let path else { return nil }
        if path == "-" { return OutputFile(descriptor: 1, owned: false) }
        do throws(SystemError) {
            return try OutputFile(creating: path)
        } catch {
            throw Failure(
                .cannotCreate,
                "cannot create access log '\(path)': \(error); choose a file that can be written"
            )
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
        if outcome == nil { loop.run() }
        return try finish()
    }

    // MARK: Start

    private func start() throws(Failure) {
        server.onAccess = { [weak self] in self?.record($0) }
        server.onHookFailure = { [weak self] name, reason in
            self?.printLine("--on-complete for '\(PrintableText.escaped(name))': \(reason)")
        }
        watchers = try EndSignals.watch(on: loop) { [weak self] in self?.drain($0, $1) }
        try announce()
        if !options.isQuiet {
            for line in advice { console.log(line) }
            try addTimer(after: 10_000, repeating: 10_000) { [weak self] in self?.printProgress() }
        }
        for name in server.damagedRecords {
            printLine("cannot read the record '\(name)' of an earlier run; its upload is lost")
        }
        if let limit = options.durationMilliseconds {
            try addTimer(after: limit, repeating: 0) { [weak self] in self?.end(.success) }
        }
    }

    /// Prints where it listens, and only then tells programs that wait for that.
    private func announce() throws(Failure) {
        let description = OriginDescription(
            addresses: server.addresses,
            speaksTLS: options.speaksTLS,
            folder: options.configuration.folder,
            upstream: options.configuration.upstream?.text
        )
        try console.write(options.isJSON ? [description.json.text] : description.listeningLines)
        try ReadyNotice.give(
            description.json,
            file: options.readyFile,
            descriptor: options.readyDescriptor
        )
        let status = description.listeningLines.joined(separator: "; ")
        if let problem = notifier.ready(status) { printLine(problem) }
    }

    private var advice: [String] {
        guard let address = server.addresses.first else { return [] }
        let (scheme, trust) = options.speaksTLS ? ("https", trust) : ("http", "")
        let curl =
            switch address {
            case .unix(let path): "curl\(trust) --unix-socket \(path) \(scheme)://localhost"
            case .ipv4, .ipv6: "curl\(trust) \(scheme)://\(address)"
            }
        guard options.configuration.upstream == nil else { return ["Control-C ends it."] }
        return [
            "Try: \(curl)/bytes/1000000 -o file", "     \(curl)/files/ -T file",
            "Control-C ends it.",
        ]
    }

    /// What curl has to be told to trust a certificate of this user's authority.
    private var trust: String {
        guard case .made? = options.configuration.tls?.identity, let store = try? AuthorityStore()
        else {
            return ""
        }
        return " \(ShellText.line(["--cacert", store.certificatePath]))"
    }

    private func addTimer(
        after milliseconds: UInt64,
        repeating interval: UInt64,
        _ action: @escaping () -> Void
    ) throws(Failure) {
        do throws(SystemError) {
            let timer = try Timer(loop: loop, onFire: action)
            timer.start(afterMilliseconds: milliseconds, repeatMilliseconds: interval)
            timers.append(timer)
        } catch {
            throw Failure(.internalError, "cannot start a timer: \(error)")
        }
    }

    // MARK: Running

    private func record(_ record: AccessRecord) {
        progress.add(record)
        if let log, log.failure == nil {
            log.offer(Console.bytes([record.json.text]))
            if let problem = logProblem, !isLogFailureTold {
                isLogFailureTold = true
                printLine(
                    "cannot write the access log: \(problem); the origin continues without it"
                )
            }
        }
        if options.isVerbose && !options.isQuiet { printLine(OriginProgress.line(record)) }
    }

    private var logProblem: String? {
        guard let log else { return nil }
        if let failure = log.failure { return failure.description }
        return log.discardedBytes > 0 ? "its reader is too slow" : nil
    }

    private func printLine(_ line: String) {
        console.log("\(Figures.clock(loop.now - startedAt))  \(line)")
    }

    private func printProgress() {
        if let line = progress.news() { printLine(line) }
    }

    // MARK: End

    /// The first signal lets requests under way finish, the second ends at once.
    private func drain(_ code: ExitCode, _ limitMilliseconds: UInt64) {
        guard outcome == nil, drainNotice == nil else { return end(code) }
        let notice = DrainNotice(
            limitMilliseconds: limitMilliseconds,
            busyConnections: { [server] in server.openConnections },
            tell: { [weak self] in self?.printLine($0) }
        )
        drainNotice = notice
        notifier.stopping()
        // Closes idle connections.
        server.finish { [weak self] in
            // A second signal has its own code, and closes what is open.
            if self?.outcome == nil { self?.end(code) }
        }
        if !options.isQuiet { notice.give(on: loop) }
        do throws(Failure) {
            try addTimer(after: limitMilliseconds, repeating: 0) { [weak self] in self?.end(code) }
        } catch {
            end(code)
        }
    }

    private func end(_ code: ExitCode) {
        outcome = code
        loop.stop()
    }

    private func finish() throws(Failure) -> ExitCode {
        var state: OriginState?
        if options.statePath != nil {
            server.state { state = $0 }
            while state == nil { loop.runOnce() }
        }
        shutDown()
        if let path = options.statePath, let state { try write(state, to: path) }
        if !options.isQuiet {
            console.log(progress.summary)
        }
        log?.flush(milliseconds: 2_000)
        console.output.flush(milliseconds: 2_000)
        console.errors.flush(milliseconds: 1_000)
        if logProblem != nil { return .writeError }
        return outcome ?? .success
    }

    private func write(_ state: OriginState, to path: String) throws(Failure) {
        let bytes = Console.bytes([state.json.text])
        if path == "-" { return try console.write(bytes: bytes) }
        do throws(SystemError) {
            try FileSystem.replace(path, with: bytes)
        } catch {
            throw Failure(.cannotCreate, "cannot write the state to '\(path)': \(error)")
        }
    }

    /// Closes everything, and lets the loop see that it is closed.
    private func shutDown() {
        for timer in timers { timer.close() }
        for watcher in watchers { watcher.close() }
        drainNotice = nil
        server.stop()
        loop.finishClosing()
    }
}
