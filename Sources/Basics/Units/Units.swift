/// A span of time in whole nanoseconds; may be negative (jitter).
@frozen public struct Duration: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    // Computed: a stored one is read through a call from another module.
    @inlinable public static var zero: Duration { Duration(nanoseconds: 0) }
    /// A hundred years: what a longer time from outside is cut to, so that sums never overflow.
    @inlinable public static var century: Duration { .seconds(3_153_600_000) }
    @inlinable public static func nanoseconds(_ count: Int64) -> Duration {
        Duration(nanoseconds: count)
    }
    /// A count from outside, cut to a century.
    @inlinable public static func nanoseconds(clamping count: UInt64) -> Duration {
        Duration(nanoseconds: Int64(min(count, century.clampedNanoseconds)))
    }
    @inlinable public static func microseconds(_ count: Int64) -> Duration {
        Duration(nanoseconds: count * 1_000)
    }
    @inlinable public static func milliseconds(_ count: Int64) -> Duration {
        Duration(nanoseconds: count * 1_000_000)
    }
    /// A count from outside, cut to a century.
    @inlinable public static func milliseconds(clamping count: UInt64) -> Duration {
        count < century.clampedNanoseconds / 1_000_000 ? .milliseconds(Int64(count)) : century
    }
    @inlinable public static func seconds(_ count: Int64) -> Duration {
        Duration(nanoseconds: count * 1_000_000_000)
    }

    @inlinable public static func < (a: Duration, b: Duration) -> Bool {
        a.nanoseconds < b.nanoseconds
    }
    @inlinable public static func == (a: Duration, b: Duration) -> Bool {
        a.nanoseconds == b.nanoseconds
    }
    @inlinable public static func > (a: Duration, b: Duration) -> Bool {
        a.nanoseconds > b.nanoseconds
    }
    @inlinable public static func <= (a: Duration, b: Duration) -> Bool {
        a.nanoseconds <= b.nanoseconds
    }
    @inlinable public static func >= (a: Duration, b: Duration) -> Bool {
        a.nanoseconds >= b.nanoseconds
    }
    @inlinable public static func + (a: Duration, b: Duration) -> Duration {
        Duration(nanoseconds: a.nanoseconds + b.nanoseconds)
    }
    @inlinable public static func - (a: Duration, b: Duration) -> Duration {
        Duration(nanoseconds: a.nanoseconds - b.nanoseconds)
    }
    @inlinable public static func * (a: Duration, factor: Int64) -> Duration {
        Duration(nanoseconds: a.nanoseconds * factor)
    }
    @inlinable public static func / (a: Duration, divisor: Int64) -> Duration {
        Duration(nanoseconds: a.nanoseconds / divisor)
    }
    /// How many whole times `b` is in `a`.
    @inlinable public static func / (a: Duration, b: Duration) -> Int64 {
        a.nanoseconds / b.nanoseconds
    }
    @inlinable public static func += (a: inout Duration, b: Duration) { a = a + b }
    @inlinable public static func *= (a: inout Duration, factor: Int64) { a = a * factor }

    /// Whole seconds, rounded towards zero.
    @inlinable public var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }

    /// Whole milliseconds, rounded towards zero.
    @inlinable public var wholeMilliseconds: Int64 { nanoseconds / 1_000_000 }

    /// Whole microseconds, rounded towards zero.
    @inlinable public var wholeMicroseconds: Int64 { nanoseconds / 1_000 }

    /// Nanoseconds for a clock that counts up from zero: 0 for a negative span.
    @inlinable public var clampedNanoseconds: UInt64 { UInt64(max(0, nanoseconds)) }
}

