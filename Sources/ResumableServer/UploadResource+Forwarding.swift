internal import HTTPWire

/// The way of a complete upload to another server, which gets one request with all of it.
///
/// That request is not sent a second time where the server may have acted on the first, unless the
/// method or an `Idempotency-Key` says that this does no harm. So its last byte is held back until
/// the record says that it goes out, and the answer is in the record before the client hears it.
extension UploadResource {
    /// Takes note that the other server is about to have the whole request.
    ///
    /// - Returns: the record, to be durable before the last byte leaves.
    package mutating func handsOver() -> UploadRecord {
        record.isForwarded = true
        return record
    }

    /// Takes note that the other server gave no answer.
    ///
    /// If it cannot have acted on the request, or may get it twice, the upload can be completed again:
    /// by the client that hears of the failure or, where none waits, in a while. Else the failure is
    /// the answer, for good.
    package mutating func notForwarded(
        _ failure: ForwardingFailure,
        at now: Int
    ) -> [UploadAction] {
        guard case .finalising(let owner) = phase else { return [] }
        guard !failure.mayHaveArrived || record.origin.isRepeatable else {
            return finalised(unknownOutcome(failure))
        }
        record.isForwarded = false
        phase = .idle
        guard owner != nil || successor != nil else {
            nextForwarding = ForwardingTime(after: nextForwarding, at: now)
            return [.persist(record)]
        }
        nextForwarding = nil
        return leaveToClient(owner, failure)
    }

    private mutating func leaveToClient(
        _ owner: Owner?,
        _ failure: ForwardingFailure
    ) -> [UploadAction] {
        record.state = canBeCompletedAgain ? .active : .invalid
        // A client of tus is done where the offset is the length: the last byte has to come again.
        if record.dialect.isTus, record.offset > 0 { record.offset -= 1 }
        let answers: [UploadAction] =
            owner.map { owner in
                let answer = table.notForwarded(record, failure.document)
                return [.answer(answer, to: owner.exchange)]
            } ?? []
        let removal: [UploadAction] = record.state == .invalid ? [.deleteContent] : []
        return [.persist(record)] + removal + answers + succeed()
    }

    /// Whether the upload is complete, and its target has not got it, and nobody is at it.
    var isUndelivered: Bool { record.state == .finalising && phase == .idle }

    /// Tries again to hand on an upload that no client waits for.
    package mutating func forwardAgain(at now: Int) -> [UploadAction] {
        guard isUndelivered, let next = nextForwarding, now >= next.second else { return [] }
        return takeUpFinalising()
    }

    /// Whether a request of the client can bring the end once more.
    private var canBeCompletedAgain: Bool {
        guard record.dialect.isTus else { return true }
        if case .final = record.origin.concatenation { return false }
        return record.offset > 0
    }

    /// What to say when the server may have acted on the upload, and may not get it again.
    ///
    /// A client of tus makes a new upload of anything but 423.
    private func unknownOutcome(_ failure: ForwardingFailure) -> StoredAnswer {
        var failure = failure
        failure.title += "; whether it has taken the upload is unknown, and it is not sent again"
        if record.dialect.isTus { failure.status = 423 }
        return failure.document
    }

    /// Takes up an upload that was being handed on when the program ended.
    mutating func takeUpForwarded() -> [UploadAction] {
        guard !record.origin.isRepeatable else { return takeUpFinalising() }
        phase = .finalising(nil)
        return notForwarded(
            ForwardingFailure(
                502,
                "the gateway ended before the server had answered",
                mayHaveArrived: true
            ),
            at: now
        )
    }

    /// The answer to a client that asks for an upload which its target did not take: that everything
    /// has come would say to it that all is well.
    func refusalByTarget(of method: String, _ head: RequestHead) -> UploadAnswer? {
        guard case .complete(let stored) = record.state, stored.isRefusal,
            ["HEAD", "GET", "PATCH"].contains(method)
        else { return nil }
        var answer = table.completed(record, stored)
        if method == "HEAD" { answer = answer.withoutBody() }
        answer.needsDrain = !BodyLength(head).isEmpty
        return answer
    }
}

/// When an upload is handed on again: the waits double.
struct ForwardingTime: Hashable, Sendable {
    /// Since 1970.
    let second: Int
    private let wait: Int

    private static let longestWait = 64

    init(after last: ForwardingTime?, at now: Int) {
        wait = last.map { min($0.wait * 2, Self.longestWait) } ?? 1
        second = now + wait
    }
}
