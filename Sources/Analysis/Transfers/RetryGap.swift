package import Basics

/// The time between a failure and the next thing that the client did about it.
package struct RetryGap: Hashable, Sendable {
    package var length: Duration
    package var failure: Attempt.Failure
    /// The attempt that failed, and the one that followed, as places in the transfer's list.
    package var failed: Int
    package var next: Int
    /// Whether the transfer came forward since the gap before.
    package var followsProgress: Bool

    /// The lines of the failure and of what followed.
    package func lines(of transfer: Transfer) -> [Int] {
        [failure.line, transfer.attempts[next].line]
    }
}

extension Transfer {
    /// Runs of gaps without progress between them; gaps that the server asked for are left out.
    package var stretches: [[RetryGap]] {
        var stretches: [[RetryGap]] = []
        for gap in gaps {
            if gap.followsProgress || stretches.isEmpty { stretches.append([]) }
            if !gap.failure.saysWhen { stretches[stretches.count - 1].append(gap) }
        }
        return stretches.filter { !$0.isEmpty }
    }
}

extension Attempt.Failure {
    /// Longer waits are not judged: clients have a limit of their own, and may well.
    static let longestWait = Duration.seconds(86_400)

    /// Whether the server said when to come again; a wait that no client can keep says nothing.
    var saysWhen: Bool {
        retryAfter.map { $0 <= Self.longestWait } ?? isRetryAfterDate
    }
}

extension RetryGap {
    /// The gaps between the attempts of one transfer, which are in the order of their beginning.
    ///
    /// What began before a failure was known, as one of several requests at once, is no answer to it, nor
    /// is a request for another part of the object if the one that failed is asked for later.
    static func between(_ attempts: [Attempt]) -> [RetryGap] {
        var gaps: [RetryGap] = []
        var pending: (failure: Attempt.Failure, place: Int)?
        var hasProgressed = false
        for (place, attempt) in attempts.enumerated() {
            if let (failure, failed) = pending,
                let began = attempt.beginning(after: failure.at),
                attempt.asksFor(attempts[failed])
                    || !attempts[place...].contains(where: { $0.asksFor(attempts[failed]) })
            {
                gaps.append(
                    RetryGap(
                        length: began - failure.at,
                        failure: failure,
                        failed: failed,
                        next: place,
                        followsProgress: hasProgressed
                    )
                )
                pending = nil
                hasProgressed = false
            }
            hasProgressed = hasProgressed || attempt.progressBytes > 0
            if let failure = attempt.failure { pending = (failure, place) }
        }
        return gaps
    }
}

extension Attempt {
    /// Whether it asks for what one that failed was to bring; true if that is not known.
    fileprivate func asksFor(_ failed: Attempt) -> Bool {
        guard carriesData, failed.carriesData else { return true }
        return start == failed.start || start == failed.range.upperBound
    }

    /// What a request takes to follow its connect, if it was to follow at once.
    private static let requestTime = Duration.milliseconds(100)

    /// When it began as an answer to something at `time`: by its connect, or by its request on a
    /// connection that was there; nil if it began before.
    ///
    /// HTTP libraries open a connection in advance, such as undici after an error page that was cut: then it
    /// is the request that counts.
    fileprivate func beginning(after time: Instant) -> Instant? {
        if let connectedAt, connectedAt >= time {
            let isInAdvance = beganAt > connectedAt + Self.requestTime
            return isInAdvance ? beganAt : connectedAt
        }
        return beganAt >= time ? beganAt : nil
    }
}
