internal import Arguments
internal import Basics
internal import ResumableClient
internal import SystemIO
internal import Transfers

/// The process that works on one background transfer.
///
/// SIGTERM pauses, SIGUSR1 says that a user asks for it now.
final class BackgroundWorker {
    private let transfer: TransferFolder
    private let registry: TransferRegistry
    private let description: TransferDescription
    private let loop: EventLoop
    private let context: ClientContext
    private let writer: EventWriter
    private let lock: File
    private var client: ClientTransfer?
    private var watchers: [SignalWatcher] = []
    private var pathWatcher: PathWatcher?
    /// Only while it takes turns.
    private var turn: TransferTurn?
    private var isNudged = false
    private var isPaused = false
    /// The last record is written.
    private var isOver = false
    private var throttle = ProgressThrottle(interval: progressInterval)
    private var code = ExitCode.resumable
    private let startedAt: Instant

    /// The least time between two records of progress.
    private static let progressInterval = Duration.milliseconds(500)

    init(_ transfer: TransferFolder, console: Console) throws(Failure) {
        self.transfer = transfer
        registry = try BackgroundPlace.registry()
        do throws(StorageError) {
            guard let lock = try transfer.lock() else {
                throw StorageError("another process works on '\(transfer.identifier)'")
            }
            self.lock = lock
            writer = try EventWriter(transfer.events)
        } catch {
            throw Failure(.unavailable, error.description)
        }
        do throws(RecordError) {
            description = try transfer.description()
        } catch {
            throw Failure(.configuration, error.description)
        }
        loop = try .forRun()
        context = ClientContext(loop: loop, standardOutput: console.output)
        startedAt = loop.now
    }

    func runToEnd() throws(Failure) -> ExitCode {
        do throws(SystemError) {
            try watchSignals()
            try takeTurns()
            if let source = description.pathSource { try follow(source) }
        } catch {
            throw Failure(.internalError, "cannot watch: \(error)")
        }
        if description.pathSource == nil || pathWatcher?.status != nil { begin() }
        // A transfer that cannot begin is over by now.
        if !isOver {
            try saveIdentity()
            loop.run()
        }
        shutDown()
        return code
    }

    /// Lets other commands find this process.
    private func saveIdentity() throws(Failure) {
        guard let identity = ProcessIdentity.current else { return }
        do throws(StorageError) {
            try transfer.saveWorker(identity)
        } catch {
            throw Failure(.cannotCreate, error.description)
        }
    }

    private func watchSignals() throws(SystemError) {
        watchers.append(
            try SignalWatcher(.terminate, loop: loop) { [weak self] in self?.pause() }
        )
        watchers.append(try SignalWatcher(.user1, loop: loop) { [weak self] in self?.nudge() })
        watchers.append(try SignalWatcher(.hangUp, loop: loop) {})
    }

    /// Only with others that know the same registry.
    private func takeTurns() throws(SystemError) {
        guard description.path.takesTurns else { return }
        turn = try TransferTurn(
            of: transfer,
            following: description.pathSource,
            in: registry,
            on: loop,
            path: { [weak self] in self?.pathWatcher?.status },
            isBusy: { [weak self] in self?.client?.isBusy ?? false }
        ) { [weak self] in
            guard let self, let path else { return }
            client?.pathChanged(path)
        }
    }

    /// The path as the transfer sees it.
    private var path: PathStatus? {
        var path = pathWatcher?.status
        path?.hasTurn = turn?.isHeld ?? true
        return path
    }

    private func follow(_ source: String) throws(SystemError) {
        let watcher = try PathWatcher(source, on: loop) { [weak self] _ in
            guard let self, let path else { return }
            if let client { client.pathChanged(path) } else { begin() }
        } onTrouble: { [weak self] text in
            self?.note("path-unknown", ["text": .string(text)])
        }
        watcher.start()
        pathWatcher = watcher
    }

    private func begin() {
        guard client == nil, !isPaused else { return }
        var source: UploadSource?
        if description.isUpload {
            do throws(StorageError) {
                let file = try UploadSource(description.file)
                if let form = description.form { file.wrap(in: form) }
                source = file
            } catch {
                return fail(error)
            }
        }
        var wanted = description
        if isNudged { wanted.path.isUserInitiated = true }
        let client = ClientTransfer(
            wanted,
            in: context,
            source: source,
            store: transfer.resume
        ) { [weak self] record in self?.take(record) }
        self.client = client
        client.start(
            resuming: (try? transfer.resume.load()) ?? nil,
            path: path
        )
    }

    private func pause() {
        isPaused = true
        if let client { return client.pause() }
        note("paused", ["resumeData": .null, "reason": "partial-file"])
        end()
    }

    private func nudge() {
        isNudged = true
        note("nudged", [:])
        turn?.close()
        turn = nil
        client?.nudge()
    }

    // MARK: Records

    private func take(_ record: TransferRecord) {
        let now = loop.now
        for record in throttle.admit(record, at: now) {
            write(
                RecordText.json(
                    record,
                    isUpload: description.isUpload,
                    milliseconds: UInt64((now - startedAt).wholeMilliseconds)
                )
            )
        }
        switch record {
        case .event(.waiting(let wait)): turn?.begin(wait)
        case .event(.resumed): turn?.resume()
        case .ended(let ending): end(ending)
        default: break
        }
    }

    private func end(_ ending: TransferEnding) {
        switch ending {
        case .finished: code = .success
        case .failed: code = ending.isResumable ? .resumable : .findings
        case .paused: code = .terminated
        }
        end()
    }

    private func fail(_ error: StorageError) {
        note("failed", ["error": .string(error.description), "resumeData": .null])
        code = .findings
        end()
    }

    private func note(_ type: String, _ members: JSONObject) {
        var object: JSONObject = ["t": .string(type)]
        for member in members.members { object.append(member.key, member.value) }
        write(object)
    }

    private func write(_ object: JSONObject) {
        // Without events nobody could follow the transfer, but it can still be done.
        try? writer.write(object)
    }

    /// The last record: nothing follows, whoever reads this has seen everything.
    private func end() {
        guard !isOver else { return }
        isOver = true
        note("all-events-delivered", [:])
        writer.synchronize()
        loop.stop()
    }

    private func shutDown() {
        for watcher in watchers { watcher.close() }
        pathWatcher?.close()
        client = nil
        context.close()
        loop.stop()
        // After the connections: the next one begins now.
        turn?.close()
        for _ in 0..<4 { loop.runOnce() }
        withExtendedLifetime(lock) {}
    }
}
