internal import Basics
internal import HTTPWire

// Whose turn it is: requests go one after another, each when the one before is answered.
extension FaultGate {
    /// Looks at what was read, up to what must wait its turn.
    mutating func settle(_ run: inout RequestRun) {
        // What acts at the end of an exchange comes before the next request, which may be there.
        settleEnd(&run)
        settleUp(&run)
        while let event = lane(.down).events.first, isOfCurrentExchange(event) {
            lane(.down).events.removeFirst()
            receiveDown(event)
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
        while let event = lane(.up).events.first {
            if case .requestHead(let r, let head, let framing, let range) = event {
                guard mayBegin(r, range.lowerBound, run) else { return }
                lane(.up).events.removeFirst()
                closeExchange(&run, reason: hasLostAnswer ? nil : .messageEnded(at: 0))
                begin(UInt32(clamping: r), head, framing, range, event, &run)
            } else {
                lane(.up).events.removeFirst()
                receiveUp(event)
            }
        }
    }

    /// Whether the turn of the next request has come.
    private mutating func mayBegin(_ r: Int, _ start: UInt64, _ run: RequestRun) -> Bool {
        // The answer before may have passed and the fault at its last byte not have acted yet.
        guard !lane(.down).isOpen || !lane(.down).bytes.isEndingDue else { return false }
        if case .closed = lane(.up).phase { return false }
        guard acts else { return !takesTurns || isAnswered(r - 1) }
        guard let exchange else { return r <= Int(untouched) || isQuiet(before: start) }
        // To wait for what will not come would keep the connection for ever.
        if isUnanswerable(exchange) { return true }
        guard isOver(exchange) else { return false }
        guard let index = exchange.waiting(where: { $0 == .resetOnNext }) else { return true }
        guard lane(.up).phase == .open, lane(.down).phase == .open else { return false }
        finish(index, run)
        lane(.up).phase = .closed(by: exchange.faults[index].fault.id)
        return false
    }

    /// Whether part of a request's content has passed, and part is still to come.
    package var isWithinRequest: Bool { lane(.up).progress.body != nil }

    /// Whether requests go one after another because a fault at a byte of the answers ends the connection:
    /// what of later requests had come by then would depend on when they came.
    var takesTurns: Bool {
        lane(.down).bytes.hasEnding && !lane(.down).hasEnded
            && tap.opaqueReason(of: .server) == nil
    }

    /// Whether this request and those before it are answered, and the client has the answers.
    func isAnswered(_ r: Int) -> Bool {
        answered.request >= r && lane(.down).passed >= answered.end
    }

    /// Whether every request that was read has its answer, and nothing of either waits.
    package var isBetweenExchanges: Bool {
        guard lane(.up).events.isEmpty, lane(.down).events.isEmpty, lane(.down).steps.isEmpty else {
            return false
        }
        if let exchange { return isOver(exchange) }
        return isAnswered(Int(begun))
    }

    /// Whether everything that had begun when something came to act here has passed.
    private func isQuiet(before start: UInt64) -> Bool {
        guard untouched > 0 else { return true }
        return isAnswered(Int(untouched)) && lane(.up).passed >= start
    }

    /// Whether the server has ended, and what it sent is not the whole answer of a request.
    func isUnanswerable(_ exchange: MessageExchange) -> Bool {
        lane(.down).hasEnded && lane(.down).events.isEmpty && exchange.answerEnd == nil
            && !exchange.isDiverted
    }

    /// Whether the answer of the request that is under way will not come.
    private var hasLostAnswer: Bool {
        guard let exchange else { return false }
        return isUnanswerable(exchange)
    }

    /// Whether request and answer have passed, and every fault in them has acted that can.
    func isOver(_ exchange: MessageExchange) -> Bool {
        guard let requestEnd = exchange.requestEnd, let answerEnd = exchange.answerEnd else {
            return false
        }
        return lane(.up).passed >= requestEnd && lane(.down).passed >= answerEnd
            && lane(.down).steps.isEmpty
            && !exchange.faults.contains { isAboutToAct($0) }
    }

    /// Whether the place of a fault is reached, so that nothing else happens before it acts.
    private func isAboutToAct(_ live: WaitingFault) -> Bool {
        let lane = self.lane(live.direction)
        guard let target = live.target, target <= lane.passed, !live.isKnownLater else {
            return false
        }
        return lane.phase == .open || lane.phase == .stalled
    }
}
