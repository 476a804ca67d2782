package import Basics

/// What to do after a failed attempt.
package enum RetryDecision: Hashable, Sendable {
    case retry(after: Duration, AttemptFailure)
    case giveUp(GiveUpReason, isResumable: Bool)
    /// No budget is used while the path is not there.
    case waitForPath(PathWait)
}

/// The failures and the progress of one transfer, and the delay they lead to.
///
/// Calls carry the time since the transfer began. Only progress resets the delay: the server
/// confirmed a higher offset, or new verified bytes were stored. A new connection is none.
package struct RetryTracker {
    package let policy: RetryPolicy
    /// Failures in a row without progress.
    package private(set) var failures = 0
    /// Failures since the transfer began.
    package private(set) var totalFailures = 0
    /// Statuses that only this protocol repeats.
    var alsoRetried: [Int] = []

    /// Failures that used no budget; they lengthen the delay like others.
    private var freeFailures = 0
    /// The ordinal of the next backoff draw.
    private var draw: UInt64 = 0
    private let draws: RandomDraws
    private let tokens: RetryTokens

    package init(_ policy: RetryPolicy, draws: RandomDraws, tokens: RetryTokens) {
        self.policy = policy
        self.draws = draws
        self.tokens = tokens
    }

    /// The server confirmed more, or more was stored: the next failure counts as the first.
    package mutating func progressed(authority: String) {
        if failures + freeFailures > 0 { tokens.giveBack(authority) }
        failures = 0
        freeFailures = 0
    }

    /// The transfer is complete.
    package func succeeded(authority: String) { tokens.giveBack(authority) }

    /// What to do after a failure.
    ///
    /// - Parameters:
    ///   - failure: how the attempt failed.
    ///   - retryAfter: what the answer asks for, from its receipt; nil without a valid field.
    ///   - authority: whose tokens are used.
    ///   - elapsed: time since the transfer began.
    ///   - usesBudget: false while a client waits for connectivity and has no word about the path.
    /// - Returns: never `waitForPath`, which is the path's to say.
    package mutating func failed(
        _ failure: AttemptFailure,
        retryAfter: Duration? = nil,
        authority: String,
        elapsed: Duration,
        usesBudget: Bool = true
    ) -> RetryDecision {
        guard isRetried(failure) else {
            return .giveUp(.notRetried(failure), isResumable: failure.leavesResource)
        }
        guard policy.resumesByItself else {
            return .giveUp(.notByItself(failure), isResumable: true)
        }
        if let retryAfter, retryAfter > policy.longestRetryAfter {
            return .giveUp(.retryAfterTooLong(retryAfter), isResumable: true)
        }
        let earlier = failures + freeFailures
        if let reason = count(failure, usesBudget: usesBudget) {
            return .giveUp(reason, isResumable: true)
        }
        let delay = delay(failure, after: earlier, retryAfter: retryAfter, authority: authority)
        if let deadline = policy.deadline, elapsed + delay >= deadline {
            return .giveUp(.deadline(last: failure), isResumable: true)
        }
        return .retry(after: delay, failure)
    }

    /// Whether this failure is one that is repeated at all.
    func isRetried(_ failure: AttemptFailure) -> Bool {
        policy.retries(failure, also: alsoRetried)
    }

    /// Counts an attempt that is repeated at once because the answer says how.
    mutating func countRefusal(_ failure: AttemptFailure) -> GiveUpReason? {
        totalFailures += 1
        return totalFailures >= policy.attempts
            ? .tooManyAttempts(totalFailures, last: failure) : nil
    }

    /// Counts a failure; the reason to give up if the budget is used up.
    private mutating func count(_ failure: AttemptFailure, usesBudget: Bool) -> GiveUpReason? {
        draw += 1
        guard usesBudget else {
            freeFailures += 1
            return nil
        }
        failures += 1
        totalFailures += 1
        if failures >= policy.failuresWithoutProgress {
            return .noProgress(failures: failures, last: failure)
        }
        if totalFailures >= policy.attempts {
            return .tooManyAttempts(totalFailures, last: failure)
        }
        return nil
    }

    private func delay(
        _ failure: AttemptFailure,
        after earlier: Int,
        retryAfter: Duration?,
        authority: String
    ) -> Duration {
        var delay = policy.cap
        if tokens.take(authority) {
            delay = max(
                policy.floor(for: failure, after: earlier),
                drawn(below: policy.bound(after: earlier))
            )
        }
        guard let retryAfter else { return delay }
        let asked = max(retryAfter, .zero)
        return max(delay, asked + drawn(below: policy.spread(of: asked)))
    }

    private func drawn(below bound: Duration) -> Duration {
        draws.duration(below: bound, for: .backoff, at: draw - 1)
    }
}

extension AttemptFailure {
    /// Whether what the server holds is likely still there and the reason may go away.
    fileprivate var leavesResource: Bool {
        switch self {
        case .transport, .contradiction: true
        case .status(401), .status(403), .status(407): true
        case .status(let status): status >= 500
        }
    }
}
