package import Basics

/// Counts times by their length; what is observed costs no memory.
package struct DurationHistogram: Hashable, Sendable {
    /// Upper bounds, growing; each bound belongs to its bucket.
    package let bounds: [Duration]
    /// Observations in each bucket, the last one being for what is above all bounds.
    package private(set) var counts: [UInt64]
    package private(set) var sum = Duration.zero

    /// For times over a network: 0.5 ms to 10 s.
    package static let networkBounds: [Duration] =
        [500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000].map {
            .microseconds($0)
        } + [1_000, 2_500, 5_000, 10_000].map { .milliseconds($0) }
    /// For how late something is done: 50 us to 1 s.
    package static let lagBounds: [Duration] = [
        50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 50_000, 100_000, 250_000, 1_000_000,
    ].map { .microseconds($0) }

    package init(bounds: [Duration]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    package var count: UInt64 { counts.reduce(0, +) }

    /// Takes an observation; a time below zero counts as zero.
    package mutating func observe(_ time: Duration) {
        var place = 0
        while place < bounds.count, time > bounds[place] { place += 1 }
        counts[place] &+= 1
        sum.nanoseconds &+= max(0, time.nanoseconds)
    }
}
