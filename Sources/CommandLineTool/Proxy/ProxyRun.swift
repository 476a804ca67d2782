internal import FaultInjection
internal import Journal
internal import LinkEngine
internal import LinkProfile
internal import Libuv
internal import Proxy
internal import Transfer

/// One run of the proxy, from its first line to its summary.
///
/// Everything happens on the loop's thread.
final class ProxyRun {
    let options: ProxyOptions
    let console: Console
    let loop: EventLoop
    var description: RunDescription
    var state = LiveState()
    private let catalog: ProfileCatalog
    private let startNanoseconds: UInt64
    private let server: ProxyServer
    private var origin: OriginServer?
    private var journal: JournalFile?
    private var screen: Screen?
    private let terminal = ControllingTerminal()
    private var tally = RunTally()
    private var progress = ProgressLine()
    private var timers: [Timer] = []
    private var watchers: [SignalWatcher] = []
    private var outcome: ExitCode?
    private var isJournalFailureTold = false
    private var latenessTold: UInt64?
    private var status: String?
    /// The exit code that the end has, which `status` tells of.
    private var drainCode: ExitCode?

    /// Of Control-C and of SIGTERM.
    static let drainMilliseconds: (interrupt: UInt64, terminate: UInt64) = (10_000, 5_000)
    /// More connections than a terminal has lines.
    static let sampledRows = 256
    /// Seconds between two lines about a busy machine.
    static let latenessInterval: UInt64 = 10
    /// Descriptors that are not for connections.
    static let reservedDescriptors = 64

    init(
        options: ProxyOptions,
        description: RunDescription,
        console: Console,
        catalog: ProfileCatalog,
        isLive: Bool
    ) throws(Failure) {
        self.options = options
        self.console = console
        self.catalog = catalog
        self.description = description
        do throws(SystemError) {
            loop = try EventLoop()
            if options.upstreams.isEmpty { origin = try OriginServer(loop: loop) }
        } catch {
            throw Failure(.internalError, "cannot start the event loop: \(error)")
        }
        startNanoseconds = loop.nowNanoseconds
        // A record is worth making only if somebody hears of it.
        let inbox = options.isQuiet && options.journalPath == nil ? nil : RecordInbox()
        do throws(ProxyError) {
            server = try ProxyServer(
                loop: loop,
                configuration: Self.configuration(options, description, origin: origin),
                onRecord: inbox.map { inbox in { inbox.take($0) } }
            )
        } catch {
            throw Failure(Self.exitCode(of: error.kind), error.description)
        }
        if isLive { screen = Screen(output: console.output, style: console.outputStyle) }
        inbox?.take = { [weak self] in self?.record($0) }
    }

    /// Where the server's records go; the server is made before the run that hears them.
    private final class RecordInbox {
        var take: (JournalRecord) -> Void = { _ in }
    }

    private static func configuration(
        _ options: ProxyOptions,
        _ description: RunDescription,
        origin: OriginServer?
    ) -> ProxyConfiguration {
        let routes = description.routes.map { route in
            ProxyConfiguration.Route(
                listen: route.listen,
                upstream: route.upstream ?? origin.map { Endpoint($0.address) } ?? route.listen
            )
        }
        var configuration = ProxyConfiguration(routes: routes)
        configuration.profile = description.profile
        configuration.faults = description.faults
        configuration.seed = description.seed
        configuration.allowsRemote = options.allowsRemote
        if origin != nil {
            // A connection then has a third socket, the origin's.
            let available = DescriptorLimit.raise() - reservedDescriptors
            configuration.limits.connections = max(1, available / 3)
        }
        return configuration
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
        return finish()
    }

    // MARK: Start

    private func start() throws(Failure) {
        if let path = options.journalPath {
            journal = try JournalFile(path, startNanoseconds: startNanoseconds) {
                console.log("waiting for a reader of the pipe '\(path)'")
            }
        }
        // A file of an earlier run must not be taken for this one's.
        if let path = options.readyFile { FileSystem.remove(path) }
        do throws(ProxyError) {
            let listening = try server.start()
            for (index, endpoint) in listening.enumerated() {
                description.routes[index].listen = endpoint
            }
        } catch {
            throw Failure(Self.exitCode(of: error.kind), error.description)
        }
        try watchSignals()
        // The first line comes first, also where the journal follows it on standard output.
        try announce()
        recordStart()
        try startTimers()
        screen?.enter()
        redraw()
    }

    private func recordStart() {
        record(.start(runStart))
        let path = description.profile.path
        record(
            .path(
                interface: ProfileJSON.interface(path.interface),
                isExpensive: path.isExpensive,
                isConstrained: path.isConstrained
            )
        )
    }

