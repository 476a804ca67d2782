/// Notices that the wall clock was set while a proxy ran.
///
/// Nothing here depends on it: delays, faults and the journal's times follow the clock that only goes
/// on. But other logs and the dates in messages do, and who compares them with a journal has to know.
struct ClockCheck {
    /// What the wall clock was ahead of the loop's at the beginning.
    private let offset: Int64
    private let beganNanoseconds: UInt64

    /// A clock that is brought to the right time is set by more, or moved by less than one part in
    /// 1,000 of the time that passes (adjtimex(2) allows half of that).
    private static let leastStep: Int64 = 1_000_000_000
    private static let slewDivisor: Int64 = 1_000

    /// - Parameters:
    ///   - wall: nanoseconds since 1970 by the wall clock.
    ///   - loop: the same moment by the loop's clock.
    init(wallNanoseconds wall: Int64, loopNanoseconds loop: UInt64) {
        offset = wall &- Int64(clamping: loop)
        beganNanoseconds = loop
    }

    /// By how much the wall clock was set since, forward or back; nil if it was not.
    ///
    /// The time for which the machine slept counts, too: the loop's clock stands still then.
    func stepNanoseconds(wallNanoseconds wall: Int64, loopNanoseconds loop: UInt64) -> Int64? {
        let step = wall &- Int64(clamping: loop) &- offset
        let passed = Int64(clamping: loop - min(loop, beganNanoseconds))
        return step.magnitude > (Self.leastStep + passed / Self.slewDivisor).magnitude ? step : nil
    }
}
