internal import SystemIO

/// Some bytes of a body, in memory until the last reference to them is gone.
struct BodyBytes {
    /// One behind the other.
    private(set) var pieces: [Piece] = []
    private(set) var count = 0

    /// Bytes that lie in one buffer.
    struct Piece {
        let memory: PooledBuffer
        let range: Range<Int>
    }

    /// None so far.
    init() {}

    /// Bytes of one buffer.
    init(memory: PooledBuffer, range: Range<Int>) { append(memory, range) }

    /// Adds bytes behind those that are there; an empty range adds nothing.
    mutating func append(_ memory: PooledBuffer, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        pieces.append(Piece(memory: memory, range: range))
        count += range.count
    }

    /// The first of these bytes: `most`, or all if there are fewer.
    func prefix(_ most: Int) -> BodyBytes {
        guard most < count else { return self }
        var first = BodyBytes()
        for piece in pieces where first.count < most {
            let part = piece.range.prefix(most - first.count)
            first.append(piece.memory, part.startIndex..<part.endIndex)
        }
        return first
    }
}
