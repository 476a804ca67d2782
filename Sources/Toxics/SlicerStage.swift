internal import Basics

/// Cuts pieces into smaller ones, with a pause after each.
struct SlicerStage: Sendable {
    private var averageBytes: Int64
    private var variationBytes: Int64
    private var delayMicroseconds: Int64
    private let draws: AddressedRandom.Series
    private var drawCount: UInt64 = 0
    private var queue = PieceQueue<ToxicPassage>()
    /// Parts of the first piece, the next one last; those that are too long are still to be cut.
    private var parts: [Int64] = []
    /// When the pause after the latest slice is over.
    private var freeFrom = Instant.start

    init(
        average: Int64,
        variation: Int64,
        delayMicroseconds: Int64,
        draws: AddressedRandom.Series
    ) {
        averageBytes = average
        variationBytes = max(0, variation.bounded)
        self.delayMicroseconds = delayMicroseconds
        self.draws = draws
    }

    var count: Int { queue.count }
    var nextTime: Instant? { queue.isEmpty ? nil : max(queue.first.at, freeFrom) }

    mutating func receive(_ piece: ToxicPassage) { queue.append(piece) }

    mutating func advance(to time: Instant, _ out: inout [ToxicPassage]) {
        while let due = nextTime, due <= time {
            guard case .bytes(let count) = queue.first.content else {
                var piece = queue.removeFirst()
                piece.at = due
                out.append(piece)
                continue
            }
            if parts.isEmpty { parts = [Int64(count)] }
            let slice = nextSlice()
            out.append(
                ToxicPassage(content: .bytes(Int(slice)), stamp: queue.first.stamp, at: due)
            )
            freeFrom = due.after(max(0, delayMicroseconds), each: .microseconds(1))
            if parts.isEmpty {
                _ = queue.removeFirst()
            } else {
                queue.first.content = .bytes(count - Int(slice))
            }
        }
    }

    /// What waits is cut anew; the pause under way is over.
    mutating func change(
        average: Int64,
        variation: Int64,
        delayMicroseconds: Int64,
        at time: Instant
    ) {
        averageBytes = average
        variationBytes = max(0, variation.bounded)
        self.delayMicroseconds = delayMicroseconds
        parts = []
        freeFrom = time
    }

    mutating func release(at time: Instant, _ out: inout [ToxicPassage]) {
        parts = []
        freeFrom = time
        while !queue.isEmpty {
            var piece = queue.removeFirst()
            piece.at = time
            out.append(piece)
        }
    }

    /// Cuts the next part at its middle, more or less, until it is short enough.
    private mutating func nextSlice() -> Int64 {
        var part = parts.removeLast()
        while averageBytes > 0, part > 1, part - averageBytes > variationBytes {
            let cut = part / 2 + variation()
            let first = min(max(cut, 1), part - 1)
            parts.append(part - first)
            part = first
        }
        return part
    }

    private mutating func variation() -> Int64 {
        guard variationBytes > 0 else { return 0 }
        let value = draws.integer(below: UInt64(variationBytes) * 2, at: drawCount)
        drawCount += 1
        return Int64(value) - variationBytes
    }
}
