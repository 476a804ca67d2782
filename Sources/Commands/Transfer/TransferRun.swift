internal import Arguments
internal import Basics
internal import ResumableClient
internal import SystemIO
internal import Transfers

/// One run of `download` or `upload`: its transfers, when each begins, and how it ends.
///
/// `TransferOutput` shows them. Everything happens on the loop's thread.
final class TransferRun {
    private let options: TransferOptions
    private let console: Console
    private let loop: EventLoop
    private let context: ClientContext
    private let output: TransferOutput
    private var queue: [Int] = []
    private var running: [Int: ClientTransfer] = [:]
    /// Those of `running` that wait for a path or a time, and so let others go ahead.
    private var waiting = WaitingTransfers<Int>()
    private var savedFiles: [Int: String] = [:]
    private var codes: [ExitCode] = []
    private var watchers: [SignalWatcher] = []
    private var timers: [Timer] = []
    private var pathWatchers: [String: PathWatcher] = [:]
    private var path: [String: PathStatus] = [:]
    private var signal: ExitCode?
    /// The digest of a source, which is computed before its upload begins.
    private var computation: DigestComputation?

    init(_ options: TransferOptions, console: Console) throws(Failure) {
        self.options = options
        self.console = console
        loop = try .forRun()
        context = ClientContext(loop: loop, standardOutput: console.output)
        output = TransferOutput(options, console, loop)
    }

    func runToEnd() throws(Failure) -> ExitCode {
        do throws(Failure) {
            try start()
        } catch {
            shutDown()
            throw error
        }
        if !isDone { loop.run() }
        shutDown()
        console.output.flush(milliseconds: 2_000)
        console.errors.flush(milliseconds: 2_000)
        if console.output.failure?.isClosedPipe == false { return .writeError }
        return signal ?? worst
    }

    /// The exit code that says most: a transfer that cannot be resumed before one that can.
    private var worst: ExitCode {
        let failures = codes.filter { $0 != .success }
        if failures.contains(.findings) { return .findings }
        return failures.first { $0 != .resumable } ?? failures.first ?? .success
    }

    // MARK: Start

    private func start() throws(Failure) {
        queue = Array(options.jobs.indices)
        try watchSignals()
        try startTimers()
        try watchPaths()
        try boundWaits()
        begin()
    }

    private func watchSignals() throws(Failure) {
        watchers += [
            try loop.watch(.interrupt) { [weak self] in self?.stop(.interrupted) },
            try loop.watch(.terminate) { [weak self] in self?.stop(.terminated) },
            try loop.watch(.hangUp) { [weak self] in self?.stop(.terminated) },
        ]
    }

    private func startTimers() throws(Failure) {
        guard let milliseconds = output.intervalMilliseconds else { return }
        do throws(SystemError) {
            let timer = try Timer(loop: loop) { [weak self] in self?.showProgress() }
            timer.start(afterMilliseconds: milliseconds, repeatMilliseconds: milliseconds)
            timers.append(timer)
        } catch {
            throw Failure(.internalError, "cannot start a timer: \(error)")
        }
    }

    /// Follows each source of path status and waits for its first word: before it, nobody can say
    /// whether a byte may be sent.
    private func watchPaths() throws(Failure) {
        for source in Set(options.jobs.compactMap(\.description.pathSource)).sorted() {
            do throws(SystemError) {
                let watcher = try PathWatcher(source, on: loop) { [weak self] status in
                    self?.pathChanged(source, status)
                } onTrouble: { [weak self] text in
                    self?.output.printLine("--path: \(text)")
                }
                pathWatchers[source] = watcher
                watcher.start()
            } catch {
                throw Failure(.internalError, "cannot follow '\(source)': \(error)")
            }
        }
    }

    /// A deadline counts from the start, also while nobody says what the path is like.
    private func boundWaits() throws(Failure) {
        for (index, job) in options.jobs.enumerated() {
            guard let limit = job.description.retry.deadline, job.description.pathSource != nil
            else { continue }
            do throws(SystemError) {
                let timer = try Timer(loop: loop) { [weak self] in self?.deadlinePassed(index) }
                timer.start(afterMilliseconds: limit.milliseconds)
                timers.append(timer)
            } catch {
                throw Failure(.internalError, "cannot start a timer: \(error)")
            }
        }
    }

    private func deadlinePassed(_ index: Int) {
        guard queue.contains(index) else { return }
        queue.removeAll { $0 == index }
        let description = options.jobs[index].description
        console.log(
            "\(CommandSet.program): \(description.file): the deadline has passed without"
                + " a path status from '\(description.pathSource ?? "")'"
        )
        codes.append(.findings)
        begin()
    }

    private func pathChanged(_ source: String, _ status: PathStatus) {
        path[source] = status
        waiting.pathChanged()
        for index in running.keys.sorted()
        where options.jobs[index].description.pathSource == source && !waiting.contains(index) {
            running[index]?.pathChanged(status)
        }
        begin()
    }

    /// Tells those that wait of the path: as many as there is room for, what a user waits for first,
    /// then the smallest.
    private func inform() {
        let now = WallClock.secondsSince1970
        for (source, status) in path {
            let told = waiting.informed(
                of: status,
                room: options.parallel - activeCount,
                among: running.keys.sorted().filter {
                    options.jobs[$0].description.pathSource == source
                }
            ) { index in
                let description = options.jobs[index].description
                return (description.notBefore ?? now) <= now ? description.path : nil
            }
            for index in told { running[index]?.pathChanged(status) }
        }
    }

