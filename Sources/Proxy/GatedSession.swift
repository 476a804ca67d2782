internal import FaultInjection
internal import Journal
internal import LinkEngine
internal import Libuv

/// An open connection whose bytes cross the link, pass fault gates or are metered.
///
/// Of each direction: read from the sender while there is room, wait on the link, pass the gate,
/// write to the receiver. A side that was reset resets the other one, through the link if there is
/// one. What faults do to the two legs is in `GatedSession+Faults`.
final class GatedSession: Connection, ReadinessHandler, LinkSink {
    unowned let host: ProxyServer
    let identity: ConnectionIdentity
    var link: LinkDriver?
    var client: Peer
    var upstream: Peer
    var up: GatedFlow
    var down: GatedFlow
    /// An ending that waits for the proof that every byte before it arrived.
    var cut: Cut?
    var alarms: [Alarms.Token] = []
    /// How the connection will be said to have ended.
    var ending: (by: ConnectionEnd.Party, how: ConnectionEnd.Manner)?
    var firstToEnd: Side?
    private var isOver = false
    private var isQueued = false
    private var isTouched = false

    /// Bytes read from one side that wait without a link.
    private static let queueLimit = 262_144
    /// So many reads or writes in a direction, then the other connections have their turn.
    private static let readsPerTurn = 4
    private static let writesPerTurn = 16

    init(
        host: ProxyServer,
        identity: ConnectionIdentity,
        client: consuming Peer,
        upstream: consuming Peer,
        faults: ConnectionFaults?,
        link: LinkDriver?
    ) {
        self.host = host
        self.identity = identity
        self.client = client
        self.upstream = upstream
        self.link = link
        up = GatedFlow(pool: host.tools.chunks, faults: faults?.up ?? [])
        down = GatedFlow(pool: host.tools.chunks, faults: faults?.down ?? [])
    }

    var clientAddress: SocketAddress? { client.socket.peerAddress }
    func bytes(_ direction: Direction) -> UInt64 {
        direction == .up ? up.delivered : down.delivered
    }

    var state: ProxySnapshot.ConnectionState {
        if cut != nil { return .cutting }
        if client.leg == .silent || upstream.leg == .silent || up.isHoled || down.isHoled {
            return .silent
        }
        let isActive = client.leg == .active && upstream.leg == .active
        if isActive, !up.gate.isOpen, !up.endWasPassed { return .stalled }
        if isActive, !down.gate.isOpen, !down.endWasPassed { return .stalled }
        if isActive, up.pace != nil || down.pace != nil { return .slowed }
        return isActive ? .open : .closing
    }

    /// Takes over the reports of both sockets and of the link, and moves what is there.
    func start() {
        host.loop.rewatch(client.token, handler: self, tag: Side.client.rawValue)
        host.loop.rewatch(upstream.token, handler: self, tag: Side.upstream.rawValue)
        link?.pass(identity.number, to: self)
        work()
    }

    /// Takes over which streams have ended in the other form of the connection.
    func noteEnds(by side: Side?) {
        firstToEnd = side
        up.noteEnd(wasRead: client.hasEnded, wasPassed: upstream.isShut)
        down.noteEnd(wasRead: upstream.hasEnded, wasPassed: client.isShut)
    }

    /// Puts the connection on a link that was not there when it was opened.
    func adopt(_ link: LinkDriver) {
        guard self.link == nil, !isOver else { return }
        self.link = link
        host.bound(client.socket)
        host.bound(upstream.socket)
        link.open(identity.number, sink: self)
        if up.endWasRead, !up.endArrived { link.finish(identity.stream(.up)) }
        if down.endWasRead, !down.endArrived { link.finish(identity.stream(.down)) }
        continueLater()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard !isOver else { return }
        if readiness.isEmpty {
            isQueued = false
        } else if tag == Side.client.rawValue {
            client.note(readiness)
        } else {
            upstream.note(readiness)
        }
        work()
    }

    func reset(by party: ConnectionEnd.Party) {
        guard !isOver else { return }
        ending = ending ?? (party, .rst)
        over(resetting: true)
    }

    // What the link says.

    func take(_ event: LinkEvent.Kind) -> Bool {
        guard !isOver else { return false }
        switch event {
        case .deliver(let stream, let count):
            if stream.direction == .up { up.arrived(count) } else { down.arrived(count) }
        case .finished(let stream):
            if stream.direction == .up { up.endArrived = true } else { down.endArrived = true }
        case .aborted(let stream):
            work()
            resetByLink(stream.direction)
            return false
        case .timedOut:
            ending = ending ?? (.limit, .timeout)
            over(resetting: true)
            return false
        case .writable: break
        }
        defer { isTouched = true }
        return !isTouched
    }

    func linkSettled() {
        isTouched = false
        guard !isOver else { return }
        work()
    }

    // Working.

