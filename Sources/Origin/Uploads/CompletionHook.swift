internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// A command of the user that runs for each upload that is complete and kept, before the client hears
/// of it.
final class CompletionHook {
    /// What the command is told, in its environment.
    struct Facts {
        var identifier: String
        /// Such as "ietf-8".
        var `protocol`: String
        var method: String
        var target: String
        /// Of tus, as the client sent it.
        var metadata: String?
    }

    private struct Run {
        let environment: [String]
        let name: String
        let done: (Bool) -> Void
    }

    private let command: CompletionCommand
    /// The folder of finished uploads.
    private let folder: String
    private let limit: Int
    private let loop: EventLoop
    private var waiting: [Run] = []
    private var running: [Int: ChildProcess] = [:]
    private var started = 0
    private var whenIdle: (() -> Void)?
    /// Hears of what failed: the file's name, and why.
    var onFailure: (String, String) -> Void = { _, _ in }

    init(_ command: CompletionCommand, folder: String, limit: Int, loop: EventLoop) {
        self.command = command
        self.folder = folder
        self.limit = limit
        self.loop = loop
    }

    /// Runs the command for a file; `done` hears whether it succeeded.
    func run(_ file: StoredObject, _ facts: Facts, done: @escaping (Bool) -> Void) {
        var variables = [
            ("FILE", "\(folder)/\(file.name)"), ("NAME", file.name), ("BYTES", "\(file.bytes)"),
            ("UPLOAD", facts.identifier), ("PROTOCOL", facts.protocol),
            ("METHOD", facts.method), ("TARGET", facts.target),
        ]
        if let metadata = facts.metadata { variables.append(("METADATA", metadata)) }
        let own = variables.map { "LINKCOND_\($0.0)=\($0.1)" }
        waiting.append(Run(environment: command.environment + own, name: file.name, done: done))
        startNext()
    }

    /// Runs an action once all that was asked for is done.
    func finish(then done: @escaping () -> Void) {
        guard !running.isEmpty || !waiting.isEmpty else { return done() }
        whenIdle = done
    }

    /// Ends what runs, without a word to who waits.
    func close() {
        waiting = []
        for child in running.values {
            child.sendToGroup(.terminate)
            child.close()
        }
        running = [:]
    }

    private func startNext() {
        while running.count < limit, !waiting.isEmpty { start(waiting.removeFirst()) }
        guard running.isEmpty, let action = whenIdle else { return }
        whenIdle = nil
        action()
    }

    private func start(_ run: Run) {
        var settings = ChildProcess.Settings("/bin/sh", ["-c", command.command])
        settings.environment = run.environment
        settings.isDetached = true
        settings.input = .none
        // Standard output has lines that programs read.
        settings.output = .descriptor(2)
        started += 1
        let number = started
        do throws(SystemError) {
            running[number] = try ChildProcess(settings, on: loop) { [weak self] ending in
                self?.ended(number, run, ending)
            }
        } catch {
            fail(run, "cannot be started: \(error)")
        }
    }

    private func ended(_ number: Int, _ run: Run, _ ending: ChildProcess.Ending) {
        running.removeValue(forKey: number)?.close()
        switch ending {
        case .exited(0): run.done(true)
        case .exited(let code): fail(run, "exit code \(code)")
        case .killed(let signal): fail(run, "killed by signal \(signal)")
        }
        startNext()
    }

    private func fail(_ run: Run, _ reason: String) {
        onFailure(run.name, reason)
        run.done(false)
    }
}

extension CompletionHook.Facts {
    init(_ record: UploadRecord) {
        self.init(
            identifier: record.identifier,
            protocol: record.dialect.description,
            method: record.origin.method,
            target: record.origin.target,
            metadata: record.origin.metadata
        )
    }

    /// Of a file that came without a protocol for uploads.
    init(plain identifier: String, _ head: RequestHead) {
        self.init(
            identifier: identifier,
            protocol: "plain",
            method: head.method,
            target: head.target
        )
    }
}
