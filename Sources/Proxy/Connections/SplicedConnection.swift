internal import Journal
internal import LinkEngine
internal import Libuv

/// An open connection that is neither shaped nor faulted nor metered: bytes go on as they come.
final class DirectSession: Connection, ReadinessHandler {
    private unowned let host: ProxyServer
    private let tools: TransferTools
    let identity: ConnectionIdentity
    private let client: Peer
    private let upstream: Peer
    private let up: DirectFlow
    private let down: DirectFlow
    private var isOver = false
    private var isQueued = false
    /// Who sent the first FIN.
    private var firstToEnd: Side?
    private var lastDelivery: Direction?

    init(
        host: ProxyServer,
        identity: ConnectionIdentity,
        client: Peer,
        upstream: Peer
    ) {
        self.host = host
        tools = host.tools
        self.identity = identity
        self.client = client
        self.upstream = upstream
        up = DirectFlow(pool: tools.chunks)
        down = DirectFlow(pool: tools.chunks)
    }

    var clientAddress: SocketAddress? { client.socket.peerAddress }
    var state: ProxySnapshot.ConnectionState { .open }
    func bytes(_ direction: Direction) -> UInt64 { direction == .up ? up.bytes : down.bytes }
    func received(_ direction: Direction) -> UInt64 {
        direction == .up ? up.received : down.received
    }

    /// Takes over the reports of both sockets and moves what is there.
    func start() {
        host.loop.rewatch(client.token, handler: self, tag: Side.client.rawValue)
        host.loop.rewatch(upstream.token, handler: self, tag: Side.upstream.rawValue)
        move()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard !isOver else { return }
        if readiness.isEmpty {
            isQueued = false
        } else if tag == Side.client.rawValue {
            note(readiness, of: client, canGoOn: upstream.isWritable)
        } else {
            note(readiness, of: upstream, canGoOn: client.isWritable)
        }
        move()
    }

    func reset(by party: ConnectionEnd.Party) {
        guard !isOver else { return }
        over(end(by: party, how: .rst), resetting: true)
    }

    func finish(by party: ConnectionEnd.Party) {
        guard !isOver else { return }
        host.gate(self).finish(by: party)
    }

    /// Ends this form of the connection and goes on behind a gate.
    func surrender() -> GatedSession {
        isOver = true
        client.mute(false, on: host.loop)
        upstream.mute(false, on: host.loop)
        let session = GatedSession(
            host: host,
            identity: identity,
            client: client,
            upstream: upstream,
            faults: nil,
            link: nil
        )
        up.hand(over: session.flows[.up], tools)
        down.hand(over: session.flows[.down], tools)
        session.lastDelivery = lastDelivery
        session.noteEnds(by: firstToEnd)
        return session
    }

    /// Notes a report; one of bytes that wait anyway is the last of its kind until they can go on.
    private func note(_ readiness: Readiness, of peer: Peer, canGoOn: Bool) {
        if peer.isReadable, readiness.isReadable, !canGoOn { peer.mute(true, on: host.loop) }
        peer.note(readiness)
    }

    private func move() {
        let before = (up.bytes, down.bytes)
        let upOutcome = up.pump(from: client, to: upstream, with: tools)
        let downOutcome = down.pump(from: upstream, to: client, with: tools)
        if up.bytes > before.0 { lastDelivery = .up }
        if down.bytes > before.1 { lastDelivery = .down }
        if upOutcome == .failed || downOutcome == .failed || client.isBroken || upstream.isBroken {
            // One side was reset. What could still be moved was; the other side is told at once.
            let side: Side = client.isBroken ? .client : .upstream
            over(end(by: side.party, how: .rst), resetting: true)
            return
        }
        if client.isMuted, upstream.isWritable { client.mute(false, on: host.loop) }
        if upstream.isMuted, client.isWritable { upstream.mute(false, on: host.loop) }
        passEnds()
        if !isOver, upOutcome == .more || downOutcome == .more { continueLater() }
    }

    /// Passes a FIN on behind the last byte.
    private func passEnds() {
        let upEnds = client.hasEnded && up.waiting == 0
        let downEnds = upstream.hasEnded && down.waiting == 0
        guard upEnds || downEnds else { return }
        if firstToEnd == nil { firstToEnd = upEnds ? .client : .upstream }
        if upEnds, downEnds {
            var end = end(by: (firstToEnd ?? .client).party, how: .fin)
            end.down.isExact = true
            end.up.isExact = true
            over(end, resetting: false)
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

    private func over(_ end: ConnectionEnd, resetting: Bool) {
        isOver = true
        up.discard(tools)
        down.discard(tools)
        client.close(resetting: resetting, on: host.loop)
        upstream.close(resetting: resetting, on: host.loop)
        host.ended(self, end)
    }
}
