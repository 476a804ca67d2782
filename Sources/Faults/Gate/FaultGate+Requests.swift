internal import Basics
internal import HTTPWire

// How a request begins: what may act on it, and who will answer it.
extension FaultGate {
    /// Opens the exchange of a request whose turn has come.
    mutating func begin(
        _ r: UInt32,
        _ head: RequestHead,
        _ framing: MessageFraming,
        _ range: Range<UInt64>,
        _ event: TapEvent,
        _ run: inout RequestRun
    ) {
        lane(.up).progress.beginBody(r, framing, at: range.upperBound)
        if head.isCall, framing != .none {
            lane(.up).progress.beginMessages(.grpc, of: r, at: range.upperBound)
        }
        var isRacy = false
        begun = r
        if acts, r > untouched {
            let exchange = MessageExchange(
                request: r,
                head: head,
                headRange: range,
                answerStart: lane(.down).passed
            )
            isRacy = arm(exchange, &run)
            exchange.observe(event)
            self.exchange = exchange
            divert()
        }
        let request = GateNote.request(
            r,
            head,
            framing,
            headBytes: UInt64(range.count),
            isRacy: isRacy
        )
        // What passes as it comes may be cut before this.
        if acts { note(request) } else { lane(.up).progress.note(request, at: range.upperBound) }
        rewrite(r, head, range)
    }

    /// Names another host to the server, and tells it what the path is like, after the client's
    /// fields.
    private mutating func rewrite(_ r: UInt32, _ head: RequestHead, _ range: Range<UInt64>) {
        guard !isDiverted(.up) else { return }
        let fields = rewrites.addsHints ? hints?.missing(in: head) ?? [] : []
        let lines = fields.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) }
        // Before the empty line, which has two bytes: with other ends of lines it is no head.
        let place = range.upperBound - 2
        // In HTTP/2 the frames name the host.
        if stream == nil, let named = rewrites.named(head),
            let bytes = try? MessageWriter.bytes(of: named)
        {
            lane(.up).edit(range, insertion: bytes.dropLast(2) + lines + bytes.suffix(2))
        } else if !lines.isEmpty {
            lane(.up).edit(place..<place, insertion: lines)
        }
        if !lines.isEmpty { note(.hinted(r, fields, bytes: lines.count)) }
    }

    /// Finds what may act; answers whether timing decided which request of the run this is.
    private mutating func arm(
        _ exchange: MessageExchange,
        _ run: inout RequestRun
    ) -> Bool {
        var matches: [Int: (ordinal: UInt32, isRacy: Bool)] = [:]
        for (index, pattern) in plan.patterns.enumerated()
        where pattern.matches(
            method: exchange.head.method,
            host: exchange.head.fields["Host"],
            target: exchange.head.target
        ) {
            matches[index] = run.match(index)
            exchange.patterns.append(index)
        }
        for entry in plan.entries {
            let match = entry.pattern.flatMap { matches[$0] }
            if entry.pattern != nil, match == nil { continue }
            let chooser = RequestChooser(
                plan: plan,
                connection: connection,
                hosts: hosts,
                request: exchange.request,
                match: match?.ordinal
            )
            let choice = chooser.choose(entry)
            for draw in choice.draws { note(.draw(draw)) }
            guard var waiting = choice.fault else { continue }
            let effect = waiting.fault.effect
            if let reason = objection(to: effect, at: waiting.anchor, in: exchange.head) {
                note(.unreached(waiting.fault, reason))
                continue
            }
            waiting.fault.isRacy = match?.isRacy ?? false
            if stream != nil { waiting.resolver.enterStream() }
            exchange.faults.append(waiting)
        }
        for (index, event) in plan.events.enumerated() where !run.hasHappened(index) {
            let match = event.pattern.flatMap { matches[$0] }
            let chooser = RequestChooser(
                plan: plan,
                connection: connection,
                hosts: hosts,
                request: exchange.request,
                match: match?.ordinal
            )
            guard chooser.names(event.address), event.address.isOfRequests else { continue }
            exchange.events.append(
                .init(index: index, resolver: AnchorResolver(event.address.anchor))
            )
        }
        return matches.values.contains { $0.isRacy }
    }

    /// Why an effect does not act in the version of HTTP that is spoken here; nil if it does.
    private func objection(
        to effect: Effect,
        at anchor: Anchor,
        in request: RequestHead
    ) -> UnreachedReason? {
        guard stream == nil else { return nil }
        if effect == .holdPings {
            if case .inside = anchor { return nil }
            return request.asksForWebSocket ? nil : .notHTTP2
        }
        return effect.needsStream ? .notHTTP2 : nil
    }

    /// Takes a request away from the server that a fault answers.
    private mutating func divert() {
        while let index = exchange?.waiting(where: { $0.answersRequest != nil }) {
            guard case .unreachable(let reason) = exchange?.faults[index].resolver.state else {
                return divert(to: index)
            }
            giveUp(index, reason)
        }
    }

    private mutating func divert(to index: Int) {
        guard let exchange else { return }
        exchange.isDiverted = true
        guard exchange.head.expectsContinue,
            case .message(_, let part, _) = exchange.faults[index].anchor, part != .head
        else { return }
        insertInterim(InjectedMessage(100), k: 1)
    }

    /// Takes what else came from the client and belongs to this exchange.
    mutating func receiveUp(_ event: TapEvent) {
        lane(.up).progress.record(event)
        exchange?.observe(event)
        switch event {
        case .messageEnd(_, _, let place, _, _): exchange?.requestEnd = place
        case .inside(_, _, let kind, let inside): receive(inside, kind, .up)
        case .opaque(_, let place, let reason):
            lane(.up).progress.note(.opaque(.up, reason), at: place)
            lane(.up).progress.loseMessages(at: place)
        default: break
        }
    }
}
