internal import Basics
internal import HTTPWire

// What is inside a stream: messages of a WebSocket or of a gRPC call, and server-sent events.
extension FaultGate {
    /// The most bytes of a message that are kept, to send it twice.
    private static let keptBytes = 65_536

    /// Takes what came inside a direction and belongs to this exchange.
    mutating func receive(_ event: InsideEvent, _ kind: MessageKind, _ direction: Direction) {
        var copies: UInt32 = 1
        switch event {
        case .part(let part):
            let message = Anchor.Inside(kind, direction, part.ordinal)
            if drops(message, part) {
                leaveOut(part, kind, direction)
                copies = 0
            }
            keep(part, of: message)
            if kind == .event, part.isLast { placeCopies(at: part.bytes.upperBound) }
        case .begun(let ordinal, _, _), .whole(let ordinal, _), .told(_, let ordinal?, _):
            let message = Anchor.Inside(kind, direction, ordinal)
            if exchange?.dropped.contains(message) ?? false { copies = 0 }
        case .control(.pong, let range):
            if exchange?.holdsPong(at: range.lowerBound, direction) ?? false {
                lane(direction).edit(range)
            }
        case .told, .control, .close, .status, .end, .lost: break
        }
        lane(direction).progress.record(event, copies: copies)
    }

    /// Whether a fault keeps a message from its receiver; it acts once that is to pass.
    private mutating func drops(_ message: Anchor.Inside, _ part: MessagePart) -> Bool {
        if exchange?.dropped.contains(message) ?? false { return true }
        guard part.from == 0, let index = waiting(.drop, at: message) else { return false }
        guard !part.isCompressed else {
            giveUp(index, .compressed)
            return false
        }
        // A comment has the length of its event.
        guard message.kind == .event || exchange?.declaresLength(message.direction) != true else {
            giveUp(index, .lengthDeclared)
            return false
        }
        exchange?.faults[index].isDone = true
        exchange?.faults[index].isPending = true
        exchange?.dropped.insert(message)
        if let fault = exchange?.faults[index].fault {
            // What ends the connection right before the message comes first.
            lane(message.direction).progress.note(.fired(fault), at: part.bytes.lowerBound + 1)
        }
        return true
    }

    private func waiting(_ effect: Effect, at message: Anchor.Inside) -> Int? {
        exchange?.faults.firstIndex {
            !$0.isDone && $0.inside == message && $0.fault.effect == effect
        }
    }

    /// Leaves a frame out; an event becomes a comment, as the framing of the content has its length.
    private mutating func leaveOut(
        _ part: MessagePart,
        _ kind: MessageKind,
        _ direction: Direction
    ) {
        guard kind == .event else { return lane(direction).edit(part.bytes) }
        var comment = [UInt8](repeating: UInt8(ascii: " "), count: part.bytes.count)
        if part.isLast { comment[comment.count - 1] = UInt8(ascii: "\n") }
        if part.from == 0 { comment[0] = UInt8(ascii: ":") }
        lane(direction).edit(part.bytes, insertion: comment, isContent: true)
    }

    // Pongs.

    /// Holds pongs from the place of a fault on; at a head, if it turns out to be that of a WebSocket.
    mutating func holdPongs(_ index: Int) {
        guard let live = exchange?.faults[index] else { return }
        if live.inside != nil || exchange?.isWebSocket ?? false {
            exchange?.heldPongs.insert(live.direction)
            exchange?.faults[index].isPending = false
            exchange?.faults[index].hasActed = true
            note(.fired(live.fault))
        } else if exchange?.finalHead != nil {
            exchange?.faults[index].isPending = false
            exchange?.faults[index].unreached = .noMessages
        } else {
            exchange?.faults[index].isPending = true
        }
    }

    /// Decides about pongs that are to be held from a place before the final head on.
    mutating func settlePongs() {
        for index in exchange?.faults.indices ?? 0..<0
        where exchange?.faults[index].isPending ?? false
            && exchange?.faults[index].fault.effect == .holdPings
        {
            holdPongs(index)
        }
    }

    // Messages that come twice.

    /// Keeps what a fault sends twice.
    private mutating func keep(_ part: MessagePart, of message: Anchor.Inside) {
        guard let index = waiting(.duplicate, at: message) else { return }
        exchange?.faults[index].copy += part.content
        let kept = UInt64(exchange?.faults[index].copy.count ?? 0)
        if part.isCompressed {
            giveUp(index, .compressed)
        } else if message.kind == .grpc, exchange?.declaresLength(message.direction) ?? false {
            giveUp(index, .lengthDeclared)
        } else if part.upperBound > Self.keptBytes {
            giveUp(index, .tooLong)
        } else if kept != part.upperBound {
            giveUp(index, .addedLate)
        }
    }

    /// Decides whether a copy can follow an event that ends here; if not, another place is awaited, or
    /// none comes.
    ///
    /// An HTTP/1 chunk cannot grow: the copy waits for an event that ends together with its chunk.
    private mutating func placeCopies(at end: UInt64) {
        guard let exchange else { return }
        for (index, live) in exchange.faults.enumerated()
        where live.inside?.kind == .event && live.fault.effect == .duplicate && live.target == end {
            switch exchange.framing {
            case .chunked where stream == nil && exchange.chunkEnd != end:
                exchange.faults[index].resolver.postpone()
            case .chunked, .untilClose: break
            case .length, .none?, nil: giveUp(index, .lengthDeclared)
            }
        }
    }

    /// Sends a message that was kept once more.
    mutating func sendCopy(_ live: WaitingFault, _ direction: Direction) {
        lane(direction).progress.addMessage()
        guard live.inside?.kind == .event, stream == nil else {
            lane(direction).steps.append(.insert(live.copy, isOfStream: false))
            return
        }
        if exchange?.framing == .chunked {
            // The end of the chunk before is still to come: it will be that of this one.
            let size = String(live.copy.count, radix: 16)
            lane(direction).steps.append(.insert(Array("\r\n\(size)\r\n".utf8), isOfStream: false))
        }
        lane(direction).steps.append(.copy(live.copy))
    }
}
