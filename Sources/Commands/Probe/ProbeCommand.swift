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
    private let runner: ProbeRunner
    private var watchers: [SignalWatcher] = []
    private var report: ProbeReport
    private var failure: Failure?
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
        runner = ProbeRunner(client)
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
        if options.isUpload { findDialects() } else { fetchObject() }
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
        if let path = options.junit {
            do throws(SystemError) {
                try FileSystem.replace(path, with: Console.bytes(report.junit.lines()))
            } catch {
                throw Failure(.cannotCreate, "cannot write '\(path)': \(error)")
            }
        }
        if options.isJSON {
            try console.write([report.end(exitCode: code.rawValue).text])
        } else {
            try console.write(["", report.summary])
        }
    }

    private func fail(_ code: ExitCode, _ message: String) {
        failure = Failure(code, message)
        loop.stop()
    }

    // MARK: Downloads

    private func fetchObject() {
        let request = ProbedObject.request(options.url, options.fields)
        runner.send(request) { [self] reply in
            do throws(ProbeProblem) {
                let object = try ProbedObject(options.url, options.fields, reply)
                check(DownloadChecks.all(object), what: "downloads, \(reply.body.count) bytes") {
                    self.confirm(object)
                }
            } catch {
                let code: ExitCode = reply.status == 0 ? .unavailable : .inconclusive
                fail(code, "cannot check \(options.url.text): \(error)")
            }
        }
    }

    /// An object that changed meanwhile looks like a server that breaks most rules.
    private func confirm(_ object: ProbedObject) {
        guard report.count(.error) > 0 else { return loop.stop() }
        runner.send(DownloadChecks.last(object)) { [self] reply in
            guard DownloadChecks.isUnchanged(object, reply) else {
                return fail(
                    .inconclusive,
                    "\(options.url.text) changed while it was checked; name an object that stays"
                )
            }
            loop.stop()
        }
    }

    // MARK: Uploads

    private var place: UploadPlace { UploadPlace(options.url, options.fields) }

    /// Asks for tus by OPTIONS, and for each version of the draft by a first upload.
    private func findDialects() {
        runner.send(UploadChecks.options(at: place)) { [self] reply in
            guard reply.status != 0 else {
                return fail(
                    .unavailable,
                    "cannot check \(options.url.text): \(reply.failure ?? "")"
                )
            }
            let versions = InteropVersion.allCases.map(UploadDialect.ietf)[...]
            findDrafts(versions, found: UploadChecks.tus(reply).map { [$0] } ?? [])
        }
    }

    private func findDrafts(_ left: ArraySlice<UploadDialect>, found: [UploadDialect]) {
        guard let dialect = left.first else { return checkUploads(found) }
        let goOn = { [self] (isSpoken: Bool) in
            findDrafts(left.dropFirst(), found: isSpoken ? found + [dialect] : found)
        }
        runner.send(UploadChecks.first(dialect, at: place)) { [self] reply in
            guard let upload = UploadChecks.resource(reply, at: place) else { return goOn(false) }
            runner.send(UploadChecks.question(dialect, at: place, upload)) {
                goOn(UploadChecks.isUpload($0))
            }
        }
    }

    private func checkUploads(_ dialects: [UploadDialect]) {
        guard !dialects.isEmpty else {
            return fail(
                .inconclusive,
                "\(options.url.text) takes no resumable uploads: neither tus 1.0.0 nor the IETF draft"
                    + " (interop versions 3, 5, 6, 8)"
            )
        }
        let hasDraft = dialects.contains { if case .ietf = $0 { true } else { false } }
        let checks = dialects.flatMap { UploadChecks.all($0, at: place) }
        check(
            (hasDraft ? [UploadChecks.unknownVersion(at: place)] : []) + checks,
            what: "uploads, " + dialects.map(\.name).joined(separator: ", ")
        ) { self.loop.stop() }
    }

    private func check(
        _ checks: [ServerCheck],
        what: String,
        then done: @escaping () -> Void
    ) {
        do throws(Failure) {
            let chosen = try options.chosen(checks)
            if !options.isJSON { console.offer("\(options.url.text): \(what)") }
            runner.run(chosen[...]) { [self] result in
                report.add(result)
                tell(result)
            } then: {
                done()
            }
        } catch {
            failure = error
            loop.stop()
        }
    }

    private func tell(_ result: ProbeResult) {
        let lines =
            options.isJSON
            ? [report.json(result).text] : report.lines(result, style: console.outputStyle)
        for line in lines { console.offer(line) }
    }
}
