package import Basics
internal import Faults
internal import LinkEngine
package import LinkProfile
internal import SystemIO

/// A link that the connections of a proxy share, as its profile, byte budget and outages make it.
///
/// Without anything to do it has no driver, and connections are spliced.
package final class SharedLink {
    /// The network that is imitated now.
    package private(set) var profile: Profile
    /// Nil as long as the link changes nothing.
    private(set) var driver: LinkDriver?
    private var budget: BudgetKeeper?
    /// When an outage begun by hand ends, on the loop's clock; nil without one.
    private var outageEnd: Instant?
    /// When the path that comes up on demand is there, on the loop's clock; nil while nothing has asked
    /// for it.
    private var upAt: Instant?
    /// Called when the link, and so what the path is like, was changed while the proxy runs.
    var onChange: (() -> Void)?
    /// Whether it is the second path of a proxy that has two.
    var isSecondPath = false
    /// Payload bytes that ended connections and flows have delivered over it.
    var endedBytes = (up: UInt64(0), down: UInt64(0))
    /// Called when there is a driver that was not there before.
    var onOpen: ((LinkDriver) -> Void)?
    /// Called when a handover of the profile has begun.
    var onHandover: (() -> Void)?
    /// Called when `bounds` may have changed.
    var onBounds: (() -> Void)?
    var meter: LinkMeter? {
        didSet { driver?.meter = meter }
    }

    private let loop: EventLoop
    private let timers: TimerQueue
    private let seed: UInt64
    private let reporter: ProxyReporter
    private let connections: ConnectionTable

    /// Makes a link that carries nothing yet; `open` begins.
    init(
        profile: Profile,
        seed: UInt64,
        loop: EventLoop,
        timers: TimerQueue,
        reporter: ProxyReporter,
        connections: ConnectionTable
    ) {
        self.profile = profile
        self.seed = seed
        self.loop = loop
        self.timers = timers
        self.reporter = reporter
        self.connections = connections
        budget = BudgetKeeper(profile.budget, used: 0, loop: loop, timers: timers)
    }

    /// Makes a driver if there is something for it to do, and puts open connections on it.
    ///
    /// - Throws: `internal` when the system has no descriptor left.
    func open() throws(ProxyError) {
        let isNeeded = budget?.slowsDown == true || outageEnd != nil
        guard isNeeded || !settings.isTransparent else { return }
        do throws(SystemError) {
            driver = try LinkDriver(
                loop: loop,
                settings: settings,
                seed: seed,
                onLate: { [weak reporter] in reporter?.pacingWasLate($0, isStill: $1) }
            )
        } catch {
            throw ProxyError(.internal, "cannot make a timer: \(error)")
        }
        guard let driver else { return }
        driver.meter = meter
        driver.onHandover = { [weak self] in
            self?.onBounds?()
            self?.onHandover?()
            self?.onChange?()
        }
        onBounds?()
        for connection in carried { connection.adopt(driver) }
        onOpen?(driver)
    }

    /// Ends the driver; the link carries nothing afterwards.
    func close() {
        driver?.close()
        driver = nil
        budget?.close()
    }

    /// The connections that go over this link and no other of the proxy.
    private var carried: [any Connection] {
        connections.inOrder.filter { $0.context.link === self }
    }

    /// Forgets a connection.
    func remove(_ number: UInt32) { driver?.remove(number) }

    /// Imitates another network from now on, for open connections too.
    ///
    /// A budget that differs begins with what was used of the one before.
    ///
    /// - Throws: `internal` when the system has no descriptor left; the profile stays then.
    func apply(_ profile: Profile) throws(ProxyError) {
        let before = self.profile
        self.profile = profile
        if profile.budget != before.budget { replaceBudget() }
        do throws(ProxyError) {
            try refresh()
        } catch {
            self.profile = before
            throw error
        }
    }

    /// Lets the link be what profile and budget require now.
    private func refresh() throws(ProxyError) {
        if let driver {
            driver.apply(settings)
            onBounds?()
        } else {
            try open()
        }
        onChange?()
    }

    /// The profile's link, slowed down if the budget requires it.
    private var settings: LinkSettings {
        var settings = profile.link
        guard let rate = budget?.meter.reducedRate else { return settings }
        settings.limit(to: rate)
        return settings
    }

    /// What kernels may keep of connections; nil as long as the link changes nothing.
    var bounds: SocketBounds? { driver.map { SocketBounds($0.settings) } }

    func queued(_ direction: Direction) -> (packets: Int, bytes: Int) {
        driver?.queued(direction) ?? (0, 0)
    }

    /// What the path is like: as the profile says, or the one that the latest handover led to.
    package var path: PathAttributes {
        profile.handoverPaths.prefix(driver?.begunHandovers ?? 0).last ?? profile.path
    }

    // MARK: Outages

    /// Whether a new connection is better off on another path.
    ///
    /// A path that comes up on demand waits for one.
    var isDown: Bool {
        (profile.path.onDemand == nil || upAt != nil) && outage.isPresent
    }

    /// Whether an outage covers this moment, and when that changes.
    package var outage: LinkOutage {
        guard profile.path.onDemand != nil else { return driver?.outage ?? .none }
        guard let up = upAt else { return LinkOutage(isPresent: true) }
        return up > loop.now
            ? LinkOutage(isPresent: true, changesAt: up) : driver?.outage ?? .none
    }

    /// How long a connection that was accepted now waits for a path that comes up on demand; the first
    /// one asks for it.
    func waitForPath() -> Duration {
        guard let delay = profile.path.onDemand else { return .zero }
        let now = loop.now
        if let up = upAt { return up.elapsed(since: now) }
        upAt = now.later(by: delay)
        onChange?()
        return delay
    }

    /// Loses whatever enters the link before a time on the loop's clock; nil ends that.
    ///
    /// - Throws: `internal` when the system has no descriptor left.
    func blackOut(until end: Instant?) throws(ProxyError) {
        outageEnd = end
        if driver == nil { try open() }
        driver?.blackOut(until: end)
        onChange?()
    }

    // MARK: The budget

    /// Whether bytes are counted.
    var isMetered: Bool { budget != nil }

    /// Whether new connections are refused, because the budget is spent.
    var refusesConnections: Bool { budget?.refusesNow == true }

    /// Whether the budget lets no byte pass any more, and ends nothing either.
    var isStalledByBudget: Bool { budget?.stallsNow == true }

    /// How many of `wanted` bytes the budget lets pass now.
    func budgetAllowance(_ wanted: Int, _ direction: Direction) -> Int {
        budget?.allowance(wanted, direction) ?? wanted
    }

    /// Whether a datagram of that many bytes fits into the budget; a smaller part of it does not help.
    func affordsDatagram(_ count: Int) -> Bool { budget?.meter.fits(UInt64(count)) ?? true }

    /// Wakes a session when the budget has something for it.
    func awaitBudget(_ session: InspectedConnection, _ direction: Direction) {
        budget?.wait(session, direction)
    }

    /// Counts bytes that pass now.
    func spendBudget(_ count: Int, _ direction: Direction) {
        guard let budget else { return }
        for crossing in budget.spend(count, direction) {
            reporter.budgetReached(crossing, budget)
            // Later: a session is at work while it spends.
            budget.runLater(on: loop) { [weak self] in self?.enforce(crossing) }
        }
    }

    private func enforce(_ crossing: DataBudgetMeter.Crossing) {
        switch crossing {
        case .soft: driver?.apply(settings)
        case .hard:
            guard budget?.refuses == true else { return }
            for connection in carried { connection.budgetSpent() }
        }
    }

    private func replaceBudget() {
        let used = budget?.meter.used ?? 0
        budget = BudgetKeeper(profile.budget, used: used, loop: loop, timers: timers)
        for connection in carried { connection.budgetChanged(isMetered: isMetered) }
        // A limit may lie below what is used.
        spendBudget(0, .down)
    }

    /// How much of the budget in force is used; nil for a profile without one.
    package var budgetStatus: BudgetStatus? {
        guard let budget, let limits = profile.budget else { return nil }
        return BudgetStatus(
            usedBytes: budget.meter.used,
            softLimitBytes: limits.softLimitBytes,
            hardLimitBytes: limits.hardLimitBytes,
            state: budget.meter.isExhausted
                ? .exhausted : budget.meter.reducedRate == nil ? .within : .slowed
        )
    }
}

/// Whether the link carries anything now.
package struct LinkOutage: Hashable, Sendable {
    /// A direction carries nothing.
    package var isPresent: Bool
    /// When to look again, on the loop's clock; nil if nothing will change.
    package var changesAt: Instant?

    static let none = LinkOutage(isPresent: false)
}
