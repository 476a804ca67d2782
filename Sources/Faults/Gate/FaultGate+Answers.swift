internal import HTTPWire
internal import LinkEngine

// What becomes of interim responses, and of answers that get lost.
extension MessageGate {
    /// Decides how an interim response passes.
    mutating func takeInterim(
        _ r: UInt32,
        _ k: UInt32,
        _ head: ResponseHead,
        _ range: Range<UInt64>
    ) {
        func told(_ head: ResponseHead, _ size: Int, isByFault: Bool) -> MessageNote {
            .interim(r, ordinal: k, head, headBytes: UInt64(size), isByFault: isByFault)
        }
        if isSwallowed(head.status) {
            down.edit(range)
            return
        }
        guard let index = editor(of: head.status, k), let live = exchange?.faults[index] else {
            down.track.note(told(head, range.count, isByFault: false), at: range.upperBound)
            return
        }
        var fault = live.fault
        fault.offset = nil
        exchange?.faults[index].hasActed = true
        if case .interim(_, .some, _) = fault.anchor { exchange?.faults[index].isDone = true }
        switch fault.effect {
        case .duplicate:
            let copy = (try? MessageWriter.bytes(of: head)) ?? []
            down.edit(range.upperBound..<range.upperBound, insertion: copy)
            down.track.note(told(head, range.count, isByFault: false), at: range.upperBound)
            down.track.note(told(head, copy.count, isByFault: true), at: range.upperBound)
        case .edit(let fields):
            var edited = head
            for field in fields { field.apply(to: &edited, now: now) }
            let bytes = (try? MessageWriter.bytes(of: edited)) ?? []
            down.edit(range, insertion: bytes)
            down.track.note(told(edited, bytes.count, isByFault: true), at: range.upperBound)
        default: down.edit(range)
        }
        down.track.note(.fired(fault), at: range.upperBound)
    }

    /// The fault that changes the k-th interim response of this status.
    private func editor(of status: Int, _ k: UInt32) -> Int? {
        exchange?.faults.firstIndex { live in
            guard !live.isDone else { return false }
            switch live.fault.effect {
            case .strip: return true
            case .withhold, .duplicate, .edit: break
            default: return false
            }
            guard case .interim(status, let ordinal, _) = live.fault.anchor else { return false }
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
            down.edit(start..<UInt64.max)
            return false
        case .head: down.edit(headEnd..<UInt64.max)
        case .half:
            guard case .length(let length) = framing, length > 1 else {
                down.edit(headEnd..<UInt64.max)
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
        down.edit((bytes.lowerBound + (half - from))..<UInt64.max)
        halfOfAnswer = nil
    }
}
