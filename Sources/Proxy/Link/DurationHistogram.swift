/// Counts times by their length; what is observed costs no memory.
package struct DurationHistogram: Hashable, Sendable {
    /// Upper bounds in nanoseconds, growing; each bound belongs to its bucket.
    package let bounds: [Int64]
    /// Observations in each bucket, the last one being for what is above all bounds.
    package private(set) var counts: [UInt64]
    package private(set) var sumNanoseconds: UInt64 = 0

    /// For times over a network: 0.5 ms to 10 s.
    package static let networkBounds: [Int64] = [
        500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    /// For how late something is done: 50 us to 1 s.
    package static let lagBounds: [Int64] = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 20_000_000,
        50_000_000, 100_000_000, 250_000_000, 1_000_000_000,
    ]

    package init(bounds: [Int64]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    package var count: UInt64 { counts.reduce(0, +) }

    /// Takes an observation; a time below zero counts as zero.
    package mutating func observe(nanoseconds: Int64) {
        var place = 0
        while place < bounds.count, nanoseconds > bounds[place] { place += 1 }
        counts[place] &+= 1
        sumNanoseconds &+= UInt64(max(0, nanoseconds))
    }
}
