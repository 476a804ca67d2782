internal import Basics
package import Faults
internal import Proxy
internal import SystemIO

/// A server of the user that is started for a trial, or for itself, and ended with all its processes.
///
/// It is ready when something listens on the port that it was given.
package final class TrialServer {
    private let command: TrialCommand
    private let crashCommand: TrialCommand?
    private let place: TrialPlace
    package let port: Int
    private unowned let sandbox: Sandbox
    private var process: CommandClient?
    private var crashProcess: CommandClient?
    private var ready: ((String?) -> Void)?
    private var gone: (() -> Void)?
    private var killed: (() -> Void)?
    private var lookAlarm = TimerQueue.Token.none
    private let takesDatagrams: Bool
    private var limit = Instant.start
    /// How it ended before it was told to, in words.
    private(set) var ownEnding: String?
    /// Whether it was told to end.
    private(set) var isEnding = false
    /// Whether it was killed and does not listen yet.
    private(set) var isComingBack = false

    /// Between two looks for somebody who listens.
    private static let lookInterval = Duration.milliseconds(5)

    /// - Parameters:
    ///   - command: its words; `{port}`, `{host}` and `{url}` are where it has to listen.
    ///   - crash: changes what it has stored after a crash; nil if nothing can.
    ///   - port: on the loopback, and free.
    ///   - takesDatagrams: whether it is ready when it takes datagrams, and not connections.
    ///   - place: of the trial.
    ///   - sandbox: where it runs.
    init(
        _ command: TrialCommand,
        crash: TrialCommand? = nil,
        port: Int,
        takesDatagrams: Bool = false,
        at place: TrialPlace,
        in sandbox: Sandbox
    ) {
        self.command = command
        crashCommand = crash
        self.port = port
        self.takesDatagrams = takesDatagrams
        self.sandbox = sandbox
        var own = place
        own.listen = .tcp(host: "127.0.0.1", port: UInt16(clamping: port))
        self.place = own
    }

    /// Starts it.
    ///
    /// - Parameter ready: called once, on the loop, when it listens, or with why it does not, in words.
    package func start(ready: @escaping (String?) -> Void) {
        self.ready = ready
        limit = sandbox.loop.now + .milliseconds(clamping: sandbox.settings.serverMilliseconds)
        var command = command
        command.filePrefix = "server-"
        let process = CommandClient(command, at: place, in: sandbox) { [weak self] ending, _ in
            self?.ended(ending)
        }
        self.process = process
        process.start()
        look()
    }

    /// Whether it has read all that its kernel has acknowledged of the connection from a port.
    func hasRead(fromPort port: Int) -> Bool {
        TCPSocketRow.all(withLocalPort: self.port).allSatisfy {
            $0.isListening || $0.remotePort != port || $0.unreadBytes == 0
        }
    }

    /// Ends it, and calls `done` when no process of it is left.
    package func end(done: @escaping () -> Void) {
        isEnding = true
        sandbox.alarms.cancel(lookAlarm)
        ready = nil
        killed = nil
        crashProcess?.close()
        crashProcess = nil
        guard let process else { return done() }
        gone = done
        process.end()
    }

    /// Kills it and says nothing more.
    package func close() {
        sandbox.alarms.cancel(lookAlarm)
        ready = nil
        gone = nil
        killed = nil
        crashProcess?.close()
        crashProcess = nil
        process?.close()
        process = nil
    }

    // MARK: Crashes

    /// Whether something can take away what it has stored.
    var losesState: Bool { crashCommand != nil }

    /// Kills all its processes, and starts it again on the same port.
    ///
    /// - Parameters:
    ///   - loss: what the command for crashes is told to take away.
    ///   - back: called once, on the loop, when it listens again, or with why it does not, in words;
    ///     not if it is told to end before.
    package func crash(losing loss: Effect.CrashLoss, back: @escaping (String?) -> Void) {
        guard let process, ready == nil, !isEnding, !isComingBack else {
            return back(ownEnding.map { "it had ended by itself: \($0)" } ?? "it does not run")
        }
        isComingBack = true
        let over: (String?) -> Void = { [weak self] problem in
            self?.isComingBack = false
            back(problem)
        }
        killed = { [weak self] in
            guard let self else { return }
            guard !listens else { return over(survivorWords) }
            lose(loss) { [weak self] problem in
                guard let self else { return }
                if let problem { return over(problem) }
                start(ready: over)
            }
        }
        process.kill()
    }

    /// That it answers nobody any more though nothing ended it, in words; nil if it listens.
    package var lossWords: String? {
        if let ownEnding { return "the server ended by itself: \(ownEnding)\(lastWords)" }
        guard process != nil, ready == nil, !isComingBack, !listens else { return nil }
        return "the server does not listen on port \(port) any more\(lastWords)"
    }

    private var survivorWords: String {
        "something listens on port \(port) after all its processes were killed; let the server run"
            + " in the foreground, in the process group of its command"
    }

    /// Lets the command for crashes change what is stored, if there is one.
    private func lose(_ loss: Effect.CrashLoss, done: @escaping (String?) -> Void) {
        guard var command = crashCommand else { return done(nil) }
        let words = loss.canonicalText.split(separator: ":")
        command.environment += [
            "LINKCOND_LOSS=\(words.first ?? "")",
            "LINKCOND_LOSS_BYTES=\(words.dropFirst().first ?? "")",
        ]
        command.filePrefix = "crash-"
        let process = CommandClient(command, at: place, in: sandbox) { [weak self] ending, _ in
            guard let self, crashProcess != nil else { return }
            crashProcess = nil
            sandbox.alarms.cancel(lookAlarm)
            let problem = "the command for crashes failed: \(Self.words(ending))"
            done(ending.isSuccess ? nil : problem)
        }
        crashProcess = process
        lookAlarm = sandbox.alarms.set(
            after: .milliseconds(clamping: sandbox.settings.serverMilliseconds)
        ) { process.kill() }
        process.start()
    }

    private func look() {
        guard ready != nil, process != nil else { return }
        if listens { return tell(strangerWords) }
        guard sandbox.loop.now < limit else {
            let seconds = sandbox.settings.serverMilliseconds / 1_000
            return tell("the server did not listen on port \(port) within \(seconds) s\(lastWords)")
        }
        lookAlarm = sandbox.alarms.set(after: Self.lookInterval) { [weak self] in
            self?.look()
        }
    }

    private var listens: Bool { ListeningPorts.contain(port, datagrams: takesDatagrams) }

    /// Why what listens is not this server, in words; nil if it is, as far as can be seen.
    private var strangerWords: String? {
        guard let group = process?.group,
            let stranger = ListeningPorts.stranger(
                on: port,
                group: group,
                mark: sandbox.programMark,
                datagrams: takesDatagrams
            )
        else { return nil }
        return "process \(stranger.number) (\(stranger.name)) listens on port \(port), and was not"
            + " started by the server's command; if the command hands its work to a daemon, start"
            + " that yourself and name it by --upstream"
    }

    private func tell(_ problem: String?) {
        let ready = ready
        self.ready = nil
        ready?(problem)
    }

    private func ended(_ ending: ClientEnding) {
        process = nil
        if let gone {
            self.gone = nil
            return gone()
        }
        if let killed {
            self.killed = nil
            return killed()
        }
        let words = Self.words(ending)
        ownEnding = words
        tell("the server ended before it listened on port \(port): \(words)\(lastWords)")
    }

    private static func words(_ ending: ClientEnding) -> String {
        switch ending {
        case .exited(let code): "exit code \(code)"
        case .killed(let signal): "killed by signal \(signal)"
        case .notFound(let words): "not found: \(words)"
        case .notStarted(let words): "cannot be started: \(words)"
        case .stuck: "it did not end"
        }
    }

    /// The last line that it wrote, which mostly says why.
    private var lastWords: String {
        LastWords.ofFile("\(place.folder)/server-stderr").map { ": \($0)" } ?? ""
    }
}
