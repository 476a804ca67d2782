package import Basics
internal import HTTPWire

// What waits for what.
extension FaultGate {
    /// How far a direction may pass for now.
    func limit(_ direction: Direction) -> UInt64 {
        let side = TapSide(sending: direction)
        guard acts else { return direction == .up ? turnLimit : seen(of: side) }
        var limit = seen(of: side)
        if stream == nil {
            limit = tap.unfinishedHead(of: side) ?? tap.unfinishedChunkLine(of: side) ?? limit
        }
        if let left = lane(direction).lateBytes {
            limit = min(limit, lane(direction).passed + left)
        }
        if direction == .up, case .requestHead(_, _, _, let range) = lane(.up).events.first {
            limit = min(limit, range.lowerBound)
        }
        if direction == .down, let place = lane(.down).events.first?.answerStart {
            limit = min(limit, place)
        }
        guard let exchange else { return limit }
        if exchange.watchesInside(direction),
            let place = unfinishedMessage(of: side)
        {
            limit = min(limit, place)
        }
        for live in exchange.faults where !live.isDone {
            if live.direction == direction, let place = live.limit {
                limit = min(limit, place)
            }
            if direction == .up, let place = live.gate?.limit { limit = min(limit, place) }
        }
        if exchange.buffers(direction) {
            limit = min(limit, exchange.buffered(direction, ofStream: stream != nil))
        }
        if direction == .down, let place = exchange.answerLimit { limit = min(limit, place) }
        return limit
    }

    /// How far requests may pass where nothing acts on them.
    private var turnLimit: UInt64 {
        let seen = seen(of: .client)
        guard takesTurns else { return seen }
        if case .requestHead(_, _, _, let range) = lane(.up).events.first {
            return range.lowerBound
        }
        return isAnswered(Int(begun)) ? seen : tap.unfinishedHead(of: .client) ?? seen
    }

    /// Whether nothing of a direction would pass now, however much of what was seen were offered.
    func isHolding(_ direction: Direction) -> Bool {
        guard isOpen(direction) else { return true }
        if direction == .up, isAnswering { return true }
        return limit(direction) <= lane(direction).passed
    }

    /// Whether it only passes what comes: no fault is in the request that is under way.
    var addsNothing: Bool {
        guard let exchange, exchange.faults.isEmpty, exchange.events.isEmpty else { return false }
        return lane(.up).steps.isEmpty && lane(.down).steps.isEmpty
    }

    /// Whether a fault holds a direction until it is resumed.
    func isStalled(_ direction: Direction) -> Bool { lane(direction).phase == .stalled }

    /// Whether the answer of a fault is on its way.
    ///
    /// The rest of the request waits until that has passed: otherwise the sizes of reads would say
    /// which comes first, the end after the answer or what acts in the content.
    var isAnswering: Bool { isDiverted(.up) && !lane(.down).steps.isEmpty }

    /// Whether the end of a stream waits for something, though no byte does.
    func isHeld(_ direction: Direction, _ limit: UInt64) -> Bool {
        guard acts, let exchange else { return false }
        if direction == .down {
            if exchange.answerLimit.map({ $0 <= lane(.down).passed }) ?? false { return true }
            return exchange.isDiverted && exchange.answerEnd == nil
        }
        return limit < seen(of: .client)
    }

    /// Whether bytes of this direction are thrown away: a fault answers the request.
    func isDiverted(_ direction: Direction) -> Bool {
        direction == .up && exchange?.isDiverted == true
    }

    /// Whether a whole message is being kept, so that more than usual may wait.
    package func isBuffering(_ direction: Direction) -> Bool {
        guard let exchange, !exchange.faults.isEmpty else { return false }
        if exchange.buffers(direction) { return true }
        return direction == .up
            && exchange.waiting { if case .late = $0 { true } else { false } }
                != nil
    }

    /// Gives up keeping a message that is too long; it passes as it is.
    package mutating func stopBuffering(_ direction: Direction) {
        while let index = exchange?.waiting(where: { $0 == .buffer(direction) }) {
            giveUp(index, .tooLong)
        }
    }

    /// Whether one direction waits for the other, which may be waiting, too.
    package var isGated: Bool {
        guard acts, let exchange else { return false }
        return exchange.faults.contains { !$0.isDone && ($0.hidesAnswer != nil || $0.gate != nil) }
    }

    /// Ends the waiting of one direction for the other: nothing has moved for too long.
    ///
    /// What acts nevertheless is up to timing from here on.
    package mutating func openGates() {
        guard let exchange else { return }
        for index in exchange.faults.indices where !exchange.faults[index].isDone {
            switch exchange.faults[index].hidesAnswer {
            case .interim:
                exchange.faults[index].fault.isRacy = true
                giveUp(index, .notSeen)
            case .none? where exchange.faults[index].fault.options.see == .none:
                exchange.faults[index].fault.options.see = .open
                exchange.faults[index].fault.isRacy = true
            default: break
            }
            if exchange.faults[index].gate != nil {
                exchange.faults[index].gate = nil
                exchange.faults[index].fault.isRacy = true
            }
        }
    }

    /// Whether a fault waits for the client's system to acknowledge what has passed.
    package var awaitsDelivery: Bool {
        guard acts, !isAnswerDelivered, let exchange else { return false }
        return exchange.faults.contains { live in
            guard case .interim(let status) = live.hidesAnswer,
                let target = live.target, target <= lane(.up).passed,
                let end = exchange.end(ofInterim: status)
            else { return false }
            return lane(.down).passed >= end
        }
    }

    /// Notes that everything that has passed to the client is acknowledged.
    package mutating func noteAnswerDelivered() { isAnswerDelivered = true }
}
