internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// The routes of a proxy that carry datagrams.
final class FlowServer {
    private(set) var routes: [FlowRoute] = []
    private let tools: DatagramTools
    private let link: SharedLink
    private let faults: FaultRegistry
    private let reporter: ProxyReporter
    private let startNanoseconds: UInt64
    private let countsPackets: Bool
    private var begun: UInt32 = 0
    /// Flows at most; datagrams of further clients are lost.
    var limit = 0
    /// Whether flows that begin now are held back.
    var isPaused: () -> Bool = { false }
    private var sweepTimer = TimerQueue.Token.none
    private var isClosed = false

    private static let sweepNanoseconds: UInt64 = 250_000_000

    init(
        loop: EventLoop,
        timers: TimerQueue,
        reporter: ProxyReporter,
        link: SharedLink,
        faults: FaultRegistry,
        startNanoseconds: UInt64,
        countsPackets: Bool
    ) {
        tools = DatagramTools(loop: loop, timers: timers, reporter: reporter)
        self.link = link
        self.faults = faults
        self.reporter = reporter
        self.startNanoseconds = startNanoseconds
        self.countsPackets = countsPackets
    }

    /// All flows, those of a listener in the order of their first datagram.
    var inOrder: [Flow] { routes.flatMap(\.inOrder) }

    var count: Int { routes.reduce(0) { $0 + $1.flows.count } }
    /// Flows so far.
    var total: UInt64 { UInt64(begun) }

    // MARK: Figures

    /// What became of all datagrams of a direction.
    func tally(_ direction: Direction) -> ProxySnapshot.Flows.Direction {
        routes.reduce(into: ProxySnapshot.Flows.Direction()) { $0.add($1.tally(direction)) }
    }

    /// Nil without routes.
    var summary: ProxySnapshot.Flows? {
        guard !routes.isEmpty else { return nil }
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
            listener: listener,
            upstream: try opener.upstream(of: route),
            FlowRoute.Context(
                tools: tools,
                link: link,
                faults: faults,
                reporter: reporter,
                startNanoseconds: startNanoseconds,
                countsPackets: countsPackets,
                isPaused: { [weak self] in self?.isPaused() ?? false },
                nextNumber: { [weak self] in self?.takeNumber() }
            )
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
            reporter.descriptorsRanOut(
                "the limit of flows, \(limit), is reached; datagrams of further clients are lost"
            )
            return nil
        }
        defer { begun += 1 }
        return begun
    }

    private func sweepLater() {
        sweepTimer = tools.timers.set(afterNanoseconds: Self.sweepNanoseconds) { [weak self] in
            guard let self, !isClosed else { return }
            for route in routes { route.sweep() }
            sweepLater()
        }
    }

    // MARK: Changes

    /// Puts all flows on a link that was not there when they began.
    func adopt(_ driver: LinkDriver) {
        for flow in inOrder where !flow.isOnLink {
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
