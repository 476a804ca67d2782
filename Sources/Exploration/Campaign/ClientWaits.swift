internal import Basics
internal import SystemIO

/// How long a client waits, as the system shows it, by the loop's clock.
struct ClientWaits {
    private let leader: Int
    private let speed: UInt64

    /// The longest wait whose end a run waits for.
    private static let longestWait = Duration.seconds(60)
    /// A longer wait counts as one without a limit.
    private static let longestPatience = Duration.seconds(300)

    /// - Parameters:
    ///   - leader: the leader of the client's process group.
    ///   - speed: the speed of the loop's clock; the system shows waits in real time.
    init(of leader: Int, speed: UInt64) {
        self.leader = leader
        self.speed = speed
    }

    private var timeouts: [Duration] { WaitingCall.timeouts(of: leader).map(span) }
    private var timers: [Duration] { WaitingCall.timers(of: leader).map(span) }

    /// Nanoseconds of real time, as a span of the loop's clock.
    private func span(_ real: UInt64) -> Duration {
        let (own, isTooLong) = real.multipliedReportingOverflow(by: speed)
        return isTooLong ? .century : .nanoseconds(clamping: own)
    }

    /// Whether its wait ends soon enough by itself; timeouts not longer than `least` do not count.
    func endInTime(longerThan least: Duration) -> Bool {
        timeouts.contains { $0 > least && $0 <= Self.longestWait }
            || timers.contains { $0 <= Self.longestWait }
    }

    /// How long it waits, if that is longer than a run waits for it, but still counts as limited.
    var patience: Duration? {
        (timeouts + timers).filter { $0 > Self.longestWait && $0 <= Self.longestPatience }.min()
    }

    /// Whether it wakes up again and again while nothing happens, and may check a timeout that cannot be
    /// seen.
    func wakeUp(within silence: Duration) -> Bool {
        timeouts.contains { $0 > .zero && $0 < silence }
    }
}
