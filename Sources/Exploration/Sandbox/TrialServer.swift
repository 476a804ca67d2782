internal import Libuv
internal import Proxy

/// A server of the user that a trial starts for itself, and ends with all its processes.
///
/// It is ready when something listens on the port that it was given.
final class TrialServer {
    private let command: TrialCommand
    private let place: TrialPlace
    private let port: Int
    private unowned let sandbox: Sandbox
    private var process: CommandClient?
    private var ready: ((String?) -> Void)?
    private var gone: (() -> Void)?
    private var lookAlarm = Alarms.Token.none
    private let limitNanoseconds: UInt64
    /// How it ended before it was told to, in words.
    private(set) var ownEnding: String?
    /// Whether it was told to end.
    private(set) var isEnding = false

    /// Between two looks for somebody who listens.
    private static let lookNanoseconds: UInt64 = 5_000_000

    /// - Parameters:
    ///   - command: its words; `{port}`, `{host}` and `{url}` are where it has to listen.
    ///   - port: on the loopback, and free.
    ///   - place: of the trial.
    ///   - sandbox: where it runs.
    init(_ command: TrialCommand, port: Int, at place: TrialPlace, in sandbox: Sandbox) {
        self.command = command
        self.port = port
        self.sandbox = sandbox
        var own = place
        own.listen = .tcp(host: "127.0.0.1", port: UInt16(clamping: port))
        self.place = own
        limitNanoseconds =
            sandbox.loop.nowNanoseconds + sandbox.settings.serverMilliseconds * 1_000_000
    }

    /// Starts it.
    ///
    /// - Parameter ready: called once, on the loop, when it listens, or with why it does not, in words.
    func start(ready: @escaping (String?) -> Void) {
        self.ready = ready
        var command = command
        command.filePrefix = "server-"
        let process = CommandClient(command, at: place, in: sandbox) { [weak self] ending, _ in
            self?.ended(ending)
        }
        self.process = process
        process.start()
        look()
    }

    /// Ends it, and calls `done` when no process of it is left.
    func end(done: @escaping () -> Void) {
        isEnding = true
        sandbox.alarms.cancel(lookAlarm)
        ready = nil
        guard let process else { return done() }
        gone = done
        process.end()
    }

    /// Kills it and says nothing more.
    func close() {
        sandbox.alarms.cancel(lookAlarm)
        ready = nil
        gone = nil
        process?.close()
        process = nil
    }

    private func look() {
        guard ready != nil, process != nil else { return }
        if ListeningPorts.contain(port) { return tell(nil) }
        guard sandbox.loop.nowNanoseconds < limitNanoseconds else {
            let seconds = sandbox.settings.serverMilliseconds / 1_000
            return tell("the server did not listen on port \(port) within \(seconds) s\(lastWords)")
        }
        lookAlarm = sandbox.alarms.set(afterNanoseconds: Self.lookNanoseconds) { [weak self] in
            self?.look()
        }
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
        let words =
            switch ending {
            case .exited(let code): "exit code \(code)"
            case .killed(let signal): "killed by signal \(signal)"
            case .notFound(let words): "not found: \(words)"
            case .notStarted(let words): "cannot be started: \(words)"
            case .stuck: "it did not end"
            }
        ownEnding = words
        tell("the server ended before it listened on port \(port): \(words)\(lastWords)")
    }

    /// The last line that it wrote, which mostly says why.
    private var lastWords: String {
        guard let file = try? File("\(place.folder)/server-stderr", for: .reading),
            let size = try? file.size(),
            let bytes = try? file.read(at: size - min(size, 4_096), count: Int(min(size, 4_096)))
        else { return "" }
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).last
        return line.map { "; it said '\($0.prefix(200))'" } ?? ""
    }
}
