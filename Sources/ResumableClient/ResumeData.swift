package import HTTPWire

/// What a paused or failed transfer leaves to be continued from; never the bytes.
package enum ResumeData: Hashable, Sendable {
    case download(DownloadResumption)
    case upload(UploadResumption)
}

/// The state of an upload.
package struct UploadResumption: Hashable, Sendable {
    /// The original target and method, for a start from zero.
    package var target: HTTPURL
    package var method: String
    package var resource: HTTPURL
    package var dialect: UploadPlan.Dialect
    /// What the server confirmed; it never has less.
    package var acknowledged: UInt64
    package var source: SourceIdentity
    /// Where the source is; given by the driver, of no meaning to the machine.
    package var file: String
    /// Request fields of the user, credentials included.
    package var fields: HeaderFields

    package init(
        target: HTTPURL,
        method: String,
        resource: HTTPURL,
        dialect: UploadPlan.Dialect,
        acknowledged: UInt64,
        source: SourceIdentity,
        file: String,
        fields: HeaderFields
    ) {
        self.target = target
        self.method = method
        self.resource = resource
        self.dialect = dialect
        self.acknowledged = acknowledged
        self.source = source
        self.file = file
        self.fields = fields
    }
}

/// The state of a download.
package struct DownloadResumption: Hashable, Sendable {
    /// What was asked for; redirects are followed again from here if need be.
    package var address: HTTPURL
    /// The URL that answered; the validator is its.
    package var final: HTTPURL
    package var validator: RangeValidator
    /// Bytes of the partial file that are known to be stored.
    package var stored: UInt64
    /// Of the whole object; nil if unknown.
    package var size: UInt64?
    package var contentCoding: String?
    /// Where the partial file is; given by the driver, of no meaning to the machine.
    package var file: String
    /// Request fields of the user, credentials included.
    package var fields: HeaderFields

    package init(
        address: HTTPURL,
        final: HTTPURL,
        validator: RangeValidator,
        stored: UInt64,
        size: UInt64?,
        contentCoding: String?,
        file: String,
        fields: HeaderFields
    ) {
        self.address = address
        self.final = final
        self.validator = validator
        self.stored = stored
        self.size = size
        self.contentCoding = contentCoding
        self.file = file
        self.fields = fields
    }
}

/// A validator strong enough to combine parts (RFC 9110 §13.1.5).
package enum RangeValidator: Hashable, Sendable {
    /// A strong entity tag with its quotes.
    case etag(String)
    /// `Last-Modified` as it stood, at least a second before the answer's `Date`.
    case lastModified(String)

    /// The value of `If-Range`.
    package var field: String {
        switch self {
        case .etag(let text), .lastModified(let text): text
        }
    }
}
