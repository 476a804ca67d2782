internal import Basics
internal import Journal
internal import SystemIO

/// What becomes of the clients that an acceptor receives.
protocol AcceptorOwner: AnyObject {
    /// A client has connected; `bytes` of it were read already.
    func received(
        _ client: consuming Socket,
        as id: ConnectionID,
        route: Int,
        having bytes: [UInt8]
    )
    /// The system has no descriptor for a further connection.
    func descriptorsRanOut(_ error: SystemError)
    /// Whether there is room for a further connection.
    var hasRoom: Bool { get }
}

/// Where a proxy listens and where that leads, route by route; names the connections that come.
final class Acceptor: ListenerTarget {
    /// Between two tries after the system gave no connection.
    static let retryTime = Duration.milliseconds(100)

    private final class Route {
        var listener: Listener
        var upstream: Upstream
        /// How clients say where to go; nil if all go to `upstream`.
        let forward: ForwardSettings?
        /// Connections so far.
        var accepted: UInt32 = 0

        init(_ listener: Listener, _ upstream: Upstream, _ forward: ForwardSettings?) {
            self.listener = listener
            self.upstream = upstream
            self.forward = forward
        }
    }

    let ownEndpoints = OwnEndpoints()
    unowned var owner: (any AcceptorOwner)?
    private let loop: EventLoop
    private let timers: TimerQueue
    private let reporter: ProxyReporter
    private let firstListener: UInt32
    private var routes: [Route] = []
    /// What the kernels may keep of clients that connect from now on; nil for as much as they like.
    var bounds: SocketBounds? {
        didSet { if bounds != oldValue { for route in routes { applyBounds(to: route.listener) } } }
    }
    private var retryTimer = TimerQueue.Token.none
    /// Whether it accepts nothing more for good.
    private(set) var isClosed = false

    /// Makes an acceptor without routes; its listeners' numbers in records begin at `firstListener`.
    init(loop: EventLoop, timers: TimerQueue, reporter: ProxyReporter, firstListener: UInt32) {
        self.loop = loop
        self.timers = timers
        self.reporter = reporter
        self.firstListener = firstListener
    }

    // MARK: Opening

    /// Binds every route's listener and looks up its upstream; nothing is accepted yet.
    ///
    /// - Throws: what is wrong with the first route that cannot be served.
    func open(_ wanted: [ProxyConfiguration.Route], with opener: RouteOpener) throws(ProxyError) {
        for route in wanted {
            let upstream = try opener.upstream(of: route)
            let listener = try opener.listener(of: route, number: routes.count, for: self)
            append(listener, upstream, route.forward)
        }
        for route in routes where route.upstream.addresses.contains(where: ownEndpoints.contains) {
            throw ProxyError(
                .refused,
                "upstream \(route.upstream.endpoint) is this proxy's own listener;"
                    + " give the server's address"
            )
        }
    }

    /// Accepts connections on one more socket.
    func listen(on bound: BoundListener, to upstream: Endpoint) throws(SystemError) {
        let new = try Listener(bound, on: loop, route: routes.count, target: self)
        append(new, Upstream(upstream))
        if !isClosed { try new.resume() }
    }

    /// Listens on another socket in place of a route's listener.
    func listen(on bound: BoundListener, insteadOf route: Int) throws(SystemError) {
        let new = try Listener(bound, on: loop, route: route, target: self)
        routes[route].listener.close()
        routes[route].listener = new
        applyBounds(to: new)
        noteAddresses()
        if !isClosed { try new.resume() }
    }

    /// Lets new connections of a route go elsewhere.
    func connect(to endpoint: Endpoint, insteadOf route: Int) {
        routes[route].upstream = Upstream(endpoint)
    }

    private func append(
        _ listener: Listener,
        _ upstream: Upstream,
        _ forward: ForwardSettings? = nil
    ) {
        routes.append(Route(listener, upstream, forward))
        applyBounds(to: listener)
        noteAddresses()
    }

    private func applyBounds(to listener: Listener) {
        if let bounds { listener.bound(by: bounds) }
    }

