internal import Basics
internal import HTTPWire

// What answers a request.
extension FaultGate {
    /// Takes what came from the server and belongs to this exchange.
    mutating func receiveDown(_ event: TapEvent) {
        lane(.down).progress.record(event)
        exchange?.observe(event)
        switch event {
        case .interim(let r, let k, let head, let range):
            exchange?.interims.append((head.status, range))
            receiveInterim(UInt32(clamping: r), UInt32(clamping: k), head, range)
        case .responseHead(let r, let head, let framing, let range):
            exchange?.finalHead = range
            exchange?.framing = framing
            let messages = messages(after: head)
            exchange?.isWebSocket = messages == .webSocket
            exchange?.giveUpMessages(except: messages)
            if swallows(range.upperBound, framing) {
                passHead(UInt32(clamping: r), head, framing, range)
            }
            checkTruncation(framing)
            settlePongs()
        case .messageEnd(_, let r, let place, _, _):
            answered = (UInt32(clamping: r), place)
            exchange?.answerEnd = place
        case .chunk(_, _, _, _, let size, let line):
            exchange?.chunkEnd = line.upperBound + size
        case .inside(_, _, let kind, let inside): receive(inside, kind, .down)
        case .opaque(_, let place, let reason):
            lane(.down).progress.note(.opaque(.down, reason), at: place)
            lane(.down).progress.loseMessages(at: place)
        default: break
        }
        keepHalf(event)
    }

    /// Passes the head of a final response, with the fields that faults give it.
    private mutating func passHead(
        _ r: UInt32,
        _ head: ResponseHead,
        _ framing: MessageFraming,
        _ range: Range<UInt64>
    ) {
        let (edited, faults) = edit(head)
        var size = UInt64(range.count)
        if !faults.isEmpty, let bytes = try? MessageWriter.bytes(of: edited) {
            lane(.down).edit(range, insertion: bytes)
            size = UInt64(bytes.count)
        }
        let isByFault = !faults.isEmpty || exchange?.isDiverted ?? false
        lane(.down).progress.note(
            .response(r, edited, framing, headBytes: size, isByFault: isByFault),
            at: range.upperBound
        )
        lane(.down).progress.beginBody(r, framing, at: range.upperBound)
        beginMessages(r, head, framing, at: range.upperBound)
        for fault in faults { lane(.down).progress.note(.fired(fault), at: range.upperBound) }
    }

    /// Notes what is inside.
    private mutating func beginMessages(
        _ r: UInt32,
        _ head: ResponseHead,
        _ framing: MessageFraming,
        at place: UInt64
    ) {
        // A gRPC call may be over with its head.
        guard let kind = messages(after: head), framing != .none || kind != .event else { return }
        lane(.down).progress.beginMessages(kind, of: r, at: place)
        if kind == .webSocket {
            lane(.up).progress.beginMessages(.webSocket, of: r, at: lane(.up).passed)
            // What a client sends before the answer may be anything.
            if tap.opaqueReason(of: .client) != nil {
                lane(.up).progress.loseMessages(at: lane(.up).passed)
            }
        }
    }

