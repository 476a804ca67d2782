package import HTTPTransport
internal import HTTPWire

/// Looks at what a server is, and checks it: one object of it, or where it takes uploads.
///
/// Everything happens on the client's loop. What is under way ends when the client is closed.
package final class ServerProbe {
    /// Why nothing, or not all, can be said of a server.
    package enum Problem: Error {
        case unreachable(String)
        /// There is nothing to check, or it changed meanwhile.
        case inconclusive(String)
    }

    private let place: ProbePlace
    private let runner: ProbeRunner
    private let canRestart: Bool
    private let choose: ([ServerCheck]) -> [ServerCheck]?
    private var done: ((Problem?) -> Void)?
    private var hasBrokenRules = false

    /// Called with what is checked, in a few words, before the first result.
    package var onStart: (String) -> Void = { _ in }
    package var onResult: (ProbeResult) -> Void = { _ in }

    /// - Parameters:
    ///   - place: the object, or where uploads are made.
    ///   - client: which sends requests.
    ///   - restart: makes the server crash; nil for one of somebody else.
    ///   - choose: which of the checks to run; nil ends it.
    package init(
        _ place: ProbePlace,
        _ client: HTTPClient,
        restart: ProbeRunner.Restart? = nil,
        choose: @escaping ([ServerCheck]) -> [ServerCheck]? = { $0 }
    ) {
        self.place = place
        self.choose = choose
        canRestart = restart != nil
        runner = ProbeRunner(client, restart: restart)
    }

    private var url: HTTPURL { place.url }

    /// Whether the server was not lost in a crash.
    package var isServerThere: Bool { runner.restartProblem == nil }

    /// - Parameters:
    ///   - isUpload: whether it is where uploads are made.
    ///   - done: called once.
    package func start(isUpload: Bool, then done: @escaping (Problem?) -> Void) {
        self.done = done
        if isUpload { findDialects() } else { fetchObject() }
    }

    private func end(_ problem: Problem? = nil) {
        let done = done
        self.done = nil
        done?(problem)
    }

    // MARK: Downloads

    private func fetchObject() {
        runner.send(ProbedObject.request(url, place.fields)) { [self] reply in
            do throws(ProbeProblem) {
                let object = try ProbedObject(url, place.fields, reply)
                check(
                    DownloadChecks.all(object)
                        + (canRestart ? DownloadChecks.crashes(object) : []),
                    what: "downloads, \(reply.body.count) bytes",
                    confirm: { self.confirm(object, then: $0) }
                )
            } catch {
                let words = "cannot check \(url.text): \(error)"
                end(reply.status == 0 ? .unreachable(words) : .inconclusive(words))
            }
        }
    }

    /// An object that changed meanwhile looks like a server that breaks most rules.
    private func confirm(_ object: ProbedObject, then goOn: @escaping () -> Void) {
        guard hasBrokenRules else { return goOn() }
        runner.send(DownloadChecks.last(object)) { [self] reply in
            guard DownloadChecks.isUnchanged(object, reply) else {
                return end(
                    .inconclusive(
                        "\(url.text) changed while it was checked; name an object that stays"
                    )
                )
            }
            goOn()
        }
    }

    // MARK: Uploads

    /// Asks for tus by OPTIONS, and for each version of the draft by a first upload.
    private func findDialects() {
        runner.send(UploadChecks.options(at: place)) { [self] reply in
            guard reply.status != 0 else {
                return end(.unreachable("cannot check \(url.text): \(reply.failure ?? "")"))
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
            return end(
                .inconclusive(
                    "\(url.text) takes no resumable uploads: neither tus 1.0.0 nor the IETF draft"
                        + " (interop versions 3, 5, 6, 8)"
                )
            )
        }
        let hasDraft = dialects.contains { if case .ietf = $0 { true } else { false } }
        let checks = dialects.flatMap { UploadChecks.all($0, at: place) }
        let crashes = canRestart ? dialects.flatMap { UploadChecks.crashes($0, at: place) } : []
        check(
            (hasDraft ? [UploadChecks.unknownVersion(at: place)] : []) + checks + crashes,
            what: "uploads, " + dialects.map(\.name).joined(separator: ", ")
        )
    }

    /// Runs the chosen ones of these checks, those in which the server crashes last.
    ///
    /// - Parameters:
    ///   - checks: all that there are.
    ///   - what: is checked, in words.
    ///   - confirm: comes before the first crash, and decides whether to go on.
    private func check(
        _ checks: [ServerCheck],
        what: String,
        confirm: @escaping (_ goOn: @escaping () -> Void) -> Void = { $0() }
    ) {
        guard let chosen = choose(checks) else { return end() }
        onStart(what)
        run(chosen.filter { !$0.needsRestart }) { [self] in
            confirm { self.run(chosen.filter(\.needsRestart)) { self.end() } }
        }
    }

    private func run(_ checks: [ServerCheck], then next: @escaping () -> Void) {
        runner.run(checks[...]) { [self] result in
            if result.isFailed, result.check.level == .error { hasBrokenRules = true }
            onResult(result)
        } then: {
            next()
        }
    }
}
