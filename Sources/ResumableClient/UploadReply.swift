internal import Basics
internal import HTTPWire

/// An answer to a request of an upload, read once.
struct UploadReply {
    let status: Int
    let fields: HeaderFields
    let body: [UInt8]
    /// nil if it is missing or no integer from 0 on.
    let offset: UInt64?
    let length: UInt64?
    /// Whether the upload is complete, whichever field of the version says so.
    let isComplete: Bool?
    let limits: AnnouncedLimits?
    let location: String?
    /// The SHA-256 of the whole, as the server has it.
    let sha256: [UInt8]?

    init(_ head: ResponseHead, body: [UInt8] = [], dialect: UploadPlan.Dialect) {
        status = head.status
        fields = head.fields
        self.body = body
        location = head.fields["Location"]
        sha256 = Self.digest(head.fields)
        switch dialect {
        case .ietf(let version):
            offset = Self.count(head.fields, "Upload-Offset")
            length = version.rawValue >= 6 ? Self.count(head.fields, "Upload-Length") : nil
            isComplete =
                version == .v3
                ? head.fields.structuredBoolean("Upload-Incomplete").map { !$0 }
                : head.fields.structuredBoolean("Upload-Complete")
            limits = version.rawValue >= 6 ? AnnouncedLimits(head.fields) : nil
        case .tus:
            offset = Self.digits(head.fields["Upload-Offset"])
            length = Self.digits(head.fields["Upload-Length"])
            isComplete = nil
            limits = Self.tusLimits(head.fields)
        case .plain:
            offset = nil
            length = nil
            isComplete = nil
            limits = nil
        }
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    var redirect: Bool { (300..<400).contains(status) && status != 304 }

    /// What `Retry-After` asks for, from the receipt of the answer.
    var retryAfter: Duration? { fields.retryAfter }

    private static func count(_ fields: HeaderFields, _ name: String) -> UInt64? {
        fields.structuredInteger(name).flatMap { UInt64(exactly: $0) }
    }

    /// A number of tus: digits only.
    private static func digits(_ text: String?) -> UInt64? {
        guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }

    private static func tusLimits(_ fields: HeaderFields) -> AnnouncedLimits? {
        guard let most = digits(fields["Tus-Max-Size"]) else { return nil }
        var limits = AnnouncedLimits()
        limits.largestUpload = most
        return limits
    }

    private static func digest(_ fields: HeaderFields) -> [UInt8]? {
        guard
            case .bytes(let bytes)? = fields.structuredDictionary("Repr-Digest")?["sha-256"]?.value
        else { return nil }
        return bytes
    }
}
