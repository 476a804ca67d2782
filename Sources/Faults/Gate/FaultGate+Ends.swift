internal import Basics
internal import HTTPWire

// How exchanges end, and what acts there.
extension FaultGate {
    /// Does what the end of a message or of the exchange calls for, once that has passed.
    mutating func settleEnd(_ run: inout RequestRun) {
        guard acts, let exchange else { return }
        if !exchange.isWebSocket {
            if lane(.down).isPaced, let end = exchange.answerEnd, lane(.down).passed >= end {
                unpace(.down)
            }
            if lane(.up).isPaced, let end = exchange.requestEnd, lane(.up).passed >= end {
                unpace(.up)
            }
        }
        let isSent = exchange.requestEnd.map { lane(.up).passed >= $0 } ?? false
        // The answer of a fault may come before the request has come to its end, where this acts.
        if let end = exchange.answerEnd, lane(.down).passed >= end, isSent || !exchange.isDiverted,
            let index = exchange.waiting(where: { if case .swallow = $0 { true } else { false } })
        {
            finish(index, run)
        }
        for index in exchange.faults.indices where !exchange.faults[index].isDone {
            if case .unreachable(let reason) = exchange.faults[index].resolver.state {
                settleUnreachable(index, reason, run)
            } else if let head = exchange.headWithoutSeen(exchange.faults[index]) {
                exchange.faults[index].decision = DecidingPlace(direction: .down, offset: head)
                giveUp(index, .notSeen)
            } else if let size = exchange.endsBeforeByte(of: exchange.faults[index]) {
                let live = exchange.faults[index]
                exchange.faults[index].decision = live.target.map {
                    DecidingPlace(direction: live.direction, offset: $0)
                }
                giveUp(index, .messageEnded(at: size))
            }
        }
        settleBuffers(exchange, run)
        guard isOver(exchange) else { return }
        for event in exchange.events where event.resolver.anchor == .idle {
            note(.happened(event.index))
        }
        exchange.events.removeAll { $0.resolver.anchor == .idle }
        guard let index = exchange.faults.firstIndex(where: \.isIdleEnding) else { return }
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
        let isReached = exchange.requestEnd.map { lane(.up).passed >= $0 } ?? false
        if isReached || reason == .notFollowed { answer(index, run) }
    }

    /// A message that was kept until it was whole is whole, or will not be.
    private mutating func settleBuffers(_ exchange: MessageExchange, _ run: RequestRun) {
        for direction in Direction.allCases where exchange.buffers(direction) {
            if stream.map({ $0.isTooLong(TapSide(sending: direction)) }) == true {
                stopBuffering(direction)
                continue
            }
            let isAnswered = exchange.answerEnd != nil || isUnanswerable(exchange)
            guard direction == .up ? exchange.requestEnd != nil : isAnswered else { continue }
            // What acts before the first byte does so whether or not the message is whole by then.
            guard lane(direction).isOpen, !hasDue(direction) else { continue }
            while let index = exchange.waiting(where: { $0 == .buffer(direction) }),
                let fault = done(index, run)
            {
                note(.fired(fault))
            }
        }
    }

    /// Whether a fault acts before anything more passes in a direction, and waits for nothing else.
    private func hasDue(_ direction: Direction) -> Bool {
        let passed = lane(direction).passed
        return exchange?.faults.contains { live in
            if live.gate != nil { return false }
            if case .interim = live.hidesAnswer { return false }
            return live.direction == direction && live.target.map { $0 <= passed } ?? false
        } ?? false
    }

    /// Takes what acts when another request comes, if this one is over.
    mutating func takeResetOnNext(_ run: RequestRun) -> ArmedFault? {
        guard let exchange, isOver(exchange),
            let index = exchange.waiting(where: { $0 == .resetOnNext })
        else { return nil }
        return done(index, run)
    }

    private mutating func unpace(_ direction: Direction) {
        lane(direction).isPaced = false
        lane(direction).steps.append(.endPace)
    }

    /// Ends the exchange; nil if that is because the connection is over.
    mutating func closeExchange(_ run: inout RequestRun, reason: UnreachedReason?) {
        guard let exchange else { return }
        for pattern in exchange.patterns { run.close(pattern) }
        for live in exchange.faults where !live.hasActed {
            let isSettled = live.isDone && !live.isPending
            if let reason = knownReason(live) ?? (isSettled ? nil : reason ?? endReason(live)) {
                note(.unreached(live.fault, reason))
            }
        }
        self.exchange = nil
        lane(.down).edits.removeAll()
    }

    /// Why a fault has not acted, as far as that is known; the same, whichever came first of the answer that
    /// it waited for in vain and its place.
    private func knownReason(_ live: WaitingFault) -> UnreachedReason? {
        guard let reason = live.unreached else { return nil }
        guard reason == .notSeen else { return cut(before: live.decision) ?? reason }
        if case .unreachable(let reason) = live.resolver.state {
            return cut(before: live.missed) ?? reason
        }
        if case .closed(let id) = lane(live.direction).phase { return .after(id) }
        return reason
    }

    /// The fault that cut what tells that another will not act; nil if that has passed.
    private func cut(before decision: DecidingPlace?) -> UnreachedReason? {
        guard let decision else { return nil }
        let lane = lane(decision.direction)
        guard case .closed(let id) = lane.phase, lane.passed < decision.offset else { return nil }
        return .after(id)
    }

    private func endReason(_ live: WaitingFault) -> UnreachedReason {
        switch (lane(.up).phase, lane(.down).phase) {
        case (.closed(let id), _), (_, .closed(let id)): return .after(id)
        default: break
        }
        if case .unreachable(let reason) = live.resolver.state { return reason }
        return .connectionEnded
    }
}

extension WaitingFault {
    /// Whether it ends the connection once nothing is under way.
    fileprivate var isIdleEnding: Bool {
        guard !isDone, anchor == .idle else { return false }
        return fault.effect != .resetOnNext
    }
}
