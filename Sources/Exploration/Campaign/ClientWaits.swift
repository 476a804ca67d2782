internal import SystemIO

/// What the system says of the times for which a client waits, in nanoseconds of the loop's clock.
struct ClientWaits {
    private let leader: Int
    private let speed: UInt64

    /// Longer waits are not waited for.
    private static let longestWait: UInt64 = 60_000_000_000
    /// What is longer still is as if there were no limit.
    private static let longestPatience: UInt64 = 300_000_000_000

    /// - Parameters:
    ///   - leader: of the client's process group.
    ///   - speed: of the loop's clock; the system knows for how long a client really waits.
    init(of leader: Int, speed: UInt64) {
        self.leader = leader
        self.speed = speed
    }

    private var timeouts: [UInt64] { WaitingCall.timeouts(of: leader).map { $0 * speed } }
    private var timers: [UInt64] { WaitingCall.timers(of: leader).map { $0 * speed } }

    /// Whether it waits for a time that will come; a timeout that is shorter is no sign.
    func endInTime(longerThan least: UInt64) -> Bool {
        timeouts.contains { $0 > least && $0 <= Self.longestWait }
            || timers.contains { $0 <= Self.longestWait }
    }

    /// For how long it waits, if that is longer than anybody waits for it here, but not as long as if there
    /// were no limit.
    var patience: UInt64? {
        (timeouts + timers).filter { $0 > Self.longestWait && $0 <= Self.longestPatience }.min()
    }

    /// Whether it wakes up again and again while nothing happens, and may check a timeout that cannot be
    /// seen.
    func wakeUp(within silence: UInt64) -> Bool {
        timeouts.contains { $0 > 0 && $0 < silence }
    }
}
