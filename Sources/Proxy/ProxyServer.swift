package import FaultInjection
package import Journal
internal import LinkEngine
package import LinkProfile
package import Libuv
package import Toxics

/// A proxy: listeners, the connections that came through them, and the link they share.
///
/// Everything happens on the thread of its loop. Keep it until `stop()`, or `drain`, is through.
package final class ProxyServer {
    package let loop: EventLoop
    let limits: ProxyLimits
    let tools: TransferTools
    let alarms: Alarms
    let earlyResets: EarlyResets
    var clockCheck: ClockCheck
    let reporter: ProxyReporter
    var configuration: ProxyConfiguration
    /// Nil as long as the link changes nothing.
    private(set) var link: LinkDriver?
    private(set) var budget: BudgetKeeper?
    var listeners: [Listener] = []
    var upstreams: [Upstream] = []
    var connections: [UInt32: any Connection] = [:]
    var nextNumber: UInt32 = 0
    /// Connections accepted so far, by route.
    var accepted: [UInt32] = []
    var endedBytes = (up: UInt64(0), down: UInt64(0))
    var endedReceived = (up: UInt64(0), down: UInt64(0))
    /// What acts on each connection by itself, before the link.
    package internal(set) var toxics: [Toxic] = []
    /// What toxics may hold; proxies may share it.
    package var toxicMemory = ToxicMemory()
    var connectionLimit = 0
    var plan: FaultPlan
    var requestPlan: RequestPlan
    /// What the connections of the run have in common as to requests.
    var requestRun = RequestRun()
    /// What is to be done when an event of the request plan happens.
    var waiting: [Int: [() -> Void]] = [:]
    var redaction = Redaction()
    /// Whether an address must not be connected to, because it leads back to us.
    package var refusesUpstream: ((SocketAddress) -> Bool)?
    /// Where else this process answers, as control and other proxies do; nothing is forwarded there.
    package var otherEndpoints: (() -> [SocketAddress])?
    /// Nil without an embedded origin.
    package weak var originFaults: (any OriginFaults)?
    /// When the run began, on the loop's clock.
    let startNanoseconds: UInt64
    private var isDraining = false
    private var isStopped = false
    private var onDrained: (() -> Void)?
    /// Told the own address of each connection to an upstream, before any byte goes over it.
    package var onUpstreamConnection: ((SocketAddress) -> Void)?
    /// Told when the link, and so what the path is like, was changed while the proxy runs.
    package var onLinkChange: (() -> Void)?
    /// What was asked for by hand and is not over.
    var live = LiveConditions()
    /// What there was before anything was done by hand.
    package let startFaults: [Fault]
    package let startProfile: Profile
    /// What was done by hand, as faults.
    package internal(set) var recorder = LiveRecorder()
    private var drainAlarm = Alarms.Token.none
    var retryAlarm = Alarms.Token.none
    /// Connections whose upstream has not answered.
    var pendingCount = 0
    var sweepAlarm = Alarms.Token.none

    /// What measures the link; set it before the proxy starts, or connections that are open then are
    /// not measured.
    package var linkMeter: LinkMeter? {
        didSet { link?.meter = linkMeter }
    }

    /// Makes a proxy that does nothing yet.
    ///
    /// - Parameters:
    ///   - loop: where everything happens.
    ///   - configuration: what to do.
    ///   - onRecord: gets each record for the journal, after the turn of the loop in which it came
    ///     up. Nil if nobody writes one; that saves the work.
    /// - Throws: `internal` when the system has no descriptor left.
    package init(
        loop: EventLoop,
        configuration: ProxyConfiguration,
        onRecord: ((JournalRecord) -> Void)? = nil
    ) throws(ProxyError) {
        self.loop = loop
        self.configuration = configuration
        startFaults = configuration.faults
        startProfile = configuration.profile
        limits = configuration.limits
        tools = TransferTools(configuration.limits)
        plan = FaultPlan(faults: configuration.faults, seed: configuration.seed)
        requestPlan = RequestPlan(plan)
        startNanoseconds = configuration.startNanoseconds ?? loop.nowNanoseconds
        clockCheck = ClockCheck(
            wallNanoseconds: WallClock.nanosecondsSince1970,
            loopNanoseconds: loop.nowNanoseconds
        )
        reporter = ProxyReporter(loop: loop, plan: plan, onRecord: onRecord)
        do throws(SystemError) {
            alarms = try Alarms(loop: loop)
        } catch {
            throw ProxyError(.internal, "cannot make a timer: \(error)")
        }
        earlyResets = EarlyResets(
            loop: loop,
            alarms: alarms,
            patienceMilliseconds: limits.connectPatienceMilliseconds
        )
        budget = makeBudget()
    }

    /// Binds all listeners and begins to accept.
    ///
    /// - Returns: where each route listens, with the ports that were found.
    /// - Throws: what is wrong with the first route that cannot be served; nothing listens then.
    package func start() throws(ProxyError) -> [Endpoint] {
        let descriptors = DescriptorLimit.raise()
        connectionLimit = limits.connections ?? max(1, (descriptors - 64) / 2)
        // A quarter of what is there at most: pipes speed things up, sockets are what it is about.
        tools.pipes.limit = max(8, (descriptors - 64) / 8)
        do throws(ProxyError) {
            try requireOrigin()
            try openRoutes()
            try makeLink()
            try resumeAccepting()
            for route in listeners.indices { listenNoMore(before: 1, on: route) }
        } catch {
            stop()
            throw error
        }
        return listeners.map { Endpoint($0.address) }
    }

    /// Stops accepting and lets open connections finish.
    ///
    /// - Parameters:
    ///   - milliseconds: connections that are open then are reset.
    ///   - action: called once, on the loop, when no connection is open.
    package func drain(limitMilliseconds milliseconds: UInt64, then action: @escaping () -> Void) {
        closeListeners()
        isDraining = true
        onDrained = action
        for connection in inOrder {
            switch connection {
            case let session as GatedSession: session.continueLater()
            case let silent as SilentConnection: silent.reset(by: .shutdown)
            default: break
            }
        }
        drainAlarm = alarms.set(afterNanoseconds: milliseconds * 1_000_000) { [weak self] in
            self?.resetAll()
        }
        finishDrainIfEmpty()
    }

    /// Ends everything at once; open connections are reset.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        closeListeners()
        resetAll()
        earlyResets.finish()
        link?.close()
        link = nil
        alarms.close()
        noteClockStep()
        reporter.finish()
    }

    private func noteClockStep() {
        let step = clockCheck.stepNanoseconds(
            wallNanoseconds: WallClock.nanosecondsSince1970,
            loopNanoseconds: loop.nowNanoseconds
        )
        guard let step else { return }
        let seconds = (step.magnitude + 500_000_000) / 1_000_000_000
        let words =
            step > 0 ? "forward by \(seconds) s, or the machine slept" : "back by \(seconds) s"
        reporter.trouble(
            .clockStep,
            "the wall clock was set \(words); dates of this run do not fit"
        )
    }

    /// Imitates another network from now on, for open connections too.
    ///
    /// Faults stay as they are. Of a budget that differs as much is used as of the one before.
    ///
    /// - Throws: `internal` when the system has no descriptor left.
    package func apply(_ profile: Profile) throws(ProxyError) {
        let oldBudget = configuration.profile.budget
        configuration.profile = profile
        if profile.budget != oldBudget {
            budget = makeBudget(used: budget?.meter.used ?? 0)
            if budget != nil { for session in directSessions { _ = gate(session) } }
            // Whoever waited for the old budget has a new one, or none.
            for case let session as GatedSession in inOrder { session.continueLater() }
            // A limit may lie below what is used.
            spendBudget(0, .down)
        }
        try applyLink()
    }

    /// Lets the link be what profile and budget say now.
    private func applyLink() throws(ProxyError) {
        if let link {
            link.apply(linkSettings)
        } else {
            try makeLink()
        }
        onLinkChange?()
    }

    /// Lets the link carry nothing as long as somebody wants it so.
    func applyOutage() throws(ProxyError) {
        if link == nil { try makeLink() }
        link?.blackOut(untilNanoseconds: live.outageEndNanoseconds)
        onLinkChange?()
    }

    /// How late packets left so far.
    package var lateness: ProxySnapshot.Lateness { reporter.lateness }

    /// How many connections are open, those included whose upstream has not answered.
    package var openConnections: Int { connections.count }

    /// What is going on; computed when asked for.
    ///
    /// - Parameter rows: how many connections are described: those that a fault acts on, then the
    ///   latest ones. Each costs a system call, so whoever shows a few of thousands should not ask
    ///   for all.
    /// - Returns: the figures of this moment.
    package func snapshot(rows: Int = .max) -> ProxySnapshot {
        var snapshot = ProxySnapshot()
        snapshot.openConnections = connections.count
        snapshot.totalConnections = UInt64(nextNumber)
        snapshot.up.bytes = connections.values.reduce(endedBytes.up) { $0 + $1.bytes(.up) }
        snapshot.down.bytes = connections.values.reduce(endedBytes.down) { $0 + $1.bytes(.down) }
        if let link {
            (snapshot.up.queuedPackets, snapshot.up.queuedBytes) = link.queued(.up)
            (snapshot.down.queuedPackets, snapshot.down.queuedBytes) = link.queued(.down)
        }
        snapshot.connections = chosen(rows).map(row)
        snapshot.faults = reporter.ledger.rows
        snapshot.recentEvents = reporter.recentEvents
        snapshot.troubles = reporter.troubles
        snapshot.lateness = reporter.lateness
        return snapshot
    }

    /// So many connections in the order of acceptance, those under a fault before others.
    private func chosen(_ count: Int) -> [any Connection] {
        let all = inOrder
        guard all.count > count else { return all }
        let faulted = all.filter { $0.state != .open && $0.state != .connecting }.suffix(count)
        var numbers = Set(faulted.map(\.identity.number))
        for connection in all.reversed() where numbers.count < count {
            numbers.insert(connection.identity.number)
        }
        return all.filter { numbers.contains($0.identity.number) }
    }

    func row(_ connection: any Connection) -> ProxySnapshot.Connection {
        ProxySnapshot.Connection(
            id: connection.identity.id,
            ordinal: connection.identity.number,
            client: connection.clientAddress,
            state: connection.state,
            upBytes: connection.bytes(.up),
            downBytes: connection.bytes(.down)
        )
    }

    // The link and what goes over it.

    /// The profile's link, slowed down if the budget says so.
    private var linkSettings: LinkSettings {
        var settings = configuration.profile.link
        guard let rate = budget?.meter.reducedRate else { return settings }
        settings.limit(to: rate)
        return settings
    }

    /// Makes a link if there is something for it to do, and puts open connections on it.
    private func makeLink() throws(ProxyError) {
        let isNeeded = budget?.slowsDown == true || live.isInOutage
        guard isNeeded || !linkSettings.isTransparent else { return }
        do throws(SystemError) {
            link = try LinkDriver(
                loop: loop,
                settings: linkSettings,
                seed: configuration.seed,
                onLate: { [weak reporter] in reporter?.pacingWasLate($0) }
            )
        } catch {
            throw ProxyError(.internal, "cannot make a timer: \(error)")
        }
        link?.meter = linkMeter
        for connection in inOrder { adopt(connection) }
    }

    private func adopt(_ connection: any Connection) {
        guard let link else { return }
        switch connection {
        case let pending as PendingConnection: pending.adopt(link)
        case let session as DirectSession: gate(session).adopt(link)
        case let session as GatedSession: session.adopt(link)
        default: break
        }
    }

    /// Puts an unhindered connection behind a gate, and toxics on it if there are any.
    func gate(_ session: DirectSession) -> GatedSession {
        let gated = session.surrender()
        connections[gated.identity.number] = gated
        if !toxics.isEmpty { gated.set(toxics) }
        gated.start()
        return gated
    }

    private var directSessions: [DirectSession] { inOrder.compactMap { $0 as? DirectSession } }

    var inOrder: [any Connection] {
        connections.values.sorted { $0.identity.number < $1.identity.number }
    }

    /// What will act on a connection; nil for nothing.
    func faults(on id: ConnectionID) -> ConnectionFaults? {
        guard !plan.isEmpty else { return nil }
        let faults = plan.faults(onConnection: id.ordinal)
        reporter.drew(faults, on: id)
        return faults.isEmpty ? nil : faults
    }

    // The budget.

    private func makeBudget(used: UInt64 = 0) -> BudgetKeeper? {
        BudgetKeeper(configuration.profile.budget, used: used, loop: loop, alarms: alarms)
    }

    /// How many of `wanted` bytes the budget lets pass now.
    func budgetAllowance(_ wanted: Int, _ direction: Direction) -> Int {
        budget?.allowance(wanted, direction) ?? wanted
    }

    /// Whether the budget lets no byte pass any more, and ends nothing either.
    var isStalledByBudget: Bool { budget?.stallsNow == true }

    /// Lets a session work again when the budget has something for it.
    func awaitBudget(_ session: GatedSession, _ direction: Direction) {
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
        case .soft: link?.apply(linkSettings)
        case .hard:
            guard budget?.refuses == true else { return }
            for connection in inOrder {
                if let session = connection as? GatedSession {
                    session.endByBudget()
                } else {
                    connection.reset(by: .limit)
                }
            }
        }
    }

    // Ending.

    /// Nothing can pass on a connection any more.
    ///
    /// It stays while there is room, as on a real network, but the end of the run does not wait
    /// for it.
    func fellSilent(_ session: GatedSession) {
        if !isAccepting {
            session.over(resetting: true)
        } else if connections.count >= connectionLimit {
            try? resumeAccepting()
        }
    }

    func resetAll() {
        for connection in inOrder { connection.reset(by: .shutdown) }
    }

    func closeListeners() {
        alarms.cancel(retryAlarm)
        for listener in listeners { listener.close() }
    }

    var isAccepting: Bool { !isDraining && !isStopped }

    func finishDrainIfEmpty() {
        guard isDraining, connections.isEmpty, let action = onDrained else { return }
        onDrained = nil
        alarms.cancel(drainAlarm)
        action()
    }
}
