internal import Basics
internal import HTTPWire

/// The head of an answer to GET, read once.
struct DownloadReply {
    let status: Int
    let fields: HeaderFields
    /// nil if it is missing or no number.
    let contentLength: UInt64?
    /// A coding other than identity.
    let contentCoding: String?
    let isChunked: Bool
    let etag: String?
    let lastModified: String?
    /// nil without `Accept-Ranges`.
    let acceptsRanges: Bool?
    /// What proves that a later part belongs to the same object.
    let validator: RangeValidator?
    let location: String?

    init(_ head: ResponseHead) {
        let fields = head.fields
        status = head.status
        self.fields = fields
        isChunked = fields.list("Transfer-Encoding", hasToken: "chunked")
        contentLength = isChunked ? nil : Self.number(fields["Content-Length"])
        let coding = fields.combined("Content-Encoding")?.lowercased()
        contentCoding = coding == "identity" || coding == "" ? nil : coding
        etag = fields["ETag"]
        lastModified = fields["Last-Modified"]
        acceptsRanges =
            fields.contains("Accept-Ranges") ? fields.list("Accept-Ranges", hasToken: "bytes") : nil
        validator = Self.validator(fields)
        location = fields["Location"]
    }

    var retryAfter: Duration? { fields.retryAfter }

    /// A strong entity tag, else a date that is strong because the answer is at least a second
    /// younger (RFC 9110 §8.8.2.2).
    private static func validator(_ fields: HeaderFields) -> RangeValidator? {
        if let etag = fields["ETag"] {
            return EntityTag(parsing: etag)?.isWeak == false ? .etag(etag) : nil
        }
        let epoch = HTTPDate(secondsSince1970: 0)
        guard let text = fields["Last-Modified"],
            let date = fields["Date"].flatMap({ HTTPDate($0, now: epoch) }),
            let modified = HTTPDate(text, now: date),
            modified.secondsSince1970 <= date.secondsSince1970 - 1
        else { return nil }
        return .lastModified(text)
    }

    private static func number(_ text: String?) -> UInt64? {
        guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }

    /// Digests of the whole, in the order in which they are preferred.
    static func representationDigest(_ fields: HeaderFields) -> WholeDigest? {
        digest("Repr-Digest", fields)
    }

    /// The digest of this answer's content.
    static func contentDigest(_ fields: HeaderFields) -> WholeDigest? {
        digest("Content-Digest", fields)
    }

    private static func digest(_ name: String, _ fields: HeaderFields) -> WholeDigest? {
        guard let dictionary = fields.structuredDictionary(name) else { return nil }
        for algorithm in [DigestCheck.Algorithm.sha256, .sha512] {
            if case .bytes(let bytes)? = dictionary[algorithm.rawValue]?.value {
                return WholeDigest(algorithm: algorithm, bytes: bytes)
            }
        }
        return nil
    }
}

/// A digest without the range that it is of.
struct WholeDigest: Hashable, Sendable {
    var algorithm: DigestCheck.Algorithm
    var bytes: [UInt8]

    func check(of range: Range<UInt64>) -> DigestCheck {
        DigestCheck(algorithm: algorithm, range: range, expected: bytes)
    }
}
