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

    package let target: FaultPlace.Target
    package let kind: Kind
    /// Bytes of the head; of raw bytes, none.
    package let head: UInt64
    /// Bytes of the content; of raw bytes, all of them.
    package let body: UInt64
    package let framing: BoundaryMap.Framing

    package init(
        _ target: FaultPlace.Target,
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

    init(_ target: FaultPlace.Target, _ kind: Kind, _ message: BoundaryMap.Message) {
        self.init(
            target,
            kind,
            head: message.head,
            body: message.body,
            framing: message.framing
        )
    }

    init(_ target: FaultPlace.Target, _ interim: BoundaryMap.Interim) {
        let kind = Kind.interim(status: interim.status, interim.ordinal)
        self.init(target, kind, head: interim.head, body: 0)
    }

    /// The position behind the whole message.
    ///
    /// That is where its last content byte ends, but for chunks, which have an end of their own.
    package var end: UInt64 { head + body + (framing == .chunked ? 1 : 0) }

    /// The one way to write a position from 0 to `end`.
    package func place(at position: UInt64) -> FaultPlace {
        precondition(position <= end, "a position on the axis")
        switch kind {
        case .up: return FaultPlace(target, .up, .fromStart(position))
        case .down: return FaultPlace(target, .down, .fromStart(position))
        case .interim(let status, let ordinal):
            let part = FaultPlace.Part.interim(status: status, ordinal)
            return FaultPlace(target, part, position == end ? .none : .fromStart(position))
        case .request: return place(position, .requestHead, .requestBody, .requestEnd)
        case .response: return place(position, .responseHead, .responseBody, .responseEnd)
        }
    }

    private func place(
        _ position: UInt64,
        _ headPart: FaultPlace.Part,
        _ bodyPart: FaultPlace.Part,
        _ endPart: FaultPlace.Part
    ) -> FaultPlace {
        if position == end, framing != .close { return FaultPlace(target, endPart) }
        if position < head { return FaultPlace(target, headPart, .fromStart(position)) }
        if position == head { return FaultPlace(target, headPart) }
        return FaultPlace(target, bodyPart, .fromStart(position - head))
    }

    /// The position of a place on this axis; nil if it is not on it.
    package func position(of place: FaultPlace) -> UInt64? {
        guard place.target == target, let part = place.part,
            let (start, length) = extent(of: part)
        else {
            return nil
        }
        switch place.offset {
        case .none: return start + length
        case .fromStart(let count): return count <= length ? start + count : nil
        case .fromEnd(let count): return count <= length ? start + length - count : nil
        case .perMille(let share): return share <= 1_000 ? start + length * share / 1_000 : nil
        }
    }

    /// Where a part begins on this axis, and how long it is; nil if it is not on it.
    private func extent(of part: FaultPlace.Part) -> (start: UInt64, length: UInt64)? {
        switch (kind, part) {
        case (.up, .up), (.down, .down): (0, body)
        case (.request, .requestHead), (.response, .responseHead): (0, head)
        case (.request, .requestBody), (.response, .responseBody): (head, body)
        case (.request, .requestEnd), (.response, .responseEnd): (end, 0)
        case (.interim(let status, let ordinal), _):
            part == .interim(status: status, ordinal) ? (0, head) : nil
        default: nil
        }
    }
}
