internal import Basics
internal import Faults
internal import Journal
internal import LinkEngine
internal import SystemIO
internal import Toxics

/// An open connection that is neither shaped nor faulted nor metered: bytes are passed on as they
/// come.
final class SplicedConnection: Connection, ReadinessHandler {
    /// What moves so many bytes in a turn has to wait in line for the next one; pieces of less cost
    /// `splice` more for each byte.
    private static let smallShare = 262_144
    /// The same once others have moved much in the turn.
    private static let leastShare = 32_768
    /// Bytes that each direction may read once it has waited: what a pipe holds.
    private static let fullShare = 1_048_576

    let context: ConnectionContext
    private let tools: TransferTools
    let identity: ConnectionIdentity
    private let client: Peer
    private let upstream: Peer
    private let up: SplicedFlow
    private let down: SplicedFlow
    private var isOver = false
    private var isQueued = false
    /// Whether it moved so much in its last turn that it waits in line for the next one.
    private var isBusy = false
    /// Who sent the first FIN.
    private var firstToEnd: Side?
    private var lastDelivery: Direction?

    init(
        _ context: ConnectionContext,
        _ identity: ConnectionIdentity,
        client: Peer,
        upstream: Peer
    ) {
        self.context = context
        tools = context.tools
        self.identity = identity
        self.client = client
        self.upstream = upstream
        up = SplicedFlow(pool: tools.chunks)
        down = SplicedFlow(pool: tools.chunks)
    }

    var clientAddress: SocketAddress? { client.socket.peerAddress }
    var state: ProxySnapshot.ConnectionState { .open }
    func bytes(_ direction: Direction) -> UInt64 { direction == .up ? up.bytes : down.bytes }
    func received(_ direction: Direction) -> UInt64 {
        direction == .up ? up.received : down.received
    }

    /// Receives the reports of both sockets from now on, and moves what is there.
    func start() {
        context.loop.rewatch(client.token, handler: self, tag: Side.client.rawValue)
        context.loop.rewatch(upstream.token, handler: self, tag: Side.upstream.rawValue)
        move(shareOutOfLine)
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard !isOver else { return }
        if readiness.isEmpty {
            isQueued = false
            return move(isBusy ? Self.fullShare : shareOutOfLine)
        }
        if tag == Side.client.rawValue {
            note(readiness, of: client, canPass: upstream.isWritable)
        } else {
            note(readiness, of: upstream, canPass: client.isWritable)
        }
        if isBusy { continueLater() } else { move(shareOutOfLine) }
    }

    /// Bytes that may move without waiting in line.
    private var shareOutOfLine: Int { context.loop.isTurnSpent ? Self.leastShare : Self.smallShare }

    func reset(by party: ConnectionEnd.Party) {
        guard !isOver else { return }
        over(end(by: party, how: .rst), resetting: true)
    }

    func finish(by party: ConnectionEnd.Party) {
        guard !isOver else { return }
        inspected?.finish(by: party)
    }

    // What a spliced connection cannot do, an inspected one in its place does.

    private var inspected: InspectedConnection? { isOver ? nil : context.owner?.gate(self) }

    func adopt(_ link: LinkDriver) { inspected?.adopt(link) }
    func apply(_ toxics: [Toxic]) { if !toxics.isEmpty { inspected?.apply(toxics) } }
    func budgetChanged(isMetered: Bool) { if isMetered { inspected?.continueLater() } }
    func arm(_ faults: ConnectionFaults) -> Bool { inspected?.arm(faults) ?? false }
    func cut(_ effect: Effect) -> [String]? { inspected?.cut(effect) }
    func hold() -> Bool { inspected?.hold() ?? false }
    func stall(for span: Duration) -> [String]? { inspected?.stall(for: span) }

    /// Ends this form of the connection; the inspected one takes its place.
    func surrender() -> InspectedConnection {
        isOver = true
        client.mute(false, on: context.loop)
        upstream.mute(false, on: context.loop)
        let session = InspectedConnection(
            context,
            identity,
            client: client,
            upstream: upstream,
            gate: ConnectionGate(),
            link: nil
        )
        for direction in Direction.allCases {
            session.gate.begin(direction, at: bytes(direction))
        }
        up.hand(over: session.flows[.up], tools)
        down.hand(over: session.flows[.down], tools)
        session.lastDelivery = lastDelivery
        session.noteEnds(by: firstToEnd)
        return session
    }

    /// Records a report; one of bytes that wait anyway is the last until they can be passed on.
    private func note(_ readiness: Readiness, of peer: Peer, canPass: Bool) {
        if peer.isReadable, readiness.isReadable, !canPass { peer.mute(true, on: context.loop) }
        peer.note(readiness)
    }

    private func move(_ share: Int) {
        let before = (up.bytes, down.bytes)
        let upOutcome = up.pump(from: client, to: upstream, with: tools, share: share)
        let downOutcome = down.pump(from: upstream, to: client, with: tools, share: share)
        let moved = Int(up.bytes - before.0 + down.bytes - before.1)
        context.loop.noteMoved(moved)
        isBusy = moved >= min(share, Self.smallShare)
        if up.bytes > before.0 { lastDelivery = .up }
        if down.bytes > before.1 { lastDelivery = .down }
        if upOutcome == .failed || downOutcome == .failed || client.isBroken || upstream.isBroken {
            // One side was reset. What could still be moved was; the other side is reset at once.
            let side: Side = client.isBroken ? .client : .upstream
            over(end(by: side.party, how: .rst), resetting: true)
            return
        }
        if client.isMuted, upstream.isWritable { client.mute(false, on: context.loop) }
        if upstream.isMuted, client.isWritable { upstream.mute(false, on: context.loop) }
        passEnds()
        if !isOver, upOutcome == .more || downOutcome == .more { continueLater() }
    }

    /// Passes a FIN on after the last byte.
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
        if isBusy { context.loop.waitInLine(self) } else { context.loop.runLater(self) }
    }

    /// After an upload an answer is due; after a download the client has the word.
    var isIdle: Bool {
        up.waiting == 0 && down.waiting == 0 && lastDelivery != .up && firstToEnd == nil
    }

    func closeIdle() {
        guard !isOver else { return }
        over(end(by: .shutdown, how: .fin), resetting: false)
    }

    private func over(_ end: ConnectionEnd, resetting: Bool) {
        isOver = true
        var end = end
        end.passedTLS = PerSide(client: client, upstream: upstream).passedTLS
        up.discard(tools)
        down.discard(tools)
        client.close(resetting: resetting, on: context.loop)
        upstream.close(resetting: resetting, on: context.loop)
        context.owner?.ended(self, end)
    }
}
