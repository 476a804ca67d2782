internal import HTTPWire
internal import LinkEngine

// How requests and what answers them begin and end.
extension MessageGate {
    /// Looks at what was read, as far as its turn has come.
    mutating func settle(_ run: inout RequestRun) {
        // What acts at the end of an exchange comes before the next request, which may be there.
        settleEnd(&run)
        settleUp(&run)
        while let event = down.events.first, isOfCurrentExchange(event) {
            down.events.removeFirst()
            takeDown(event)
        }
        settleEnd(&run)
        settleUp(&run)
    }

    /// Whether an answer is the one whose turn it is; a server could be ahead of us.
    private func isOfCurrentExchange(_ event: TapEvent) -> Bool {
        guard acts, let exchange, let request = event.answered else { return true }
        return request <= Int(exchange.request)
    }

    private mutating func settleUp(_ run: inout RequestRun) {
        while let event = up.events.first {
            if case .requestHead(let r, let head, let framing, let range) = event {
                guard mayBegin(run) else { return }
                up.events.removeFirst()
                closeExchange(&run, reason: .messageEnded(at: 0))
                begin(UInt32(clamping: r), head, framing, range, event, &run)
            } else {
                up.events.removeFirst()
                takeUp(event)
            }
        }
    }

    /// Whether the turn of the next request has come.
    private mutating func mayBegin(_ run: RequestRun) -> Bool {
        guard acts, let exchange else { return true }
        guard isOver(exchange) else { return false }
        guard let index = exchange.waiting(where: { $0 == .resetOnNext }) else { return true }
        guard up.phase == .open, down.phase == .open else { return false }
        finish(index, run)
        up.phase = .closed(by: exchange.faults[index].fault.id)
        return false
    }

    private func isOver(_ exchange: MessageExchange) -> Bool {
        guard let requestEnd = exchange.requestEnd, let answerEnd = exchange.answerEnd else {
            return false
        }
        return up.passed >= requestEnd && down.passed >= answerEnd && down.steps.isEmpty
    }

    /// Takes the place of an ending into the queue of the client's direction.
    mutating func finish(_ index: Int, _ run: RequestRun) {
        guard let fault = done(index, run) else { return }
        down.steps.append(.act(fault))
    }

    /// Marks a fault as done and completes what is told of it.
    mutating func done(_ index: Int, _ run: RequestRun) -> RequestFault? {
        guard exchange != nil else { return nil }
        exchange?.faults[index].isDone = true
        guard var live = exchange?.faults[index] else { return nil }
        live.fault.offset = live.resolver.partOffset
        if let pattern = live.pattern, run.isContested(pattern) { live.fault.isRacy = true }
        exchange?.faults[index].fault = live.fault
        return live.fault
    }

    // Requests.

    private mutating func begin(
        _ r: UInt32,
        _ head: RequestHead,
        _ framing: MessageFraming,
        _ range: Range<UInt64>,
        _ event: TapEvent,
        _ run: inout RequestRun
    ) {
        up.track.beginBody(r, framing, at: range.upperBound)
        var isRacy = false
        if acts {
            var exchange = MessageExchange(
                request: r,
                head: head,
                headRange: range,
                answerStart: down.passed
            )
            isRacy = arm(&exchange, &run)
            exchange.take(event)
            self.exchange = exchange
            divert()
        }
        note(.request(r, head, framing, headBytes: UInt64(range.count), isRacy: isRacy))
    }

    /// Finds what may act; answers whether timing decided which request of the run this is.
    private mutating func arm(
        _ exchange: inout MessageExchange,
        _ run: inout RequestRun
    ) -> Bool {
        var matches: [Int: (ordinal: UInt32, isRacy: Bool)] = [:]
        for (index, pattern) in plan.patterns.enumerated()
        where pattern.matches(method: exchange.head.method, target: exchange.head.target) {
            matches[index] = run.match(index)
            exchange.patterns.append(index)
        }
        for entry in plan.entries {
            let match = entry.pattern.flatMap { matches[$0] }
            if entry.pattern != nil, match == nil { continue }
            let chooser = RequestChooser(
                plan: plan,
                connection: connection,
                request: exchange.request,
                match: match?.ordinal
            )
            let choice = chooser.choose(entry)
            for draw in choice.draws { note(.draw(draw)) }
            guard var fault = choice.fault else { continue }
            fault.isRacy = match?.isRacy ?? false
            exchange.faults.append(LiveFault(fault, pattern: entry.pattern))
        }
        for (index, event) in plan.events.enumerated() where !run.hasHappened(index) {
            let match = event.pattern.flatMap { matches[$0] }
            let chooser = RequestChooser(
                plan: plan,
                connection: connection,
                request: exchange.request,
                match: match?.ordinal
            )
            guard chooser.names(event.address.target), event.address.isOfRequests else { continue }
            exchange.events.append(
                .init(index: index, resolver: AnchorResolver(event.address.anchor))
            )
        }
        return matches.values.contains { $0.isRacy }
    }

    /// Takes a request away from the server that a fault answers.
    private mutating func divert() {
        guard let exchange, let index = exchange.waiting(where: { $0.answersRequest != nil }) else {
            return
        }
        if case .unreachable(let reason) = exchange.faults[index].resolver.state {
            giveUp(index, reason)
            return
        }
        self.exchange?.isDiverted = true
        guard exchange.head.expectsContinue,
            case .message(_, let part, _) = exchange.faults[index]
                .fault.anchor, part != .head
        else { return }
        insertInterim(InjectedMessage(100), k: 1)
    }

