package import Basics
package import HTTPWire

/// What is uploaded, where, and how.
package struct UploadPlan: Hashable, Sendable {
    package enum Dialect: Hashable, Sendable {
        case ietf(InteropVersion)
        /// tus 1.0.0.
        case tus
        /// One request without resumption.
        case plain
    }

    /// How the upload resource comes about.
    package enum Creation: String, Hashable, Sendable, CaseIterable {
        /// The first request carries the whole source. Without support it is a plain upload.
        /// tus: `creation`, and body with it where `OPTIONS` named `creation-with-upload`.
        case optimistic
        /// An empty request first; asks for a server that is known to support it.
        case careful
        /// `OPTIONS` first: careful if that shows support, else optimistic (tus: else plain).
        case discover
    }

    /// The target of the upload.
    package var address: HTTPURL
    /// Of the creation and of a plain upload; tus always uses POST.
    package var method = "POST"
    /// Fields of the user.
    ///
    /// Those that describe content, such as `Content-Type`, go with the creation, others with every
    /// request; credentials stay with the origin they were meant for.
    package var fields: HeaderFields = [:]
    /// The whole source; any part of it can be read at any time.
    package var source: SourceIdentity
    /// Where the source is; of no meaning to the machine, it appears in resume data.
    package var file = ""
    package var dialect: Dialect = .ietf(.v6)
    package var creation: Creation = .optimistic
    /// The most bytes of one append; nil for as many as the server takes.
    package var appendSize: UInt64?
    /// The SHA-256 of the source: sent as `Repr-Digest` and compared with the answer's.
    package var sha256: [UInt8]?
    /// A digest with each append: `Content-Digest`, or `Upload-Checksum` of tus.
    package var digestsAppends = false
    /// tus: `Upload-Metadata`, names without spaces and commas and their values.
    package var metadata: [HeaderFields.Field] = []
    /// Version 8: fetch the final answer also if the upload is found complete.
    package var wantsResponse = false
    package var retry: RetryPolicy = .foreground
    package var path = PathPolicy()

    package init(to address: HTTPURL, source: SourceIdentity) {
        self.address = address
        self.source = source
    }

    var length: UInt64 { source.size }
}

/// What tells one source from another.
package struct SourceIdentity: Hashable, Sendable {
    package var size: UInt64
    /// When the file changed last, as time since 1970; nil for what is no file.
    package var modified: Duration?
    /// The first bytes of the source's digest, as hexadecimal text; nil if it was not computed.
    package var digestPrefix: String?

    package init(size: UInt64, modified: Duration? = nil, digestPrefix: String? = nil) {
        self.size = size
        self.modified = modified
        self.digestPrefix = digestPrefix
    }

    /// Whether this is still the source that `earlier` describes.
    ///
    /// Equal digests decide. Without both of them size and time of change have to be equal.
    package func isSame(as earlier: SourceIdentity) -> Bool {
        guard size == earlier.size else { return false }
        if let digestPrefix, let other = earlier.digestPrefix { return digestPrefix == other }
        return modified == earlier.modified
    }
}
