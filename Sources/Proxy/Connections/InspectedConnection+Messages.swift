internal import Basics
internal import Faults
internal import HTTPWire
internal import Journal
internal import SystemIO

// How a connection's bytes are shown to the gate of its messages, and what that says.
extension InspectedConnection {
    /// How long one direction waits for the other without a byte moving.
    private static let gateTime = Duration.seconds(5)
    private static let deliveryTime = Duration.microseconds(500)
    /// What a program gets for reading before it is told that a stream has ended.
    private static let readingTime = Duration.milliseconds(2)

    /// Shows bytes that were read into the common buffer.
    func show(_ count: Int, _ direction: Direction) {
        if gate.followsMessages {
            tools.buffer.withBytes(0..<count) { gate.read($0, direction) }
        } else if direction == .down, relay != nil {
            tools.buffer.withBytes(0..<count) { relay?.readAnswers($0) }
        }
    }

    /// How many bytes may wait in a direction.
    func queueLimit(_ direction: Direction) -> Int {
        isKeeping(direction) ? context.limits.keptMessageBytes : Self.queueLimit
    }

    /// Whether a direction keeps a message until it is whole, and has room for more of it.
    func isKeeping(_ direction: Direction) -> Bool {
        guard gate.isBuffering(direction) else { return false }
        let most = min(context.limits.keptMessageBytes, tools.chunks.share)
        if flows[direction].queue.count < most { return true }
        gate.stopBuffering(direction)
        return false
    }

    /// Asks the gate about at most `limit` bytes of a direction; what it passes is approved.
    func ask(_ direction: Direction, limit: Int) -> FaultGate.Answer {
        if let answer = flows[direction].nextAnswer {
            flows[direction].nextAnswer = nil
            return answer
        }
        guard gate.followsMessages else { return askOnce(direction, limit: limit) }
        var passed = 0
        while true {
            let answer = askOnce(direction, limit: limit - passed)
            if case .pass(let count, _) = answer {
                passed += count
            } else if passed > 0 {
                if case .wait = answer {} else { flows[direction].nextAnswer = answer }
                return .pass(passed, contentOf: nil)
            } else {
                return answer
            }
        }
    }

    private func askOnce(_ direction: Direction, limit: Int) -> FaultGate.Answer {
        let flow = flows[direction]
        let available = min(flow.unapproved, limit)
        let isLast = flow.end == .arrived && available == flow.unapproved
        let answer = nextAnswer(direction, available: available, ended: isLast)
        switch answer {
        case .pass(let count, let request):
            if let request { digest(next: count, direction, of: request) }
            flow.approve(count)
        // Of a request that is answered here, we are the receiver.
        case .drop(let count, let request?) where direction == .up:
            digest(next: count, direction, of: request)
        case .insert(let bytes, let request?):
            let now = context.loop.now
            recorder?.digest(bytes.span, direction, of: request, now: now)
        default: break
        }
        reportNotes()
        return answer
    }

    private func nextAnswer(
        _ direction: Direction,
        available: Int,
        ended: Bool
    ) -> FaultGate.Answer {
        guard gate.followsMessages else {
            return gate.next(direction, available: available, ended: ended)
        }
        if gate.addsHints { gate.tell(context.requestHints) }
        if gate.hasStreams { gate.tell(time: context.loop.now) }
        if gate.needsTime {
            gate.tell(HTTPDate(secondsSince1970: Int(WallClock.secondsSince1970)))
        }
        return gate.next(
            direction,
            available: available,
            ended: ended,
            run: &context.faults.requestRun
        )
    }

    /// Adds content that passes, or is received in place of the server, before it is approved.
    private func digest(next count: Int, _ direction: Direction, of request: UInt32) {
        guard recorder != nil else { return }
        let now = context.loop.now
        flows[direction].forEachPiece(ofNext: count) {
            recorder?.digest($0, direction, of: request, now: now)
        }
    }

    /// Takes bytes in the common buffer past the gate, which nothing holds there.
    func approve(_ count: Int, _ direction: Direction) {
        guard gate.followsMessages else { return gate.pass(count, direction) }
        var offset = 0
        let now = context.loop.now
        while offset < count {
            let answer = nextAnswer(direction, available: count - offset, ended: false)
            guard case .pass(let passed, let request) = answer else {
                preconditionFailure("a gate that only watches passes everything")
            }
            if let request, recorder != nil {
                tools.buffer.withBytes(offset..<offset + passed) {
                    recorder?.digest($0, direction, of: request, now: now)
                }
            }
            offset += passed
            reportNotes()
        }
    }

