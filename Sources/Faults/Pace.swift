package import Basics

/// What may pass at a rate since a moment, in steps of about a millisecond.
package struct Pace: Hashable, Sendable {
    private let rate: BitRate
    private let startedAt: Instant
    private var spentBytes: UInt64 = 0

    /// Fewer bytes are not worth a system call, unless the rate is below them in a millisecond.
    private static let leastBytes: UInt64 = 1_448
    /// A late wake-up may be made up for, idle time not.
    private static let burstTime = Duration.milliseconds(20)

    /// Begins to earn at `now` of any clock.
    package init(rate: BitRate, now: Instant) {
        self.rate = rate
        startedAt = now
    }

    /// How many of `wanted` bytes may go now.
    ///
    /// Time in which nothing was wanted earns no more than a burst.
    package mutating func allowance(_ wanted: Int, now: Instant) -> Int {
        let earned = bytes(after: now.elapsed(since: startedAt))
        let burst = max(bytes(after: Self.burstTime), Self.leastBytes)
        if earned > spentBytes, earned - spentBytes > burst { spentBytes = earned - burst }
        let allowed = earned > spentBytes ? earned - spentBytes : 0
        return allowed >= least(wanted) ? Int(min(allowed, UInt64(wanted))) : 0
    }

    /// When some of `wanted` bytes may go.
    package func nextTime(_ wanted: Int) -> Instant {
        let target = spentBytes + least(wanted)
        let (high, low) = target.multipliedFullWidth(by: 8_000_000_000)
        guard high < rate.bitsPerSecond else { return .never }
        let span = rate.bitsPerSecond.dividingFullWidth((high, low)).quotient
        return startedAt.later(by: .nanoseconds(Int64(clamping: span))).later(by: .nanoseconds(1))
    }

    /// Says that so many bytes went.
    package mutating func spend(_ count: Int) { spentBytes += UInt64(count) }

    private func least(_ wanted: Int) -> UInt64 {
        max(1, min(UInt64(wanted), Self.leastBytes, rate.bitsPerSecond / 8_000))
    }

    private func bytes(after time: Duration) -> UInt64 {
        let (high, low) = time.clampedNanoseconds.multipliedFullWidth(by: rate.bitsPerSecond)
        guard high < 8_000_000_000 else { return .max }
        return UInt64(8_000_000_000).dividingFullWidth((high, low)).quotient
    }
}
