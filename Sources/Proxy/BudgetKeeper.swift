internal import FaultInjection
internal import LinkEngine
internal import LinkProfile
internal import Libuv

/// The byte budget of a profile, which all connections share.
final class BudgetKeeper: ReadinessHandler {
    private(set) var meter: DataBudgetMeter
    private let settings: DataBudget
    private var actions: [() -> Void] = []

    /// Nil for a profile without a budget.
    init?(_ budget: DataBudget?) {
        guard let budget else { return nil }
        settings = budget
        var soft: (bytes: UInt64, rate: BitRate)?
        if let bytes = budget.softLimitBytes, let rate = budget.rateAfterSoftLimit {
            soft = (bytes, rate)
        }
        meter = DataBudgetMeter(soft: soft, hardBytes: budget.hardLimitBytes)
    }

    /// Whether the link gets slower at a limit, so that it is needed from the start.
    var slowsDown: Bool { settings.softLimitBytes != nil }

    /// Whether the hard limit ends connections; otherwise they stay open and nothing passes.
    var refuses: Bool { settings.atHardLimit == .refuse }

    /// Whether new connections are refused.
    var refusesNow: Bool { refuses && meter.isExhausted }

    var allowance: Int { meter.allowance.map { Int(clamping: $0) } ?? .max }

    func spend(_ count: Int) -> [DataBudgetMeter.Crossing] { meter.add(UInt64(count)) }

    /// The bytes of a limit.
    func bytes(of crossing: DataBudgetMeter.Crossing) -> UInt64 {
        (crossing == .soft ? settings.softLimitBytes : settings.hardLimitBytes) ?? 0
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
