internal import Basics
internal import Faults
internal import SystemIO

// Of each direction: read from the sender while there is room, wait on the link, pass the gate,
// write to the receiver.
extension InspectedConnection {
    /// Bytes read from one side that wait without a link.
    static let queueLimit = 262_144
    /// So many steps of a direction, then the other connections have their turn, however little moved.
    private static let readsPerTurn = 4
    private static let writesPerTurn = 16

    // Reading.

    /// Reads what has come in both directions.
    ///
    /// - Returns: whether there may be more.
    func readBoth() -> Bool {
        let hasMore = read(.up)
        return read(.down) || hasMore
    }

    private func read(_ direction: Direction) -> Bool {
        let source = Side(receiverOf: direction).opposite
        guard isMoving, peers[source].leg == .active, !flows[direction].isHoled,
            direction == .down ? hearsUpstream : !isLeaving
        else { return false }
        for _ in 0..<Self.readsPerTurn {
            guard peers[source].isReadable, flows[direction].end == .open else { return false }
            let room = room(direction)
            guard room > 0 else {
                flows[direction].isFull = true
                widenIfFast(direction, source)
                return false
            }
            let left = share - flows[direction].receivedThisTurn
            guard left > 0 else { return true }
            guard read(direction, from: source, limit: min(room, left)) else { return false }
        }
        return true
    }

    /// A stream that has filled a large buffer on the link is too fast for a small one before it.
    private func widenIfFast(_ direction: Direction, _ source: Side) {
        guard !flows[direction].isWide, let link,
            link.bufferLimit(of: identity.stream(direction)) >= SocketBounds.wideBuffer
        else { return }
        flows[direction].isWide = true
        context.widen(peers[source].socket, direction)
    }

    /// Passes on what one side has sent; false if anything else may have to be done then.
    ///
    /// In a conversation without a link that is all there is to most reports.
    func passesAtOnce(from side: Side) -> Bool {
        let flow = flows[side.sends]
        guard link == nil, tls == nil, !gate.followsMessages, held == nil, closing == nil, isMoving,
            !peers[side].hasHungUp, flows[side.sends.opposite].isIdle,
            !isLeaving, gate.isOpen(side.sends.opposite), !read(side.sends)
        else { return false }
        return flow.isIdle && !isLeaving && gate.isOpen(side.sends)
            && gate.unobstructed(side.sends) != 0
            && !peers[side].isReadable
            && peers.client.isUntroubled && peers.upstream.isUntroubled
    }

    private func room(_ direction: Direction) -> Int {
        if let toxics = flows[direction].toxics, !toxics.isTransparent {
            return toxicRoom(toxics, direction)
        }
        let waiting = flows[direction].queue.count
        let room = link?.room(on: identity.stream(direction)) ?? queueLimit(direction) - waiting
        return max(0, min(room, tools.chunks.share - waiting))
    }

    /// One read; false if the sender was reset.
    private func read(_ direction: Direction, from source: Side, limit: Int) -> Bool {
        let asked = min(limit, tools.buffer.capacity)
        switch peers[source].socket.receive(into: tools.buffer, limit: asked) {
        case .moved(let count):
            peers[source].noteRead(count, asked: asked, in: tools.buffer)
            flows[direction].received &+= UInt64(count)
            if let toxics = flows[direction].toxics, !toxics.isTransparent {
                toxics.take(tools.buffer, count: count, at: now)
            } else {
                forward(count, direction)
            }
        case .wouldBlock: peers[source].isReadable = false
        case .ended:
            peers[source].hasEnded = true
            if firstToEnd == nil { firstToEnd = source }
            if let toxics = flows[direction].toxics {
                flows[direction].end = .read
                toxics.finish(at: now)
            } else {
                forwardEnd(direction)
            }
        case .failed:
            peers[source].isBroken = true
            // Another read would find an end in order where there was a reset.
            peers[source].isReadable = false
            return false
        }
        return true
    }

