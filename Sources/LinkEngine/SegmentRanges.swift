/// Ascending, disjoint, non-adjacent ranges of segment numbers.
///
/// Both ends of a stream keep one: the receiver for what arrived out of order, the sender for
/// what was selectively acknowledged. There are as many ranges as there are holes: few.
struct SegmentRanges {
    private(set) var ranges: [Range<Int>] = []

    var isEmpty: Bool { ranges.isEmpty }
    var last: Int? { ranges.last.map { $0.upperBound - 1 } }

    /// Index of the first range that ends at or after `segment`.
    private func index(reaching segment: Int) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < segment { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func contains(_ segment: Int) -> Bool {
        let place = index(reaching: segment + 1)
        return place < ranges.count && ranges[place].contains(segment)
    }

    /// Adds `range`, calls `visit` for each part of it that was not in before, ascending.
    mutating func insert(_ range: Range<Int>, newParts visit: (Range<Int>) -> Void) {
        let place = index(reaching: range.lowerBound)
        // Acknowledgements repeat blocks, so most often there is nothing new.
        if place < ranges.count, ranges[place].lowerBound <= range.lowerBound,
            ranges[place].upperBound >= range.upperBound
        {
            return
        }
        var past = place
        var cursor = range.lowerBound
        var merged = range
        while past < ranges.count, ranges[past].lowerBound <= range.upperBound {
            let old = ranges[past]
            if cursor < old.lowerBound { visit(cursor..<min(old.lowerBound, range.upperBound)) }
            cursor = max(cursor, old.upperBound)
            merged =
                min(merged.lowerBound, old.lowerBound)..<max(merged.upperBound, old.upperBound)
            past += 1
        }
        if cursor < range.upperBound { visit(cursor..<range.upperBound) }
        if past == place {
            ranges.insert(merged, at: place)
        } else if past == place + 1 {
            ranges[place] = merged
        } else {
            ranges.replaceSubrange(place..<past, with: CollectionOfOne(merged))
        }
    }

    /// Forgets everything below `segment`.
    mutating func removeAll(below segment: Int) {
        var whole = 0
        while whole < ranges.count, ranges[whole].upperBound <= segment { whole += 1 }
        if whole > 0 { ranges.removeFirst(whole) }
        if let head = ranges.first, head.lowerBound < segment {
            ranges[0] = segment..<head.upperBound
        }
    }

    /// Removes and returns the first range if it begins at or below `segment`.
    mutating func removeFirst(startingAtOrBelow segment: Int) -> Range<Int>? {
        guard let head = ranges.first, head.lowerBound <= segment else { return nil }
        return ranges.removeFirst()
    }

    /// The range that holds `segment`, if any.
    func range(containing segment: Int) -> Range<Int>? {
        let place = index(reaching: segment + 1)
        guard place < ranges.count, ranges[place].contains(segment) else { return nil }
        return ranges[place]
    }

    mutating func removeAll() { ranges.removeAll(keepingCapacity: true) }
}
