internal import Arguments
internal import Basics
internal import Conformance
internal import HTTPTransport
internal import HTTPWire
internal import Reports
internal import SystemIO

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
        var refusal: Failure?
        probe = ServerProbe(options.url, options.fields, client) { checks in
            do throws(Failure) {
                return try options.chosen(checks)
            } catch {
                refusal = error
                return nil
            }
        }
        chooserFailure = { refusal }
        report = ProbeReport(options.url.text, repetition: options.repetition)
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
        probe.onStart = { [console, options] what in
            if !options.isJSON { console.offer("\(options.url.text): \(what)") }
        }
        probe.onResult = { [weak self] result in
            self?.report.add(result)
            self?.tell(result)
        }
        probe.start(isUpload: options.isUpload) { [weak self] in self?.end($0) }
        loop.run()
        client.close()
        watchers = []
        if let failure { throw failure }
        if let signal { return signal }
        try end()
        return code
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
        switch problem {
        case .unreachable(let words): failure = Failure(.unavailable, words)
        case .inconclusive(let words): failure = Failure(.inconclusive, words)
        case nil: failure = chooserFailure()
        }
        loop.stop()
    }

    private func tell(_ result: ProbeResult) {
        let lines =
            options.isJSON
            ? [report.json(result).text] : report.lines(result, style: console.outputStyle)
        for line in lines { console.offer(line) }
    }
}
