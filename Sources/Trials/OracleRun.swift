internal import Basics
internal import Proxy
internal import SystemIO

/// Asks the oracles of a trial, one after the other.
final class OracleRun {
    private let trial: Trial
    private let place: TrialPlace
    private let server: Endpoint?
    /// What the client asked the server for.
    private let objects: [String]
    private unowned let sandbox: Sandbox
    private var results: [OracleResult] = []
    private var done: (([OracleResult]) -> Void)?
    private var command: CommandClient?
    private var fetch: FetchCheck?
    private var alarm = TimerQueue.Token.none

    /// - Parameters:
    ///   - trial: whose oracles are asked.
    ///   - place: what their placeholders mean.
    ///   - server: what answers behind the proxy.
    ///   - objects: targets that the client asked it for; one may be the right content.
    ///   - sandbox: where they run.
    ///   - done: called once with a result for each oracle, in their order; never after `close`.
    init(
        _ trial: Trial,
        at place: TrialPlace,
        server: Endpoint?,
        objects: [String] = [],
        in sandbox: Sandbox,
        done: @escaping ([OracleResult]) -> Void
    ) {
        self.trial = trial
        self.place = place
        self.server = server
        self.objects = objects
        self.sandbox = sandbox
        self.done = done
    }

    func start() { next() }

    /// Ends what is under way.
    func close() {
        done = nil
        closeCurrent()
    }

    private func closeCurrent() {
        sandbox.alarms.cancel(alarm)
        command?.close()
        command = nil
        fetch?.close()
        fetch = nil
    }

    private func next() {
        guard results.count < trial.oracles.count else {
            let done = done
            self.done = nil
            done?(results)
            return
        }
        switch trial.oracles[results.count] {
        case .same(let reference, let result):
            let (right, found) = (place.expand(reference), place.expand(result))
            inBackground { FileComparison.compare(found, with: right) }
        case .sha256(let digest, let result):
            compare(place.expand(result), sha256: digest)
        case .fetch(let url, let reference): ask(url, place.expand(reference))
        case .command(let words): run(words)
        case .code(let code):
            let place = place
            inBackground { Judgement(code.judge(place), "") }
        }
    }

    private func take(_ judgement: Judgement) {
        guard done != nil, results.count < trial.oracles.count else { return }
        let oracle = trial.oracles[results.count]
        var result = OracleResult(
            name: oracle.name,
            verdict: judgement.verdict,
            words: judgement.words,
            flaw: judgement.flaw
        )
        result.subject = oracle.subject
        results.append(result)
        closeCurrent()
        next()
    }

    private func inBackground(_ judge: @escaping @Sendable () -> Judgement) {
        BackgroundWork.run(on: sandbox.loop, judge) { [weak self] in self?.take($0) }
    }

    private func limitTime(_ words: String) {
        limitTime(Judgement(.inconclusive, words))
    }

    private func limitTime(_ judgement: Judgement) {
        let limit = sandbox.settings.oracleMilliseconds
        alarm = sandbox.alarms.set(after: .milliseconds(clamping: limit)) { [weak self] in
            self?.take(judgement)
        }
    }

    // MARK: Comparing with a digest

    /// A digest tells only what is equal: whether something else is a beginning of it, the object of the
    /// server tells that has this digest.
    private func compare(_ path: String, sha256 right: String) {
        BackgroundWork.run(
            on: sandbox.loop,
            { FileComparison.check(path, sha256: right) },
            done: { [weak self] judgement, found in
                guard let self, done != nil else { return }
                guard judgement.flaw == .different, let found else { return take(judgement) }
                seek(found, right, judgement, among: objects[...])
            }
        )
    }

    /// Asks for one object after the other until one has the right digest.
    private func seek(
        _ found: ContentDigest.Content,
        _ right: String,
        _ judgement: Judgement,
        among objects: ArraySlice<String>
    ) {
        guard let server, let object = objects.first else { return take(judgement) }
        do throws(FetchProblem) {
            fetch = try FetchCheck(
                object,
                server: server,
                tls: trial.tls,
                beginning: found.bytes,
                on: sandbox.loop
            ) { [weak self] answer in
                if case .content(let whole) = answer, whole.digest == right {
                    let isBeginning = whole.beginning == found.digest
                    self?.later(
                        isBeginning
                            ? FileComparison.beginning(found.bytes, of: whole.bytes) : judgement
                    )
                } else {
                    self?.seekLater(found, right, judgement, among: objects.dropFirst())
                }
            }
            limitTime(judgement)
        } catch {
            seek(found, right, judgement, among: objects.dropFirst())
        }
    }

    /// In another turn of the loop, since the client that answered is at work.
    private func seekLater(
        _ found: ContentDigest.Content,
        _ right: String,
        _ judgement: Judgement,
        among objects: ArraySlice<String>
    ) {
        BackgroundWork.run(on: sandbox.loop, {}) { [weak self] in
            guard let self, done != nil else { return }
            closeCurrent()
            seek(found, right, judgement, among: objects)
        }
    }

