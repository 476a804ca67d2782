internal import Basics
internal import HTTPWire

/// A request and what answers it, while it passes a `FaultGate`.
///
/// A class, since a gate looks at it several times for every few bytes, and it is large.
final class MessageExchange {
    let request: UInt32
    let head: RequestHead
    /// Where its head is in the client's stream.
    let headRange: Range<UInt64>
    /// Where its answer begins in the server's stream.
    let answerStart: UInt64
    var faults: [WaitingFault] = []
    var events: [WaitingEvent] = []
    /// Places of the patterns in the plan that the request fits.
    var patterns: [Int] = []
    var requestEnd: UInt64?
    var interims: [(status: Int, range: Range<UInt64>)] = []
    var finalHead: Range<UInt64>?
    var answerEnd: UInt64?
    /// How the content of the answer ends.
    var framing: MessageFraming?
    /// Where the content of the chunk ends that was begun last.
    var chunkEnd: UInt64?
    /// Whether frames of a WebSocket follow the answer.
    var isWebSocket = false
    /// The messages inside that faults keep from their receivers.
    var dropped: Set<Anchor.Inside> = []
    /// The directions in which no pong passes.
    var heldPongs: Set<Direction> = []
    /// Whether a fault answers in place of the server.
    var isDiverted = false
    /// Where the latest event was.
    private var lastSeen: DecidingPlace?

    /// A place that other faults wait for.
    struct WaitingEvent {
        let index: Int
        var resolver: AnchorResolver
    }

    init(
        request: UInt32,
        head: RequestHead,
        headRange: Range<UInt64>,
        answerStart: UInt64
    ) {
        self.request = request
        self.head = head
        self.headRange = headRange
        self.answerStart = answerStart
    }

    /// Shows an event to whatever waits for its place.
    func observe(_ event: TapEvent) {
        lastSeen = DecidingPlace(direction: event.side.sends, offset: event.place)
        for index in faults.indices {
            faults[index].resolver.observe(event)
            faults[index].gate?.observe(event)
            if case .unreachable = faults[index].resolver.state {
                noteDecision(of: index)
                faults[index].missed = faults[index].missed ?? lastSeen
            }
        }
        for index in events.indices { events[index].resolver.observe(event) }
    }

    /// Notes that a fault will not act, as the latest event tells; an earlier one counts.
    func noteDecision(of index: Int) {
        faults[index].decision = faults[index].decision ?? lastSeen
    }

    /// Gives up what waits for a message that will not come, as the final head says what does; the
    /// messages of a gRPC call to the server come in any case.
    func giveUpMessages(except kind: MessageKind?) {
        for index in faults.indices {
            guard let message = faults[index].inside, message.kind != kind else { continue }
            let isSent = message.direction == .up && message.kind == .grpc && head.isCall
            guard !isSent else { continue }
            faults[index].resolver.give(up: .noMessages)
            noteDecision(of: index)
        }
    }

    /// Whether the length of a side's content is declared.
    func declaresLength(_ direction: Direction) -> Bool {
        guard direction == .up else { return if case .length = framing { true } else { false } }
        return head.fields.contains("Content-Length")
    }

    /// Notes that what a fault changes has passed.
    func noteActed(_ fault: ArmedFault) {
        guard let index = faults.firstIndex(where: { $0.isPending && $0.fault.id == fault.id })
        else { return }
        faults[index].isPending = false
        faults[index].hasActed = true
    }

    /// Whether a fault keeps a pong at this place of a direction's stream from its receiver.
    func holdsPong(at place: UInt64, _ direction: Direction) -> Bool {
        heldPongs.contains(direction)
            || faults.contains { live in
                live.fault.effect == .holdPings && live.direction == direction
                    && (live.inside != nil || head.version != .http2)
                    && live.target.map { $0 <= place } ?? false
            }
    }

    /// Whether what is inside a direction must be known before it passes.
    func watchesInside(_ direction: Direction) -> Bool {
        heldPongs.contains(direction) || dropped.contains { $0.direction == direction }
            || faults.contains { $0.awaitsMessage(direction) }
    }

    /// Up to where the answer may pass while faults of the request have not acted; nil for all.
    var answerLimit: UInt64? {
        faults.compactMap { $0.hidesAnswer.map(limit(ofAnswer:)) }.min()
    }

    private func limit(ofAnswer seen: SeenAnswer) -> UInt64 {
        var limit = answerStart
        for (status, range) in interims {
            if status == 100, head.expectsContinue {
                limit = range.upperBound
                continue
            }
            guard case .interim(let wanted) = seen else { return limit }
            limit = range.upperBound
            if status == wanted { return limit }
        }
        if case .interim = seen { return finalHead?.lowerBound ?? .max }
        // What comes next may be a 100 that may pass: it is looked at when it is complete.
        return limit
    }

    /// Where the final head ends, if the client will not get the interim response that a fault waits for.
    func headWithoutSeen(_ live: WaitingFault) -> UInt64? {
        guard case .interim(let status) = live.hidesAnswer, end(ofInterim: status) == nil else {
            return nil
        }
        return finalHead?.upperBound
    }

    /// The size of the part whose end is the place of a `corrupt`, which has no byte there; nil for
    /// other faults.
    func endsBeforeByte(of live: WaitingFault) -> UInt64? {
        guard live.fault.effect.changesByte, let target = live.target,
            target == (live.direction == .up ? requestEnd : answerEnd)
        else { return nil }
        return live.resolver.partOffset
    }

    /// Where the first interim response of a status ends.
    func end(ofInterim status: Int) -> UInt64? {
        interims.first { $0.status == status }?.range.upperBound
    }

    /// The first fault that waits with such an effect.
    func waiting(where matches: (Effect) -> Bool) -> Int? {
        faults.firstIndex { !$0.isDone && matches($0.fault.effect) }
    }

    /// Where what is kept begins until a message is whole.
    ///
    /// The head of a request opens its stream of HTTP/2, which must not wait: later ones would have to.
    func buffered(_ direction: Direction, ofStream: Bool) -> UInt64 {
        guard direction == .up else { return answerStart }
        return ofStream ? headRange.upperBound : headRange.lowerBound
    }

    func buffers(_ direction: Direction) -> Bool {
        waiting { $0 == .buffer(direction) } != nil
    }
}
