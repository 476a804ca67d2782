internal import Basics
internal import HTTPWire

// What effects do at a place in a message.
extension FaultGate {
    enum Due {
        case nothing
        /// Something changed: look again.
        case again
        case answer(Answer)
    }

    /// Lets the fault act whose place this is.
    mutating func due(
        _ direction: Direction,
        available: Int,
        ended: Bool,
        _ run: RequestRun
    ) -> Due {
        guard let exchange, !exchange.faults.isEmpty else { return .nothing }
        let passed = lane(direction).passed
        let candidates = exchange.faults.indices.filter { index in
            let live = exchange.faults[index]
            return live.direction == direction && live.target.map { $0 <= passed } ?? false
        }
        let first = candidates.min { exchange.faults[$0].order < exchange.faults[$1].order }
        guard let first else { return .nothing }
        let live = exchange.faults[first]
        switch isReady(live, exchange, available, ended) {
        case .ready: return act(first, run)
        case .waiting: return .answer(.wait)
        case .never(let reason):
            giveUp(first, reason)
            return .again
        }
    }

    private enum Readiness {
        case ready, waiting
        case never(UnreachedReason)
    }

    private func isReady(
        _ live: WaitingFault,
        _ exchange: MessageExchange,
        _ available: Int,
        _ ended: Bool
    ) -> Readiness {
        switch live.fault.effect {
        case let effect where effect.changesByte && available == 0: return .waiting
        case .late(let count, _) where stream != nil:
            // One byte more, or the end, tells whether the end of the request is to come with them.
            let isThere = exchange.requestEnd != nil || seen(of: .client) - lane(.up).passed > count
            return isThere ? .ready : .waiting
        case .late(let count, _) where UInt64(available) < count && !ended: return .waiting
        default: break
        }
        if case .interim(let status) = live.hidesAnswer {
            if let end = exchange.end(ofInterim: status) {
                return lane(.down).passed >= end && isAnswerDelivered ? .ready : .waiting
            }
            return tap.opaqueReason(of: .server) == nil ? .waiting : .never(.notSeen)
        }
        if let gate = live.gate {
            if let target = gate.target { return lane(.up).passed >= target ? .ready : .waiting }
            if gate.state == .waiting { return .waiting }
        }
        return .ready
    }

    private mutating func act(_ index: Int, _ run: RequestRun) -> Due {
        guard let live = exchange?.faults[index] else { return .nothing }
        switch live.fault.effect {
        case .status, .early:
            answer(index, run)
            return .again
        case .swallow:
            // Its place is passed; it acts when the answer is complete.
            exchange?.faults[index].resolver.leave()
            return .again
        case .duplicate, .closeFrame:
            guard !isDiverted(live.direction) else {
                giveUp(index, .noMessages)
                return .again
            }
        default: break
        }
        noteRace(index)
        guard let fault = done(index, run) else { return .nothing }
        let direction = live.direction
        switch fault.effect {
        case .slow:
            lane(direction).isPaced = true
            return .answer(.act(fault))
        case .holdPings where stream == nil || live.inside != nil:
            holdPongs(index)
            return .again
        case .duplicate:
            sendCopy(live, direction)
            note(.fired(fault))
            return .again
        case .closeFrame(let code):
            let frame = WebSocketFrame.close(code, isMasked: direction == .up)
            lane(direction).steps += [.insert(frame, isOfStream: false), .act(fault)]
            lane(direction).progress.noteClose(code)
            return .again
        case .goAway(_, takesThis: true): return .answer(.act(fault))
        case let effect where effect.actsInPassing: return .answer(.act(fault))
        case .inject(let message):
            insertInterim(message, k: 1)
            note(.fired(fault))
            return .again
        case let effect where effect.isStall:
            lane(direction).phase = .stalled
            return .answer(.act(fault))
        case .late(let count, _):
            lane(direction).phase = .stalled
            lane(direction).lateBytes = count
            close(.down, by: fault.id)
            return .answer(.act(fault))
        case let effect where effect.endsStream:
            lane(direction).phase = .closed(by: fault.id)
            return .answer(.act(fault))
        default: preconditionFailure("'\(fault.effect.name)' does not act at a place in a message")
        }
    }

