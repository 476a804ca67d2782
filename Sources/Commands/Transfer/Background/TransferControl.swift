internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO
internal import Transfers

/// `transfers pause` and `transfers resume`.
struct TransferControl {
    let console: Console

    /// How long a worker may take to write its resume data.
    private static let pauseMilliseconds: UInt64 = 30_000

    func pause(_ identifier: String) throws(Failure) -> ExitCode {
        let transfer = try BackgroundPlace.transfer(identifier)
        guard let worker = transfer.worker() else {
            throw Failure(
                .unavailable,
                "'\(identifier)' is not running: it is \(transfer.state.condition)"
            )
        }
        guard worker.send(.terminate) else {
            throw Failure(.unavailable, "cannot signal the worker of '\(identifier)'")
        }
        guard try waits({ !worker.isAlive }) else {
            throw Failure(.unavailable, "the worker of '\(identifier)' did not stop within 30 s")
        }
        let state = transfer.state
        let file = transfer.resume.place.path
        switch state.condition {
        case .finished: try console.write(["\(identifier) is finished"])
        case .paused where state.detail == nil:
            try console.write(["\(identifier) is paused; its resume data are in \(file)"])
        default:
            try console.write(["\(identifier) is \(state.condition); it will restart from zero"])
        }
        return .success
    }

    /// Continues the transfer of this name, or the one whose resume data a file holds.
    func resume(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let name = invocation.operands[0]
        if invocation.has("explain") { return try explain(name) }
        let isUrgent = invocation.has("now")
        guard try BackgroundPlace.registry().transfer(name) == nil, FileSystem.isFile(name) else {
            return try resume(try BackgroundPlace.transfer(name), isUrgent: isUrgent)
        }
        return try resume(fileOfData: name, isUrgent: isUrgent)
    }

    /// Says what would be done, and does nothing.
    private func explain(_ name: String) throws(Failure) -> ExitCode {
        let file: String
        if let transfer = try BackgroundPlace.registry().transfer(name) {
            file = transfer.resume.place.path
        } else {
            guard FileSystem.isFile(name) else {
                throw Failure(
                    .inputMissing,
                    "'\(name)' is neither a transfer, as `linkcond transfers` lists them, nor a file"
                )
            }
            file = name
        }
        let explanation = ResumeExplanation(try data(in: file))
        try console.write(explanation.lines)
        return explanation.obstacle == nil ? .success : .findings
    }

    private func data(in path: String) throws(Failure) -> ResumeFile {
        do throws(RecordError) {
            guard let place = FilePlace(path), let file = try ResumeStore(place).load() else {
                throw RecordError("there are no resume data: the transfer begins at zero")
            }
            return file
        } catch {
            throw Failure(.configuration, diagnostics: ["\(path): error: \(error)"])
        }
    }

    private func resume(fileOfData path: String, isUrgent: Bool) throws(Failure) -> ExitCode {
        let isUpload = try data(in: path).description.isUpload
        let command = isUpload ? "upload" : "download"
        let words = [command, "--resume", path] + (isUrgent ? ["--user-initiated"] : [])
        let parsed = try ArgumentParser.parse(words) { _ in nil }
        let transfers = TransferCommand(console: console)
        return isUpload ? try transfers.upload(parsed) : try transfers.download(parsed)
    }

    private func resume(
        _ transfer: TransferFolder,
        isUrgent: Bool
    ) throws(Failure) -> ExitCode {
        if isUrgent, let worker = transfer.worker() {
            return try hurry(transfer.identifier, worker)
        }
        let state = transfer.state
        guard state.canResume else {
            throw Failure(.usage, "'\(transfer.identifier)' is \(state.condition)")
        }
        let code = try BackgroundStart(console: console).launch(transfer)
        guard isUrgent, let worker = transfer.worker() else { return code }
        return try hurry(transfer.identifier, worker)
    }

    /// Lets a worker use any path.
    private func hurry(
        _ identifier: String,
        _ worker: ProcessIdentity
    ) throws(Failure) -> ExitCode {
        guard worker.send(.user1) else {
            throw Failure(.unavailable, "cannot signal the worker of '\(identifier)'")
        }
        try console.write(["\(identifier) continues on any path"])
        return .success
    }

    private func waits(_ isDone: @escaping () -> Bool) throws(Failure) -> Bool {
        do throws(SystemError) {
            let loop = try EventLoop()
            let end = loop.now + .milliseconds(clamping: Self.pauseMilliseconds)
            let timer = try Timer(loop: loop) {}
            timer.start(afterMilliseconds: 5, repeatMilliseconds: 5)
            var isOver = isDone()
            while !isOver, loop.now < end {
                loop.runOnce()
                isOver = isDone()
            }
            timer.close()
            loop.stop()
            for _ in 0..<4 { loop.runOnce() }
            return isOver
        } catch {
            throw Failure(.internalError, "cannot wait: \(error)")
        }
    }
}
