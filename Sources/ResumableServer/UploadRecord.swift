package import HTTPWire

/// All that is kept of one upload, apart from its bytes.
package struct UploadRecord: Hashable, Sendable {
    /// Random, so that who knows the address may use it.
    package let identifier: String
    package let dialect: UploadProtocol
    /// The value of every `Location` that names this upload.
    package let location: String
    package internal(set) var origin: UploadOrigin
    /// Bytes that are stored and can be counted on; never falls.
    package internal(set) var offset: UInt64
    /// Bytes of the whole; nil until it is known, and never another number after that.
    package internal(set) var length: UInt64?
    package internal(set) var state: UploadState
    /// Second since 1970 from which the upload is expired or, once complete, gone.
    package internal(set) var endsAt: Int?
    /// Whether it has been handed to another server, as far as anybody knows: durable before a byte
    /// of it leaves, and taken back once it is certain that the server has not got the whole.
    package internal(set) var isForwarded: Bool

    package init(
        identifier: String,
        dialect: UploadProtocol,
        location: String,
        origin: UploadOrigin,
        offset: UInt64 = 0,
        length: UInt64?,
        state: UploadState = .active,
        endsAt: Int?,
        isForwarded: Bool = false
    ) {
        self.identifier = identifier
        self.dialect = dialect
        self.location = location
        self.origin = origin
        self.offset = offset
        self.length = length
        self.state = state
        self.endsAt = endsAt
        self.isForwarded = isForwarded
    }
}

/// Where an upload is in its life (absent is the lack of a record).
package enum UploadState: Hashable, Sendable {
    case active
    /// The last request was received in full; what follows completion runs.
    case finalising
    case complete(StoredAnswer)
    /// Given up by the client.
    case cancelled
    case expired
    /// Something is lost or contradictory; the upload cannot be completed.
    case invalid
    /// Complete, and forgotten since.
    case gone

    /// Whether all content is here.
    package var hasEverything: Bool {
        switch self {
        case .finalising, .complete: true
        case .active, .cancelled, .expired, .invalid, .gone: false
        }
    }

    /// Whether requests are answered by more than "not here".
    package var isAlive: Bool { self == .active || hasEverything }
}

/// What the creating request said about the upload.
package struct UploadOrigin: Hashable, Sendable {
    package var method: String
    package var target: String
    package var contentType: String?
    /// Offsets count bytes with this coding applied.
    package var contentEncoding: String?
    /// `Upload-Metadata` as received, for tus.
    package var metadata: String?
    package var concatenation: TusConcatenation?
    /// What `Repr-Digest` says of the whole.
    package var digests: [ExpectedDigest] = []
    /// What `Want-Repr-Digest` asks for.
    package var wantedDigest: DigestAlgorithm?
    /// The fields that go with it to another server, until that has answered.
    package var fields: HeaderFields = [:]

    package init(method: String, target: String) {
        self.method = method
        self.target = target
    }
}

/// `Upload-Concat` (tus 1.0.0, Concatenation).
package enum TusConcatenation: Hashable, Sendable {
    case partial
    /// The field as received, and the addresses in it.
    case final(field: String, parts: [String])

    /// The value of the field in an answer to HEAD.
    var field: String {
        switch self {
        case .partial: "partial"
        case .final(let field, _): field
        }
    }
}
