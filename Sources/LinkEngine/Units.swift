/// A span of time in whole nanoseconds; may be negative (jitter).
package struct Duration: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let zero = Duration(nanoseconds: 0)
    package static func microseconds(_ count: Int64) -> Duration {
        Duration(nanoseconds: count * 1_000)
    }
    package static func milliseconds(_ count: Int64) -> Duration {
        Duration(nanoseconds: count * 1_000_000)
    }
    package static func seconds(_ count: Int64) -> Duration {
        Duration(nanoseconds: count * 1_000_000_000)
    }

    package static func < (a: Duration, b: Duration) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (a: Duration, b: Duration) -> Duration {
        Duration(nanoseconds: a.nanoseconds + b.nanoseconds)
    }
    package static func - (a: Duration, b: Duration) -> Duration {
        Duration(nanoseconds: a.nanoseconds - b.nanoseconds)
    }
    package static func * (a: Duration, factor: Int64) -> Duration {
        Duration(nanoseconds: a.nanoseconds * factor)
    }
    package static func / (a: Duration, divisor: Int64) -> Duration {
        Duration(nanoseconds: a.nanoseconds / divisor)
    }
    package static func += (a: inout Duration, b: Duration) { a = a + b }

    /// Whole milliseconds, rounded towards zero.
    package var wholeMilliseconds: Int64 { nanoseconds / 1_000_000 }
}

/// A point on a link's own clock, in nanoseconds since the link was made.
///
/// The engine never reads a clock: whoever drives it says what time it is.
package struct Instant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let start = Instant(nanoseconds: 0)
    /// Later than anything that happens.
    package static let never = Instant(nanoseconds: .max)

    package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (a: Instant, b: Duration) -> Instant {
        Instant(nanoseconds: a.nanoseconds + b.nanoseconds)
    }
    package static func - (a: Instant, b: Instant) -> Duration {
        Duration(nanoseconds: a.nanoseconds - b.nanoseconds)
    }
}

/// A rate in bits per second of wire bytes (IP header and up); always above zero.
///
/// "Unlimited" is not a rate but `Capacity.unlimited`.
package struct BitRate: Hashable, Comparable, Sendable {
    package let bitsPerSecond: UInt64

    /// Fails for 0 and for more than 1 Tbit/s, beyond which nanoseconds are too coarse.
    package init?(bitsPerSecond: UInt64) {
        guard bitsPerSecond > 0, bitsPerSecond <= 1_000_000_000_000 else { return nil }
        self.bitsPerSecond = bitsPerSecond
    }

    package static func < (a: BitRate, b: BitRate) -> Bool { a.bitsPerSecond < b.bitsPerSecond }

    /// Time to serialize `bytes`, rounded up to the next nanosecond.
    package func serializationTime(bytes: Int) -> Duration {
        let bits = UInt64(bytes) * 8 * 1_000_000_000
        return Duration(nanoseconds: Int64((bits + bitsPerSecond - 1) / bitsPerSecond))
    }
}

/// A chance as an exact integer threshold: the event happens if a 53-bit draw is below it.
///
/// `threshold` is ⌈p · 2⁵³⌉, so "U < p" needs no floating point and is the same everywhere.
package struct Probability: Hashable, Comparable, Sendable {
    package static let one = Probability(threshold: 1 << 53)
    package static let zero = Probability(threshold: 0)

    /// The draws below which the event happens, from 0 to 2⁵³.
    package let threshold: UInt64

    private init(threshold: UInt64) { self.threshold = threshold }

    /// The ratio `numerator / denominator`; fails above one or for a zero denominator.
    package init?(_ numerator: UInt64, outOf denominator: UInt64) {
        guard denominator > 0, numerator <= denominator else { return nil }
        let product = numerator.multipliedFullWidth(by: 1 << 53)
        let (quotient, remainder) = denominator.dividingFullWidth(product)
        threshold = quotient + (remainder > 0 ? 1 : 0)
    }

    package static func < (a: Probability, b: Probability) -> Bool { a.threshold < b.threshold }
}

/// One of the two independent directions of a link.
package enum Direction: UInt8, Hashable, CaseIterable, Sendable {
    /// From the server (upstream) to the client.
    case down = 0
    /// From the client to the server (upstream).
    case up = 1

    package var opposite: Direction { self == .down ? .up : .down }
}

/// One direction of one connection: a stream of bytes.
package struct Stream: Hashable, Sendable {
    /// Ordinal of the connection on its link, from 0.
    package var connection: UInt32
    package var direction: Direction

    package init(connection: UInt32, direction: Direction) {
        self.connection = connection
        self.direction = direction
    }
}
