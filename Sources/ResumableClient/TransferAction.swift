package import Basics
package import HTTPWire

/// What the driver of a machine does next, in the order of the list that it was given.
///
/// At most one request is open at a time, and at most one timer runs. `send` follows only when no
/// request is open or after `closeConnection`.
package enum TransferAction: Hashable, Sendable {
    /// Send this request; answer with the machine's calls for its interim and final answers, or
    /// for its failure.
    case send(TransferRequest)
    /// End the open request at once by closing its connection; nothing more is told of it.
    case closeConnection
    /// Call `timerFired` after this time; replaces an earlier wait.
    case wait(Duration)
    /// Nothing is to be done until the path changes.
    case waitForPath(PathWait)

    /// Downloads: cut the partial file to so many bytes.
    case truncate(to: UInt64)
    /// Downloads: write the body of the answer from this offset on, and at most so many bytes;
    /// call `bodyStored` and then `bodyEnded` or `requestFailed`.
    case store(from: UInt64, atMost: UInt64?)
    /// Downloads: read and drop what is left of the answer, or close the connection. The request
    /// is over for the machine.
    case discard
    /// Downloads: compute these digests of the partial file, then call `verified`.
    case verify([DigestCheck])
    /// Downloads: give the partial file its final name; `finished` follows.
    case rename

    /// Tell whoever watches.
    case report(TransferEvent)
    /// The transfer ended well. No call has an effect after this or the next two.
    case finished(TransferResult)
    case failed(TransferFailure)
    case paused(ResumeOutcome)
}

/// What whoever watches a transfer is told; none of it needs an answer.
package enum TransferEvent: Hashable, Sendable {
    /// An interim answer came, also one that the machine acts on.
    case interim(status: Int, fields: HeaderFields)
    case progress(TransferProgress)
    /// Once per wait, when it begins.
    case waiting(PathWait)
    /// A wait ended.
    case resumed
    /// Another attempt follows after this delay.
    case retrying(after: Duration, AttemptFailure)
    /// The transfer begins again from zero.
    case restarted(RestartReason)
    /// Why the machine does what it does, as one sentence.
    case explanation(String)
}

/// Why a transfer began again from zero.
package enum RestartReason: String, Hashable, Sendable, CaseIterable {
    /// The upload resource is gone (404, 410).
    case gone
    /// The request failed and left nothing that could be resumed.
    case notResumable = "not-resumable"
    /// The object on the server is another one now.
    case changed
    /// The answer to a range request cannot be combined with what is stored.
    case range
    /// The partial file is gone.
    case partialFile = "partial-file"
    /// The digest of the whole does not match.
    case digest
}

/// How a transfer ended well.
package struct TransferResult: Hashable, Sendable {
    /// The status of the final answer; nil if it was lost and only the state is known.
    package var status: Int?
    package var fields: HeaderFields
    /// The body of an upload's final answer, as far as the driver kept it.
    package var body: [UInt8]
    /// Bytes of the whole object.
    package var size: UInt64
    /// The upload resource or the URL that answered.
    package var address: HTTPURL
    /// Whether the size was known before the end, or the end was marked in the stream.
    package var isLengthProven: Bool
    /// Whether a digest of the whole was compared and is right.
    package var isDigestVerified: Bool
    /// How often the transfer began again from zero.
    package var restarts: Int
}

/// A digest that the driver computes of a part of the partial file.
package struct DigestCheck: Hashable, Sendable {
    package enum Algorithm: String, Hashable, Sendable {
        case sha256 = "sha-256"
        case sha512 = "sha-512"
    }

    package var algorithm: Algorithm
    package var range: Range<UInt64>
    package var expected: [UInt8]

    package init(algorithm: Algorithm, range: Range<UInt64>, expected: [UInt8]) {
        self.algorithm = algorithm
        self.range = range
        self.expected = expected
    }
}