    /// An ending in a response that came before the request was complete depends on timing, unless
    /// the request was made to wait.
    private mutating func noteRace(_ index: Int) {
        guard let exchange else { return }
        let live = exchange.faults[index]
        let isComplete = exchange.requestEnd.map { lane(.up).passed >= $0 } ?? false
        let cutsRequest = live.fault.effect.endsStream || live.fault.effect.isStall
        if live.direction == .down, cutsRequest, live.gate == nil, !isComplete {
            exchange.faults[index].fault.isRacy = true
        }
        if live.direction == .up, live.hidesAnswer == nil, cutsRequest {
            exchange.faults[index].fault.isRacy = true
        }
        // A client that does not wait for its 100 may get it before or after.
        if live.direction == .up, exchange.head.expectsContinue, !hasContinued(exchange),
            lane(.up).passed >= exchange.headRange.upperBound
        {
            exchange.faults[index].fault.isRacy = true
        }
    }

    private func hasContinued(_ exchange: MessageExchange) -> Bool {
        exchange.finalHead != nil
            || exchange.interims.contains {
                $0.status == 100 && $0.range.upperBound <= lane(.down).passed
            }
    }

    // Answers in place of the server's.

    mutating func answer(_ index: Int, _ run: RequestRun) {
        guard let exchange, let message = exchange.faults[index].fault.effect.answersRequest,
            let fault = done(index, run)
        else { return }
        while let other = exchange.waiting(where: { $0.answersRequest != nil }) {
            giveUp(other, .after(fault.id))
        }
        var closes = message.closes || !exchange.head.keepsConnection
        if case .early = fault.effect { closes = true }
        // It is unknown whether such a client sends its content now.
        let isAtHead = lane(.up).passed <= exchange.headRange.upperBound
        if exchange.head.expectsContinue, isAtHead { closes = true }
        // Content of a stream has to fit into its window, and that of its connection.
        let content = stream == nil ? message.content : []
        let head = message.head(now: now, content: content, closes: closes)
        guard let bytes = try? MessageWriter.bytes(of: head) else { return }
        let parts = [bytes] + (content.isEmpty || exchange.head.method == "HEAD" ? [] : [content])
        let start = lane(.down).passed
        if stream != nil {
            sort(stream?.response(head, size: bytes.count, isWhole: true) ?? [])
        } else {
            for part in parts { read(part.span, .down) }
        }
        lane(.down).steps += parts.map { .insert($0, isOfStream: true) }
        while !lane(.down).events.isEmpty, seen(of: .server) > start {
            recordInjected(lane(.down).events.removeFirst())
        }
        if closes {
            lane(.down).steps.append(.act(fault))
        } else {
            note(.fired(fault))
        }
    }

    private mutating func recordInjected(_ event: TapEvent) {
        lane(.down).progress.record(event)
        exchange?.observe(event)
        switch event {
        case .responseHead(let r, let head, let framing, let range):
            exchange?.finalHead = range
            lane(.down).progress.note(
                .response(
                    UInt32(clamping: r),
                    head,
                    framing,
                    headBytes: UInt64(range.count),
                    isByFault: true
                ),
                at: range.upperBound
            )
            lane(.down).progress.beginBody(UInt32(clamping: r), framing, at: range.upperBound)
        case .messageEnd(_, _, let place, _, _): exchange?.answerEnd = place
        default: break
        }
    }

    /// Makes an interim response go to the client before anything that waits.
    mutating func insertInterim(_ message: InjectedMessage, k: UInt32) {
        let head = message.head(now: now, closes: false)
        guard let exchange, let bytes = try? MessageWriter.bytes(of: head) else { return }
        lane(.down).steps.append(.insert(bytes, isOfStream: false))
        note(
            .interim(
                exchange.request,
                ordinal: k,
                head,
                headBytes: UInt64(bytes.count),
                isByFault: true
            )
        )
    }

    // Outcomes.

    /// Takes the place of an ending into the queue of the client's direction.
    mutating func finish(_ index: Int, _ run: RequestRun) {
        guard let fault = done(index, run) else { return }
        lane(.down).steps.append(.act(fault))
    }

    /// Marks a fault as done and completes what is reported of it.
    mutating func done(_ index: Int, _ run: RequestRun) -> ArmedFault? {
        guard exchange != nil else { return nil }
        exchange?.faults[index].isDone = true
        guard var live = exchange?.faults[index] else { return nil }
        live.fault.offset = live.resolver.partOffset
        if let pattern = live.pattern, run.isContested(pattern) { live.fault.isRacy = true }
        exchange?.faults[index].fault = live.fault
        return live.fault
    }

    /// Notes that a fault will not act; reported when the exchange is over, so that the order of
    /// reports depends on no timing.
    mutating func giveUp(_ index: Int, _ reason: UnreachedReason) {
        guard let live = exchange?.faults[index], !live.isDone else { return }
        exchange?.faults[index].isDone = true
        exchange?.faults[index].unreached = reason
        exchange?.noteDecision(of: index)
    }
}
