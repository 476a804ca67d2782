internal import Basics
internal import Faults
internal import HTTPWire

// Where effects are tried at messages inside a stream.
extension Effect.Kind {
    /// The forms of an effect at the messages of one exchange; none for one without messages.
    ///
    /// Messages are neither lost nor doubled: no network does that, and a client has no means to notice.
    func formsInside(_ exchange: BoundaryMap.Exchange) -> [FaultForm] {
        guard let messages = exchange.messages else { return [] }
        let down = messages.places(.down, messages.down)
        if self == .closeFrame, messages.kind == .webSocket, let last = down.last {
            return [1_001, 1_011].map {
                FaultForm(.inside(last, .fromStart(.at(0))), .closeFrame($0))
            }
        }
        guard let effect = byteEffect else { return [] }
        let up = messages.places(.up, min(messages.up, 1))
        let cuts = (isCheap ? down + up : Array(down.prefix(1))).flatMap { message in
            Self.offsets(isCheap: isCheap).map { Anchor.inside(message, $0) }
        }
        return cuts.map { FaultForm($0, effect) }
    }

    /// Before a message, and before its last byte.
    private static func offsets(isCheap: Bool) -> [Anchor.PartOffset] {
        isCheap ? [.fromStart(.at(0)), .fromEnd(1)] : [.fromStart(.at(0))]
    }
}

extension BoundaryMap.Messages {
    /// The first, the second and the last message of a direction.
    fileprivate func places(_ direction: Direction, _ count: UInt32) -> [Anchor.Inside] {
        guard kind != .event || direction == .down else { return [] }
        return Set([1, 2, count].filter { $0 <= count && $0 > 0 }).sorted().map {
            Anchor.Inside(kind, direction, $0)
        }
    }
}
