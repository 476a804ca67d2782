internal import FaultInjection
internal import Journal
internal import LinkEngine
internal import Libuv

/// A client that was accepted and whose upstream is not connected yet.
///
/// On a link the virtual handshake runs meanwhile; bytes of the client wait in the kernel.
final class PendingConnection: Connection, ReadinessHandler, LinkSink {
    private unowned let host: ProxyServer
    let identity: ConnectionIdentity
    /// What will act on this connection; nil for nothing.
    var faults: ConnectionFaults?
    let client: Peer
    private(set) var upstream = Peer(Socket())
    private var addresses: ArraySlice<SocketAddress> = []
    private var failure = SystemError.connectionRefused
    private var alarm = Alarms.Token.none
    /// When the connect under way has taken too long.
    private var deadlineNanoseconds = UInt64.max
    private var isOver = false

    init(
        host: ProxyServer,
        identity: ConnectionIdentity,
        faults: ConnectionFaults?,
        client: consuming Socket
    ) {
        self.host = host
        self.identity = identity
        self.faults = faults
        self.client = Peer(client)
    }

    var clientAddress: SocketAddress? { client.socket.peerAddress }
    var state: ProxySnapshot.ConnectionState { .connecting }
    func bytes(_ direction: Direction) -> UInt64 { 0 }
    func received(_ direction: Direction) -> UInt64 { 0 }

    /// Watches the client and goes to the upstream, after the name lookup's pretended time.
    func start(lookupDelay: LinkEngine.Duration) {
        do throws(SystemError) {
            client.token = try host.loop.watch(
                client.socket,
                handler: self,
                tag: Side.client.rawValue
            )
        } catch {
            host.report(.other, "cannot watch a client: \(error)")
            over(end(by: .limit, how: .rst))
            return
        }
        guard lookupDelay > .zero else {
            open()
            return
        }
        alarm = host.alarms.set(afterNanoseconds: UInt64(lookupDelay.nanoseconds)) {
            [weak self] in self?.open()
        }
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard !isOver else { return }
        if tag == Side.client.rawValue {
            client.note(readiness)
            // A client that is gone needs no upstream.
            if client.isBroken { over(end(by: .client, how: .rst)) }
            return
        }
        upstream.note(readiness)
        if upstream.isBroken {
            failure = upstream.socket.takeError() ?? .connectionRefused
            connectNext()
        } else if upstream.isWritable {
            // Also with a hang-up: on a Unix socket that is a server which has closed already, with what
            // it sent still to be read.
            connected()
        }
    }

    func reset(by party: ConnectionEnd.Party) { over(end(by: party, how: .rst)) }

    /// Ends it as a fault that refuses it does.
    func refuse() {
        var end = end(by: .fault, how: .refused)
        (end.up.isExact, end.down.isExact) = (true, true)
        over(end)
    }

    func finish(by party: ConnectionEnd.Party) {
        guard !isOver else { return }
        client.shutDown()
        client.close(resetting: false, on: host.loop)
        over(end(by: party, how: .fin))
    }

    /// Goes to the next address if this one has not answered in time.
    func checkDeadline(nowNanoseconds: UInt64) {
        guard !isOver, nowNanoseconds >= deadlineNanoseconds else { return }
        failure = .timedOut
        connectNext()
    }

    /// Puts the connection on a link that was not there when it was accepted.
    func adopt(_ link: LinkDriver) { link.open(identity.number, sink: self) }

    /// Ends this form of the connection; both peers belong to somebody else then.
    func surrender() {
        isOver = true
        host.alarms.cancel(alarm)
    }

    // What the link says.

    func take(_ event: LinkEvent.Kind) -> Bool {
        switch event {
        case .aborted: over(end(by: .upstream, how: .rst))
        case .timedOut: over(end(by: .limit, how: .timeout))
        case .deliver, .finished, .writable: break
        }
        return false
    }

    func linkSettled() {}

    // Connecting.

    private func open() {
        guard !isOver else { return }
        host.link?.open(identity.number, sink: self)
        let upstream = host.upstream(of: self)
        guard upstream.addresses.isEmpty else {
            addresses = upstream.addresses[...]
            connectNext()
            return
        }
        upstream.lookUp(on: host.loop) { [weak self] error in
            guard let self, !isOver else { return }
            if let error { failure = error }
            addresses = upstream.addresses[...]
            connectNext()
        }
    }

    private func connectNext() {
        deadlineNanoseconds = .max
        guard host.originFaults?.isComingBack != true else { return waitForOrigin() }
        while let address = addresses.popFirst() {
            upstream.close(resetting: false, on: host.loop)
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
        upstream.close(resetting: false, on: host.loop)
        alarm = host.alarms.set(afterNanoseconds: Self.originLookNanoseconds) { [weak self] in
            guard let self, !isOver else { return }
            addresses = host.upstream(of: self).addresses[...]
            connectNext()
        }
    }

    /// Between two looks whether the server is back.
    private static let originLookNanoseconds: UInt64 = 5_000_000

    private func waitForDescriptors(_ error: SystemError) {
        host.descriptorsRanOut(error)
        alarm = host.alarms.set(afterNanoseconds: ProxyServer.retryNanoseconds) { [weak self] in
            self?.connectNext()
        }
    }

    private func connect(to address: SocketAddress) throws(SystemError) {
        guard !host.isOwn(address) else { throw SystemError.connectionRefused }
        upstream = Peer(try Socket(like: address))
        host.prepare(upstream.socket)
        _ = try upstream.socket.connect(to: address)
        upstream.token = try host.loop.watch(
            upstream.socket,
            handler: self,
            tag: Side.upstream.rawValue
        )
        deadlineNanoseconds =
            host.loop.nowNanoseconds + host.limits.connectTimeoutMilliseconds * 1_000_000
    }

    private func connected() {
        guard !host.leadsBack(upstream.socket) else {
            failure = .connectionRefused
            connectNext()
            return
        }
        host.connected(self)
    }

    /// Tells the client, through the link if there is one, and the user.
    private func fail() {
        upstream.close(resetting: true, on: host.loop)
        host.alarms.cancel(alarm)
        host.connectFailed(self, failure)
        if let link = host.link, link.knows(identity.number) {
            link.abort(identity.stream(.down))
        } else {
            over(end(by: .upstream, how: .rst))
        }
    }

    private func over(_ end: ConnectionEnd) {
        guard !isOver else { return }
        isOver = true
        host.alarms.cancel(alarm)
        host.reset(client, of: self)
        upstream.close(resetting: true, on: host.loop)
        host.ended(self, end)
    }
}
