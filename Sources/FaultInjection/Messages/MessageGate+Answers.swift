internal import HTTPWire
internal import LinkEngine

// What answers a request.
extension MessageGate {
    /// Takes what came from the server and belongs to this exchange.
    mutating func takeDown(_ event: TapEvent) {
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
        case .messageEnd(_, let r, let place, _, _):
            answered = (UInt32(clamping: r), place)
            exchange?.answerEnd = place
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
}
