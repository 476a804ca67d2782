internal import FaultInjection
internal import HTTPWire
internal import Journal
internal import LinkEngine
internal import Libuv

// How a connection's bytes are shown to the gate of its messages, and what that says.
extension GatedSession {
    /// How long one direction waits for the other without a byte moving.
    private static let gateNanoseconds: UInt64 = 5_000_000_000
    private static let deliveryNanoseconds: UInt64 = 500_000

    /// Shows bytes that were read into the common buffer.
    func show(_ count: Int, _ direction: Direction) {
        guard messages != nil else { return }
        tools.buffer.withBytes(0..<count) { messages?.gate.read($0, direction) }
    }

    /// How many bytes may wait in a direction.
    func queueLimit(_ direction: Direction) -> Int {
        isKeeping(direction) ? host.limits.keptMessageBytes : Self.queueLimit
    }

    /// Whether a direction keeps a message until it is whole, and has room for more of it.
    func isKeeping(_ direction: Direction) -> Bool {
        guard messages?.gate.isBuffering(direction) == true else { return false }
        if flows[direction].queue.count < host.limits.keptMessageBytes { return true }
        messages?.gate.stopBuffering(direction)
        return false
    }

    /// Asks all gates of a direction about at most `limit` of its bytes; what they pass is approved.
    func ask(_ direction: Direction, limit: Int) -> GateAnswer {
        if let answer = flows[direction].nextAnswer {
            flows[direction].nextAnswer = nil
            return answer
        }
        guard messages != nil else { return GateAnswer(flows[direction].ask(limit: limit)) }
        var passed = 0
        while true {
            let answer = askOnce(direction, limit: limit - passed)
            if case .pass(let count) = answer {
                passed += count
            } else if passed > 0 {
                if case .wait = answer {} else { flows[direction].nextAnswer = answer }
                return .pass(passed)
            } else {
                return answer
            }
        }
    }

    private func askOnce(_ direction: Direction, limit: Int) -> GateAnswer {
        let unobstructed = flows[direction].gate.unobstructed
        guard flows[direction].gate.isOpen, unobstructed != 0 else {
            return GateAnswer(flows[direction].ask(limit: limit))
        }
        let available = min(flows[direction].unapproved, limit)
        let room = Int(min(UInt64(available), unobstructed ?? .max))
        let isLast = flows[direction].end == .arrived && room == flows[direction].unapproved
        if messages?.gate.addsHints == true { messages?.gate.hints = host.requestHints }
        if messages?.gate.needsTime == true {
            messages?.gate.now = HTTPDate(secondsSince1970: Int(WallClock.secondsSince1970))
        }
        let answer = messages?.gate.next(
            direction,
            available: room,
            ended: isLast,
            run: &host.requestRun
        )
        defer { tellMessages() }
        switch answer {
        case .pass(let count, let isContent):
            if isContent { digest(next: count, direction) }
            flows[direction].approve(count)
            return .pass(count)
        case .drop(let count, let isContent):
            // Of a request that is answered here, we are the receiver.
            if isContent, direction == .up { digest(next: count, direction) }
            return .drop(count)
        case .insert(let bytes): return .insert(bytes)
        case .act(let fault): return .act(.message(fault))
        case .pace(let rate): return .pace(rate)
        case .corrupt(let bits): return .corrupt(bits)
        case .finish: return GateAnswer(flows[direction].ask(limit: 0))
        case .wait, nil: return .wait
        }
    }

    /// Notes content that passes, or is taken in place of the server; before it is approved.
    func digest(next count: Int, _ direction: Direction) {
        guard messages?.digestsContent == true else { return }
        let now = host.loop.nowNanoseconds
        flows[direction].forEachPiece(ofNext: count) {
            messages?.digest($0, direction, nowNanoseconds: now)
        }
    }

    /// Passes on bytes in the common buffer that nothing holds; false if something does.
    func watch(_ count: Int, _ direction: Direction) -> Bool {
        guard let gate = messages?.gate else { return true }
        guard gate.onlyWatches else { return false }
        var offset = 0
        let now = host.loop.nowNanoseconds
        while offset < count {
            let answer = messages?.gate.next(
                direction,
                available: count - offset,
                ended: false,
                run: &host.requestRun
            )
            guard case .pass(let passed, let isContent) = answer else {
                preconditionFailure("a gate that only watches passes everything")
            }
            if isContent, messages?.digestsContent == true {
                tools.buffer.withBytes(offset..<offset + passed) {
                    messages?.digest($0, direction, nowNanoseconds: now)
                }
            }
            offset += passed
            tellMessages()
        }
        return true
    }

    /// Hands on what the gate has seen and done.
    func tellMessages() {
        guard let notes = messages?.gate.takeNotes(), !notes.isEmpty else { return }
        for note in notes {
            switch note {
            case .draw(let draw): host.faultDrew(draw, on: identity.id)
            case .fired(let fault): host.faultFired(.message(fault), on: identity.id)
            case .unreached(let fault, let reason):
                host.faultUnreached(fault, reason, on: identity.id)
            case .happened(let event): host.happened(event)
            case .hinted(let r, let fields, let bytes):
                host.toldServer(fields, bytes, of: r, on: identity.id)
            case .body(let body):
                tell(note, isExact: flows[body.direction].isExactByFault)
            case .request, .interim, .response, .opaque: tell(note, isExact: true)
            }
        }
    }

    private func tell(_ note: MessageNote, isExact: Bool) {
        guard let record = messages?.record(note, isExact: isExact, &host.redaction) else { return }
        host.report(record)
    }

    /// Tells what did not come to its end; the connection is over.
    func closeMessages() {
        guard messages != nil else { return }
        messages?.gate.close(run: &host.requestRun)
        tellMessages()
    }

    // What one direction waits for.

    /// Sees to it that nothing waits for ever for the other direction or for a proof.
    func attendGates() {
        guard let gate = messages?.gate, !isOver else { return }
        if gate.awaitsDelivery {
            if peers[.client].hasTakenAll, !flows[.down].hasApproved {
                messages?.gate.noteAnswerDelivered()
                continueLater()
            } else if !isProofAwaited {
                isProofAwaited = true
                setAlarm(atNanoseconds: host.loop.nowNanoseconds + Self.deliveryNanoseconds) {
                    $0.isProofAwaited = false
                    $0.work()
                }
            }
        }
        if gate.isGated, !isGateWatched { watchGates() }
    }

    private func watchGates() {
        isGateWatched = true
        let moved = flows[.up].delivered + flows[.down].delivered
        setAlarm(atNanoseconds: host.loop.nowNanoseconds + Self.gateNanoseconds) { session in
            session.isGateWatched = false
            guard session.messages?.gate.isGated == true else { return }
            if session.flows[.up].delivered + session.flows[.down].delivered == moved {
                session.messages?.gate.openGates()
                session.work()
            } else {
                session.watchGates()
            }
        }
    }

    /// Lets something go on when what it waits for is over.
    func hold(_ span: Effect.Hold, _ resume: @escaping (GatedSession) -> Void) {
        switch span {
        case .time(let duration):
            setAlarm(
                atNanoseconds: host.loop.nowNanoseconds + UInt64(duration.nanoseconds),
                action: resume
            )
        case .until(let address):
            host.whenHappened(address) { [weak self] in
                if let self, !isOver { resume(self) }
            }
        }
    }
}
