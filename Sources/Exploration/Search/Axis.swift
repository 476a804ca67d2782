internal import Basics
package import Faults
internal import LinkEngine

/// One direction of one message as a line of byte positions, from before its first byte to after
/// its last: what is searched for edges.
package struct Axis: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case request
        case response
        /// Bytes of a connection that was not understood.
        case up
        case down
        case interim(status: UInt16, UInt32)
    }

    package let target: FaultTarget
    package let kind: Kind
    /// Bytes of the head; of raw bytes, none.
    package let head: UInt64
    /// Bytes of the content; of raw bytes, all of them.
    package let body: UInt64
    package let framing: BoundaryMap.Framing

    package init(
        _ target: FaultTarget,
        _ kind: Kind,
        head: UInt64 = 0,
        body: UInt64,
        framing: BoundaryMap.Framing = .none
    ) {
        self.target = target
        self.kind = kind
        self.head = head
        self.body = body
        self.framing = framing
    }

    init(_ target: FaultTarget, _ kind: Kind, _ message: BoundaryMap.Message) {
        self.init(
            target,
            kind,
            head: message.head,
            body: message.body,
            framing: message.framing
        )
    }

    init(_ target: FaultTarget, _ interim: BoundaryMap.Interim) {
        let kind = Kind.interim(status: interim.status, interim.ordinal)
        self.init(target, kind, head: interim.head, body: 0)
    }

    /// The position behind the whole message.
    ///
    /// That is where its last content byte ends, but for chunks, which have an end of their own.
    package var end: UInt64 { head + body + (framing == .chunked ? 1 : 0) }

    /// The one way to write a position from 0 to `end`.
    package func place(at position: UInt64) -> FaultAddress {
        precondition(position <= end, "a position on the axis")
        return FaultAddress(target, anchor(at: position))
    }

    private func anchor(at position: UInt64) -> Anchor {
        switch kind {
        case .up: .byte(.up, .at(position))
        case .down: .byte(.down, .at(position))
        case .interim(let status, let ordinal):
            .interim(
                status: Int(status),
                ordinal: ordinal,
                position == end ? .end : .fromStart(.at(position))
            )
        case .request: anchor(at: position, .up)
        case .response: anchor(at: position, .down)
        }
    }

    private func anchor(at position: UInt64, _ direction: Direction) -> Anchor {
        if position == end, framing != .close { return .message(direction, .end, .end) }
        if position == head { return .message(direction, .head, .end) }
        return position < head
            ? .message(direction, .head, .fromStart(.at(position)))
            : .message(direction, .body, .fromStart(.at(position - head)))
    }

    /// The position of a place on this axis; nil if it is not on it.
    package func position(of place: FaultAddress) -> UInt64? {
        guard place.target == target else { return nil }
        switch (kind, place.anchor) {
        case (.up, .byte(.up, let offset)), (.down, .byte(.down, let offset)):
            return Anchor.PartOffset.fromStart(offset).position(in: body)
        case (.request, .message(.up, let part, let offset)),
            (.response, .message(.down, let part, let offset)):
            guard let (start, length) = extent(of: part) else { return nil }
            return offset.position(in: length).map { start + $0 }
        case (.interim(let status, let ordinal), .interim(let other, let number, let offset))
        where Int(status) == other && ordinal == number:
            return offset.position(in: head)
        default: return nil
        }
    }

    /// Whether a place is the middle of the message's content.
    func isMiddleOfBody(_ place: FaultAddress) -> Bool {
        body > 1 && position(of: place) == head + body / 2
    }

    /// Where a part begins on this axis, and how long it is; nil if its place is not known.
    private func extent(of part: Anchor.Part) -> (start: UInt64, length: UInt64)? {
        switch part {
        case .head: (0, head)
        case .body: (head, body)
        case .end: (end, 0)
        case .chunk, .size, .last: nil
        }
    }
}

extension Anchor.PartOffset {
    /// The position in a part of this length; nil if it is none, or drawn.
    fileprivate func position(in length: UInt64) -> UInt64? {
        switch self {
        case .end: length
        case .fromStart(.at(let count)): count <= length ? count : nil
        case .fromStart(.drawn): nil
        case .fromEnd(let count): count <= length ? length - count : nil
        case .perMille(let share): share <= 1_000 ? length * UInt64(share) / 1_000 : nil
        }
    }
}
