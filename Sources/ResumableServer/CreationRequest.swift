internal import HTTPWire

/// A request that creates an upload and may carry its first bytes.
package struct CreationRequest: Hashable, Sendable {
    package let dialect: UploadProtocol
    package let origin: UploadOrigin
    /// Bytes of the whole upload, if the head tells.
    package let length: UInt64?
    package let body: BodyLength
    /// Whether the body ends the upload; for tus the length alone tells.
    let isLast: Bool
    let check: BodyCheck?
    let mayGet104: Bool
    let expectsContinue: Bool
    let host: String?

    /// Reads a creation by the IETF's protocol (Upload Creation in each draft).
    init(
        _ head: RequestHead,
        _ version: InteropVersion,
        isLast: Bool,
        settings: UploadSettings
    ) throws(UploadRefusal) {
        guard !head.fields.contains("Upload-Offset") else {
            throw .badRequest("Upload-Offset has no place in a creation")
        }
        let rules = DraftRules.of(version)
        dialect = .ietf(version)
        body = BodyLength(head)
        self.isLast = isLast
        let declared = rules.showsLength ? head.count("Upload-Length") : nil
        length = try Self.length(declared, body, isLast)
        check = try BodyCheck.reading(head.fields, for: dialect)
        mayGet104 = head.mayGet104(dialect, settings)
        expectsContinue = head.holdsContent
        host = head.fields["Host"]
        var origin = UploadOrigin(head, method: head.method)
        origin.digests = ExpectedDigest.list("Repr-Digest", in: head.fields)
        origin.wantedDigest = ExpectedDigest.wanted(in: head.fields)
        if settings.forwards { origin.keepFields(of: head, dialect: dialect) }
        self.origin = origin
        try settings.limits.check(length: length, body: body)
        if rules.limitsCreationAsAppend {
            try settings.limits.checkAppend(body, isLast: isLast || body.isEmpty)
        }
    }

    private static func length(
        _ declared: UInt64?,
        _ body: BodyLength,
        _ isLast: Bool
    ) throws(UploadRefusal) -> UInt64? {
        guard let bytes = body.bytes else { return declared }
        if isLast && declared.map({ $0 != bytes }) == true { throw .inconsistentLength }
        if let declared, bytes > declared { throw .lengthExceeded }
        return isLast ? bytes : declared
    }

    /// Reads a creation by tus (Creation, Creation With Upload, Concatenation).
    init(tus head: RequestHead, settings: UploadSettings) throws(UploadRefusal) {
        dialect = .tus
        body = BodyLength(head)
        isLast = false
        mayGet104 = false
        expectsContinue = head.holdsContent
        host = head.fields["Host"]
        var origin = UploadOrigin(head, method: "POST")
        origin.metadata = head.fields["Upload-Metadata"]
        origin.concatenation = try Self.concatenation(head)
        if settings.forwards { origin.keepFields(of: head, dialect: .tus) }
        self.origin = origin
        length = try Self.tusLength(head, origin.concatenation)
        check = try BodyCheck.reading(head.fields, for: .tus)
        if let metadata = origin.metadata, !metadata.isEmpty, TusMetadata(metadata) == nil {
            throw .badRequest("Upload-Metadata is not pairs of unique keys and base64")
        }
        try settings.limits.check(maximum: length)
        guard !body.isEmpty else { return }
        if case .final = origin.concatenation { throw .joined }
        guard head.hasMediaType(ResponseBuilder.tusMediaType) else { throw .wrongMediaType }
        if let length, let bytes = body.bytes, bytes > length { throw .lengthExceeded }
        try settings.limits.check(maximum: body.bytes)
    }

    private static func concatenation(
        _ head: RequestHead
    ) throws(UploadRefusal) -> TusConcatenation? {
        guard let field = head.fields["Upload-Concat"] else { return nil }
        if field == "partial" { return .partial }
        let parts = field.dropFirst("final;".count).split(separator: " ").map(String.init)
        guard field.hasPrefix("final;"), !parts.isEmpty else {
            throw .badRequest("Upload-Concat is neither 'partial' nor 'final;' with addresses")
        }
        return .final(field: field, parts: parts)
    }

    private static func tusLength(
        _ head: RequestHead,
        _ concatenation: TusConcatenation?
    ) throws(UploadRefusal) -> UInt64? {
        let length = try head.tusCount("Upload-Length")
        let defers = head.fields["Upload-Defer-Length"]
        if case .final = concatenation {
            guard length == nil && defers == nil else {
                throw .badRequest("the length of a joined upload follows from its parts")
            }
            return nil
        }
        guard defers == nil || defers == "1" else {
            throw .badRequest("Upload-Defer-Length can only be 1")
        }
        guard (length == nil) != (defers == nil) else {
            throw .badRequest("there must be either Upload-Length or Upload-Defer-Length")
        }
        return length
    }

    /// The addresses of the parts to join, in order; nil if this joins nothing.
    package var parts: [String]? {
        guard case .final(_, let parts) = origin.concatenation else { return nil }
        return parts
    }

    /// The value of `Location` for an upload with this identifier.
    func location(_ identifier: String, _ settings: UploadSettings) -> String {
        let path = settings.resourcePrefix + identifier
        guard case .absolute(let scheme) = settings.location, let host else { return path }
        return "\(scheme)://\(host)\(path)"
    }
}

extension UploadOrigin {
    fileprivate init(_ head: RequestHead, method: String) {
        self.method = method
        target = head.target
        contentType = head.fields["Content-Type"]
        contentEncoding = head.fields["Content-Encoding"]
    }
}

extension UploadLimits {
    func check(length: UInt64?, body: BodyLength) throws(UploadRefusal) {
        try check(maximum: length)
        try check(maximum: body.bytes)
        if let length, let minSize, length < minSize { throw .tooSmall }
    }

    func check(maximum bytes: UInt64?) throws(UploadRefusal) {
        if let bytes, let maxSize, bytes > maxSize { throw .tooLarge }
    }

    /// A last request may be smaller than any other.
    func checkAppend(_ body: BodyLength, isLast: Bool) throws(UploadRefusal) {
        guard let bytes = body.bytes else { return }
        if let maxAppendSize, bytes > maxAppendSize { throw .tooLarge }
        if let minAppendSize, !isLast, bytes < minAppendSize { throw .tooSmall }
    }
}