    private static func exitCode(of kind: ProxyError.Kind) -> ExitCode {
        switch kind {
        case .badEndpoint, .refused: .usage
        case .addressUnavailable, .upstreamUnavailable: .unavailable
        case .internal: .internalError
        }
    }

    private var runStart: RunStart {
        let environment: JSONObject = [
            "pid": .number(CurrentProcess.identifier),
            "listen": .array(description.routes.map { .string($0.listen.description) }),
            "upstream": .array(description.routes.map { .string($0.upstreamText) }),
            "repeat": .string(description.reproduction),
        ]
        return RunStart(
            tool: "\(CommandTable.program) \(Version.number)",
            command: "proxy",
            seed: description.seed,
            schedule: description.scheduleText,
            profile: description.profile.name,
            profileDigest: SHA256.hexadecimal(Array(description.profile.canonicalText.utf8)),
            environment: environment
        )
    }

    /// The first line comes first; whoever waits for a file or descriptor may connect then, too.
    private func announce() throws(Failure) {
        let lines = options.isJSON ? [description.json.text] : description.listeningLines
        do throws(SystemError) {
            try console.output.writeAll(Console.bytes(lines))
        } catch {
            console.log("cannot write to standard output: \(error); the proxy goes on")
        }
        let ready = Console.bytes([description.json.text])
        do throws(SystemError) {
            if let path = options.readyFile { try FileSystem.replace(path, with: ready) }
            if let descriptor = options.readyDescriptor {
                try OutputFile(inherited: descriptor).writeAll(ready)
            }
        } catch {
            let place = options.readyFile ?? "descriptor \(options.readyDescriptor ?? 0)"
            throw Failure(.cannotCreate, "cannot write readiness to '\(place)': \(error)")
        }
        guard screen == nil, !options.isQuiet else { return }
        for line in description.advice { console.log(line) }
    }

