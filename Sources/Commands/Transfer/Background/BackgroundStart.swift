internal import Arguments
internal import Basics
internal import SystemIO
internal import Transfers

/// Hands a transfer to a process of its own.
struct BackgroundStart {
    let console: Console

    /// How long a worker may take to begin.
    private static let startMilliseconds: UInt64 = 10_000

    /// `--background`: makes the transfer and starts its worker.
    func start(_ job: TransferOptions.Job, identifier: String?) throws(Failure) -> ExitCode {
        let description = try absolute(job.description)
        let registry = try BackgroundPlace.registry()
        let name = identifier ?? TransferRegistry.freshIdentifier()
        guard TransferRegistry.isIdentifier(name) else {
            throw Failure(
                .usage,
                "--id '\(name)': letters, digits, '.', '_' and '-', at most"
                    + " \(TransferRegistry.identifierLimit)"
            )
        }
        if let old = registry.transfer(name) { try replace(old, in: registry) }
        let transfer: TransferFolder
        do throws(StorageError) {
            transfer = try registry.make(name)
            try transfer.save(description)
            if let resume = job.resume { try transfer.resume.save(resume, durably: true) }
        } catch {
            throw Failure(.cannotCreate, error.description)
        }
        return try launch(transfer)
    }

    /// The files by names that do not depend on the working folder; standard streams are refused.
    private func absolute(
        _ description: TransferDescription
    ) throws(Failure) -> TransferDescription {
        guard description.file != "-" else {
            throw Failure(
                .usage,
                description.isUpload
                    ? "--background sends a file, not standard input"
                    : "--background writes to a file, not to standard output"
            )
        }
        var absolute = description
        absolute.file = FileNames.absolute(description.file)
        return absolute
    }

    /// A name can be used again once its transfer is over.
    private func replace(
        _ old: TransferFolder,
        in registry: TransferRegistry
    ) throws(Failure) {
        let name = old.identifier
        switch old.state.condition {
        case .running, .waiting:
            throw Failure(
                .usage,
                "--id \(name): this transfer is running; follow it: linkcond transfers attach \(name)"
            )
        case .paused, .resumable, .interrupted:
            throw Failure(
                .usage,
                "--id \(name): this transfer can be resumed: linkcond transfers resume \(name);"
                    + " or forgotten: linkcond transfers remove \(name)"
            )
        case .finished, .failed:
            do throws(StorageError) {
                try registry.remove(old)
            } catch {
                throw Failure(.cannotCreate, error.description)
            }
        }
    }

    /// Starts a worker and waits until it has taken the transfer.
    func launch(_ transfer: TransferFolder) throws(Failure) -> ExitCode {
        let loop: EventLoop
        var settings = ChildProcess.Settings(
            Platform.program ?? "linkcond",
            ["transfers", "run", transfer.identifier]
        )
        settings.folder = "/"
        settings.input = .none
        settings.output = .file(transfer.log.path)
        settings.error = .file(transfer.log.path)
        settings.isDetached = true
        do throws(SystemError) {
            loop = try EventLoop()
            try wait(for: try ChildProcess(settings, on: loop), transfer, loop)
        } catch {
            throw Failure(.internalError, "cannot start the worker: \(error)")
        }
        if let worker = transfer.worker() {
            try console.write(["\(transfer.identifier) runs in process \(worker.number)"])
            return .success
        }
        return try reportEnd(of: transfer)
    }

    /// The worker is gone already.
    private func reportEnd(of transfer: TransferFolder) throws(Failure) -> ExitCode {
        let state = transfer.state
        switch (state.condition, state.detail) {
        case (.finished, _):
            try console.write(["\(transfer.identifier) finished"])
            return .success
        case (.failed, let reason?), (.resumable, let reason?):
            let code: ExitCode = state.condition == .failed ? .findings : .resumable
            throw Failure(code, "'\(transfer.identifier)' failed: \(reason)")
        default:
            throw Failure(
                .internalError,
                "the worker of '\(transfer.identifier)' did not begin; see \(transfer.log.path)"
            )
        }
    }

    private func wait(
        for child: ChildProcess,
        _ transfer: TransferFolder,
        _ loop: EventLoop
    ) throws(SystemError) {
        var isDone = false
        let end = loop.now + .milliseconds(clamping: Self.startMilliseconds)
        let timer = try Timer(loop: loop) {
            let hasBegun = transfer.worker()?.number == child.number
            isDone = hasBegun || !child.isRunning || loop.now > end
        }
        timer.start(afterMilliseconds: 5, repeatMilliseconds: 5)
        while !isDone { loop.runOnce() }
        timer.close()
        child.close()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }
}