    // MARK: Asking the server

    private func ask(_ url: String, _ reference: String) {
        guard let server else {
            return take(Judgement(.inconclusive, "there is no server to ask"))
        }
        // Unlike a file of the user's, what the client was to make may be missing by its fault.
        let isResult = reference == place.out
        BackgroundWork.run(
            on: sandbox.loop,
            { isResult ? try? File(reference, for: .reading).size() : nil },
            done: { [weak self] size in
                guard let self, done != nil else { return }
                ask(url, server, reference, isResult, beginning: size)
            }
        )
    }

    private func ask(
        _ url: String,
        _ server: Endpoint,
        _ reference: String,
        _ isResult: Bool,
        beginning: UInt64?
    ) {
        do throws(FetchProblem) {
            fetch = try FetchCheck(
                place.expand(url),
                server: server,
                tls: trial.tls,
                beginning: beginning,
                on: sandbox.loop
            ) { [weak self] in
                self?.answered($0, reference, isResult)
            }
            limitTime("the server took too long")
        } catch {
            take(Judgement(.inconclusive, error.description))
        }
    }

    private func answered(
        _ answer: FetchCheck.Answer,
        _ reference: String,
        _ isResult: Bool
    ) {
        switch answer {
        case .failed(let words): later(Judgement(.inconclusive, words))
        case .status(let status) where status == 404 || status == 410:
            later(
                Judgement(
                    .fail,
                    "the server has no such object: status \(status)",
                    flaw: .missing
                )
            )
        case .status(let status):
            later(Judgement(.inconclusive, "the server answered with status \(status)"))
        case .content(let given):
            inBackground { Self.compare(given, reference, isResult) }
        }
    }

    /// Compares what the server gives with the client's result, or with what it was to send.
    private static func compare(
        _ given: ContentDigest.Content,
        _ reference: String,
        _ isResult: Bool
    ) -> Judgement {
        let file: ContentDigest.Content
        do throws(SystemError) {
            file = try FileComparison.content(of: reference, beginning: given.bytes)
        } catch {
            return isResult && error.isMissingFile
                ? Judgement(.fail, "{out} is missing", flaw: .missing)
                : Judgement(.inconclusive, "the file to compare with cannot be read")
        }
        if file.digest == given.digest { return Judgement(.pass, "equal, \(given.bytes) bytes") }
        let (found, right) = isResult ? (file, given) : (given, file)
        if right.beginning == found.digest {
            return FileComparison.beginning(found.bytes, of: right.bytes)
        }
        let words =
            found.bytes == right.bytes
            ? "differs, \(found.bytes) bytes" : "\(found.bytes) bytes, not \(right.bytes)"
        return Judgement(.fail, words, flaw: .different)
    }

    /// In another turn of the loop, since the client that answered is at work.
    private func later(_ judgement: Judgement) { inBackground { judgement } }

    // MARK: Asking a command

    private func run(_ words: [String]) {
        guard case .command(let client) = trial.client else {
            return take(Judgement(.inconclusive, "a command needs a command's environment"))
        }
        var check = TrialCommand(words, environment: client.environment)
        check.folder = client.folder
        check.filePrefix = Self.checkPrefix
        let folder = place.folder
        let command = CommandClient(check, at: place, in: sandbox) { [weak self] ending, _ in
            self?.inBackground { Self.judgement(of: ending, in: folder) }
        }
        self.command = command
        limitTime("it took too long")
        command.start()
    }

    private static func judgement(of ending: ClientEnding, in folder: String) -> Judgement {
        switch ending {
        case .exited(0): Judgement(.pass, "exit code 0")
        case .exited(1): Judgement(.fail, "exit code 1" + said(in: folder))
        case .exited(let code): Judgement(.inconclusive, "exit code \(code)" + said(in: folder))
        case .killed(let signal):
            Judgement(.inconclusive, "killed by signal \(signal)" + said(in: folder))
        case .notFound(let words), .notStarted(let words): Judgement(.inconclusive, words)
        case .stuck: Judgement(.inconclusive, "it did not end")
        }
    }

    /// The last line that a check wrote, which mostly says why.
    private static func said(in folder: String) -> String {
        for name in ["stderr", "stdout"] {
            if let words = LastWords.ofFile("\(folder)/\(checkPrefix)\(name)") {
                return ": \(words)"
            }
        }
        return ""
    }

    private static let checkPrefix = "check-"
}

extension Oracle {
    /// The file that is compared with a known one.
    fileprivate var subject: String? {
        switch self {
        case .same(_, let result), .sha256(_, let result): result
        case .fetch, .command, .code: nil
        }
    }

    /// As the option that asks for it.
    var name: String {
        switch self {
        case .same: "same"
        case .sha256: "sha256"
        case .fetch: "fetch-check"
        case .command: OracleResult.serverCheck
        case .code(let code): code.name
        }
    }
}
