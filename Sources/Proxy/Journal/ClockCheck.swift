internal import Basics

/// Notices that the wall clock was set while a proxy ran.
///
/// Nothing here depends on it: delays, faults and the journal's times follow the clock that only goes
/// on. But other logs and the dates in messages do, and who compares them with a journal has to know.
struct ClockCheck {
    /// What the wall clock was ahead of the loop's at the beginning.
    private let offset: Duration
    private let began: Instant

    /// A clock that is brought to the right time is set by more, or moved by less than one part in
    /// 1,000 of the time that passes (adjtimex(2) allows half of that).
    private static let leastStep = Duration.seconds(1)
    private static let slewDivisor: Int64 = 1_000

    /// - Parameters:
    ///   - wall: time since 1970 by the wall clock.
    ///   - loop: the same moment by the loop's clock.
    init(wall: Duration, loop: Instant) {
        offset = Self.offset(wall, loop)
        began = loop
    }

    /// By how much the wall clock was set since, forward or back; nil if it was not.
    ///
    /// The time for which the machine slept counts, too: the loop's clock stands still then.
    func step(wall: Duration, loop: Instant) -> Duration? {
        let step = Self.offset(wall, loop) - offset
        let limit = Self.leastStep + loop.elapsed(since: began) / Self.slewDivisor
        return max(step, .zero - step) > limit ? step : nil
    }

    private static func offset(_ wall: Duration, _ loop: Instant) -> Duration {
        wall - (loop - .start)
    }
}
