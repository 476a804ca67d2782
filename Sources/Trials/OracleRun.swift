internal import Proxy
internal import SystemIO

/// Asks the oracles of a trial, one after the other.
final class OracleRun {
    private let trial: Trial
    private let place: TrialPlace
    private let server: Endpoint?
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
    ///   - sandbox: where they run.
    ///   - done: called once with a result for each oracle, in their order; never after `close`.
    init(
        _ trial: Trial,
        at place: TrialPlace,
        server: Endpoint?,
        in sandbox: Sandbox,
        done: @escaping ([OracleResult]) -> Void
    ) {
        self.trial = trial
        self.place = place
        self.server = server
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
            let found = place.expand(result)
            inBackground { FileComparison.check(found, sha256: digest) }
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
        let limit = sandbox.settings.oracleMilliseconds
        alarm = sandbox.alarms.set(afterNanoseconds: limit * 1_000_000) { [weak self] in
            self?.take(Judgement(.inconclusive, words))
        }
    }

    // MARK: Asking the server

    private func ask(_ url: String, _ reference: String) {
        guard let server else {
            return take(Judgement(.inconclusive, "there is no server to ask"))
        }
        do throws(FetchProblem) {
            fetch = try FetchCheck(place.expand(url), server: server, on: sandbox.loop) {
                [weak self] in self?.answered($0, reference)
            }
            limitTime("the server took too long")
        } catch {
            take(Judgement(.inconclusive, error.description))
        }
    }

    private func answered(_ answer: FetchCheck.Answer, _ reference: String) {
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
        case .content(let bytes, let digest):
            // Unlike a file of the user's, what the client was to make may be missing by its fault.
            let isResult = reference == place.out
            inBackground {
                let right: (size: UInt64, digest: String)
                do throws(SystemError) {
                    right = try FileComparison.digest(of: reference)
                } catch {
                    return isResult && error.isMissingFile
                        ? Judgement(.fail, "{out} is missing", flaw: .missing)
                        : Judgement(.inconclusive, "the file to compare with cannot be read")
                }
                if right.digest == digest { return Judgement(.pass, "equal, \(bytes) bytes") }
                return Judgement(
                    .fail,
                    bytes == right.size
                        ? "differs, \(bytes) bytes" : "\(bytes) bytes, not \(right.size)",
                    flaw: .different
                )
            }
        }
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
        check.filePrefix = "check-"
        let command = CommandClient(check, at: place, in: sandbox) { [weak self] ending, _ in
            self?.later(Self.judgement(of: ending))
        }
        self.command = command
        limitTime("it took too long")
        command.start()
    }

    private static func judgement(of ending: ClientEnding) -> Judgement {
        switch ending {
        case .exited(0): Judgement(.pass, "exit code 0")
        case .exited(1): Judgement(.fail, "exit code 1")
        case .exited(let code): Judgement(.inconclusive, "exit code \(code)")
        case .killed(let signal): Judgement(.inconclusive, "killed by signal \(signal)")
        case .notFound(let words), .notStarted(let words): Judgement(.inconclusive, words)
        case .stuck: Judgement(.inconclusive, "it did not end")
        }
    }
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
        case .command: "server-check"
        case .code(let code): code.name
        }
    }
}
