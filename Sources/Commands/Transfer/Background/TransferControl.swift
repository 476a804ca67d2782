internal import Libuv
internal import Transfer

/// `pause`, `resume` and `nudge`: what can be done to a background transfer from outside.
struct SteeringCommand {
    let console: Console

    /// How long a worker may take to write its resume data.
    private static let pauseMilliseconds: UInt64 = 30_000

    func pause(_ identifier: String) throws(Failure) -> ExitCode {
        let transfer = try BackgroundPlace.transfer(identifier)
        guard let worker = transfer.worker() else {
            throw Failure(
                .unavailable,
                "'\(identifier)' is not running: it is \(BackgroundPlace.state(transfer).condition)"
            )
        }
        guard worker.send(.terminate) else {
            throw Failure(.unavailable, "the worker of '\(identifier)' cannot be reached")
        }
        guard try waits({ !worker.isAlive }) else {
            throw Failure(.unavailable, "the worker of '\(identifier)' did not stop")
        }
        let state = BackgroundPlace.state(transfer)
        let file = transfer.resume.place.path
        switch state.condition {
        case .finished: try console.write(["\(identifier) is finished"])
        case .paused where state.detail == nil:
            try console.write(["\(identifier) is paused; its resume data are in \(file)"])
        default: try console.write(["\(identifier) is \(state.condition); it begins at zero again"])
        }
        return .success
    }

    /// Goes on with a transfer by its name, or with the resume data in a file.
    func resume(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let name = invocation.operands[0]
        guard try BackgroundPlace.registry().transfer(name) == nil, FileSystem.isFile(name) else {
            return try resume(try BackgroundPlace.transfer(name))
        }
        let isUpload: Bool
        do throws(RecordError) {
            guard let place = FilePlace(name), let file = try ResumeStore(place).load() else {
                throw RecordError("is gone")
            }
            isUpload = file.description.isUpload
        } catch {
            throw Failure(.configuration, diagnostics: ["\(name): error: \(error)"])
        }
        let command = isUpload ? "upload" : "download"
        let words = [command, "--resume", name]
        let parsed = try ArgumentParser.parse(words) { _ in nil }
        let transfers = TransferCommand(console: console)
        return isUpload ? try transfers.upload(parsed) : try transfers.download(parsed)
    }

    private func resume(_ transfer: TransferFolder) throws(Failure) -> ExitCode {
        let state = BackgroundPlace.state(transfer)
        guard state.canResume else {
            throw Failure(.usage, "'\(transfer.identifier)' is \(state.condition)")
        }
        return try BackgroundStart(console: console).launch(transfer)
    }

    /// Says that a user asks for the transfer now.
    func nudge(_ identifier: String) throws(Failure) -> ExitCode {
        let transfer = try BackgroundPlace.transfer(identifier)
        if let worker = transfer.worker() {
            guard worker.send(.user1) else {
                throw Failure(.unavailable, "the worker of '\(identifier)' cannot be reached")
            }
            try console.write(["\(identifier) goes on whatever the path costs"])
            return .success
        }
        throw Failure(
            .unavailable,
            "'\(identifier)' is not running; first: linkcond resume \(identifier)"
        )
    }

    private func waits(_ isDone: @escaping () -> Bool) throws(Failure) -> Bool {
        do throws(SystemError) {
            let loop = try EventLoop()
            let end = loop.nowNanoseconds + Self.pauseMilliseconds * 1_000_000
            let timer = try Timer(loop: loop) {}
            timer.start(afterMilliseconds: 5, repeatMilliseconds: 5)
            var isOver = isDone()
            while !isOver, loop.nowNanoseconds < end {
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
