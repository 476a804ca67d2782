package import HTTPWire

/// The name that the driver gives to one request on one connection; never used twice.
package struct ExchangeID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}

/// What the driver of an `UploadResource` has to do.
///
/// Actions are carried out in order, each one finished before the next begins: what stands before
/// an answer has happened, and is durable, when the answer leaves.
package enum UploadAction: Hashable, Sendable {
    /// Makes the record durable.
    case persist(UploadRecord)
    /// Sends an interim response.
    case interim(ResponseHead, to: ExchangeID)
    /// Sends the final response; the exchange is over for the resource.
    case answer(UploadAnswer, to: ExchangeID)
    /// Begins, or goes on, to read the body: report `received`, `bodyEnded` or `connectionLost`.
    case read(ExchangeID)
    /// Reads no more of the body; writes under way go on.
    case stopReading(ExchangeID)
    /// Resets the connection and forgets the exchange.
    case reset(ExchangeID)
    /// Writes the first `count` bytes of what `received` just reported; report `wrote`.
    ///
    /// `at` is the place in the upload's file or, if `staged`, in the file for staged bytes, which
    /// is empty at the beginning of each request.
    case store(count: UInt64, at: UInt64, staged: Bool)
    /// Copies all staged bytes into the upload's file; report `stagedStored` or `writeFailed`.
    case storeStaged(count: UInt64, at: UInt64)
    case discardStaged
    /// Computes digests of staged bytes or of the whole upload; report `digests`.
    case computeDigests([DigestAlgorithm], of: DigestScope)
    /// Joins the parts into this upload's file; report `concatenated` or `writeFailed`.
    case concatenate([String])
    /// Hands the complete upload to its target: once in its life, unless the target is another
    /// server that did not get it; report `finalised` or `notForwarded`.
    case finalise
    /// Removes the upload's bytes; the record stays as a memory.
    case deleteContent
}

/// What a digest is of.
package enum DigestScope: Hashable, Sendable {
    case staged(bytes: UInt64)
    case whole(bytes: UInt64)
}

/// Why bytes could not be written.
package enum StoreFailure: Hashable, Sendable {
    case noSpace
    /// Descriptors or memory; later there may be some again.
    case exhausted
    case other
}