    /// Takes bytes in the common buffer that no toxic holds, to the link or the gate.
    func forward(_ count: Int, _ direction: Direction) {
        if let tls {
            switch direction {
            case .up: return receiveFromClient(count, tls)
            case .down: return receiveFromUpstream(count, tls)
            }
        }
        if direction == .up, let bytes = relayed(count) {
            inPieces(bytes) { forwardPlain($0, .up) }
        } else {
            forwardPlain(count, direction)
        }
    }

    /// Takes bytes that were read before to the link or the gate.
    func forward(_ bytes: [UInt8], _ direction: Direction) {
        inPieces(bytes) {
            flows[direction].received += UInt64($0)
            forward($0, direction)
        }
    }

    /// Puts bytes into the common buffer, as many at once as it takes.
    private func inPieces(_ bytes: [UInt8], _ body: (Int) -> Void) {
        for start in stride(from: 0, to: bytes.count, by: tools.buffer.capacity) {
            let piece = bytes[start...].prefix(tools.buffer.capacity)
            tools.buffer.fill(piece.count < bytes.count ? Array(piece) : bytes)
            body(piece.count)
        }
    }

    private func forwardPlain(_ count: Int, _ direction: Direction) {
        show(count, direction)
        if canForward(count, direction) {
            approve(count, direction)
            writeAtOnce(count, direction)
        } else {
            flows[direction].append(tools.buffer, count: count, isOnLink: link != nil)
            link?.send(count, on: identity.stream(direction))
        }
    }

    /// Takes the end of a stream to the link or the gate.
    func forwardEnd(_ direction: Direction) {
        if let tls, direction == .up {
            guard let link else { return endArrived(tls) }
            flows[.up].end = .read
            return link.finish(identity.stream(.up))
        }
        gate.end(direction)
        flows[direction].end = link == nil ? .arrived : .read
        guard let link else { return }
        if let tls, mayShakeHands(tls) {
            // The words of the handshake come before it.
            tls.isEndHeld = true
        } else {
            link.finish(identity.stream(direction))
        }
    }

    /// Whether bytes that were just read need not wait: no link, no fault among them, no byte before
    /// them.
    private func canForward(_ count: Int, _ direction: Direction) -> Bool {
        let target = Side(receiverOf: direction)
        return link == nil && held == nil && flows[direction].isEmpty && gate.onlyWatches
            && gate.passes(count, direction) && peers[target].isWritable
            && peers[target].leg == .active && !peers[target].isBroken
            && context.link.budgetAllowance(count, direction) == count
    }

    /// Writes bytes from where they were read to, which saves moving them through the queue.
    private func writeAtOnce(_ count: Int, _ direction: Direction) {
        let target = Side(receiverOf: direction)
        context.link.spendBudget(count, direction)
        lastDelivery = direction
        switch flows[direction].forward(tools.buffer, count: count, to: peers[target].socket) {
        case .moved(count): break
        case .moved, .wouldBlock: peers[target].isWritable = false
        case .ended, .failed: peers[target].isBroken = true
        }
    }

    /// Lets reading continue where there is room again.
    ///
    /// - Returns: whether it does so in some direction.
    func makeRoom() -> Bool {
        let hasRoom = makesRoom(.up)
        return makesRoom(.down) || hasRoom
    }

    private func makesRoom(_ direction: Direction) -> Bool {
        guard flows[direction].isFull, hasRoomAgain(direction) else { return false }
        flows[direction].isFull = false
        return true
    }

    private func hasRoomAgain(_ direction: Direction) -> Bool {
        if let toxics = flows[direction].toxics, !toxics.isTransparent {
            return hasToxicRoomAgain(toxics, direction)
        }
        let waiting = flows[direction].queue.count
        guard waiting < tools.chunks.share else { return false }
        // A link says so by itself, but not if toxics were full before.
        if let link { return link.room(on: identity.stream(direction)) > 0 }
        return waiting <= queueLimit(direction) / 2
    }