    /// Applies the edits of a final response that have not acted; they have then.
    private mutating func edit(_ head: ResponseHead) -> (ResponseHead, [ArmedFault]) {
        var edited = head
        var faults: [ArmedFault] = []
        for index in exchange?.faults.indices ?? 0..<0 {
            guard let waiting = exchange?.faults[index], !waiting.isDone,
                case .message = waiting.anchor, waiting.fault.effect.editsHeads
            else { continue }
            guard case .edit(let fields) = waiting.fault.effect else {
                preconditionFailure(
                    "'\(waiting.fault.effect.name)' does nothing to final responses"
                )
            }
            var changed = edited
            for field in fields { field.apply(to: &changed, now: now) }
            guard (try? MessageWriter.bytes(of: changed)) != nil else {
                giveUp(index, .notFollowed)
                continue
            }
            edited = changed
            exchange?.faults[index].isDone = true
            exchange?.faults[index].isPending = true
            var fault = waiting.fault
            fault.offset = nil
            faults.append(fault)
        }
        return (edited, faults)
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

    // Interim responses.

    /// Decides how an interim response passes.
    mutating func receiveInterim(
        _ r: UInt32,
        _ k: UInt32,
        _ head: ResponseHead,
        _ range: Range<UInt64>
    ) {
        func interim(_ head: ResponseHead, _ size: Int, isByFault: Bool) -> GateNote {
            .interim(r, ordinal: k, head, headBytes: UInt64(size), isByFault: isByFault)
        }
        if isSwallowed(head.status) {
            lane(.down).edit(range)
            return
        }
        guard let index = editor(of: head.status, k), let live = exchange?.faults[index] else {
            lane(.down).progress.note(
                interim(head, range.count, isByFault: false),
                at: range.upperBound
            )
            return
        }
        var fault = live.fault
        fault.offset = nil
        exchange?.faults[index].isPending = true
        if case .interim(_, .some, _) = live.anchor { exchange?.faults[index].isDone = true }
        switch fault.effect {
        case .duplicate:
            let copy = (try? MessageWriter.bytes(of: head)) ?? []
            lane(.down).edit(range.upperBound..<range.upperBound, insertion: copy)
            lane(.down).progress.note(
                interim(head, range.count, isByFault: false),
                at: range.upperBound
            )
            lane(.down).progress.note(
                interim(head, copy.count, isByFault: true),
                at: range.upperBound
            )
        case .edit(let fields):
            var edited = head
            for field in fields { field.apply(to: &edited, now: now) }
            let bytes = (try? MessageWriter.bytes(of: edited)) ?? []
            lane(.down).edit(range, insertion: bytes)
            lane(.down).progress.note(
                interim(edited, bytes.count, isByFault: true),
                at: range.upperBound
            )
        case .withhold, .strip: lane(.down).edit(range)
        default: preconditionFailure("'\(fault.effect.name)' does nothing to interim responses")
        }
        lane(.down).progress.note(.fired(fault), at: range.upperBound)
    }

    /// The fault that changes the k-th interim response of this status.
    private func editor(of status: Int, _ k: UInt32) -> Int? {
        exchange?.faults.firstIndex { live in
            guard !live.isDone else { return false }
            if case .strip = live.fault.effect { return true }
            guard live.fault.effect.editsHeads,
                case .interim(status, let ordinal, _) = live.anchor
            else { return false }
            return ordinal ?? k == k
        }
    }

    // Answers that get lost.

    private var keptAnswer: Effect.KeptAnswer? {
        guard
            let index = exchange?.waiting(where: { if case .swallow = $0 { true } else { false } }),
            case .swallow(let keep, _) = exchange?.faults[index].fault.effect
        else { return nil }
        return keep
    }

    private func isSwallowed(_ status: Int) -> Bool {
        guard keptAnswer == Effect.KeptAnswer.none else { return false }
        return status != 100 || exchange?.head.expectsContinue != true
    }

    /// Cuts off what a lost answer does not keep; false if that is the head.
    mutating func swallows(_ headEnd: UInt64, _ framing: MessageFraming) -> Bool {
        guard let keptAnswer, let start = exchange?.finalHead?.lowerBound else { return true }
        switch keptAnswer {
        case .none, .interim:
            lane(.down).edit(start..<UInt64.max)
            return false
        case .head: lane(.down).edit(headEnd..<UInt64.max)
        case .half:
            guard case .length(let length) = framing, length > 1 else {
                lane(.down).edit(headEnd..<UInt64.max)
                break
            }
            halfOfAnswer = UInt64(length / 2)
        }
        return true
    }

    /// Finds the middle of the content that is kept.
    mutating func keepHalf(_ event: TapEvent) {
        guard let half = halfOfAnswer, case .content(.server, _, let bytes, let from) = event,
            from + UInt64(bytes.count) >= half, from <= half
        else { return }
        lane(.down).edit((bytes.lowerBound + (half - from))..<UInt64.max)
        halfOfAnswer = nil
    }
}
