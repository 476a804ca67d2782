package import Basics

/// Delivered bytes over time in bins of equal length, which doubles when there are too many.
///
/// So memory does not depend on how long a transfer takes, and the series is the same every time.
package struct ThroughputSeries: Hashable, Sendable {
    package static let binLimit = 4_096

    package private(set) var binLength = Duration.milliseconds(1)
    package private(set) var bytes: [UInt64] = []

    package mutating func add(_ count: UInt64, at instant: Instant) {
        var index = Int(instant.nanoseconds / binLength.nanoseconds)
        while index >= Self.binLimit {
            halve()
            index = Int(instant.nanoseconds / binLength.nanoseconds)
        }
        while bytes.count <= index { bytes.append(0) }
        bytes[index] += count
    }

    private mutating func halve() {
        binLength.nanoseconds *= 2
        bytes = stride(from: 0, to: bytes.count, by: 2).map { index in
            bytes[index] + (index + 1 < bytes.count ? bytes[index + 1] : 0)
        }
    }

    /// Mean rates in bits per second of `columns` equal spans from the start to `end`.
    package func rates(columns: Int, until end: Instant) -> [UInt64] {
        guard columns > 0, end > .start else { return [] }
        let span = max(1, end.nanoseconds)
        return (0..<columns).map { column in
            let from = span / Int64(columns) * Int64(column)
            let to = column + 1 == columns ? span : span / Int64(columns) * Int64(column + 1)
            return rate(from: from, to: max(to, from + 1))
        }
    }

    /// Bins that lie only partly in the span count by their share.
    private func rate(from: Int64, to: Int64) -> UInt64 {
        let length = binLength.nanoseconds
        var shares: UInt64 = 0
        var index = Int(from / length)
        while index < bytes.count, Int64(index) * length < to {
            let begin = max(from, Int64(index) * length)
            let end = min(to, Int64(index + 1) * length)
            let share = bytes[index].multipliedFullWidth(by: UInt64(end - begin))
            shares += UInt64(length).dividingFullWidth(share).quotient
            index += 1
        }
        let product = shares.multipliedFullWidth(by: 8_000_000_000)
        guard product.high < UInt64(to - from) else { return .max }
        return UInt64(to - from).dividingFullWidth(product).quotient
    }
}
