internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// An open connection whose bytes cross the link, pass fault gates or are metered.
///
/// What is where:
///
/// | state | of | in |
/// | --- | --- | --- |
/// | moving, cutting, over | the connection | `Phase` |
/// | active, discarding, silent, half-open, closed | each socket | `Peer.Leg` |
/// | how far the bytes and the end have come | each direction | `GatedFlow` |
/// | what toxics hold back or take away | each direction | `ToxicFlow` |
/// | what faults let through | both directions | `ConnectionGate` |
///
/// `makeProgress` does whatever all of them allow; it is the one reaction to every report of a socket, the
/// link, an alarm or the budget. How bytes move is in `+Transfer`, what stays unread in `+Unread`,
/// what the link says in `+Link`, what TLS hides in `+TLS`, what messages are in `+Messages`, what
/// toxics do in `+Toxics`, what a client of a forward proxy asks for in `+Relay`, what effects do in
/// `+Effects`, `+TLSEffects`, `+Settling` and `+Cut`, what is done by hand in `+Live`, how it all ends in
/// `+Ending`.
final class InspectedConnection: Connection, ReadinessHandler {
    /// What moves so many bytes in a turn has to wait in line for the next one.
    private static let smallShare = 16_384
    /// Bytes that each direction may read, and write, once it has waited.
    private static let fullShare = 262_144

    enum Phase {
        /// Bytes move, or wait for what lets them.
        case moving
        /// Nothing moves until every byte before an ending is known to have arrived.
        indirect case cutting(Cut)
        case over
    }

    let context: ConnectionContext
    let tools: TransferTools
    let identity: ConnectionIdentity
    var link: LinkDriver?
    var phase = Phase.moving
    let peers: PerSide<Peer>
    let flows: PerDirection<GatedFlow>
    /// What every byte passes.
    var gate: ConnectionGate
    /// Nil if records of messages are not wanted.
    var recorder: MessageRecorder?
    /// Nil if what passes is not opened.
    let tls: TLSStage?
    /// What the server gets of requests that are made of a proxy; nil if the client makes none.
    var relay: RequestRelay?
    /// What the client had said before, and was read.
    private var early: [UInt8]
    /// The faults that act while TLS with the client begins, if it does.
    private let handshake: [ArmedFault]
    var isProofAwaited = false
    var isGateWatched = false
    var isEndAwaited = false
    var alarms: [TimerQueue.Token] = []
    /// The fault that ends the connection once the server's answers are with the client.
    var settling: ArmedFault?
    /// How the connection will be said to have ended.
    var ending: (by: ConnectionEnd.Party, how: ConnectionEnd.Manner)?
    var firstToEnd: Side?
    /// The direction in which a byte was delivered last; nil before the first one.
    var lastDelivery: Direction? {
        didSet { lastByte = context.loop.now }
    }
    /// When that was, or the connection began, on the clock of the loop.
    private(set) var lastByte: Instant
    /// What acts once nothing has passed for a time, the shortest first.
    var lulls: [LullFault]
    /// Since when, and where, everything is held back by hand; nil if it is not.
    var held: HeldPlace?
    /// When the client has answered the PING that goes with a GOAWAY.
    var goAwayKnownAt = Instant.start
    /// Streams that the client has opened although it knew that none is taken.
    var lateStreams: UInt64 = 0
    /// How often it was held by hand; tells one hold from another.
    var holdCount = 0
    /// When the client's end was first seen, on the clock of the loop.
    private(set) var clientEnd: Instant?
    /// The direction whose toxic closes the connection once its last byte has gone on.
    var closing: Direction?
    var toxicAlarm = TimerQueue.Token.none
    /// When that alarm is due.
    var toxicWake = Instant.never
    /// When more of a stream of HTTP/2 may pass that is slowed down.
    var streamWake = Instant.never
    /// When receivers are asked again what they have read.
    var unreadAlarm = TimerQueue.Token.none
    /// How long after the last time that was.
    var unreadWait = Duration.zero
    /// Whether the link has events of this turn for us.
    var isTouched = false
    private var isQueued = false
    /// Whether it moved so much in its last turn that it waits in line for the next one.
    private var isBusy = false
    /// Bytes that each direction may read, and write, in this turn.
    private(set) var share = smallShare

    init(
        _ context: ConnectionContext,
        _ identity: ConnectionIdentity,
        client: Peer,
        upstream: Peer,
        gate: consuming ConnectionGate,
        lulls: [LullFault] = [],
        recorder: MessageRecorder? = nil,
        tls: TLSStage? = nil,
        handshake: [ArmedFault] = [],
        relay: RequestRelay? = nil,
        early: [UInt8] = [],
        link: LinkDriver?
    ) {
        self.relay = relay
        self.early = early
        self.handshake = handshake
        self.context = context
        tools = context.tools
        self.identity = identity
        self.link = link
        self.gate = gate
        self.lulls = lulls
        lastByte = context.loop.now
        self.recorder = recorder
        self.tls = tls
        peers = PerSide(client: client, upstream: upstream)
        flows = PerDirection(
            up: GatedFlow(pool: tools.chunks),
            down: GatedFlow(pool: tools.chunks)
        )
    }

