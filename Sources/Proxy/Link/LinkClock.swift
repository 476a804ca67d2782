internal import Basics

/// The time on a link, as the machine lets it pass.
///
/// A real link does not stand still while this process waits for a processor, nor does it send what
/// piled up meanwhile in one burst. So while packets wait for the link's rate, its time makes up for
/// what it missed step by step: at once by no more than `stepLimit`, and beyond that a little faster
/// than real time passes, so that 100 ms carry at most 1.06 times what the rate allows. While none
/// waits there is no burst to be avoided, and the link's time is real time.
struct LinkClock {
    /// Time on the link since it was made, at the latest reading; never ahead of real time.
    private(set) var now = Instant.start
    private let epoch: Instant
    /// Real time at the latest reading.
    private var realTime = Instant.start
    /// How far the link's time may go on at once over what should have happened already.
    private var credit = Self.stepLimit

    /// More than a process usually waits for a processor that it shares.
    static let stepLimit = Duration.milliseconds(2)
    /// The link's time gains one part in so many on real time.
    static let gainDivisor: Int64 = 32
    /// What is missed beyond this passes at once: the machine is too slow, or the process was stopped,
    /// and a link that is ever later, or slower than its rate, is further from the truth than a burst.
    static let lagLimit = Duration.milliseconds(40)

    /// Makes a clock whose time begins now.
    init(now: Instant) { epoch = now }

    /// How far the link's time is behind real time.
    var lag: Duration { realTime - now }

    /// Takes note of real time.
    ///
    /// - Parameters:
    ///   - time: of the loop's clock; what is earlier than before counts as no time.
    ///   - departure: when the next of the packets that wait for the link's rate leaves; nil if none
    ///     waits.
    /// - Returns: the time on the link.
    mutating func read(_ time: Instant, nextDeparture departure: Instant?) -> Instant {
        let real = max(realTime, instant(at: time))
        let passed = real - realTime
        realTime = real
        guard let departure else {
            now = real
            credit = Self.stepLimit
            return now
        }
        // Until then nothing was missed.
        let waited = min(passed, max(.zero, departure - now))
        now = now + waited
        let gained = passed - waited + passed / Self.gainDivisor
        credit = min(Self.stepLimit, credit + gained)
        let step = max(min(lag, credit), lag - Self.lagLimit)
        now = now + step
        credit = max(.zero, credit - step)
        return now
    }

    /// Real time, on the scale of the link's.
    func instant(at time: Instant) -> Instant { .start + time.elapsed(since: epoch) }

    /// When the link's time will be so late, on the loop's clock, or a little earlier.
    func loopTime(of instant: Instant) -> Instant {
        epoch.later(by: instant + lag - .start)
    }
}
