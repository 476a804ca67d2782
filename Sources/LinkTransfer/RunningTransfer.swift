internal import SystemIO

/// A transfer under way.
public final class RunningTransfer: Sendable {
    /// What it tells, to its end.
    ///
    /// For one reader; the oldest events are dropped if nobody reads.
    public let events: AsyncStream<TransferEvent>
    /// How far it is: the latest value, whenever the one reader looks.
    public let progress: AsyncStream<TransferProgress>

    private let thread: LoopThread<LoopTransfers>
    private let eventWriter: AsyncStream<TransferEvent>.Continuation
    private let progressWriter: AsyncStream<TransferProgress>.Continuation
    private let state = Locked(State())

    /// Events that are kept for a slow reader.
    private static let eventLimit = 4_096

    private struct State: Sendable {
        var result: Result<TransferOutcome, TransferError>?
        var waiting: [CheckedContinuation<Result<TransferOutcome, TransferError>, Never>] = []
    }

    init(_ thread: LoopThread<LoopTransfers>) {
        self.thread = thread
        (events, eventWriter) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.eventLimit)
        )
        (progress, progressWriter) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Waits for the end.
    ///
    /// - Returns: what came of it.
    /// - Throws: why it is not done, with resume data if it can go on. Cancelling the task pauses
    ///   the transfer.
    public func outcome() async throws(TransferError) -> TransferOutcome {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state in
                    if state.result == nil { state.waiting.append(continuation) }
                    return state.result
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            pause()
        }
        return try result.get()
    }

    /// Ends it so that it can go on: `outcome` throws an error with resume data.
    public func pause() {
        let name = ObjectIdentifier(self)
        thread.run { $0.pause(name) }
    }

    /// A user asks for it now: refusals of the path are lifted.
    public func nudge() {
        let name = ObjectIdentifier(self)
        thread.run { $0.nudge(name) }
    }

    // MARK: From the loop

    func tell(_ event: TransferEvent) {
        eventWriter.yield(event)
        if case .progress(let progress) = event { progressWriter.yield(progress) }
    }

    /// How far it is, without an event.
    func show(_ progress: TransferProgress) { progressWriter.yield(progress) }

    func end(_ result: Result<TransferOutcome, TransferError>) {
        let waiting = state.withLock { state in
            state.result = result
            defer { state.waiting = [] }
            return state.waiting
        }
        eventWriter.finish()
        progressWriter.finish()
        for continuation in waiting { continuation.resume(returning: result) }
    }
}
