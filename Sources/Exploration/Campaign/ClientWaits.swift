internal import SystemIO

/// How long a client waits, as the system shows it, in nanoseconds of the loop's clock.
struct ClientWaits {
    private let leader: Int
    private let speed: UInt64

    /// The longest wait whose end a run waits for.
    private static let longestWait: UInt64 = 60_000_000_000
    /// A longer wait counts as one without a limit.
    private static let longestPatience: UInt64 = 300_000_000_000

    /// - Parameters:
    ///   - leader: the leader of the client's process group.
    ///   - speed: the speed of the loop's clock; the system shows waits in real time.
    init(of leader: Int, speed: UInt64) {
        self.leader = leader
        self.speed = speed
    }

    private var timeouts: [UInt64] { WaitingCall.timeouts(of: leader).map { $0 * speed } }
    private var timers: [UInt64] { WaitingCall.timers(of: leader).map { $0 * speed } }

    /// Whether its wait ends soon enough by itself; timeouts not longer than `least` do not count.
    func endInTime(longerThan least: UInt64) -> Bool {
        timeouts.contains { $0 > least && $0 <= Self.longestWait }
            || timers.contains { $0 <= Self.longestWait }
    }

    /// How long it waits, if that is longer than a run waits for it, but still counts as limited.
    var patience: UInt64? {
        (timeouts + timers).filter { $0 > Self.longestWait && $0 <= Self.longestPatience }.min()
    }

    /// Whether it wakes up again and again while nothing happens, and may check a timeout that cannot be
    /// seen.
    func wakeUp(within silence: UInt64) -> Bool {
        timeouts.contains { $0 > 0 && $0 < silence }
    }
}
