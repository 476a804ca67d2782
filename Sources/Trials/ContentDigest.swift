internal import Basics
internal import SystemIO

/// Takes the digest of some content, and that of a beginning of it.
struct ContentDigest {
    /// What content is known by.
    struct Content: Hashable, Sendable {
        var bytes: UInt64 = 0
        /// SHA-256, in hexadecimal.
        var digest: String
        /// Of the beginning, if it was asked for and there is so much.
        var beginning: String?
    }

    private let digest = Digest(.sha256)
    private var bytes: UInt64 = 0
    private let beginning: UInt64?
    private var beginningDigest: String?

    /// - Parameter beginning: how long a beginning is whose digest is wanted, too.
    init(beginning: UInt64? = nil) {
        self.beginning = beginning
        if beginning == 0 { beginningDigest = HexadecimalText.encode(digest.copy().value) }
    }

    mutating func update(_ piece: Span<UInt8>) {
        let end = bytes + UInt64(piece.count)
        if let beginning, bytes < beginning, beginning <= end {
            let part = digest.copy()
            part.update(piece.extracting(first: Int(beginning - bytes)))
            beginningDigest = HexadecimalText.encode(part.value)
        }
        digest.update(piece)
        bytes = end
    }

    /// Ends it.
    var content: Content {
        Content(
            bytes: bytes,
            digest: HexadecimalText.encode(digest.value),
            beginning: beginningDigest
        )
    }
}
