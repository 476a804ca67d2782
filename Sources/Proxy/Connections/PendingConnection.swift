internal import Basics
internal import Faults
internal import Journal
internal import LinkEngine
internal import LinkProfile
internal import SystemIO

/// A client that was accepted and whose upstream is not connected yet.
///
/// On a link the virtual handshake runs meanwhile; bytes of the client wait in the kernel. On a route that
/// forwards, the client says first where it is to go.
final class PendingConnection: Connection, ReadinessHandler, LinkSink {
    private(set) var context: ConnectionContext
    private let acceptor: Acceptor
    private(set) var identity: ConnectionIdentity
    /// What will act on this connection; nil for nothing.
    private(set) var faults: ConnectionFaults?
    let client: Peer
    /// The server, or the next proxy on the way to it.
    private(set) var upstream = Peer(Socket())
    /// Where it is to go; of a route that forwards, once the client has said so.
    var target: Upstream
    /// What the client says of that; nil on a route that does not forward.
    var entry: ForwardEntry?
    /// What the client has said that was read and not used yet.
    var early: [UInt8]
    /// The client's relay for datagrams, if it wanted that instead of a server.
    var association: Association?
    /// The proxy through which the server is reached; nil if there is none, or nothing is open yet.
    private(set) var chain: ProxyChain?
    /// What is said to that proxy; nil until it has accepted.
    var tunnel: TunnelOpening?
    private var addresses: ArraySlice<SocketAddress> = []
    private var failure = SystemError.connectionRefused
    private var timer = TimerQueue.Token.none
    /// When the connect under way has taken too long.
    var deadline = Instant.never
    private var isOver = false
    /// Whether a fault refuses it once its client has said where it goes.
    var refusesByFault = false
    /// Whether a fault leaves it without an answer since its client has said where it goes.
    var isSilenced = false {
        didSet { deadline = .never }
    }
    var hasEnded: Bool { isOver }

    init(
        _ context: ConnectionContext,
        _ identity: ConnectionIdentity,
        acceptor: Acceptor,
        faults: ConnectionFaults?,
        client: consuming Socket,
        having early: [UInt8] = []
    ) {
        self.early = early
        self.context = context
        self.acceptor = acceptor
        self.identity = identity
        self.faults = faults
        self.client = Peer(client)
        target = acceptor.upstream(of: identity.route)
        entry = acceptor.entry(of: identity.route)
    }

    /// Whether targets of requests are URLs.
    var carriesURLs: Bool { entry?.carriesURLs ?? false }

    /// The host that the client asked for in front of its own bytes; nil if it did not.
    var tunnelHost: String? { carriesURLs ? nil : entry?.destination?.host }

    var clientAddress: SocketAddress? { client.socket.peerAddress }
    var state: ProxySnapshot.ConnectionState {
        isSilenced ? .silent : association == nil ? .connecting : .open
    }
    /// A client with a relay for datagrams says nothing more, and one that has named no server may never
    /// do so.
    var isIdle: Bool { association != nil || entry.map { $0.destination == nil } ?? false }
    func closeIdle() { finish(by: .shutdown) }
    var isPending: Bool { true }
    func bytes(_ direction: Direction) -> UInt64 { 0 }
    func received(_ direction: Direction) -> UInt64 { 0 }

    /// Watches the client and connects to the upstream, after the simulated time of a name lookup.
    func start() {
        do throws(SystemError) {
            client.token = try context.loop.watch(
                client.socket,
                handler: self,
                tag: Side.client.rawValue
            )
        } catch {
            context.reporter.trouble(.other, "cannot watch a client: \(error)")
            over(end(by: .limit, how: .rst))
            return
        }
        // A client that has said something already is reported to have done so.
        guard entry == nil else {
            deadline = context.loop.now + Self.entryTime
            if !early.isEmpty { readEntry() }
            return
        }
        openAfterLookup()
    }

