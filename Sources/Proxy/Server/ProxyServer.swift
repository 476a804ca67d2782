package import Basics
internal import Faults
package import Journal
internal import LinkEngine
package import LinkProfile
package import SystemIO
package import Toxics

/// A proxy: listeners, the connections that came through them, and the link they share.
///
/// Everything happens on the thread of its loop. Keep it until `stop()`, or `drain`, is through.
///
/// Its parts: `Acceptor` listens and names what comes, `ConnectionTable` holds what is open,
/// `SharedLink` is the network with its budget, `FaultRegistry` knows which faults act,
/// `ManualControl` is what is done by hand, `ProxyReporter` keeps the account. How a connection
/// begins and ends is in `+Connections`, what others see of it in `+Snapshot`.
package final class ProxyServer {
    package let loop: EventLoop
    let configuration: ProxyConfiguration
    let acceptor: Acceptor
    let connections: ConnectionTable
    /// The paths of all connections but those to hosts that have their own network.
    package let paths: NetworkPaths
    /// What connections to some hosts use, which have a network of their own.
    let hostContexts: [(hosts: HostPattern, context: ConnectionContext)]
    package let faults: FaultRegistry
    package let manual: ManualControl
    let flows: FlowServer
    /// What connections on the first path use of all this.
    let context: ConnectionContext
    /// What connections on the second path use; nil without one.
    let secondContext: ConnectionContext?
    /// What acts on each connection by itself, before the link.
    package private(set) var toxics: [Toxic] = []
    var clockCheck: ClockCheck
    /// Called with the local address of each connection to an upstream, before any byte goes over it.
    package var onUpstreamConnection: ((SocketAddress) -> Void)?
    /// Called for each connection that reached no upstream, with where it was to go and why.
    package var onUpstreamFailure: ((Endpoint, SystemError) -> Void)?
    var connectSweep = TimerQueue.Token.none
    private(set) var draining: Drain?
    private var isStopped = false

    /// Makes a proxy that does nothing yet.
    ///
    /// - Parameters:
    ///   - loop: where everything happens.
    ///   - configuration: what to do.
    ///   - onRecord: gets each record for the journal, after the turn of the loop in which it came
    ///     up, and when that was, on the loop's clock. Nil if no one writes a journal; that
    ///     saves the work.
    /// - Throws: `internal` when the system has no descriptor left.
    package init(
        loop: EventLoop,
        configuration: ProxyConfiguration,
        onRecord: ((JournalRecord, Instant) -> Void)? = nil
    ) throws(ProxyError) {
        self.loop = loop
        self.configuration = configuration
        let start = configuration.startedAt ?? loop.now
        let timers: TimerQueue
        do throws(SystemError) {
            timers = try TimerQueue(loop: loop)
        } catch {
            throw ProxyError(.internal, "cannot make a timer: \(error)")
        }
        let plan = FaultPlan(faults: configuration.faults, seed: configuration.seed)
        let reporter = ProxyReporter(loop: loop, plan: plan, onRecord: onRecord)
        connections = ConnectionTable()
        acceptor = Acceptor(
            loop: loop,
            timers: timers,
            reporter: reporter,
            firstListener: configuration.firstListener
        )
        let makeLink = { [connections] (profile: Profile, seed: UInt64) in
            SharedLink(
                profile: profile,
                seed: seed,
                loop: loop,
                timers: timers,
                reporter: reporter,
                connections: connections
            )
        }
        let link = makeLink(configuration.profile, configuration.seed)
        let secondLink = configuration.secondPath.map {
            makeLink($0, AddressedRandom(seed: configuration.seed).named("second path").seed)
        }
        faults = FaultRegistry(
            plan: plan,
            configuration: configuration,
            reporter: reporter,
            acceptor: acceptor,
            connections: connections,
            timers: timers
        )
        paths = NetworkPaths(
            first: link,
            second: secondLink,
            timers: timers,
            connections: connections
        )
        flows = FlowServer(
            DatagramTools(loop: loop, timers: timers, reporter: reporter, configuration),
            paths: paths,
            faults: faults,
            startedAt: start
        )
        let networks = configuration.hostNetworks
        let hostLinks = networks.map {
            makeLink($0.profile, $0.seed(configuration.seed))
        }
        manual = ManualControl(
            loop: loop,
            timers: timers,
            links: [link] + hostLinks,
            secondLink: secondLink,
            faults: faults,
            flows: flows,
            seed: configuration.seed,
            startedAt: start
        )
        context = ConnectionContext(
            loop: loop,
            timers: timers,
            configuration: configuration,
            startedAt: start,
            reporter: reporter,
            link: link,
            paths: paths,
            faults: faults,
            tls: try configuration.tls.map { settings throws(ProxyError) in
                try TLSTerminator(
                    settings,
                    hasUpstreams: configuration.routes.contains {
                        $0.upstreamName != nil || $0.forward != nil
                    }
                )
            }
        )
        secondContext = secondLink.map { [context] in ConnectionContext(context, link: $0) }
        hostContexts = zip(networks, hostLinks).map { [context] network, link in
            (network.hosts, ConnectionContext(context, link: link))
        }
        clockCheck = ClockCheck(
            wall: WallClock.timeSince1970,
            loop: loop.realNow
        )
        for context in contexts { context.owner = self }
        acceptor.owner = self
        faults.begunFlows = { [weak self] in self?.flows.mostBegun ?? 0 }
        paths.flows = { [weak self] in self?.flows.inOrder ?? [] }
        flows.isPaused = { [weak self] in self?.manual.isPaused ?? false }
        for link in links {
            link.onHandover = { [weak self, weak link] in
                for flow in self?.flows.inOrder ?? [] where flow.context.link === link {
                    flow.moveAddress()
                }
            }
            link.onOpen = { [weak self, weak link] in self?.flows.adopt($0, of: link) }
        }
        link.onBounds = { [weak self] in
            guard let self else { return }
            acceptor.bounds = paths.first.bounds
        }
    }

    /// Binds all listeners and begins to accept.
    ///
    /// - Returns: where each route listens, with the ports that were found.
    /// - Throws: what is wrong with the first route that cannot be served; nothing listens then.
    package func start() throws(ProxyError) -> [Endpoint] {
        let descriptors = DescriptorLimit.raise()
        connections.limit = configuration.limits.connections ?? max(1, (descriptors - 64) / 2)
        flows.limit = connections.limit
        // At most a quarter of what is there: pipes speed things up, sockets are what it is about.
        context.tools.pipes.limit = max(8, (descriptors - 64) / 8)
        do throws(ProxyError) {
            try faults.requireOrigin()
            let addresses = try openRoutes()
            for link in links { try link.open() }
            paths.watch()
            try checkDescriptors(limit: descriptors)
            try acceptor.resume()
            try flows.resume()
            faults.enforceDowntimes()
            return addresses.map { Endpoint($0) }
        } catch {
            stop()
            throw error
        }
    }

    /// Binds the listeners of all routes, those for datagrams behind the others.
    ///
    /// - Returns: where each route listens, in the order of the configuration.
    private func openRoutes() throws(ProxyError) -> [SocketAddress] {
        let opener = RouteOpener(
            loop: loop,
            allowsRemote: configuration.allowsRemote,
            findsUpstreamsLate: configuration.findsUpstreamsLate,
            via: configuration.via
        )
        if let chain = context.chain {
            chain.upstream = try opener.upstream(at: chain.proxy.endpoint)
        }
        try configuration.datagrams.requireDatagrams(areCarried: configuration.carriesDatagrams)
        try acceptor.open(configuration.routes.filter { !$0.carriesDatagrams }, with: opener)
        var connections = acceptor.addresses[...]
        var addresses: [SocketAddress] = []
        for route in configuration.routes {
            guard route.carriesDatagrams else {
                if let address = connections.popFirst() { addresses.append(address) }
                continue
            }
            let listener = acceptor.listenerNumber(acceptor.count + flows.routes.count)
            var datagrams = route
            if route.sharesPort, let last = addresses.last { datagrams.listen = Endpoint(last) }
            addresses.append(try flows.add(datagrams, listener: listener, with: opener))
        }
        return addresses
    }

    /// Descriptors that a first connection may need: its two sockets, the origin's, and what they
    /// make the origin open.
    private static let spareDescriptors = 8

    /// Throws if the process may not open what a connection needs.
    private func checkDescriptors(limit: Int) throws(ProxyError) {
        guard !DescriptorProbe.canOpen(Self.spareDescriptors) else { return }
        throw ProxyError(
            .addressUnavailable,
            "the limit of open files, \(limit), leaves none for connections; raise it, as with"
                + " 'ulimit -n 1024'"
        )
    }

    // MARK: Changes

    /// Imitates another network from now on, its faults included.
    ///
    /// Faults of the former profile are removed where they have not acted.
    ///
    /// - Throws: what is wrong; nothing has changed then.
    package func switchProfile(_ profile: Profile) throws(ProxyError) {
        for fault in profile.faults { try faults.requireOrigin(for: fault) }
        let former = link.profile
        try link.apply(profile)
        manual.noteSwitch(to: profile.name, changesBudget: profile.budget != former.budget)
        faults.replace(former.faults, with: profile.faults)
    }

    /// Changes the toxics to these, for open connections too; effective when it returns.
    ///
    /// In the order in which bytes meet them. One with the serial of an earlier one is the same with
    /// other settings, and keeps what it has drawn and counted.
    package func apply(_ toxics: [Toxic]) {
        guard toxics != self.toxics else { return }
        self.toxics = toxics
        for connection in connections.inOrder { connection.apply(toxics) }
    }

    /// The memory that toxics may hold; proxies may share it.
    package var toxicMemory: ToxicMemory {
        get { context.toxicMemory }
        set { for context in contexts { context.toxicMemory = newValue } }
    }

    /// Stops listening, so that connecting is refused; open connections stay.
    package func suspendListening() { acceptor.suspend() }

    /// Listens again where it did before.
    ///
    /// - Throws: `addressUnavailable` if another process listens there by now.
    package func resumeListening() throws(ProxyError) { try acceptor.reopen() }

    /// Listens on another socket in place of a route's listener; connections that came through the
    /// old one stay.
    package func listen(on bound: BoundListener, insteadOf route: Int = 0) throws(SystemError) {
        try acceptor.listen(on: bound, insteadOf: route)
    }

    /// Accepts connections on one more socket.
    package func listen(on bound: BoundListener, to upstream: Endpoint) throws(SystemError) {
        try acceptor.listen(on: bound, to: upstream)
    }

    /// Lets new connections of a route go elsewhere.
    package func connect(to endpoint: Endpoint, insteadOf route: Int = 0) {
        acceptor.connect(to: endpoint, insteadOf: route)
    }

    // MARK: Networks

    /// What measures the links; set it before the proxy starts, or connections that are open then are
    /// not measured.
    package var linkMeter: LinkMeter? {
        get { link.meter }
        set { for link in links { link.meter = newValue } }
    }

    /// The first path's network, which connections use unless their host has another one.
    package var link: SharedLink { paths.first }

    private var contexts: [ConnectionContext] {
        [context] + (secondContext.map { [$0] } ?? []) + hostContexts.map(\.context)
    }

    /// What a connection uses that begins now.
    var presentContext: ConnectionContext {
        guard let secondContext, paths.best === secondContext.link else { return context }
        return secondContext
    }

    var links: [SharedLink] { contexts.map(\.link) }

    // MARK: Ending

    /// Closes all connections normally (FIN); what has not been written by now is lost.
    package func finishConnections() {
        for connection in connections.inOrder { connection.finish(by: .shutdown) }
    }

    /// Stops accepting and lets open connections finish.
    ///
    /// - Parameters:
    ///   - milliseconds: connections that are open then are reset.
    ///   - closesIdle: whether connections on which nothing happens are closed at once, so that
    ///     only those are waited for that are in use.
    ///   - action: called once, on the loop, when no connection is open.
    package func drain(
        limitMilliseconds milliseconds: UInt64,
        closesIdle: Bool = false,
        then action: @escaping () -> Void
    ) {
        acceptor.close()
        draining = Drain(
            connections,
            timers: context.timers,
            limitMilliseconds: milliseconds,
            closesIdle: closesIdle,
            then: action
        )
        draining?.connectionEnded()
    }

    /// Ends everything at once; open connections are reset.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        acceptor.close()
        flows.close()
        connections.resetAll()
        context.resets.finish()
        for link in links { link.close() }
        context.timers.close()
        noteClockStep()
        context.reporter.finish()
    }

    private func noteClockStep() {
        let step = clockCheck.step(
            wall: WallClock.timeSince1970,
            loop: loop.realNow
        )
        guard let step else { return }
        let seconds = (step.nanoseconds.magnitude + 500_000_000) / 1_000_000_000
        let words =
            step > .zero ? "forward by \(seconds) s, or the machine slept" : "back by \(seconds) s"
        context.reporter.trouble(
            .clockStep,
            "the wall clock was set \(words); dates of this run do not fit"
        )
    }
}