    // Passing on.

    enum Step {
        case moved
        case blocked
        /// An effect that ends something.
        case fault(ArmedFault)
    }

    /// Passes waiting bytes of both directions on.
    ///
    /// Where messages matter, what one direction passes may be what the other one waits for, so
    /// each is asked again until nothing moves.
    ///
    /// - Returns: whether there may be more, which has to wait for its turn.
    func passBoth() -> Bool {
        for _ in 0..<Self.writesPerTurn {
            let up = pass(.up)
            let down = pass(.down)
            let progress = max(up, down)
            guard gate.followsMessages, isMoving, progress == .some else {
                return progress == .most
            }
        }
        return true
    }

    /// What became of the bytes that waited in a direction.
    enum Progress: Comparable {
        case none
        case some
        /// As much as one turn allows; there may be more.
        case most
    }

    /// Passes waiting bytes of a direction through the gate to their receiver.
    @discardableResult
    func pass(_ direction: Direction) -> Progress {
        for round in 0..<Self.writesPerTurn {
            guard isMoving || owesBeforeCut(direction) else { return round > 0 ? .some : .none }
            guard leftToWrite(direction) > 0 else { return .most }
            switch step(direction) {
            case .moved: continue
            case .blocked: return round > 0 ? .some : .none
            case .fault(let fault): begin(fault)
            }
        }
        return .most
    }

    /// Bytes that may still be written in this turn.
    func leftToWrite(_ direction: Direction) -> Int {
        share - flows[direction].deliveredThisTurn
    }

    private func step(_ direction: Direction) -> Step {
        let target = Side(receiverOf: direction)
        guard held == nil, peers[target].leg == .active, !peers[target].isBroken,
            peers[target].isFlushed, isSecured(target)
        else { return .blocked }
        if flows[direction].hasApproved { return write(direction, to: target) }
        let wanted = flows[direction].unapproved
        let allowance = context.link.budgetAllowance(wanted, direction)
        switch ask(direction, limit: allowance) {
        case .pass(let count, _): context.link.spendBudget(count, direction)
        case .drop(let count, _): flows[direction].drop(count)
        case .insert(let bytes, let request):
            if request != nil { context.link.spendBudget(bytes.count, direction) }
            flows[direction].insert(bytes)
        case .endPace: flows[direction].pace = nil
        case .finish:
            sayClosed(to: target)
            peers[target].shutDown()
            flows[direction].end = .passed
            return .blocked
        case .wait:
            if allowance == 0, wanted > 0 { context.link.awaitBudget(self, direction) }
            return .blocked
        case .act(let fault): return act(fault)
        }
        return .moved
    }

    private func write(_ direction: Direction, to target: Side) -> Step {
        guard peers[target].isWritable else { return .blocked }
        if let leg = peers[target].secure { return seal(direction, for: target, leg) }
        let limit = paced(direction)
        guard limit > 0 else { return .blocked }
        switch flows[direction].write(
            to: peers[target].socket,
            limit: min(limit, leftToWrite(direction))
        ) {
        case .moved(let count):
            lastDelivery = direction
            flows[direction].pace?.spend(count)
        case .wouldBlock:
            peers[target].isWritable = false
            return .blocked
        case .ended, .failed:
            peers[target].isBroken = true
            return .blocked
        }
        return .moved
    }

    /// How many approved bytes a `slow` lets go now; at 0 an alarm follows.
    func paced(_ direction: Direction) -> Int {
        let wanted = flows[direction].writable
        let now = context.loop.now
        guard let allowed = flows[direction].pace?.allowance(wanted, now: now) else {
            return wanted
        }
        let time = flows[direction].pace?.nextTime(wanted) ?? .never
        if allowed == 0, flows[direction].wakeTime != time {
            flows[direction].wakeTime = time
            setAlarm(at: time) { $0.makeProgress() }
        }
        return allowed
    }
}