    private func startTimers() throws(Failure) {
        if screen != nil {
            try addTimer(after: 250, repeating: 250) { [weak self] in self?.redraw() }
        } else {
            try addTimer(after: 1_000, repeating: 1_000) { [weak self] in self?.sample() }
            if !options.isQuiet {
                try addTimer(after: 10_000, repeating: 10_000) { [weak self] in
                    self?.tellProgress()
                }
            }
        }
        if let limit = options.durationMilliseconds {
            try addTimer(after: limit, repeating: 0) { [weak self] in self?.end(.success) }
        }
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

    // MARK: Signals and keys

    private func watchSignals() throws(Failure) {
        try watch(.interrupt) { [weak self] in
            self?.drain(.interrupted, Self.drainMilliseconds.interrupt, "interrupted")
        }
        try watch(.terminate) { [weak self] in
            self?.drain(.terminated, Self.drainMilliseconds.terminate, "told to end")
        }
        try watch(.hangUp) { [weak self] in self?.hangUp() }
        guard screen != nil else { return }
        try watch(.windowChange) { [weak self] in self?.redraw() }
        try watch(.suspend) { [weak self] in self?.screen?.suspend() }
        try watch(.resume) { [weak self] in
            self?.screen?.enter()
            self?.redraw()
        }
    }

    private func watch(
        _ signal: SignalWatcher.Signal,
        _ action: @escaping () -> Void
    ) throws(Failure) {
        do throws(SystemError) {
            watchers.append(try SignalWatcher(signal, loop: loop, onSignal: action))
        } catch {
            throw Failure(.internalError, "cannot watch a signal: \(error)")
        }
    }

    /// The first signal lets open connections finish, the second ends at once.
    private func drain(_ code: ExitCode, _ limitMilliseconds: UInt64, _ reason: String) {
        guard outcome == nil, status == nil else {
            end(code)
            return
        }
        drainCode = code
        let open = server.openConnections
        guard open > 0 else {
            end(code)
            return
        }
        let text =
            "\(reason): \(Figures.count(open, "connection")) may finish,"
            + " \(limitMilliseconds / 1_000) s at most"
        status = text
        if !options.isQuiet && screen == nil { tell("\(text); a second signal ends at once") }
        server.drain(limitMilliseconds: limitMilliseconds) { [weak self] in self?.end(code) }
    }

    /// SIGHUP is also what a terminal that is closed sends; nobody could end the program then.
    private func hangUp() {
        if terminal.isGone {
            screen?.abandon()
            end(.terminated)
        } else {
            reloadProfile()
        }
    }

    private func reloadProfile() {
        let profile: Profile
        do throws(Failure) {
            profile = try catalog.load(options.profileReference, settings: options.settings)
        } catch {
            tell("the profile stays as it was: \(error.message)")
            return
        }
        do throws(ProxyError) {
            try server.apply(profile)
        } catch {
            tell("the profile stays as it was: \(error.description)")
            return
        }
        description.profile = profile
        tell("profile \(profile.name) read again")
    }

    private func takeKeys() {
        for key in screen?.pendingKeys() ?? [] where key == UInt8(ascii: "q") {
            // After a signal `q` only makes haste.
            drain(drainCode ?? .success, Self.drainMilliseconds.interrupt, "quitting")
        }
    }

    // MARK: Running

    /// Takes note of something that happened.
    func record(_ record: JournalRecord) {
        tally.add(record)
        journal?.write(record, nowNanoseconds: loop.nowNanoseconds)
        if let failure = journal?.failure, !isJournalFailureTold {
            isJournalFailureTold = true
            tell(
                "cannot write journal '\(journal?.path ?? "")': \(failure);"
                    + " the proxy goes on without it"
            )
        }
        if options.isJSON, case .fault = record { console.offer(Self.event("fault", record).text) }
        if case .trouble(.latePacing, _) = record { noteLateness() }
        if case .fault(let report) = record { state.add(report) }
        guard let line = EventText.line(record, isVerbose: options.isVerbose) else { return }
        if !options.isQuiet { tell(line) }
    }

    /// Says that the machine is busy, once in a while.
    private func noteLateness() {
        let now = loop.nowNanoseconds
        if let last = latenessTold, now - last < Self.latenessInterval * 1_000_000_000 { return }
        latenessTold = now
        guard let line = EventText.lateness(server.lateness), !options.isQuiet else { return }
        tell(line)
    }

    /// A record as a line of `--json`: what the journal has, under the name of an event.
    private static func event(_ name: String, _ record: JournalRecord) -> JSONValue {
        var object: JSONObject = ["v": 1, "event": .string(name)]
        for member in record.object.members where member.key != "v" && member.key != "t" {
            object.append(member.key, member.value)
        }
        return .object(object)
    }

    /// A line for people: an event of the live view, or a line of the log.
    private func tell(_ line: String) {
        if screen?.isActive == true {
            state.add(line)
        } else {
            console.log("\(Figures.clock(nanoseconds: elapsedNanoseconds))  \(line)")
        }
    }

    private var elapsedNanoseconds: Int64 {
        Int64(loop.nowNanoseconds - startNanoseconds)
    }

    private func sample() {
        state.take(server.snapshot(rows: Self.sampledRows), atNanoseconds: elapsedNanoseconds)
    }

    private func tellProgress() {
        if let line = progress.next(state) { console.log(line) }
    }

    private func redraw() {
        guard let screen else { return }
        takeKeys()
        sample()
        screen.draw { size in
            LiveFrame(
                state: state,
                description: description,
                size: size,
                usesUnicode: console.usesUnicode,
                status: status
            ).lines()
        }
    }

    // MARK: End

    /// Ends the run; the first reason counts, but for a signal that follows.
    private func end(_ code: ExitCode) {
        outcome = code
        loop.stop()
    }

    private func finish() -> ExitCode {
        let elapsed = elapsedNanoseconds
        shutDown()
        let snapshot = server.snapshot()
        var code = outcome ?? .success
        let digest = journal?.digest
        record(.end(RunEnd(exitCode: UInt8(code.rawValue), digest: digest)))
        journal?.finish()
        let summary = RunSummary(
            description: description,
            tally: tally,
            snapshot: snapshot,
            elapsedNanoseconds: elapsed,
            journal: journal.map { ($0.path, digest) }
        )
        if !options.isQuiet { show(summary) }
        if let failure = console.output.failure {
            code = .writeError
            console.report(Failure(code, "cannot write to standard output: \(failure)"))
        }
        if let journal, let failure = journal.failure {
            code = .writeError
            console.report(Failure(code, "journal '\(journal.path)' is not complete: \(failure)"))
        }
        return code
    }

    /// Prints the summary; on standard error if standard output is the journal's, or is gone.
    private func show(_ summary: RunSummary) {
        func lines(_ style: TextStyle) -> [String] {
            options.isJSON ? [summary.json.text] : summary.lines(style: style)
        }
        if options.journalPath != "-" {
            for line in lines(console.outputStyle) { console.offer(line) }
            console.output.flush(milliseconds: 2_000)
            if console.output.failure == nil { return }
        }
        for line in lines(console.errorStyle) { console.log(line) }
    }

    /// Closes everything, and lets the loop see that it is closed.
    private func shutDown() {
        screen?.leave()
        screen = nil
        for timer in timers { timer.close() }
        for watcher in watchers { watcher.close() }
        server.stop()
        origin?.stop()
        // A loop that is told to stop does not wait for anything.
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }
}
