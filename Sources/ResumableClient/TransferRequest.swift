package import HTTPWire

/// One request that a machine wants sent, complete but for the bytes of its body.
package struct TransferRequest: Hashable, Sendable {
    /// Counts the requests of this machine from 1.
    package var ordinal: Int
    /// Where to connect.
    package var address: HTTPURL
    package var method: String
    /// All fields with `Host` and, where there is a body, `Content-Length`, as name and value.
    package var fields: HeaderFields
    /// The bytes of the source that are the body; nil for none.
    package var body: Range<UInt64>?
    /// A digest of these body bytes that the driver computes and adds before it sends the head.
    package var bodyDigest: BodyDigest?

    package init(
        ordinal: Int,
        address: HTTPURL,
        method: String,
        fields: HeaderFields,
        body: Range<UInt64>? = nil
    ) {
        self.ordinal = ordinal
        self.address = address
        self.method = method
        self.fields = fields
        self.body = body
    }

    /// The head to write; the target is in origin form (RFC 9112 §3.2.1).
    package var head: RequestHead { RequestHead(method, address.target, fields: fields) }
}

/// A field with the SHA-256 of a request's body.
package enum BodyDigest: Hashable, Sendable {
    /// `Content-Digest: sha-256=:…:` (RFC 9530 §2).
    case contentDigest
    /// `Upload-Checksum: sha256 …` of tus.
    case uploadChecksum

    /// The field for these 32 bytes.
    package func field(_ sha256: [UInt8]) -> HeaderFields.Field {
        let text = Base64.encode(sha256)
        return switch self {
        case .contentDigest: .init("Content-Digest", "sha-256=:\(text):")
        case .uploadChecksum: .init("Upload-Checksum", "sha256 \(text)")
        }
    }
}
