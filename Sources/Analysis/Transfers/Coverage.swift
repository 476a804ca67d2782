/// Which bytes of an object have been delivered.
package struct Coverage: Hashable, Sendable {
    /// Sorted, apart from each other, none empty.
    package private(set) var ranges: [Range<UInt64>] = []

    package init() {}

    /// How many bytes there are.
    package var count: UInt64 { ranges.reduce(0) { $0 + UInt64($1.count) } }

    /// End of the part that begins at 0.
    package var prefixEnd: UInt64 {
        ranges.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0
    }

    package func contains(_ range: Range<UInt64>) -> Bool {
        range.isEmpty
            || ranges.contains {
                $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
            }
    }

    /// How many bytes of `range` are there.
    package func count(in range: Range<UInt64>) -> UInt64 {
        ranges.reduce(0) { $0 + UInt64($1.clamped(to: range).count) }
    }

    package mutating func insert(_ range: Range<UInt64>) {
        guard !range.isEmpty else { return }
        var merged = range
        var others: [Range<UInt64>] = []
        for other in ranges {
            if other.lowerBound <= merged.upperBound && merged.lowerBound <= other.upperBound {
                merged =
                    min(
                        other.lowerBound,
                        merged.lowerBound
                    )..<max(
                        other.upperBound,
                        merged.upperBound
                    )
            } else {
                others.append(other)
            }
        }
        let place = others.firstIndex { $0.lowerBound > merged.lowerBound } ?? others.endIndex
        others.insert(merged, at: place)
        ranges = others
    }
}