    func openAfterLookup() {
        deadline = .never
        let link = context.link
        context.paths.note(identity.id, on: link, context.reporter)
        let lookupDelay = link.profile.nameLookupDelay + link.waitForPath()
        guard lookupDelay > .zero else {
            open()
            return
        }
        timer = context.timers.set(after: lookupDelay) {
            [weak self] in self?.open()
        }
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard !isOver else { return }
        if tag == Side.client.rawValue {
            client.note(readiness)
            // A client that is gone needs no upstream.
            if client.isBroken { return over(end(by: .client, how: .rst)) }
            if let entry, entry.destination == nil { readEntry() }
            if isSilenced, client.hasHungUp { over(end(by: .client, how: .fin)) }
            return
        }
        upstream.note(readiness)
        if tunnel != nil {
            readTunnel()
        } else if upstream.isBroken {
            failure = upstream.socket.takeError() ?? .connectionRefused
            connectNext()
        } else if upstream.isWritable {
            // Also with a hang-up: on a Unix socket that is a server which has closed already, with what
            // it sent still to be read.
            connected()
        }
    }

    func reset(by party: ConnectionEnd.Party) { over(end(by: party, how: .rst)) }

    func replaceFaults(_ faults: @autoclosure () -> ConnectionFaults?) { self.faults = faults() }
    func arm(_ faults: ConnectionFaults) -> Bool { true }

    /// Whatever the effect, it is refused: nothing was delivered that the effect could follow.
    func cut(_ effect: Effect) -> [String]? {
        context.faults.refusedByHand(identity.id, faults)
        refuse()
        return [FaultRegistry.refusal(of: identity.id.ordinal).canonicalText]
    }

    /// Ends it as a fault that refuses it does.
    private func refuse() {
        var end = end(by: .fault, how: .refused)
        (end.up.isExact, end.down.isExact) = (true, true)
        over(end)
    }

    /// An upstream that has accepted, though no one has noticed yet, sees the same end as any other.
    func finish(by party: ConnectionEnd.Party) {
        guard !isOver else { return }
        guard upstream.socket.peerAddress == nil || chain != nil else {
            context.owner?.connected(self).finish(by: party)
            return
        }
        client.shutDown()
        client.close(resetting: false, on: context.loop)
        over(end(by: party, how: .fin))
    }

    /// Tries the next address if this one has not answered in time.
    func checkDeadline(at now: Instant) {
        guard !isOver, now >= deadline else { return }
        if let entry, entry.destination == nil { return over(end(by: .limit, how: .timeout)) }
        guard tunnel == nil else { return tunnelFailed(.timedOut) }
        failure = .timedOut
        connectNext()
    }

    func adopt(_ link: LinkDriver) { link.open(identity.number, sink: self) }

    /// Goes on over the network of a server.
    func move(to context: ConnectionContext?) {
        guard let context, context !== self.context else { return }
        self.context.link.remove(identity.number)
        self.context = context
        context.bound(client.socket, .client)
    }

    /// Ends this form of the connection; both peers belong to its successor then.
    func surrender() {
        if context.reporter.isObserved, chain == nil, entry == nil {
            identity.server = upstream.socket.peerAddress
        }
        isOver = true
        context.timers.cancel(timer)
    }

    // What the link says.

    func receive(_ event: LinkEvent.Kind) -> Bool {
        switch event {
        case .aborted: over(end(by: .upstream, how: .rst))
        case .timedOut: over(end(by: .limit, how: .timeout))
        case .deliver, .finished, .writable, .arrived, .lost: break
        }
        return false
    }

    func linkSettled() {}

    // Connecting.

    private func open() {
        guard !isOver else { return }
        context.link.driver?.open(identity.number, sink: self)
        // Our own addresses are refused, whoever would connect to them.
        if let chain = context.chain, chain.leads(to: target.endpoint),
            !target.addresses.contains(where: acceptor.ownEndpoints.contains)
        {
            self.chain = chain
        }
        guard !nearest.isFresh(at: context.loop.now) else {
            takeAddresses()
            return
        }
        nearest.lookUp(on: context.loop) { [weak self] error in
            guard let self, !isOver else { return }
            if let error { failure = error }
            takeAddresses()
        }
    }

