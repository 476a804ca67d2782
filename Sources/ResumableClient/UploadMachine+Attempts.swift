internal import Basics
internal import HTTPWire

/// What follows from failures: another attempt, a fresh start, or the end.
extension UploadMachine {
    /// An attempt failed in a way that may pass.
    mutating func failed(
        _ failure: AttemptFailure,
        _ exchange: UploadExchange,
        didSend: Bool = true,
        retryAfter: Duration?,
        at now: Duration
    ) -> [TransferAction] {
        switch exchange.step {
        case .cancel(let failure):
            isEnded = true
            return [.failed(failure)]
        case .fetchAnswer:
            return finish(nil)
        case .discover, .create, .ask, .append: break
        }
        guard let next = next(after: exchange, didSend: didSend) else {
            return stop(failure)
        }
        return attempt(next, after: failure, retryAfter: retryAfter, at: now)
    }

    /// Waits as the policy says and takes the step, or gives up.
    private mutating func attempt(
        _ next: NextAttempt,
        after failure: AttemptFailure,
        retryAfter: Duration?,
        at now: Duration
    ) -> [TransferAction] {
        let paced = pacing.failed(
            failure,
            retryAfter: retryAfter,
            authority: authority,
            next: next.step,
            at: now
        )
        switch paced {
        case .failure(let end):
            return fail(.gaveUp(end.reason), isResumable: end.isResumable)
        case .success(let turn):
            let restart = next.isRestart ? restart(.notResumable) : []
            return restart + open(turn, at: now)
        }
    }

    /// The step after a failed one; nil if nothing may be repeated.
    private func next(after exchange: UploadExchange, didSend: Bool) -> NextAttempt? {
        switch exchange.step {
        case .discover: return NextAttempt(step: .discover)
        case .create:
            if resource != nil { return NextAttempt(step: .ask) }
            if !didSend { return NextAttempt(step: .create) }
            return pacing.retry.policy.restartsFromZero
                ? NextAttempt(step: .create, isRestart: true) : nil
        case .ask, .append, .fetchAnswer, .cancel: return NextAttempt(step: .ask)
        }
    }

    /// The step that replaces an open request without losing or repeating anything; nil if there is
    /// none: the server may have what a creation carried, and nobody could ask for it.
    func withdrawal(of exchange: UploadExchange) -> UploadStep? {
        if case .cancel = exchange.step { return nil }
        guard let next = next(after: exchange, didSend: exchange.sent > 0), !next.isRestart else {
            return nil
        }
        return next.step
    }

    /// Ends after a failure that leaves nothing to resume.
    private mutating func stop(_ failure: AttemptFailure) -> [TransferAction] {
        fail(.gaveUp(.notRetried(failure)), isResumable: true)
    }

    /// Forgets the resource, so that the next creation begins with nothing.
    mutating func restart(_ reason: RestartReason) -> [TransferAction] {
        resource = nil
        acknowledged = 0
        limits = AnnouncedLimits()
        refusedOffset = nil
        badChecksum = nil
        restarts += 1
        return [.report(.restarted(reason))] + report(step: 0, position: 0)
    }

    /// The resource is gone: begins again, but only once.
    mutating func gone(at now: Duration) -> [TransferAction] {
        guard !wasGone else { return fail(.gone, isResumable: false) }
        wasGone = true
        return restart(.gone) + begin(.create, at: now)
    }

    /// The path must be left in the middle of a request, which is no failure.
    mutating func leavePath(_ wait: PathWait, _ exchange: UploadExchange, at now: Duration)
        -> [TransferAction]
    {
        if case .fetchAnswer = exchange.step { return finish(nil) }
        guard let next = next(after: exchange, didSend: true) else {
            return fail(.path(wait), isResumable: true)
        }
        let restart = next.isRestart ? restart(.notResumable) : []
        return restart + begin(next.step, at: now)
    }

    /// Gives up for good: the server may forget what it has, and is told so once.
    mutating func abandon(_ reason: TransferFailure.Reason) -> [TransferAction] {
        let failure = TransferFailure(reason: reason, resume: .none(.final))
        let canDelete = dialect != .tus || tusExtensions.contains("termination")
        if resource == nil || !canDelete || dialect == .plain || pacing.refusal != nil {
            isEnded = true
            return [.failed(failure)]
        }
        return [.explain("telling the server to forget the upload")] + send(.cancel(failure))
    }

    /// The server confirmed this offset; only a higher one is progress.
    mutating func confirm(_ offset: UInt64) -> [TransferAction] {
        guard offset > acknowledged else { return [] }
        acknowledged = offset
        pacing.retry.progressed(authority: authority)
        return report(step: 0, position: max(progress.position, offset))
    }

    /// The server has everything and says so.
    mutating func finish(_ reply: UploadReply?) -> [TransferAction] {
        var isVerified = false
        if let expected = plan.sha256, let sha256 = reply?.sha256 {
            guard sha256 == expected else { return fail(.digestMismatch, isResumable: false) }
            isVerified = true
        }
        isEnded = true
        acknowledged = plan.length
        pacing.retry.succeeded(authority: authority)
        let result = TransferResult(
            status: reply?.status,
            fields: reply?.fields ?? [:],
            body: reply?.body ?? [],
            size: plan.length,
            address: resource ?? target,
            isLengthProven: true,
            isDigestVerified: isVerified,
            restarts: restarts
        )
        return report(step: 0, position: plan.length) + [.finished(result)]
    }
}

/// A step to take again, and whether that means to begin from zero.
private struct NextAttempt {
    var step: UploadStep
    var isRestart = false
}
