internal import LinkEngine
internal import Libuv

/// One connection through the proxy: a client's socket, an upstream socket, two directions.
final class Session: ReadinessHandler {
    /// Which socket a report is about.
    enum Side: UInt32 { case client = 0, upstream = 1 }

    enum Phase { case connecting, open, closed }

    private unowned let host: ProxyServer
    /// From 0, in the order of acceptance.
    let ordinal: UInt32
    let route: Int
    private(set) var phase = Phase.connecting
    private var client: Peer
    private var upstream = Peer(Socket())
    private var up: DirectFlow
    private var down: DirectFlow
    private var connect: ConnectAttempt?
    private var isQueued = false

    init(host: ProxyServer, ordinal: UInt32, route: Int, client: consuming Socket) {
        self.host = host
        self.ordinal = ordinal
        self.route = route
        self.client = Peer(client)
        up = DirectFlow(pool: host.tools.chunks)
        down = DirectFlow(pool: host.tools.chunks)
    }

    var upBytes: UInt64 { up.bytes }
    var downBytes: UInt64 { down.bytes }
    var clientAddress: SocketAddress? { client.socket.peerAddress }

    /// Watches the client and connects to the first of `addresses`.
    func start(_ addresses: [SocketAddress]) {
        do throws(SystemError) {
            client.token = try host.loop.watch(
                client.socket,
                handler: self,
                tag: Side.client.rawValue
            )
        } catch {
            host.reportInternal("cannot watch a client: \(error)")
            close(resettingClient: true, resettingUpstream: false)
            return
        }
        connect = ConnectAttempt(addresses: addresses)
        connectNext()
    }

    /// A look at the clock while connecting; gives up an address that does not answer.
    func checkConnectTimeout(nowNanoseconds: UInt64) {
        guard phase == .connecting, let deadline = connect?.deadlineNanoseconds,
            nowNanoseconds >= deadline
        else { return }
        connect?.failure = .timedOut
        connectNext()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        if readiness.isEmpty { isQueued = false }
        if tag == Side.client.rawValue {
            client.note(readiness)
        } else {
            upstream.note(readiness)
        }
        switch phase {
        case .connecting: whileConnecting(readiness, tag)
        case .open: move()
        case .closed: break
        }
    }

    /// Ends the connection at once, with resets.
    func reset() { close(resettingClient: true, resettingUpstream: true) }

    // Connecting.

    private func whileConnecting(_ readiness: Readiness, _ tag: UInt32) {
        guard tag == Side.upstream.rawValue else {
            // A client that is gone needs no upstream.
            if client.isBroken { close(resettingClient: false, resettingUpstream: true) }
            return
        }
        if upstream.isBroken || readiness.isHangUp {
            connect?.failure = upstream.socket.takeError() ?? .connectionRefused
            connectNext()
        } else if upstream.isWritable {
            connected()
        }
    }

    private func connectNext() {
        while let address = connect?.next() {
            host.loop.unwatch(upstream.token)
            do throws(SystemError) {
                try connect(to: address)
                return
            } catch {
                connect?.failure = error
            }
        }
        let failure = connect?.failure ?? .connectionRefused
        host.connectFailed(self, failure)
        close(resettingClient: true, resettingUpstream: false)
    }

    private func connect(to address: SocketAddress) throws(SystemError) {
        if host.isOwn(address) { throw SystemError.connectionRefused }
        upstream = Peer(try Socket(like: address))
        _ = try upstream.socket.connect(to: address)
        upstream.token = try host.loop.watch(
            upstream.socket,
            handler: self,
            tag: Side.upstream.rawValue
        )
        connect?.deadlineNanoseconds =
            host.loop.nowNanoseconds + host.limits.connectTimeoutMilliseconds * 1_000_000
    }

    private func connected() {
        phase = .open
        connect = nil
        host.connectEnded(self)
        move()
    }

    // Moving bytes.

    private func move() {
        let upOutcome = up.pump(from: &client, to: &upstream, with: host.tools)
        let downOutcome = down.pump(from: &upstream, to: &client, with: host.tools)
        if upOutcome == .failed || downOutcome == .failed || client.isBroken || upstream.isBroken {
            // One side was reset. What could still be moved was; the other side is told at once.
            close(resettingClient: true, resettingUpstream: true)
            return
        }
        passEnds()
        if phase == .open, upOutcome == .more || downOutcome == .more { continueLater() }
    }

    /// Passes a FIN on behind the last byte.
    private func passEnds() {
        let upEnds = client.hasEnded && up.waiting == 0
        let downEnds = upstream.hasEnded && down.waiting == 0
        if upEnds, downEnds {
            close(resettingClient: false, resettingUpstream: false)
            return
        }
        if upEnds { upstream.shutDown() }
        if downEnds { client.shutDown() }
    }

    private func continueLater() {
        guard !isQueued else { return }
        isQueued = true
        host.loop.runLater(self)
    }

    private func close(resettingClient: Bool, resettingUpstream: Bool) {
        guard phase != .closed else { return }
        let wasConnecting = phase == .connecting
        phase = .closed
        up.discard(host.tools)
        down.discard(host.tools)
        host.loop.unwatch(client.token)
        host.loop.unwatch(upstream.token)
        if resettingClient { client.socket.reset() } else { client.socket.close() }
        if resettingUpstream { upstream.socket.reset() } else { upstream.socket.close() }
        if wasConnecting { host.connectEnded(self) }
        host.ended(self)
    }
}

/// The addresses of an upstream, tried one after another.
struct ConnectAttempt {
    private var addresses: [SocketAddress]
    private var index = 0
    var deadlineNanoseconds = UInt64.max
    /// Why the latest one failed.
    var failure: SystemError?

    init(addresses: [SocketAddress]) { self.addresses = addresses }

    mutating func next() -> SocketAddress? {
        guard index < addresses.count else { return nil }
        defer { index += 1 }
        return addresses[index]
    }
}
