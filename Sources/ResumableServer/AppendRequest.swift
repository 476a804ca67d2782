internal import HTTPWire

/// A PATCH to an upload resource, read by the protocol of the resource.
struct AppendRequest: Hashable, Sendable {
    let offset: UInt64
    /// Whether the body ends the upload; for tus the length alone tells.
    let isLast: Bool
    /// What the request says of the length of the whole.
    let declaredLength: UInt64?
    let body: BodyLength
    let check: BodyCheck?
    let mayGet104: Bool
    let expectsContinue: Bool

    init(
        _ head: RequestHead,
        _ dialect: UploadProtocol,
        settings: UploadSettings
    ) throws(UploadRefusal) {
        body = BodyLength(head)
        expectsContinue = head.holdsContent
        mayGet104 = head.mayGet104(dialect, settings)
        switch dialect {
        case .tus:
            guard head.hasMediaType(ResponseBuilder.tusMediaType) else { throw .wrongMediaType }
            guard let offset = try head.tusCount("Upload-Offset") else { throw Self.noOffset }
            self.offset = offset
            isLast = false
            declaredLength = try head.tusCount("Upload-Length")
        case .ietf(let version):
            let rules = DraftRules.of(version)
            guard !rules.demandsMediaType || head.hasMediaType(DraftRules.partialMediaType) else {
                throw .wrongMediaType
            }
            guard let offset = head.count("Upload-Offset") else { throw Self.noOffset }
            self.offset = offset
            let completes = head.completes(version)
            guard completes != nil || !rules.demandsCompleteness else {
                throw .badRequest("Upload-Complete is missing")
            }
            isLast = completes ?? true
            declaredLength = rules.showsLength ? head.count("Upload-Length") : nil
        }
        check = try BodyCheck.reading(head.fields, for: dialect)
    }

    private static let noOffset = UploadRefusal.badRequest("Upload-Offset is missing")

    /// Bytes of the whole if this request is obeyed; nil if they stay unknown.
    ///
    /// - Throws: `inconsistentLength` if the request contradicts what is known.
    func length(_ known: UInt64?, _ dialect: UploadProtocol) throws(UploadRefusal) -> UInt64? {
        if let known, let declaredLength, known != declaredLength { throw .inconsistentLength }
        let length = known ?? declaredLength
        if let length, length < offset { throw .inconsistentLength }
        guard isLast, let bytes = body.bytes else { return length }
        if let length, length != offset + bytes { throw .inconsistentLength }
        return offset + bytes
    }
}
