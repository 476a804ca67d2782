internal import Basics
internal import HTTPWire
internal import ResumableClient
internal import SystemIO
internal import Transfers

/// A transfer that a worker process does, as one of this client; on the client's thread alone.
final class AttachedTransfer {
    private let transfer: TransferFolder
    private let handle: RunningTransfer
    private let onEnd: () -> Void
    private var follower: EventFollower?

    /// - Parameters:
    ///   - transfer: to follow.
    ///   - handle: to tell.
    ///   - loop: the client's.
    ///   - onEnd: called once, when the worker has ended.
    /// - Throws: if the system has no timer left.
    init(
        _ transfer: TransferFolder,
        _ handle: RunningTransfer,
        on loop: EventLoop,
        onEnd: @escaping () -> Void
    ) throws(SystemError) {
        self.transfer = transfer
        self.handle = handle
        self.onEnd = onEnd
        follower = try EventFollower(transfer, on: loop) { events in
            for case .event(let event)? in events.map(RecordText.record) {
                handle.tell(TransferEvent(event))
            }
        } onEnd: { [weak self] in
            self?.end($0)
        }
    }

    func start() {
        let state = transfer.state
        handle.show(
            TransferProgress(
                step: 0,
                position: state.position,
                acknowledged: state.position,
                expected: state.expected
            )
        )
        follower?.start()
    }

    func pause() { _ = transfer.worker()?.send(.terminate) }

    func nudge() { _ = transfer.worker()?.send(.user1) }

    /// Ends the view.
    func detach() {
        follower?.close()
        handle.end(
            .failure(
                TransferError(.paused, "not attached any more; the transfer may continue by itself")
            )
        )
    }

    private func end(_ state: BackgroundState) {
        handle.end(result(state))
        onEnd()
    }

    private func result(_ state: BackgroundState) -> Result<TransferOutcome, TransferError> {
        let name = transfer.identifier
        switch state.condition {
        case .finished:
            guard let outcome = TransferOutcome(EventReader(transfer.events, from: 0).next()) else {
                return .failure(TransferError(.failed, "the events of '\(name)' cannot be read"))
            }
            return .success(outcome)
        case .paused: return .failure(TransferError(.paused, "paused", resumeData: resumeData))
        case .failed, .resumable, .interrupted, .running, .waiting:
            let reason = state.detail ?? "its process was ended"
            return .failure(
                TransferError(.failed, "'\(name)' failed: \(reason)", resumeData: resumeData)
            )
        }
    }

    private var resumeData: ResumeData? {
        let file = (try? transfer.resume.load()) ?? nil
        return file.map { ResumeData(bytes: $0.bytes) }
    }
}

extension TransferOutcome {
    /// What the events of a finished transfer say, the oldest first; nil if they do not say it.
    fileprivate init?(_ events: [JSONObject]) {
        var statistics = TransferStatistics()
        for record in events.compactMap(RecordText.record) { statistics.add(record) }
        guard let last = events.last(where: { $0["t"] == .string("finished") }),
            let reader = try? ObjectReader(.object(last), "the record"),
            let size = try? reader.number("size", UInt64.self),
            let url = try? reader.text("url"),
            let isLengthProven = try? reader.truth("lengthProven"),
            let isDigestVerified = try? reader.truth("digestVerified"),
            let restarts = try? reader.number("restarts", Int.self)
        else { return nil }
        status = (try? reader.optionalNumber("status", Int.self)) ?? nil
        self.size = size
        self.url = url
        body = []
        self.isLengthProven = isLengthProven
        self.isDigestVerified = isDigestVerified
        self.restarts = restarts
        attempts = statistics.attempts
        repeatedBytes = statistics.repeated
    }
}