    /// Does whatever can be done now; may be called at any time.
    func work() {
        guard !isOver else { return }
        serve(&client)
        serve(&upstream)
        var hasMore = read(&up, .up, from: &client)
        hasMore = read(&down, .down, from: &upstream) || hasMore
        hasMore = pass(.up) || hasMore
        hasMore = pass(.down) || hasMore
        hasMore = makesRoom(&up) || hasMore
        hasMore = makesRoom(&down) || hasMore
        reportBacklog(&up, .up)
        reportBacklog(&down, .down)
        noteBreaks()
        endIfDone()
        if hasMore, !isOver { continueLater() }
    }

    func closeLeg(_ side: Side, resetting: Bool) {
        if side == .client {
            client.close(resetting: resetting, on: host.loop)
        } else {
            upstream.close(resetting: resetting, on: host.loop)
        }
    }

    func leg(_ side: Side) -> Peer.Leg { side == .client ? client.leg : upstream.leg }

    /// Reads what has come; answers whether there may be more.
    private func read(
        _ flow: inout GatedFlow,
        _ direction: Direction,
        from source: inout Peer
    ) -> Bool {
        guard source.leg == .active, cut == nil, !flow.isHoled else { return false }
        for _ in 0..<Self.readsPerTurn {
            guard source.isReadable, !flow.endWasRead else { return false }
            let room =
                link?.room(on: identity.stream(direction)) ?? Self.queueLimit - flow.queue.count
            guard room > 0 else {
                flow.isFull = true
                return false
            }
            let asked = min(room, host.tools.buffer.capacity)
            switch source.socket.receive(into: host.tools.buffer, limit: asked) {
            case .moved(let count):
                source.noteRead(count, asked: asked)
                accept(count, &flow, direction)
            case .wouldBlock: source.isReadable = false
            case .ended:
                source.hasEnded = true
                noteEnd(&flow, direction)
            case .failed:
                source.isBroken = true
                return false
            }
        }
        return true
    }

    private func accept(_ count: Int, _ flow: inout GatedFlow, _ direction: Direction) {
        guard let link else {
            flow.accept(host.tools.buffer, count: count)
            return
        }
        flow.acceptOnLink(host.tools.buffer, count: count)
        link.send(count, on: identity.stream(direction))
    }

    private func noteEnd(_ flow: inout GatedFlow, _ direction: Direction) {
        flow.endWasRead = true
        if firstToEnd == nil { firstToEnd = direction == .up ? .client : .upstream }
        guard let link else {
            flow.endArrived = true
            return
        }
        link.finish(identity.stream(direction))
    }

    /// Lets waiting bytes through the gate to their receiver; answers whether there may be more.
    private func pass(_ direction: Direction) -> Bool {
        for _ in 0..<Self.writesPerTurn {
            guard cut == nil || owesBeforeCut(direction) else { return false }
            let step =
                direction == .up
                ? step(&up, to: &upstream, direction) : step(&down, to: &client, direction)
            switch step {
            case .moved: continue
            case .blocked: return false
            case .fault(let fault): begin(fault)
            }
        }
        return true
    }

    private enum Step {
        case moved
        case blocked
        /// An effect that ends something.
        case fault(ArmedFault)
    }

    private func step(
        _ flow: inout GatedFlow,
        to target: inout Peer,
        _ direction: Direction
    ) -> Step {
        guard target.leg == .active, !target.isBroken else { return .blocked }
        if flow.approved > 0 { return write(&flow, to: &target, direction) }
        switch flow.ask(limit: host.budgetAllowance) {
        case .pass(let count):
            host.spendBudget(count)
            return .moved
        case .finish:
            target.shutDown()
            flow.endWasPassed = true
            flow.isExact = true
            return .blocked
        case .wait: return .blocked
        case .act(let fault): return act(fault, on: &flow)
        }
    }

    private func write(
        _ flow: inout GatedFlow,
        to target: inout Peer,
        _ direction: Direction
    ) -> Step {
        guard target.isWritable else { return .blocked }
        var limit = flow.approved
        if let allowed = flow.pace?.allowance(limit, nowNanoseconds: host.loop.nowNanoseconds) {
            limit = allowed
            guard limit > 0 else {
                let time = flow.pace?.nextTime(flow.approved) ?? .max
                if flow.wakeTime != time {
                    flow.wakeTime = time
                    setAlarm(atNanoseconds: time) { $0.work() }
                }
                return .blocked
            }
        }
        switch flow.write(to: target.socket, limit: limit) {
        case .moved(let count): flow.pace?.spend(count)
        case .wouldBlock:
            target.isWritable = false
            return .blocked
        case .ended, .failed:
            target.isBroken = true
            return .blocked
        }
        return .moved
    }

