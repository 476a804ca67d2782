internal import Basics

/// How a transfer ended without success, and whether it can be resumed.
package struct TransferFailure: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case gaveUp(GiveUpReason)
        /// The server broke the protocol in a way that leaves no safe way on.
        case violation(String)
        /// A redirect that is not followed.
        case redirect(String)
        /// The upload resource is gone again after a restart.
        case gone
        /// A limit of the server forbids this transfer.
        case limit(String)
        /// The server does not offer what is needed.
        case notSupported(String)
        /// The content came in this coding, though it was asked for without any.
        case coded(String)
        case digestMismatch
        /// The object cannot be combined with what is stored, again after a restart.
        case cannotCombine(String)
        /// The path was refused and there is nothing to resume from.
        case path(PathWait)
        /// The driver could not use a file, with what it could not do.
        case storage(String, FileProblem)
        case cancelled
    }

    package var reason: Reason
    package var resume: ResumeOutcome

    /// Whether there never was a connection to the server in the end.
    package var isUnavailable: Bool {
        guard case .gaveUp(let reason) = reason, case .transport(let last)? = reason.last else {
            return false
        }
        return last.isConnect
    }

    package init(reason: Reason, resume: ResumeOutcome) {
        self.reason = reason
        self.resume = resume
    }
}

/// What could not be done with a local file.
package enum FileProblem: Hashable, Sendable {
    case cannotCreate
    case cannotWrite
    case cannotRead
    /// What was written already cannot be replaced, as on standard output.
    case cannotRestart
}

/// What a transfer leaves to continue from.
package enum ResumeOutcome: Hashable, Sendable {
    case data(ResumeData)
    case none(NotResumable)

    package var data: ResumeData? {
        guard case .data(let data) = self else { return nil }
        return data
    }
}

/// Why there are no resume data; the raw values appear in records.
package enum NotResumable: String, Hashable, Sendable, CaseIterable {
    /// The request is none that can be resumed: a plain upload.
    case method
    /// The server does not advertise ranges.
    case ranges
    /// There is no validator that proves the object unchanged.
    case validator
    /// There is no partial file.
    case partialFile = "partial-file"
    /// The server has not named an upload resource.
    case uploadURL = "upload-url"
    /// The reason of the failure will not go away.
    case final
}

extension TransferFailure: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .gaveUp(let reason): reason.description
        case .violation(let text): "the server broke the protocol: \(text)"
        case .redirect(let text): "a redirect is not followed: \(text)"
        case .gone: "the upload is gone from the server, again after a restart"
        case .limit(let text): "a limit of the server forbids this: \(text)"
        case .notSupported(let text): "the server does not support this: \(text)"
        case .coded(let coding):
            "the server sends the content coded (\(coding)), though it was asked for as it is"
        case .digestMismatch: "the digest of the whole is not the expected one"
        case .cannotCombine(let text): "the answer does not continue what is stored: \(text)"
        case .path(let wait): "the path is refused (\(wait.rawValue)) and nothing can be resumed"
        case .storage(let text, _): text
        case .cancelled: "cancelled"
        }
    }
}

extension GiveUpReason {
    /// The failure of the last attempt, if there was one.
    fileprivate var last: AttemptFailure? {
        switch self {
        case .notRetried(let last), .notByItself(let last), .noProgress(_, let last),
            .tooManyAttempts(_, let last):
            last
        case .deadline(let last): last
        case .retryAfterTooLong: nil
        }
    }
}

extension GiveUpReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notRetried(let failure), .notByItself(let failure): failure.description
        case .noProgress(let failures, let last):
            failures == 1
                ? "1 failure, and no more were allowed: \(last)"
                : "\(failures) failures in a row without progress; the last: \(last)"
        case .tooManyAttempts(let count, let last):
            count == 1
                ? "1 failed attempt, and no more were allowed: \(last)"
                : "\(count) failed attempts; the last: \(last)"
        case .deadline(let last?): "the deadline leaves no time for another attempt; \(last)"
        case .deadline(nil): "the deadline has passed"
        case .retryAfterTooLong(let time):
            "the server asks to come back after \(time.nanoseconds / 1_000_000_000) s, longer than allowed"
        }
    }
}