/// A point on a clock that counts up from some start, in nanoseconds since then.
///
/// Which clock it is depends on where the instant is from: the loop's, which starts when the system
/// does; a link's, which starts when the link is made; or a journal's, which starts with the run.
/// Only instants of the same clock can be compared. The engine never reads a clock: its callers pass
/// the time.
@frozen public struct Instant: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable public static var start: Instant { Instant(nanoseconds: 0) }
    /// Later than anything that happens.
    @inlinable public static var never: Instant { Instant(nanoseconds: .max) }

    @inlinable public static func < (a: Instant, b: Instant) -> Bool {
        a.nanoseconds < b.nanoseconds
    }
    @inlinable public static func == (a: Instant, b: Instant) -> Bool {
        a.nanoseconds == b.nanoseconds
    }
    @inlinable public static func > (a: Instant, b: Instant) -> Bool {
        a.nanoseconds > b.nanoseconds
    }
    @inlinable public static func <= (a: Instant, b: Instant) -> Bool {
        a.nanoseconds <= b.nanoseconds
    }
    @inlinable public static func >= (a: Instant, b: Instant) -> Bool {
        a.nanoseconds >= b.nanoseconds
    }
    @inlinable public static func + (a: Instant, b: Duration) -> Instant {
        Instant(nanoseconds: a.nanoseconds + b.nanoseconds)
    }
    @inlinable public static func - (a: Instant, b: Instant) -> Duration {
        Duration(nanoseconds: a.nanoseconds - b.nanoseconds)
    }
    @inlinable public static func - (a: Instant, b: Duration) -> Instant {
        Instant(nanoseconds: a.nanoseconds - b.nanoseconds)
    }
    @inlinable public static func += (a: inout Instant, b: Duration) { a = a + b }

    /// The time since `earlier`; zero if that is later than this.
    @inlinable public func elapsed(since earlier: Instant) -> Duration {
        self > earlier ? self - earlier : .zero
    }

    /// This instant plus `span`, or `.never` if that is out of range; a negative span counts as zero.
    @inlinable public func later(by span: Duration) -> Instant {
        let (sum, isTooFar) = nanoseconds.addingReportingOverflow(max(0, span.nanoseconds))
        return isTooFar ? .never : Instant(nanoseconds: sum)
    }
}

/// A rate in bits per second of wire bytes (IP header and up); always above zero.
///
/// "Unlimited" is not a rate but `Capacity.unlimited`.
@frozen public struct BitRate: Hashable, Comparable, Sendable {
    public let bitsPerSecond: UInt64

    /// Fails for 0 and for more than 1 Tbit/s, beyond which nanoseconds are too coarse.
    @inlinable public init?(bitsPerSecond: UInt64) {
        guard bitsPerSecond > 0, bitsPerSecond <= 1_000_000_000_000 else { return nil }
        self.bitsPerSecond = bitsPerSecond
    }

    @inlinable public static func < (a: BitRate, b: BitRate) -> Bool {
        a.bitsPerSecond < b.bitsPerSecond
    }

    /// Time to serialize `bytes`, rounded up to the next nanosecond.
    @inlinable public func serializationTime(bytes: Int) -> Duration {
        let bits = UInt64(bytes) * 8 * 1_000_000_000
        return Duration(nanoseconds: Int64((bits + bitsPerSecond - 1) / bitsPerSecond))
    }
}

/// A chance as an exact integer threshold: the event happens if a 53-bit draw is below it.
///
/// `threshold` is ⌈p · 2⁵³⌉, so "U < p" needs no floating point and is the same everywhere.
@frozen public struct Probability: Hashable, Comparable, Sendable {
    @inlinable public static var one: Probability { Probability(threshold: 1 << 53) }
    @inlinable public static var zero: Probability { Probability(threshold: 0) }

    /// The draws below which the event happens, from 0 to 2⁵³.
    public let threshold: UInt64

    @inlinable public init(threshold: UInt64) { self.threshold = threshold }

    /// The ratio `numerator / denominator`; fails above one or for a zero denominator.
    @inlinable public init?(_ numerator: UInt64, outOf denominator: UInt64) {
        guard denominator > 0, numerator <= denominator else { return nil }
        let product = numerator.multipliedFullWidth(by: 1 << 53)
        let (quotient, remainder) = denominator.dividingFullWidth(product)
        threshold = quotient + (remainder > 0 ? 1 : 0)
    }

    @inlinable public static func < (a: Probability, b: Probability) -> Bool {
        a.threshold < b.threshold
    }
}
