/// What is on the link towards a client: the link counts bytes of TLS, all others count content.
///
/// A record can be read when its last byte is there (RFC 8446 §5.2), so content arrives record by
/// record, as it does for the client.
struct RecordsOnLink {
    enum Piece: Hashable {
        /// Bytes that go to the client as they are.
        case bytes([UInt8])
        /// So much content, in a record of its own or without any.
        case content(Int)
    }

    /// What a record holds at most (RFC 8446 §5.1).
    static let contentLimit = 16_384
    /// What a record adds: header, type and tag under TLS 1.3 with AES-GCM or ChaCha20.
    static let overhead = 22

    private var pieces: ArraySlice<(piece: Piece, size: Int)> = []
    /// Whether words of the handshake are on their way: what is sealed after them must not overtake them,
    /// since records are numbered (RFC 8446 §5.3).
    private(set) var hasWords = false
    /// Bytes that have crossed the link, of a piece that has not crossed it whole.
    private var arrivedBytes = 0

    var isEmpty: Bool { pieces.isEmpty }

    /// Notes bytes that go as they are; answers how many the link has to carry.
    mutating func append(_ bytes: [UInt8]) -> Int {
        guard !bytes.isEmpty else { return 0 }
        pieces.append((.bytes(bytes), bytes.count))
        hasWords = true
        return bytes.count
    }

    /// Notes content; answers how many bytes the link has to carry.
    mutating func append(content count: Int, isSealed: Bool) -> Int {
        guard isSealed else {
            pieces.append((.content(count), count))
            return count
        }
        var total = 0
        for start in stride(from: 0, to: count, by: Self.contentLimit) {
            let content = min(Self.contentLimit, count - start)
            pieces.append((.content(content), content + Self.overhead))
            total += content + Self.overhead
        }
        return total
    }

    /// Notes that bytes have crossed the link; answers what is whole by that, in its order.
    mutating func arrived(_ count: Int) -> [Piece] {
        arrivedBytes += count
        var whole: [Piece] = []
        while let first = pieces.first, first.size <= arrivedBytes {
            arrivedBytes -= first.size
            whole.append(first.piece)
            pieces.removeFirst()
        }
        if hasWords {
            hasWords = pieces.contains { if case .bytes = $0.piece { true } else { false } }
        }
        return whole
    }
}
