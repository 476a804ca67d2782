internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// The routes of a proxy that carry datagrams.
final class FlowServer {
    private(set) var routes: [FlowRoute] = []
    /// The flows of clients of routes that forward, by listener.
    private var relayed: [UInt32: FlowTable<Association.FlowKey>] = [:]
    private let tools: DatagramTools
    /// The paths of flows to servers without another network.
    private let paths: NetworkPaths
    private let faults: FaultRegistry
    private let startedAt: Instant
    private var begun: UInt32 = 0
    /// Flows at most; datagrams of further clients are lost.
    var limit = 0
    /// Whether flows that begin now are held back.
    var isPaused: () -> Bool = { false }
    private var sweepTimer = TimerQueue.Token.none
    private var isClosed = false

    private static let sweepTime = Duration.milliseconds(250)

    init(
        _ tools: DatagramTools,
        paths: NetworkPaths,
        faults: FaultRegistry,
        startedAt: Instant
    ) {
        self.tools = tools
        self.paths = paths
        self.faults = faults
        self.startedAt = startedAt
    }

    /// All flows, those of a listener in the order of their first datagram.
    var inOrder: [Flow] { routes.flatMap(\.table.inOrder) + relays.flatMap(\.inOrder) }

    var count: Int {
        routes.reduce(0) { $0 + $1.table.flows.count } + relays.reduce(0) { $0 + $1.flows.count }
    }

    /// In the order of their listeners.
    private var relays: [FlowTable<Association.FlowKey>] {
        relayed.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The most flows that one listener has had.
    var mostBegun: UInt32 { (routes.map(\.table.begun) + relays.map(\.begun)).max() ?? 0 }
    /// Flows so far.
    var total: UInt64 { UInt64(begun) }

    // MARK: Figures

    /// What became of all datagrams of a direction.
    func tally(_ direction: Direction) -> ProxySnapshot.Flows.Direction {
        (routes.map { $0.table.tally(direction) } + relays.map { $0.tally(direction) })
            .reduce(into: ProxySnapshot.Flows.Direction()) { $0.add($1) }
    }

    /// Nil if there are none, and can be none.
    var summary: ProxySnapshot.Flows? {
        guard !routes.isEmpty || !relayed.isEmpty else { return nil }
        var summary = ProxySnapshot.Flows()
        summary.open = count
        summary.total = total
        summary.up = tally(.up)
        summary.down = tally(.down)
        return summary
    }

    /// At most `count` flows in the order of their first datagram, the latest ones.
    func rows(_ count: Int) -> [ProxySnapshot.Connection] {
        guard count > 0 else { return [] }
        return inOrder.suffix(count).map(\.row)
    }

    /// Where each route takes datagrams and where it sends them.
    var descriptions: [(listen: String, upstream: String)] {
        routes.map { ($0.address?.description ?? "", "udp://\($0.upstream.endpoint)") }
    }

    // MARK: Opening

    /// Binds a route's address; nothing is taken yet.
    func add(
        _ route: ProxyConfiguration.Route,
        listener: UInt32,
        with opener: RouteOpener
    ) throws(ProxyError) -> SocketAddress {
        let new = FlowRoute(
            FlowTable(listener: listener, surroundings),
            upstream: try opener.upstream(of: route)
        )
        let address = try opener.address(of: route.listen)
        do throws(SystemError) {
            try new.bind(address)
        } catch {
            throw opener.cannotListen(on: route.listen, error)
        }
        routes.append(new)
        return new.address ?? address
    }

    private var surroundings: FlowSurroundings {
        FlowSurroundings(
            tools: tools,
            paths: paths,
            faults: faults,
            startedAt: startedAt,
            isPaused: { [weak self] in self?.isPaused() ?? false },
            nextNumber: { [weak self] in self?.takeNumber() }
        )
    }

    /// The flows of clients of a route that forwards.
    func relays(ofListener listener: UInt32) -> FlowTable<Association.FlowKey> {
        if let table = relayed[listener] { return table }
        if routes.isEmpty, relayed.isEmpty { sweepLater() }
        let table = FlowTable<Association.FlowKey>(listener: listener, surroundings)
        relayed[listener] = table
        return table
    }

    /// Begins to take datagrams.
    func resume() throws(ProxyError) {
        guard !routes.isEmpty else { return }
        do throws(SystemError) {
            for route in routes { try route.open() }
        } catch {
            throw ProxyError(.internal, "cannot watch a socket: \(error)")
        }
        sweepLater()
    }

    private func takeNumber() -> UInt32? {
        guard count < limit else {
            tools.reporter.descriptorsRanOut(
                "the limit of flows, \(limit), is reached; datagrams of further clients are lost"
            )
            return nil
        }
        defer { begun += 1 }
        return begun
    }

    private func sweepLater() {
        sweepTimer = tools.timers.set(after: Self.sweepTime) { [weak self] in
            guard let self, !isClosed else { return }
            let idleTime = tools.settings.idleTime
            for route in routes { route.table.sweep(idleTime: idleTime) }
            for table in relays { table.sweep(idleTime: idleTime) }
            sweepLater()
        }
    }

    // MARK: Changes

    /// Puts the flows of a link on its driver, which was not there when they began.
    func adopt(_ driver: LinkDriver, of link: SharedLink?) {
        for flow in inOrder where !flow.isOnLink && flow.context.link === link {
            flow.adopt(driver, as: begun)
            begun += 1
        }
    }

    // MARK: Ending

    func close() {
        guard !isClosed else { return }
        isClosed = true
        tools.timers.cancel(sweepTimer)
        for route in routes { route.close() }
        for table in relays { table.endAll(.shutdown) }
    }
}

extension ProxySnapshot.Flows.Direction {
    mutating func add(_ other: Self) {
        count += other.count
        delivered += other.delivered
        bytes += other.bytes
    }

    init(_ tally: FlowEnd.Tally) {
        self.init(count: tally.count, delivered: tally.delivered, bytes: tally.bytes)
    }
}