    /// An effect after which the stream goes on acts here; others are handed back.
    private func act(_ fault: ArmedFault, on flow: inout GatedFlow) -> Step {
        switch fault.effect {
        case .slow(let rate):
            flow.pace = Pace(rate: rate, nowNanoseconds: host.loop.nowNanoseconds)
        case .corrupt: flow.corruptNext(fault.flippedBits)
        case .stall(let duration): resume(fault.direction, after: duration)
        case .reset, .finish, .hole, .refuse: return .fault(fault)
        }
        host.faultFired(fault, on: identity.id)
        return .moved
    }

    /// Whether reading goes on after it had stopped for want of room; a link says so by itself.
    private func makesRoom(_ flow: inout GatedFlow) -> Bool {
        guard flow.isFull, link == nil, flow.queue.count <= Self.queueLimit / 2 else {
            return false
        }
        flow.isFull = false
        return true
    }

    private func reportBacklog(_ flow: inout GatedFlow, _ direction: Direction) {
        guard let link, flow.deliverable != flow.reportedBacklog else { return }
        flow.reportedBacklog = flow.deliverable
        link.setBacklog(flow.deliverable, of: identity.stream(direction))
    }

    // Ending.

    /// A leg that takes no part any more ends when its peer does.
    private func serve(_ peer: inout Peer) {
        switch peer.leg {
        case .active, .closed: break
        case .discarding:
            switch peer.socket.discardReceived(using: host.tools.buffer) {
            case .moved: continueLater()
            case .wouldBlock: break
            case .ended, .failed: peer.close(resetting: false, on: host.loop)
            }
        case .silent:
            if peer.hasHungUp { peer.close(resetting: true, on: host.loop) }
        }
    }

    /// Deals with resets, and with the end of a client that looks into a hole.
    private func noteBreaks() {
        if let cut {
            if cut.near == .client ? client.isBroken : upstream.isBroken { proveNow() }
            return
        }
        noteBreak(.client, isBroken: client.isBroken, hasEnded: client.hasHungUp)
        noteBreak(.upstream, isBroken: upstream.isBroken, hasEnded: upstream.hasHungUp)
    }

    private func noteBreak(_ side: Side, isBroken: Bool, hasEnded: Bool) {
        guard !isOver, leg(side) == .active else { return }
        let isHoled = up.isHoled || down.isHoled
        if side == .client, isHoled, isBroken || hasEnded {
            // Nobody looks any more: silence has no other end.
            over(resetting: true)
            return
        }
        guard isBroken else { return }
        let sendsIntoHole = side.sends == .up ? up.isHoled : down.isHoled
        if sendsIntoHole {
            closeLeg(side, resetting: false)
            return
        }
        ending = ending ?? (side.party, .rst)
        guard let link else {
            over(resetting: true)
            return
        }
        closeLeg(side, resetting: false)
        link.abort(identity.stream(side.sends))
    }

    /// A reset has crossed the link.
    private func resetByLink(_ direction: Direction) {
        guard !isOver else { return }
        let receiver = Side(receiverOf: direction)
        ending = ending ?? (receiver.opposite.party, .rst)
        over(resetting: true)
    }

    private func endIfDone() {
        guard !isOver else { return }
        let isFinished = up.endWasPassed && down.endWasPassed
        if isFinished { ending = ending ?? ((firstToEnd ?? .client).party, .fin) }
        let legsAreClosed = client.leg == .closed && upstream.leg == .closed
        if isFinished || legsAreClosed { over(resetting: false) }
    }

    /// Ends everything that is left.
    func over(resetting: Bool) {
        guard !isOver else { return }
        isOver = true
        for alarm in alarms { host.alarms.cancel(alarm) }
        alarms.removeAll()
        if let fault = cut?.fault {
            // The connection ended while the proof was waited for.
            host.faultFired(fault, on: identity.id, isDelivered: false)
        }
        cut = nil
        client.close(resetting: resetting, on: host.loop)
        upstream.close(resetting: resetting, on: host.loop)
        link?.remove(identity.number)
        for unfired in down.gate.unfired + up.gate.unfired {
            host.faultUnreached(unfired, on: identity.id)
        }
        let ending = ending ?? (.limit, .rst)
        var end = end(by: ending.by, how: ending.how)
        end.down.isExact = down.isExact
        end.up.isExact = up.isExact
        host.ended(self, end)
    }

    // Coming back.

    func continueLater() {
        guard !isQueued else { return }
        isQueued = true
        host.loop.runLater(self)
    }

    func setAlarm(
        atNanoseconds nanoseconds: UInt64,
        action: @escaping (GatedSession) -> Void
    ) {
        guard nanoseconds != .max else { return }
        let token = host.alarms.set(atNanoseconds: nanoseconds) { [weak self] in
            if let self, !isOver { action(self) }
        }
        if alarms.count >= 8 { alarms.removeFirst() }
        alarms.append(token)
    }
}
