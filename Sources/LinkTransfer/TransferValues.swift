/// The progress of a transfer, in bytes.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes moved since the previous report.
    public var step: UInt64
    /// Bytes of the object sent (upload) or stored (download).
    public var position: UInt64
    /// Uploads: bytes that the server acknowledged; never decreases.
    public var acknowledged: UInt64
    /// The size of the complete object, also after a resume; nil if unknown.
    public var expected: UInt64?
}

/// Something that happened in a running transfer.
public enum TransferEvent: Hashable, Sendable {
    /// Bytes moved.
    case progress(TransferProgress)
    /// An interim response (1xx) arrived.
    case interim(status: Int, fields: [TransferOptions.Field])
    /// A wait began; reported once for each.
    case waiting(WaitReason)
    /// A wait ended, and the transfer continues.
    case resumed
    /// An attempt failed; the next one follows after a delay.
    case retrying(after: Duration, reason: String)
    /// The transfer starts over at byte 0.
    case restarted(reason: String)
    /// The reason for a request, a wait or a restart, in words.
    case explanation(String)
}

/// What a transfer waits for.
public enum WaitReason: String, Hashable, Sendable, CaseIterable {
    /// A network path; see ``PathOptions/waitsForConnectivity``.
    case unsatisfied
    /// A path on which the user does not save data.
    case constrained
    /// A path that costs nothing.
    case expensive
    /// A free path, and power; see ``PathOptions/isDiscretionary``.
    case discretionary
    /// Its turn among the discretionary transfers in the background.
    case turn
    /// The time of ``PathOptions/earliestBegin``.
    case earliestBegin = "earliest-begin"
}

/// The result of a complete transfer.
public struct TransferOutcome: Hashable, Sendable {
    /// The status of the final response; nil if it was lost and only the server's state is known.
    public var status: Int?
    /// The size of the object in bytes.
    public var size: UInt64
    /// The URL that responded, or the upload's own.
    public var url: String
    /// The beginning of the body of an upload's final response.
    public var body: [UInt8]
    /// Whether the length was declared, or the end marked, by the server.
    public var isLengthProven: Bool
    /// Whether a digest of the complete object was verified.
    public var isDigestVerified: Bool
    /// How often the transfer started over at byte 0.
    public var restarts: Int
    /// The number of requests for the object or with bytes of it.
    public var attempts: Int
    /// Bytes that were transferred more than once.
    public var repeatedBytes: UInt64
}

/// What an incomplete transfer leaves to resume from; never content.
///
/// Store the bytes privately: they can hold credentials.
public struct ResumeData: Hashable, Sendable, Codable {
    /// The resume data as bytes, to be stored.
    public let bytes: [UInt8]

    /// Resume data from stored bytes, which are checked when a transfer starts.
    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Why a transfer is not complete.
public struct TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Hashable, Sendable {
        /// A URL, an option or resume data cannot be used.
        case input
        /// The transfer was paused, or its task was cancelled.
        case paused
        /// The transfer failed.
        case failed
    }

    /// The kind of error.
    public let kind: Kind
    /// The error in words.
    public let description: String
    /// What to resume from; nil if the transfer can only start over.
    public let resumeData: ResumeData?

    init(_ kind: Kind, _ description: String, resumeData: ResumeData? = nil) {
        self.kind = kind
        self.description = description
        self.resumeData = resumeData
    }
}
