/// How far a transfer is.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes that moved since the report before.
    public var step: UInt64
    /// Bytes of the object that were sent, or that are stored.
    public var position: UInt64
    /// Uploads: what the server confirmed; never falls.
    public var acknowledged: UInt64
    /// The size of the whole, also after a resume; nil if it is not known.
    public var expected: UInt64?
}

/// What a transfer tells while it runs.
public enum TransferEvent: Hashable, Sendable {
    case progress(TransferProgress)
    /// An interim answer (1xx).
    case interim(status: Int, fields: [TransferOptions.Field])
    /// It waits: `unsatisfied`, `constrained`, `expensive`, `discretionary` or `earliest-begin`.
    case waiting(reason: String)
    case resumed
    /// Another attempt follows.
    case retrying(after: Duration, reason: String)
    /// It begins again at zero.
    case restarted(reason: String)
    /// Why it does what it does.
    case explanation(String)
}

/// A transfer that is done.
public struct TransferOutcome: Hashable, Sendable {
    /// The status of the final answer; nil if it was lost and only the state is known.
    public var status: Int?
    /// Bytes of the whole.
    public var size: UInt64
    /// The URL that answered, or the upload's own.
    public var url: String
    /// The start of the body of an upload's final answer.
    public var body: [UInt8]
    /// Whether the length was known before the end, or the end was marked.
    public var isLengthProven: Bool
    /// Whether a digest of the whole was compared and is right.
    public var isDigestVerified: Bool
    /// How often it began again at zero.
    public var restarts: Int
    /// Requests for the object or with bytes of it.
    public var attempts: Int
    /// Bytes that moved more than once.
    public var repeatedBytes: UInt64
}

/// What a transfer that ended early leaves to go on from; never the bytes.
///
/// To be kept as bytes, which can hold credentials.
public struct ResumeData: Hashable, Sendable, Codable {
    public let bytes: [UInt8]

    /// From bytes that were kept; whether they can be used is seen when a transfer begins.
    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Why a transfer is not done.
public struct TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// A URL, option or resume data that cannot be used.
        case input
        /// It was paused, or its task was cancelled.
        case paused
        /// It failed.
        case failed
    }

    public let kind: Kind
    public let description: String
    /// What to go on from; nil if it can only begin again.
    public let resumeData: ResumeData?

    init(_ kind: Kind, _ description: String, resumeData: ResumeData? = nil) {
        self.kind = kind
        self.description = description
        self.resumeData = resumeData
    }
}
