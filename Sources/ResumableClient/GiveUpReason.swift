package import Basics

/// Why no further attempt is made.
package enum GiveUpReason: Hashable, Sendable {
    /// Repeating cannot help.
    case notRetried(AttemptFailure)
    /// The client was told not to resume by itself.
    case notByItself(AttemptFailure)
    /// So many failures in a row without progress.
    case noProgress(failures: Int, last: AttemptFailure)
    case tooManyAttempts(Int, last: AttemptFailure)
    case deadline(last: AttemptFailure?)
    /// The server asks for a longer wait than is allowed.
    case retryAfterTooLong(Duration)
}