    private func noteAddresses() { ownEndpoints.listeners = addresses }

    // MARK: Finding

    var count: Int { routes.count }
    var addresses: [SocketAddress] { routes.map(\.listener.address) }

    /// Where each route listens and where that leads.
    var descriptions: [(listen: String, upstream: String)] {
        routes.map { ($0.listener.address.description, $0.upstream.endpoint.description) }
    }

    /// The number of a route's listener in records.
    func listenerNumber(_ route: Int) -> UInt32 { firstListener + UInt32(route) }

    /// The numbers of all listeners in records.
    var listenerNumbers: Range<UInt32> { firstListener..<listenerNumber(routes.count) }

    func upstream(of route: Int) -> Upstream { routes[route].upstream }

    /// What a client of a route that forwards begins with; nil for other routes.
    func entry(of route: Int) -> ForwardEntry? {
        let address = routes[route].listener.address
        return routes[route].forward.map { ForwardEntry($0, address: address.description) }
    }

    /// The ordinal of the next connection of a route, from 1.
    func nextOrdinal(_ route: Int) -> UInt32 { routes[route].accepted &+ 1 }

    /// Names a connection of a route, by the ordinal of its listener.
    func id(_ ordinal: UInt32, on route: Int) -> ConnectionID {
        ConnectionID(listener: listenerNumber(route), ordinal: ordinal)
    }

    /// Every connection that was accepted so far.
    var acceptedIDs: some Sequence<ConnectionID> {
        routes.indices.lazy.flatMap { [self] route in
            (0..<routes[route].accepted).lazy.map { self.id($0 + 1, on: route) }
        }
    }

    // MARK: Accepting

    func received(_ client: consuming Socket, on route: Int) {
        receive(client, on: route, having: [])
    }

    /// Makes a new connection of a client whose last one is over; it begins with these bytes.
    func receiveAgain(_ client: consuming Socket, on route: Int, having bytes: [UInt8]) {
        receive(client, on: route, having: bytes)
    }

    private func receive(_ client: consuming Socket, on route: Int, having bytes: [UInt8]) {
        routes[route].accepted += 1
        let id = id(routes[route].accepted, on: route)
        owner?.received(client, as: id, route: route, having: bytes)
    }

    /// The system gave no connection, most likely for want of descriptors.
    func acceptFailed(_ error: SystemError) {
        if error.isExhaustion {
            owner?.descriptorsRanOut(error)
        } else {
            reporter.trouble(.other, "cannot accept: \(error)")
        }
        pause()
        timers.cancel(retryTimer)
        retryTimer = timers.set(after: Self.retryTime) { [weak self] in
            guard let self, !isClosed, owner?.hasRoom == true else { return }
            try? resume()
        }
    }

    /// Begins to accept, or continues after a pause.
    func resume() throws(ProxyError) {
        do throws(SystemError) {
            for route in routes { try route.listener.resume() }
        } catch {
            throw ProxyError(.internal, "cannot watch a listener: \(error)")
        }
    }

    /// Leaves further connections in the kernel's backlog.
    func pause() {
        for route in routes { route.listener.pause() }
    }

    // MARK: Closing

    /// Stops listening, so that connecting is refused.
    func suspend() {
        for route in routes { route.listener.suspend() }
    }

    func suspend(_ route: Int) { routes[route].listener.suspend() }

    /// Listens again where it did before.
    ///
    /// - Throws: `addressUnavailable` if another process listens there by now.
    func reopen() throws(ProxyError) {
        for route in routes.indices { try reopen(route) }
    }

    func reopen(_ route: Int) throws(ProxyError) {
        guard !isClosed else { return }
        let listener = routes[route].listener
        do throws(SystemError) {
            try listener.reopen()
        } catch {
            throw ProxyError(
                .addressUnavailable,
                "cannot listen again on \(listener.address): \(error)"
            )
        }
    }

    /// Ends listening for good.
    func close() {
        isClosed = true
        timers.cancel(retryTimer)
        for route in routes { route.listener.close() }
    }
}
