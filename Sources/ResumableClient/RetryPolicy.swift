package import Basics

/// How a client repeats what failed: full jitter below a doubling bound, within a budget.
package struct RetryPolicy: Hashable, Sendable {
    /// The bound of the first delay; it doubles with each failure in a row.
    package var base: Duration
    /// The bound never passes this.
    package var cap: Duration
    /// The least delay after an HTTP status, and after the second failure to connect in a row.
    package var floor: Duration = .milliseconds(100)
    /// After so many failures in a row without progress the transfer gives up.
    package var failuresWithoutProgress: Int
    /// After so many failures in total the transfer gives up.
    package var attempts: Int
    /// From the start of the transfer; nil for none.
    package var deadline: Duration?
    /// A longer `Retry-After` ends the transfer.
    package var longestRetryAfter: Duration
    /// False: the first failure ends the transfer, with resume data if there are any.
    package var resumesByItself = true
    /// A transfer that cannot be resumed begins again from zero by itself.
    package var restartsFromZero: Bool
    /// No 4xx is repeated, as -01 to -05 of the upload draft have it.
    package var strictClientErrors = false
    /// How long a connection may take to come about.
    package var connectTimeout: Duration = .seconds(10)
    /// How long a connection may stay without a byte either way.
    package var idleTimeout: Duration

    /// For a person who waits.
    package static let foreground = RetryPolicy(
        base: .milliseconds(500),
        cap: .seconds(30),
        failuresWithoutProgress: 8,
        attempts: 100,
        longestRetryAfter: .seconds(5 * 60),
        restartsFromZero: false,
        idleTimeout: .seconds(30)
    )

    /// For a transfer that nobody watches.
    package static let background = RetryPolicy(
        base: .seconds(5),
        cap: .seconds(15 * 60),
        failuresWithoutProgress: 100,
        attempts: 1_000,
        longestRetryAfter: .seconds(24 * 60 * 60),
        restartsFromZero: true,
        idleTimeout: .seconds(60)
    )

    /// Whether a failed attempt is followed by another.
    ///
    /// - Parameters:
    ///   - failure: how it failed.
    ///   - statuses: that only some protocols repeat: 423, and 460 of tus.
    /// - Returns: false if repeating cannot help.
    package func retries(_ failure: AttemptFailure, also statuses: [Int] = []) -> Bool {
        switch failure {
        case .transport(.malformed), .transport(.untrusted): false
        case .transport, .contradiction: true
        case .status(500), .status(502), .status(503), .status(504): true
        case .status(408), .status(425), .status(429): !strictClientErrors
        case .status(let status): statuses.contains(status) && !strictClientErrors
        }
    }

    /// The bound of the delay after `failures` earlier ones in a row: min(cap, base × 2^failures).
    package func bound(after failures: Int) -> Duration {
        var bound = base
        var left = failures
        while left > 0, bound < cap {
            bound = bound > cap / 2 ? cap : bound * 2
            left -= 1
        }
        return min(bound, cap)
    }

    /// The least delay after this failure, `failures` earlier ones in a row.
    package func floor(for failure: AttemptFailure, after failures: Int) -> Duration {
        if case .transport = failure, failures == 0 { return .zero }
        return floor
    }

    /// What is added to a `Retry-After` at most: so that all clients do not come back at once.
    package func spread(of retryAfter: Duration) -> Duration {
        min(.seconds(1) + retryAfter / 10, cap)
    }
}