    var clientAddress: SocketAddress? { peers[.client].socket.peerAddress }
    func bytes(_ direction: Direction) -> UInt64 { flows[direction].delivered }
    func received(_ direction: Direction) -> UInt64 { flows[direction].received }

    var state: ProxySnapshot.ConnectionState {
        if case .cutting = phase { return .cutting }
        if isInHole || peers[.client].leg.isSilent || peers[.upstream].leg.isSilent {
            return .silent
        }
        guard peers[.client].leg == .active, peers[.upstream].leg == .active else {
            return .closing
        }
        if held != nil { return .paused }
        if isStalled(.up) || isStalled(.down) { return .stalled }
        return flows[.up].pace == nil && flows[.down].pace == nil ? .open : .slowed
    }

    private func isStalled(_ direction: Direction) -> Bool {
        !gate.isOpen(direction) && flows[direction].end != .passed
    }

    var isOver: Bool {
        if case .over = phase { return true }
        return false
    }

    var isMoving: Bool {
        if case .moving = phase { return true }
        return false
    }

    /// Takes over the reports of both sockets and of the link, and moves what is there.
    func start() {
        context.loop.rewatch(peers[.client].token, handler: self, tag: Side.client.rawValue)
        context.loop.rewatch(peers[.upstream].token, handler: self, tag: Side.upstream.rawValue)
        link?.pass(identity.number, to: self)
        beginTurn(Self.smallShare)
        if tls?.terminator.endsClients != true { giveUpTLSFaults(handshake, .notSealed) }
        if let tls, !tls.terminator.endsClients { beginUpstream(tls) }
        // What acts before the first byte does so whether or not bytes have come by now.
        var hasMore = passBoth()
        if isMoving, !early.isEmpty {
            takeEarly()
            hasMore = passBoth() || hasMore
        }
        if hasMore { continueLater() }
        endIfDone()
        awaitLull()
        makeProgress()
    }

    private func takeEarly() {
        forward(early, .up)
        early.removeAll()
    }

    /// Takes over which streams have ended in the other form of the connection.
    func noteEnds(by side: Side?) {
        firstToEnd = side
        for direction in Direction.allCases {
            let receiver = Side(receiverOf: direction)
            if peers[receiver].isShut {
                flows[direction].end = .passed
            } else if peers[receiver.opposite].hasEnded {
                flows[direction].end = .arrived
            }
        }
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard !isOver else { return }
        guard !readiness.isEmpty else {
            isQueued = false
            return takeTurn(isBusy ? Self.fullShare : Self.smallShare)
        }
        let side: Side = tag == Side.client.rawValue ? .client : .upstream
        peers[side].note(readiness)
        if peers[.client].hasHungUp, clientEnd == nil {
            clientEnd = context.loop.now
        }
        if isBusy { return continueLater() }
        beginTurn(Self.smallShare)
        let hasMore = !passesAtOnce(from: side) && move()
        endTurn(hasMore)
    }

    func reset(by party: ConnectionEnd.Party) {
        guard !isOver else { return }
        ending = ending ?? (party, .rst)
        over(resetting: true)
    }

    /// Does whatever can be done now; may be called at any time.
    func makeProgress() {
        guard !isOver else { return }
        takeTurn(Self.smallShare)
    }

    /// The same in turn: what moves much waits in line, so that what moves little need not.
    func makeProgressInTurn() {
        if isBusy { continueLater() } else { makeProgress() }
    }

    private func takeTurn(_ share: Int) {
        beginTurn(share)
        endTurn(move())
    }

    private func move() -> Bool {
        measureUnread()
        flushSecured()
        var hasMore = serveIdleLegs()
        hasMore = readBoth() || hasMore
        hasMore = runToxics() || hasMore
        hasMore = passBoth() || hasMore
        hasMore = makeRoom() || hasMore
        reportBacklogs()
        attendGate()
        handleEndings()
        return hasMore
    }

    private func beginTurn(_ share: Int) {
        self.share = share
        flows[.up].beginTurn()
        flows[.down].beginTurn()
    }

    private func endTurn(_ hasMore: Bool) {
        let moved = flows[.up].movedThisTurn + flows[.down].movedThisTurn
        context.loop.noteMoved(moved)
        isBusy = moved >= Self.smallShare
        if hasMore, !isOver { continueLater() }
    }

    /// Works again after the events of this turn, or when its turn has come.
    func continueLater() {
        guard !isQueued else { return }
        isQueued = true
        if isBusy { context.loop.waitInLine(self) } else { context.loop.runLater(self) }
    }

    /// Lets `action` happen at a time of the loop's clock, if the connection lives to see it.
    func setAlarm(
        at time: Instant,
        action: @escaping (InspectedConnection) -> Void
    ) {
        guard time != .never else { return }
        let token = context.timers.set(at: time) { [weak self] in
            if let self, !isOver { action(self) }
        }
        // The oldest have most likely fired; one that has not still finds that we are gone.
        if alarms.count >= 8 { alarms.removeFirst() }
        alarms.append(token)
    }
}