    // MARK: Transfers

    /// Transfers that do not wait for a path or a time: the others let the next ones go ahead.
    private var activeCount: Int { running.count - waiting.count }

    private var isDone: Bool { queue.isEmpty && running.isEmpty && computation == nil }

    /// Begins as many as may run at once, in the order in which they may begin.
    private func begin() {
        if signal == nil { inform() }
        while signal == nil, activeCount < options.parallel, let index = next() {
            queue.removeAll { $0 == index }
            begin(index)
        }
        if isDone { loop.stop() }
    }

    private func next() -> Int? {
        let ready = queue.filter { index in
            options.jobs[index].description.pathSource.map { path[$0] != nil } ?? true
        }
        let policies = ready.map { options.jobs[$0].description.path }
        let now = loop.now - .start
        // One that has to wait is begun all the same: it says that it waits.
        let order = StartOrder.order(policies, path: nil, at: now)
        return order.first.map { ready[$0] } ?? ready.first
    }

    private func begin(_ index: Int) {
        let job = options.jobs[index]
        if let notice = job.notice { output.printLine(notice) }
        guard job.description.isUpload else {
            return start(index, job.description, source: nil)
        }
        do throws(StorageError) {
            let source = try openSource(job.description.file)
            if let form = job.description.form { source.wrap(in: form) }
            digest(source, for: job) { [weak self] description in
                self?.start(index, description, source: source)
            }
        } catch {
            console.report(Failure(.inputMissing, error.description))
            codes.append(.inputMissing)
            begin()
        }
    }

    /// Standard input is written to a file first: an upload reads its source again.
    private func openSource(_ file: String) throws(StorageError) -> UploadSource {
        guard file == "-" else { return try UploadSource(file) }
        let folder = CurrentProcess.environment("TMPDIR") ?? "/tmp"
        return try UploadSource(spoolingStandardInputTo: folder)
    }

    /// Computes the digest of the source if it is wanted or has to be compared.
    private func digest(
        _ source: UploadSource,
        for job: TransferOptions.Job,
        then go: @escaping (TransferDescription) -> Void
    ) {
        var description = job.description
        guard options.wantsDigest || description.sha256 != nil else { return go(description) }
        computation = DigestComputation(
            .sha256,
            of: 0..<source.identity.size,
            on: loop,
            reading: { source.read(into: $0, from: 0, limit: $1, at: $2) }
        ) { [weak self] value in
            guard let self else { return }
            computation = nil
            guard let value, description.sha256 == nil || description.sha256 == value else {
                console.report(
                    Failure(.findings, "'\(source.path)' does not have the digest of --sha256")
                )
                codes.append(.findings)
                return begin()
            }
            source.remember(digest: value)
            description.sha256 = value
            go(description)
        }
    }

    private func start(_ index: Int, _ description: TransferDescription, source: UploadSource?) {
        let job = options.jobs[index]
        let transfer = ClientTransfer(
            description,
            in: context,
            ordinal: UInt64(index),
            source: source,
            store: job.store
        ) { [weak self] record in
            self?.record(record, of: index)
        }
        running[index] = transfer
        transfer.start(
            resuming: job.resume,
            path: description.pathSource.flatMap { path[$0] },
            overwritesPartial: job.overwritesPartial
        )
    }

    private func stop(_ code: ExitCode) {
        guard signal == nil else {
            // A second signal ends at once.
            loop.stop()
            return
        }
        signal = code
        queue.removeAll()
        computation?.cancel()
        computation = nil
        if running.isEmpty { loop.stop() }
        for index in running.keys.sorted() { running[index]?.pause() }
    }

    // MARK: What they tell

    private func record(_ record: TransferRecord, of index: Int) {
        output.record(record, of: index)
        switch record {
        case .saved(let file): savedFiles[index] = file
        case .ended(let ending): ended(ending, index)
        case .event(.waiting):
            waiting.insert(index)
            context.later { [weak self] in self?.begin() }
        case .event(.resumed): waiting.remove(index)
        default: break
        }
    }

    private func showProgress() { output.showProgress(of: running.keys.sorted()) }

    private func ended(_ ending: TransferEnding, _ index: Int) {
        codes.append(output.end(ending, of: index, resumeFile: savedFiles[index]))
        writeResponse(ending)
        loop.runLater(
            Closing { [weak self] in
                guard let self else { return }
                running[index] = nil
                waiting.remove(index)
                begin()
            }
        )
    }

    /// Runs once, after the transfer's own work.
    private final class Closing: ReadinessHandler {
        private let action: () -> Void

        init(_ action: @escaping () -> Void) { self.action = action }

        func ready(_ readiness: Readiness, tag: UInt32) { action() }
    }

    private func writeResponse(_ ending: TransferEnding) {
        guard let file = options.responseFile, case .finished(let result) = ending else { return }
        do throws(SystemError) {
            if file == "-" {
                try console.output.writeAll(result.body)
            } else {
                try FileSystem.replace(file, with: result.body)
            }
        } catch {
            console.report(Failure(.cannotCreate, "--response \(file): \(error)"))
            codes.append(.cannotCreate)
        }
    }

    // MARK: End

    private func shutDown() {
        output.close()
        computation?.cancel()
        for timer in timers { timer.close() }
        for watcher in watchers { watcher.close() }
        for source in pathWatchers.keys.sorted() { pathWatchers[source]?.close() }
        running.removeAll()
        context.close()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }
}