    private mutating func takeUp(_ event: TapEvent) {
        up.track.take(event)
        exchange?.take(event)
        switch event {
        case .messageEnd(_, _, let place, _, _): exchange?.requestEnd = place
        case .opaque(_, let place, let reason): up.track.note(.opaque(.up, reason), at: place)
        default: break
        }
    }

    // Answers.

    private mutating func takeDown(_ event: TapEvent) {
        down.track.take(event)
        exchange?.take(event)
        switch event {
        case .interim(let r, let k, let head, let range):
            exchange?.interims.append((head.status, range))
            takeInterim(UInt32(clamping: r), UInt32(clamping: k), head, range)
        case .responseHead(let r, let head, let framing, let range):
            exchange?.finalHead = range
            let note = MessageNote.response(
                UInt32(clamping: r),
                head,
                framing,
                headBytes: UInt64(range.count),
                isByFault: exchange?.isDiverted ?? false
            )
            if swallows(range.upperBound, framing) {
                down.track.note(note, at: range.upperBound)
                down.track.beginBody(UInt32(clamping: r), framing, at: range.upperBound)
            }
            checkTruncation(framing)
        case .messageEnd(_, _, let place, _, _): exchange?.answerEnd = place
        case .opaque(_, let place, let reason): down.track.note(.opaque(.down, reason), at: place)
        default: break
        }
        keepHalf(event)
    }

    /// `truncate` is for content whose end nothing tells.
    private mutating func checkTruncation(_ framing: MessageFraming) {
        switch framing {
        case .chunked, .untilClose: return
        case .none, .length: break
        }
        for index in exchange?.faults.indices ?? 0..<0
        where exchange?.faults[index].fault.effect == .truncate {
            giveUp(index, .lengthDeclared)
        }
    }

    private mutating func settleEnd(_ run: inout RequestRun) {
        guard acts, let exchange else { return }
        if down.isPaced, let end = exchange.answerEnd, down.passed >= end { unpace(.down) }
        if up.isPaced, let end = exchange.requestEnd, up.passed >= end { unpace(.up) }
        if let end = exchange.answerEnd, down.passed >= end,
            let index = exchange.waiting(where: { if case .swallow = $0 { true } else { false } })
        {
            finish(index, run)
        }
        for index in exchange.faults.indices where !exchange.faults[index].isDone {
            if case .unreachable(let reason) = exchange.faults[index].resolver.state {
                settleUnreachable(index, reason, run)
            } else if exchange.cannotSee(exchange.faults[index]) {
                giveUp(index, .notSeen)
            }
        }
        settleBuffers(exchange, run)
        guard isOver(exchange) else { return }
        for event in exchange.events where event.resolver.anchor == .idle {
            note(.happened(event.index))
        }
        self.exchange?.events.removeAll { $0.resolver.anchor == .idle }
        guard let index = self.exchange?.faults.firstIndex(where: \.isIdleEnding) else { return }
        finish(index, run)
    }

    /// A request that a fault answers is answered at its end at the latest.
    private mutating func settleUnreachable(
        _ index: Int,
        _ reason: UnreachedReason,
        _ run: RequestRun
    ) {
        guard let exchange else { return }
        guard exchange.isDiverted, exchange.faults[index].fault.effect.answersRequest != nil else {
            giveUp(index, reason)
            return
        }
        let isReached = exchange.requestEnd.map { up.passed >= $0 } ?? false
        if isReached || reason == .notFollowed { answer(index, run) }
    }

    /// A message that was kept until it was whole is whole.
    private mutating func settleBuffers(_ exchange: MessageExchange, _ run: RequestRun) {
        for direction in Direction.allCases where exchange.buffers(direction) {
            guard direction == .up ? exchange.requestEnd != nil : exchange.answerEnd != nil,
                let index = self.exchange?.waiting(where: { $0 == .buffer(direction) }),
                let fault = done(index, run)
            else { continue }
            note(.fired(fault))
        }
    }

    private mutating func unpace(_ direction: Direction) {
        self[direction].isPaced = false
        self[direction].steps.append(.pace(nil))
    }

    // Ends.

    /// Says that a fault will not act; told when the exchange is over, so that the order in which
    /// things are told depends on no timing.
    mutating func giveUp(_ index: Int, _ reason: UnreachedReason) {
        guard let live = exchange?.faults[index], !live.isDone else { return }
        exchange?.faults[index].isDone = true
        exchange?.faults[index].unreached = reason
    }

    /// Ends the exchange; nil if that is because the connection is over.
    mutating func closeExchange(_ run: inout RequestRun, reason: UnreachedReason?) {
        guard let exchange else { return }
        for pattern in exchange.patterns { run.close(pattern) }
        for live in exchange.faults where !live.hasActed {
            if let reason = live.unreached ?? (live.isDone ? nil : reason ?? endReason(live)) {
                note(.unreached(live.fault, reason))
            }
        }
        self.exchange = nil
        down.edits.removeAll()
    }

    private func endReason(_ live: LiveFault) -> UnreachedReason {
        switch (up.phase, down.phase) {
        case (.closed(let id), _), (_, .closed(let id)): return .after(id)
        default: break
        }
        if case .unreachable(let reason) = live.resolver.state { return reason }
        return .connectionEnded
    }
}

extension LiveFault {
    /// Whether it ends the connection once nothing is under way.
    fileprivate var isIdleEnding: Bool {
        guard !isDone, fault.anchor == .idle else { return false }
        return fault.effect != .resetOnNext
    }
}
