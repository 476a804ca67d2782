/// Segments that arrived ahead of a gap, as ascending, disjoint, non-adjacent blocks.
struct OutOfOrderQueue {
    struct Block {
        var segments: Range<Int>
        var bytes: Range<Int64>
    }

    /// Linux remembers four blocks to report, of which three fit beside timestamps.
    private static let rememberedBlocks = 4

    private var blocks: [Block] = []
    /// Blocks to report, the one with the newest arrival first (RFC 2018 §4).
    private var recent: [Range<Int>] = []
    private(set) var bytes: Int64 = 0

    var isEmpty: Bool { blocks.isEmpty }
    /// Byte after the highest one that arrived.
    var highestOffset: Int64? { blocks.last?.bytes.upperBound }

    /// Adds a segment; false if it was there already.
    mutating func insert(_ number: Int, bytes range: Range<Int64>) -> Bool {
        let place = firstBlock(reaching: number)
        if place < blocks.count, blocks[place].segments.contains(number) { return false }
        bytes += Int64(range.count)
        var block = Block(segments: number..<number + 1, bytes: range)
        var low = place
        var high = place
        if place < blocks.count, blocks[place].segments.upperBound == number {
            block.segments = blocks[place].segments.lowerBound..<number + 1
            block.bytes = blocks[place].bytes.lowerBound..<range.upperBound
            high += 1
        } else {
            low = place
        }
        if high < blocks.count, blocks[high].segments.lowerBound == number + 1 {
            block.segments = block.segments.lowerBound..<blocks[high].segments.upperBound
            block.bytes = block.bytes.lowerBound..<blocks[high].bytes.upperBound
            high += 1
        }
        replaceBlocks(low..<high, with: block)
        remember(block.segments)
        return true
    }

    /// Removes and returns the first block if it begins at `number`.
    mutating func removeBlock(startingAt number: Int) -> Block? {
        guard let head = blocks.first, head.segments.lowerBound == number else { return nil }
        bytes -= Int64(head.bytes.count)
        recent.removeAll { $0.lowerBound <= number }
        return blocks.removeFirst()
    }

    /// What an acknowledgement reports now.
    var sackBlocks: SACKBlocks {
        var result = SACKBlocks()
        for block in recent.prefix(SACKBlocks.maximumCount) { result.append(block) }
        return result
    }

    private func firstBlock(reaching number: Int) -> Int {
        var low = 0
        var high = blocks.count
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].segments.upperBound < number {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private mutating func replaceBlocks(_ places: Range<Int>, with block: Block) {
        if places.count == 1 {
            blocks[places.lowerBound] = block
        } else if places.isEmpty {
            blocks.insert(block, at: places.lowerBound)
        } else {
            blocks.replaceSubrange(places, with: CollectionOfOne(block))
        }
    }

    private mutating func remember(_ block: Range<Int>) {
        recent.removeAll { $0.lowerBound >= block.lowerBound && $0.upperBound <= block.upperBound }
        recent.insert(block, at: 0)
        if recent.count > Self.rememberedBlocks { recent.removeLast() }
    }
}
