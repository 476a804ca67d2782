internal import Arguments
internal import Basics
internal import Conformance
internal import Faults
internal import HTTPTransport
internal import HTTPWire
internal import Reports
internal import SystemIO
internal import Trials

/// `linkcond probe`.
struct ProbeCommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        try ProbeRun(try ProbeOptions(invocation), console: console).runToEnd()
    }
}

/// One run of `probe`: it looks at what the server is, and then checks it.
private final class ProbeRun {
    private let options: ProbeOptions
    private let console: Console
    private let loop: EventLoop
    private let client: HTTPClient
    private let place: ProbePlace
    /// Where the server runs that is started for this.
    private let sandbox: Sandbox?
    private let server: TrialServer?
    private let probe: ServerProbe
    private var watchers: [SignalWatcher] = []
    private var report: ProbeReport
    private var failure: Failure?
    /// What is wrong with the choice of checks.
    private let chooserFailure: () -> Failure?
    private var signal: ExitCode?

    init(_ options: ProbeOptions, console: Console) throws(Failure) {
        self.options = options
        self.console = console
        loop = try .forRun()
        do throws(SystemError) {
            client = try HTTPClient(loop: loop, settings: options.client)
        } catch {
            throw Failure(.internalError, "cannot make a client: \(error)")
        }
        (sandbox, server) = try Self.makeServer(options, on: loop)
        place = try options.place(server.map { "http://127.0.0.1:\($0.port)" })
        let restart = server.map { server in
            { (back: @escaping (String?) -> Void) in server.crash(losing: .none, back: back) }
        }
        var refusal: Failure?
        probe = ServerProbe(place, client, restart: restart) { checks in
            do throws(Failure) {
                return try options.chosen(checks)
            } catch {
                refusal = error
                return nil
            }
        }
        chooserFailure = { refusal }
        report = ProbeReport(options.title(place), repetition: options.repetition(place))
    }

    private static func makeServer(
        _ options: ProbeOptions,
        on loop: EventLoop
    ) throws(Failure) -> (Sandbox?, TrialServer?) {
        guard let command = options.server else { return (nil, nil) }
        let settings = SandboxSettings(
            tool: "\(CommandSet.program) \(Version.number)",
            temporaryFolder: OriginCommand.temporaryFolder
        )
        do throws(SandboxError) {
            let sandbox = try Sandbox(loop: loop, settings: settings)
            return (sandbox, try sandbox.makeServer(command.start, crash: command.crash))
        } catch {
            throw Failure(error)
        }
    }

    func runToEnd() throws(Failure) -> ExitCode {
        for (kind, code) in [
            (SignalWatcher.Signal.interrupt, ExitCode.interrupted), (.terminate, .terminated),
        ] {
            watchers.append(
                try loop.watch(kind) { [weak self] in
                    self?.signal = code
                    self?.loop.stop()
                }
            )
        }
        probe.onStart = { [console, options, report] what in
            if !options.isJSON { console.offer("\(report.url): \(what)") }
        }
        probe.onResult = { [weak self] result in
            self?.report.add(result)
            self?.tell(result)
            if result.isFailed { self?.requireServer() }
        }
        start()
        loop.run()
        client.close()
        endServer()
        watchers = []
        if let failure { throw failure }
        if let signal { return signal }
        try end()
        return code
    }

    private func start() {
        guard let server else { return check() }
        server.start { [weak self] problem in
            guard let problem else { return self?.check() ?? () }
            self?.stop(Failure(.unavailable, problem))
        }
    }

    private func check() {
        probe.start(isUpload: options.isUpload) { [weak self] in self?.end($0) }
    }

    /// A server that has gone keeps no rule, which says nothing of it.
    private func requireServer() {
        guard probe.isServerThere, let words = server?.lossWords else { return }
        stop(Failure(.unavailable, words))
    }

    private func stop(_ failure: Failure) {
        if self.failure == nil { self.failure = failure }
        loop.stop()
    }

    /// Tells the server to end and waits for it; a signal kills it.
    private func endServer() {
        guard let server, let sandbox else { return }
        if signal == nil {
            var isGone = false
            server.end { isGone = true }
            while !isGone, signal == nil { loop.runOnce() }
        }
        server.close()
        sandbox.close()
        loop.finishPendingWork()
        loop.finishClosing()
    }

    private var code: ExitCode {
        if report.count(.error) > 0 { return .findings }
        if options.isStrict, report.count(.warning) > 0 { return .findings }
        return report.passed + report.count(.warning) == 0 ? .inconclusive : .success
    }

    private func end() throws(Failure) {
        try write(report.junit.lines(), to: options.junit)
        try write(report.page(), to: options.page)
        if options.isJSON {
            try console.write([report.end(exitCode: code.rawValue).text])
        } else {
            try console.write(["", report.summary])
        }
    }

    private func write(_ lines: [String], to path: String?) throws(Failure) {
        guard let path else { return }
        do throws(SystemError) {
            try FileSystem.replace(path, with: Console.bytes(lines))
        } catch {
            throw Failure(.cannotCreate, "cannot write '\(path)': \(error)")
        }
    }

    private func end(_ problem: ServerProbe.Problem?) {
        let own = server?.lossWords.map { Failure(.unavailable, $0) }
        switch problem {
        case .unreachable(let words): failure = own ?? Failure(.unavailable, words)
        case .inconclusive(let words): failure = own ?? Failure(.inconclusive, words)
        case nil: failure = failure ?? chooserFailure()
        }
        loop.stop()
    }

    private func tell(_ result: ProbeResult) {
        let lines =
            options.isJSON
            ? [report.json(result).text]
            : report.lines(
                result,
                style: console.outputStyle,
                isThere: server == nil
            )
        for line in lines { console.offer(line) }
    }
}
