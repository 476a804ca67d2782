internal import SystemIO

/// Something that GET gives: bytes of a known size, and what is said of them.
struct OriginObject: Sendable {
    enum Content: Sendable {
        case known(KnownContent)
        case file(File)
        case bytes([UInt8])
    }

    var content: Content
    /// Bytes.
    var size: UInt64
    /// Differs whenever the content differs, without quotes; nil where that cannot be promised.
    var tag: String?
    /// Seconds since 1970.
    var lastModified: Int?
    var contentType: String
    /// Whether listings and explanations: made for one answer, without ranges and validators.
    var isGenerated = false

    /// An object that exists only as an answer.
    static func generated(_ text: String, contentType: String) -> OriginObject {
        let bytes = Array(text.utf8)
        return OriginObject(
            content: .bytes(bytes),
            size: UInt64(bytes.count),
            contentType: contentType,
            isGenerated: true
        )
    }
}
