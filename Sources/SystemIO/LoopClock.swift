/// The monotonic clock, or one that runs a whole number of times as fast since it was told to.
///
/// It never goes back; a change of speed makes no step.
package struct LoopClock: Hashable, Sendable {
    package private(set) var speed: UInt64 = 1
    private var ownStart: UInt64 = 0
    private var realStart: UInt64 = 0

    package init() {}

    /// What it shows when the monotonic clock shows `real`.
    package func time(atReal real: UInt64) -> UInt64 {
        ownStart + (real - min(real, realStart)) * speed
    }

    /// The first moment of the monotonic clock at which it shows `time` or more.
    package func real(at time: UInt64) -> UInt64 {
        realStart + (time - min(time, ownStart) + speed - 1) / speed
    }

    /// Runs so fast from this moment of the monotonic clock on.
    package mutating func setSpeed(_ speed: UInt64, atReal real: UInt64) {
        ownStart = time(atReal: real)
        realStart = real
        self.speed = speed
    }
}
