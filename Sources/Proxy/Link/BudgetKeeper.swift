internal import Basics
internal import Faults
internal import LinkProfile
internal import SystemIO

/// The byte budget of a profile, which all connections share.
///
/// From the byte at the soft limit on, each direction passes bytes to receivers at the reduced rate
/// at most, whatever is on the link already; the connections that wait take turns. (The link is
/// slowed down too: that is where the delay comes from that a slow network has.)
final class BudgetKeeper: ReadinessHandler {
    private(set) var meter: DataBudgetMeter
    private let settings: DataBudget
    private let loop: EventLoop
    private let timers: TimerQueue
    /// The reduced rate, once it is in force.
    private var turns: (up: RateTurns, down: RateTurns)?
    private var actions: [() -> Void] = []

    /// Nil for a profile without a budget; `used` bytes of it are spent.
    init?(_ budget: DataBudget?, used: UInt64, loop: EventLoop, timers: TimerQueue) {
        guard let budget else { return nil }
        settings = budget
        self.loop = loop
        self.timers = timers
        var soft: (bytes: UInt64, rate: BitRate)?
        if let bytes = budget.softLimitBytes, let rate = budget.rateAfterSoftLimit {
            soft = (bytes, rate)
        }
        meter = DataBudgetMeter(used: used, soft: soft, hardBytes: budget.hardLimitBytes)
    }

    /// Whether the link gets slower at a limit, so that it is needed from the start.
    var slowsDown: Bool { settings.softLimitBytes != nil }

    /// Whether the hard limit ends connections; otherwise they stay open and nothing passes.
    var refuses: Bool { settings.atHardLimit == .refuse }

    /// Whether new connections are refused.
    var refusesNow: Bool { refuses && meter.isExhausted }

    /// Whether connections are open on which nothing passes any more.
    var stallsNow: Bool { !refuses && meter.isExhausted }

    /// The bytes of a limit.
    func bytes(of crossing: DataBudgetMeter.Crossing) -> UInt64 {
        (crossing == .soft ? settings.softLimitBytes : settings.hardLimitBytes) ?? 0
    }

    // Metering.

    /// How many of `wanted` bytes may pass now.
    func allowance(_ wanted: Int, _ direction: Direction) -> Int {
        let metered = min(wanted, meter.allowance.map { Int(clamping: $0) } ?? .max)
        return turns(direction)?.allowance(metered) ?? metered
    }

    /// Counts bytes that pass; answers which limits they reached.
    func spend(_ count: Int, _ direction: Direction) -> [DataBudgetMeter.Crossing] {
        turns(direction)?.spend(count)
        let crossings = meter.add(UInt64(count))
        if turns == nil, let rate = meter.reducedRate {
            turns = (
                up: RateTurns(rate: rate, loop: loop, timers: timers),
                down: RateTurns(rate: rate, loop: loop, timers: timers)
            )
        }
        return crossings
    }

    /// Lets a session work again when it may pass something; beyond the hard limit that is never.
    func wait(_ session: InspectedConnection, _ direction: Direction) {
        if !meter.isExhausted { turns(direction)?.wait(session) }
    }

    /// Forgets who waits.
    func close() { turns = nil }

    private func turns(_ direction: Direction) -> RateTurns? {
        direction == .up ? turns?.up : turns?.down
    }

    func runLater(on loop: EventLoop, _ action: @escaping () -> Void) {
        actions.append(action)
        loop.runLater(self)
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        let due = actions
        actions.removeAll()
        for action in due { action() }
    }
}
