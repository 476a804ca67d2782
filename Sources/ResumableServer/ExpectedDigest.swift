internal import HTTPWire

/// A digest that the driver can compute.
package enum DigestAlgorithm: String, CaseIterable, Hashable, Sendable {
    case sha1
    case sha256
    case sha512

    /// As in the registry of RFC 9530; nil for sha1, which is there only as insecure.
    package var registeredName: String? {
        switch self {
        case .sha1: nil
        case .sha256: "sha-256"
        case .sha512: "sha-512"
        }
    }

    /// What `Upload-Checksum` may name: sha1, which tus demands, and sha256.
    package static let tus: [DigestAlgorithm] = [.sha1, .sha256]
}

/// What a digest of some bytes is, or is said to be.
package struct ExpectedDigest: Hashable, Sendable {
    package var algorithm: DigestAlgorithm
    package var value: [UInt8]

    package init(_ algorithm: DigestAlgorithm, _ value: [UInt8]) {
        self.algorithm = algorithm
        self.value = value
    }

    /// The digests in `Repr-Digest` or `Content-Digest` that can be checked (RFC 9530 §2, §3).
    static func list(_ name: String, in fields: HeaderFields) -> [ExpectedDigest] {
        guard let dictionary = fields.structuredDictionary(name) else { return [] }
        return DigestAlgorithm.allCases.compactMap { algorithm in
            guard let key = algorithm.registeredName,
                case .bytes(let value) = dictionary[key]?.value
            else {
                return nil
            }
            return ExpectedDigest(algorithm, value)
        }
    }

    /// The algorithm that `Want-Repr-Digest` likes best, of ours (RFC 9530 §4); 0 is "not".
    static func wanted(in fields: HeaderFields) -> DigestAlgorithm? {
        guard let dictionary = fields.structuredDictionary("Want-Repr-Digest") else { return nil }
        let weighed = DigestAlgorithm.allCases.compactMap { algorithm in
            guard let key = algorithm.registeredName,
                case .integer(let weight) = dictionary[key]?.value, (1...10).contains(weight)
            else {
                return (algorithm: DigestAlgorithm, weight: Int)?.none
            }
            return (algorithm: algorithm, weight: weight)
        }
        return weighed.max { $0.weight < $1.weight }?.algorithm
    }

    /// The value of `Repr-Digest`; nil for sha1.
    var field: String? {
        algorithm.registeredName.map { "\($0)=:\(Base64.encode(value)):" }
    }
}

/// What has to be right before the content of one request is kept.
///
/// Such content is staged: it is written aside and joins the upload only when it has been checked.
package struct BodyCheck: Hashable, Sendable {
    var expected: [ExpectedDigest] = []
    /// Whether a trailer field was announced that may hold the digest.
    var awaitsTrailer = false

    /// Reads `Upload-Checksum` or `Content-Digest`, or that they will come in a trailer.
    ///
    /// - Returns: nil if there is nothing to check.
    /// - Throws: `UploadRefusal.unknownChecksum` for a tus checksum that cannot be checked.
    static func reading(
        _ fields: HeaderFields,
        for dialect: UploadProtocol
    ) throws(UploadRefusal) -> BodyCheck? {
        let name = dialect.isTus ? "Upload-Checksum" : "Content-Digest"
        let expected = try digests(in: fields, for: dialect)
        let check = BodyCheck(
            expected: expected,
            awaitsTrailer: fields.list("Trailer", hasToken: name)
        )
        return check == BodyCheck() ? nil : check
    }

    /// Takes in what the trailers say.
    mutating func read(
        trailers: HeaderFields,
        for dialect: UploadProtocol
    ) throws(UploadRefusal) {
        guard awaitsTrailer else { return }
        expected += try Self.digests(in: trailers, for: dialect)
        if dialect.isTus && expected.isEmpty { throw .unknownChecksum }
    }

    private static func digests(
        in fields: HeaderFields,
        for dialect: UploadProtocol
    ) throws(UploadRefusal) -> [ExpectedDigest] {
        guard dialect.isTus else { return ExpectedDigest.list("Content-Digest", in: fields) }
        guard let text = fields["Upload-Checksum"] else { return [] }
        let words = text.split(separator: " ")
        guard words.count == 2, let value = Base64.decode(String(words[1])),
            let algorithm = DigestAlgorithm.tus.first(where: { $0.rawValue == words[0] })
        else {
            throw .unknownChecksum
        }
        return [ExpectedDigest(algorithm, value)]
    }
}
