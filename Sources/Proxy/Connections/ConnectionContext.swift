internal import Basics
internal import Faults
internal import Journal
internal import LinkEngine
internal import LinkProfile
internal import SystemIO
internal import Toxics

/// What becomes of connections, for the proxy that owns them.
protocol ConnectionOwner: AnyObject {
    /// The upstream of a pending connection has answered; returns the form that takes its place.
    @discardableResult
    func connected(_ pending: PendingConnection) -> any Connection
    /// No address of the upstream has answered; the connection ends itself.
    func connectFailed(_ pending: PendingConnection, _ error: SystemError)
    /// Replaces a spliced connection by a gated one.
    func gate(_ session: SplicedConnection) -> InspectedConnection
    /// The context for connections to a server, whose host may have its own network.
    func context(to server: Destination) -> ConnectionContext
    /// Opens a relay for the datagrams of a client; nil if there can be none.
    func associate(_ pending: PendingConnection) -> Association?
    /// The client of a connection that is over has asked for another server, with these bytes.
    func reconnect(_ client: consuming Socket, route: Int, having bytes: [UInt8])
    /// Nothing can pass on a connection any more.
    func fellSilent(_ session: InspectedConnection)
    /// A connection is over, and its sockets are closed.
    func ended(_ connection: any Connection, _ end: ConnectionEnd)
}

/// What a connection may use of the proxy it belongs to.
///
/// One object for all connections on one link, so that a new one copies a single reference.
final class ConnectionContext {
    let loop: EventLoop
    let timers: TimerQueue
    let limits: ProxyLimits
    let tools: TransferTools
    let resets: DeferredResets
    let reporter: ProxyReporter
    let link: SharedLink
    let paths: NetworkPaths
    let faults: FaultRegistry
    /// Nil if nothing is opened.
    let tls: TLSTerminator?
    /// Nil if servers are reached directly.
    let chain: ProxyChain?
    /// The proxy's name and seed, which toxics draw by.
    let name: String
    let seed: UInt64
    /// When the run began, on the loop's clock.
    let startedAt: Instant
    /// The memory that toxics may hold; proxies may share it.
    var toxicMemory = ToxicMemory()
    unowned var owner: (any ConnectionOwner)?
    private let addsHints: Bool

    init(
        loop: EventLoop,
        timers: TimerQueue,
        configuration: ProxyConfiguration,
        startedAt: Instant,
        reporter: ProxyReporter,
        link: SharedLink,
        paths: NetworkPaths,
        faults: FaultRegistry,
        tls: TLSTerminator?
    ) {
        self.loop = loop
        self.timers = timers
        self.reporter = reporter
        self.link = link
        self.paths = paths
        self.faults = faults
        self.tls = tls
        chain = configuration.via.map(ProxyChain.init)
        self.startedAt = startedAt
        limits = configuration.limits
        tools = TransferTools(limits, chunks: loop.chunks)
        name = configuration.name
        seed = configuration.seed
        addsHints = configuration.rewrites.addsHints
        resets = DeferredResets(
            loop: loop,
            timers: timers,
            patienceMilliseconds: limits.connectPatienceMilliseconds
        )
    }

    /// The same for connections on another link.
    init(_ other: ConnectionContext, link: SharedLink) {
        loop = other.loop
        timers = other.timers
        reporter = other.reporter
        self.link = link
        paths = other.paths
        faults = other.faults
        tls = other.tls
        chain = other.chain
        startedAt = other.startedAt
        limits = other.limits
        tools = other.tools
        name = other.name
        seed = other.seed
        addsHints = other.addsHints
        resets = other.resets
    }

    /// Resets a client; one that has sent and received nothing yet may first see that it is
    /// connected.
    func reset(_ client: Peer, of connection: any Connection) {
        let isUntouched = connection.received(.up) == 0 && connection.bytes(.down) == 0
        guard isUntouched, client.socket.isOpen, !client.isBroken else {
            client.close(resetting: true, on: loop)
            return
        }
        resets.reset(
            client.surrender(),
            token: client.token,
            acceptedAt: connection.identity.acceptedAt
        )
    }

    /// Frees the descriptors that can be spared, and reports that there are none.
    func descriptorsRanOut(_ error: SystemError) {
        tools.pipes.releaseIdle()
        resets.finish()
        reporter.descriptorsRanOut("\(error); connections wait until others end")
    }

    /// Bounds what the kernel keeps of one side of a shaped connection; does nothing without a link.
    func bound(_ socket: borrowing Socket, _ side: Side) {
        guard let bounds = link.bounds else { return }
        socket.limitReceived(to: bounds.first(side.sends), segment: SocketBounds.segment)
        socket.limitUnsent(to: SocketBounds.unsent)
    }

    /// Lets the kernel of a stream that has become fast keep more of what we have not read.
    func widen(_ socket: borrowing Socket, _ direction: Direction) {
        guard let bounds = link.bounds else { return }
        let received = bounds.received(direction)
        if received > bounds.first(direction) {
            socket.limitReceived(to: received, segment: SocketBounds.segment)
        }
    }

    /// What servers are told of the path now; nil unless it is expensive or constrained.
    var requestHints: RequestHints? {
        addsHints ? RequestHints(link.profile) : nil
    }
}
