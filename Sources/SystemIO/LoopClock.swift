package import Basics

/// The monotonic clock, or one that runs a whole number of times as fast since it was told to.
///
/// It never goes back; a change of speed makes no step.
package struct LoopClock: Hashable, Sendable {
    package private(set) var speed: UInt64 = 1
    private var ownStart = Instant.start
    private var realStart = Instant.start

    package init() {}

    /// What it shows when the monotonic clock shows `real`.
    package func time(atReal real: Instant) -> Instant {
        ownStart + real.elapsed(since: realStart) * Int64(speed)
    }

    /// The first moment of the monotonic clock at which it shows `time` or more.
    package func real(at time: Instant) -> Instant {
        let own = time.elapsed(since: ownStart).clampedNanoseconds
        return realStart + .nanoseconds(Int64((own + speed - 1) / speed))
    }

    /// Runs so fast from this moment of the monotonic clock on.
    package mutating func setSpeed(_ speed: UInt64, atReal real: Instant) {
        ownStart = time(atReal: real)
        realStart = real
        self.speed = speed
    }
}