    /// Hands on what the gate has seen and done.
    func reportNotes() {
        for note in gate.takeNotes() {
            switch note {
            case .draw(let draw): context.reporter.drew(draw, on: identity.id)
            case .fired(let fault): context.faults.fired(fault, on: identity.id)
            case .unreached(let fault, let reason):
                context.reporter.unreached(fault, reason, on: identity.id)
            case .happened(let event): context.faults.happened(event)
            case .knowsGoAway: goAwayKnownAt = context.loop.now
            case .lateStream: noteLateStream()
            case .hinted(let r, let fields, let bytes):
                context.reporter.hinted(fields, bytes, of: r, on: identity.id)
            case .body(let body):
                let isExact = body.isCutByFault || flows[body.direction].isExactByFault
                record(note, isExact: isExact)
            case .messages(let messages):
                let isExact =
                    !messages.isLost
                    && (messages.isWhole || messages.isCutByFault
                        || flows[messages.direction].isExactByFault)
                record(note, isExact: isExact)
            case .request, .interim, .response, .opaque: record(note, isExact: true)
            }
        }
    }

    /// How long after its answer a client may still open streams: what answers for it and what opens them
    /// may be two threads.
    private static let goAwayTolerance = Duration.milliseconds(20)

    private func noteLateStream() {
        let known = goAwayKnownAt
        let isKnown = context.loop.now - known >= Self.goAwayTolerance
        if isKnown { lateStreams += 1 }
    }

    private func record(_ note: GateNote, isExact: Bool) {
        guard recorder != nil else {
            // Also who looks at no requests wants to know why faults at requests cannot act.
            guard case .opaque(let direction, let reason) = note else { return }
            let side: MessageSide = direction == .up ? .request : .response
            let report = OpaqueReport(identity.id, side, reason: reason.description)
            return context.reporter.report(.opaque(report))
        }
        guard let record = recorder?.record(note, isExact: isExact, &context.reporter.redaction)
        else { return }
        context.reporter.report(record)
    }

    /// Reports what did not come to its end; the connection is over.
    func closeGate() {
        gate.close(run: &context.faults.requestRun)
        reportNotes()
        guard let tls else { return }
        giveUpTLSFaults(tls.faults.takeWaiting(), .connectionEnded)
        if let leg = peers[.client].secure { handshakeEnded(leg, tls) }
    }

    // What one direction waits for.

    /// Ensures that nothing waits forever for the other direction or for a proof.
    func attendGate() {
        guard gate.followsMessages, !isOver else { return }
        if gate.awaitsDelivery {
            if peers[.client].hasTakenAll, !flows[.down].hasApproved {
                gate.noteAnswerDelivered()
                continueLater()
            } else if !isProofAwaited {
                isProofAwaited = true
                setAlarm(at: context.loop.now + Self.deliveryTime) {
                    $0.isProofAwaited = false
                    $0.makeProgress()
                }
            }
        }
        if gate.isGated, !isGateWatched { watchGates() }
        if let direction = gate.directionToEnd, !isEndAwaited { awaitTaken(direction) }
        if let time = gate.wakesAt, time != streamWake {
            streamWake = time
            setAlarm(at: time) { $0.makeProgress() }
        }
    }

    /// Lets a stream of HTTP/2 end once its receiver's system has what is before the end, and its
    /// program has had time to read it.
    private func awaitTaken(_ direction: Direction) {
        isEndAwaited = true
        setAlarm(at: context.loop.now + Self.readingTime) { session in
            session.isEndAwaited = false
            let receiver = Side(receiverOf: direction)
            if session.peers[receiver].hasTakenAll, !session.flows[direction].hasApproved {
                session.gate.noteTaken(direction)
            }
            session.makeProgress()
        }
    }

    private func watchGates() {
        isGateWatched = true
        let moved = flows[.up].delivered + flows[.down].delivered
        setAlarm(at: context.loop.now + Self.gateTime) { session in
            session.isGateWatched = false
            guard session.gate.isGated else { return }
            if session.flows[.up].delivered + session.flows[.down].delivered == moved {
                session.gate.openGates()
                session.makeProgress()
            } else {
                session.watchGates()
            }
        }
    }

    /// Lets something go on when what it waits for is over.
    func hold(_ span: Effect.Hold, _ resume: @escaping (InspectedConnection) -> Void) {
        switch span {
        case .time(let duration):
            setAlarm(
                at: context.loop.now.later(by: duration),
                action: resume
            )
        case .until(let address):
            context.faults.whenHappened(address) { [weak self] in
                if let self, !isOver { resume(self) }
            }
        }
    }
}