    /// Where to connect: the next proxy, or the server itself.
    private var nearest: Upstream { chain?.upstream ?? target }

    private func takeAddresses() {
        // Behind a proxy what a name means is known there alone.
        var reachable = target.addresses
        if let entry, let destination = entry.destination {
            reachable = entry.settings.rules.allowed(target.addresses, for: destination)
            // A name of which it is known where it leads, and that it may not lead there.
            if reachable.isEmpty, !target.addresses.isEmpty { return turnAway(.notAllowed) }
        }
        addresses = (chain?.upstream.addresses ?? reachable)[...]
        connectNext()
    }

    private func connectNext() {
        deadline = .never
        guard chain != nil || context.faults.origin?.isComingBack != true else {
            return waitForOrigin()
        }
        while let address = addresses.popFirst() {
            upstream.close(resetting: false, on: context.loop)
            do throws(SystemError) {
                try connect(to: address)
                return
            } catch  where error.isExhaustion {
                // The client has not done anything wrong: it waits until descriptors are free.
                addresses.insert(address, at: addresses.startIndex)
                waitForDescriptors(error)
                return
            } catch {
                failure = error
            }
        }
        fail()
    }

    /// Waits until a server that has crashed answers again, as clients of the embedded one do without
    /// noticing: how long its start takes must not change how often they try.
    private func waitForOrigin() {
        upstream.close(resetting: false, on: context.loop)
        timer = context.timers.set(after: Self.originLookInterval) { [weak self] in
            guard let self, !isOver else { return }
            takeAddresses()
        }
    }

    /// How long a client may take to say where it wants to go.
    private static let entryTime = Duration.seconds(60)

    /// How often it is checked whether the server is back.
    private static let originLookInterval = Duration.milliseconds(5)

    private func waitForDescriptors(_ error: SystemError) {
        context.descriptorsRanOut(error)
        timer = context.timers.set(after: Acceptor.retryTime) { [weak self] in
            self?.connectNext()
        }
    }

    private func connect(to address: SocketAddress) throws(SystemError) {
        guard !acceptor.ownEndpoints.contains(address) else { throw SystemError.connectionRefused }
        upstream = Peer(try Socket(like: address))
        context.bound(upstream.socket, .upstream)
        _ = try upstream.socket.connect(to: address)
        upstream.token = try context.loop.watch(
            upstream.socket,
            handler: self,
            tag: Side.upstream.rawValue
        )
        deadline =
            context.loop.now + .milliseconds(clamping: context.limits.connectTimeoutMilliseconds)
    }

    private func connected() {
        guard !acceptor.ownEndpoints.leadsBack(upstream.socket) else {
            failure = .connectionRefused
            connectNext()
            return
        }
        guard let chain else { return reached() }
        openTunnel(through: chain)
    }

    /// The server is there: what comes from now on is for the client and the server.
    func reached() {
        if let reply = entry?.reply(.connected) { say(reply) }
        context.owner?.connected(self)
    }

    private func fail() {
        guard chain == nil else { return tunnelFailed(.unreachable(failure)) }
        context.owner?.connectFailed(self, failure)
        giveUp(ForwardOutcome(failure))
    }

    /// Tells a client that said where to go why it cannot; resets another one, through the link if
    /// there is one.
    func giveUp(_ outcome: ForwardOutcome) {
        upstream.close(resetting: true, on: context.loop)
        context.timers.cancel(timer)
        if entry != nil { return turnAway(outcome) }
        if let link = context.link.driver, link.knows(identity.number) {
            link.abort(identity.stream(.down))
        } else {
            over(end(by: .upstream, how: .rst))
        }
    }

    func over(_ end: ConnectionEnd) {
        guard !isOver else { return }
        isOver = true
        association?.close()
        context.timers.cancel(timer)
        context.reset(client, of: self)
        upstream.close(resetting: true, on: context.loop)
        context.owner?.ended(self, end)
    }
}
