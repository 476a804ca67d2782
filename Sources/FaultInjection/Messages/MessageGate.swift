package import HTTPWire
package import LinkEngine

/// What stands between the two ends of one connection and knows what their bytes mean.
///
/// Show it every byte with `read` as it comes, and ends with `end`. Then ask `next` about the bytes
/// that wait in a direction, and do what each answer says, until it says `wait`. What it answers
/// depends on the bytes and on the order of calls for the two directions, not on how the bytes were
/// cut or how often it was asked. It holds no byte; take `notes` after asking.
///
/// With a fault that could act on the connection, requests go one after another: the next one waits
/// until the one before is answered, and heads wait until they are complete. Without any, everything
/// passes at once and is only told of.
package struct MessageGate: Sendable {
    /// What to do next with the bytes of a direction.
    package enum Answer: Hashable, Sendable {
        /// Forward exactly so many of the waiting bytes; content is all or none of them.
        case pass(Int, isContent: Bool)
        /// Throw so many of them away.
        case drop(Int, isContent: Bool)
        /// Write these before anything that waits.
        case insert([UInt8])
        /// Let this fault act, once. After a stall or `late` call `resume` when it is over; after
        /// others `next` says `wait` for ever in the direction of its place.
        case act(RequestFault)
        /// From here on no faster than this; nil for no limit.
        case pace(BitRate?)
        /// XOR the first waiting byte with this; it is passed later.
        case corrupt(UInt8)
        /// Pass the end of the stream on. Said once.
        case finish
        /// Nothing to do until something changes.
        case wait
    }

    let plan: RequestPlan
    /// Ordinal at its listener, from 1.
    let connection: UInt32
    /// Whether anything could act here, so that order matters.
    let acts: Bool
    var tap = HTTPTap()
    var up = MessageLane(.up)
    var down = MessageLane(.down)
    var exchange: MessageExchange?
    /// Events at bytes of the connection that have not happened.
    var byteEvents: [(index: Int, direction: Direction, offset: UInt64)] = []
    /// Content bytes of a lost answer that the client gets, until their end was found.
    var halfOfAnswer: UInt64?
    /// Whether the client's system has acknowledged what has passed to it.
    var isAnswerDelivered = false
    private var notes: [MessageNote] = []
    /// What dates in answers are counted from.
    package var now = HTTPDate(secondsSince1970: 0)

    /// - Parameters:
    ///   - plan: of the run.
    ///   - connection: its ordinal at its listener, from 1.
    package init(plan: RequestPlan, connection: UInt32) {
        self.plan = plan
        self.connection = connection
        acts = plan.concerns(connection: connection)
        for (index, event) in plan.events.enumerated() {
            guard case .connections(let selector) = event.address.target,
                selector.names(connection),
                case .byte(let direction, .at(let offset)) = event.address.anchor
            else { continue }
            byteEvents.append((index, direction, offset))
        }
    }

    // What comes in.

    /// Looks at the next bytes of a direction.
    package mutating func read(_ bytes: Span<UInt8>, _ direction: Direction) {
        var events: [TapEvent] = []
        tap.read(bytes, from: TapSide(sending: direction), into: &events)
        sort(events)
    }

    /// Notes that the sender of a direction has ended; by a FIN if that was orderly.
    package mutating func end(_ direction: Direction, isOrderly: Bool = true) {
        var events: [TapEvent] = []
        tap.end(TapSide(sending: direction), isOrderly: isOrderly, into: &events)
        sort(events)
    }

    private mutating func sort(_ events: [TapEvent]) {
        for event in events { self[event.side.sends].events.append(event) }
    }

    /// Ends a stall of a direction, or lets go what a `late` has kept.
    package mutating func resume(_ direction: Direction) {
        if self[direction].phase == .stalled { self[direction].phase = .open }
    }

    /// Says that a fault elsewhere ended a direction; nothing passes any more.
    package mutating func close(_ direction: Direction, by fault: String) {
        switch self[direction].phase {
        case .open, .stalled: self[direction].phase = .closed(by: fault)
        case .closed, .finished: break
        }
    }

    // What goes out.

    /// Whether `now` is to be set before asking.
    package var needsTime: Bool { plan.needsTime }

    /// Whether all that a `late` has kept has passed.
    package var hasPassedLateBytes: Bool { up.lateBytes == 0 }

    /// Whether nothing is held, changed or awaited from here on: bytes need only be shown.
    package var onlyWatches: Bool { !acts && byteEvents.isEmpty }

    /// Whether bytes may pass: not stalled, not ended by a fault, not finished.
    package func isOpen(_ direction: Direction) -> Bool { self[direction].phase == .open }

    /// What has been seen and done since the last time.
    package mutating func takeNotes() -> [MessageNote] {
        defer { notes.removeAll() }
        return notes
    }

    mutating func note(_ note: MessageNote) { notes.append(note) }

    /// What to do with the waiting bytes of a direction.
    ///
    /// - Parameters:
    ///   - direction: which one.
    ///   - available: bytes that wait and could be forwarded; all were shown to `read`.
    ///   - ended: whether the stream's end follows right behind these bytes.
    ///   - run: what connections have in common.
    /// - Returns: the next step; it is to be taken before asking again.
    package mutating func next(
        _ direction: Direction,
        available: Int,
        ended: Bool,
        run: inout RequestRun
    ) -> Answer {
        precondition(available >= 0, "a count of bytes")
        while true {
            settle(&run)
            guard self[direction].phase == .open else { return .wait }
            if !self[direction].steps.isEmpty { return takeStep(direction) }
            if acts {
                switch due(direction, available: available, ended: ended, run) {
                case .nothing: break
                case .again: continue
                case .answer(let answer): return answer
                }
            }
            return move(direction, available, ended)
        }
    }

    private mutating func takeStep(_ direction: Direction) -> Answer {
        switch self[direction].steps.removeFirst() {
        case .pace(let rate): return .pace(rate)
        case .act(let fault):
            self[direction].phase = .closed(by: fault.id)
            return .act(fault)
        case .insert(let bytes, let isOfStream):
            if isOfStream {
                self[direction].track.advance(bytes.count, isContent: false, isDelivered: true)
                reach(direction)
            }
            return .insert(bytes)
        }
    }

    private mutating func move(_ direction: Direction, _ available: Int, _ ended: Bool) -> Answer {
        self[direction].dropPastEdits()
        let passed = self[direction].passed
        let limit = limit(direction)
        var room = UInt64(available)
        if limit <= passed {
            room = 0
        } else {
            room = min(room, limit - passed)
        }
        var isDropped = isDiverted(direction)
        if let edit = self[direction].edits.first {
            if edit.range.lowerBound > passed {
                room = min(room, edit.range.lowerBound - passed)
            } else if let insertion = edit.insertion {
                self[direction].edits[0].insertion = nil
                return .insert(insertion)
            } else {
                room = min(room, edit.range.upperBound - passed)
                isDropped = true
            }
        }
        if room > 0 { return advance(direction, Int(room), isDropped: isDropped) }
        guard available == 0, ended, !isHeld(direction, limit) else { return .wait }
        self[direction].phase = .finished
        return .finish
    }

    private mutating func advance(
        _ direction: Direction,
        _ room: Int,
        isDropped: Bool
    ) -> Answer {
        reach(direction)
        let (count, isContent) = self[direction].track.span(room)
        if direction == .down { isAnswerDelivered = false }
        // Of a request that the relay answers, the relay is the receiver.
        let isDelivered = !isDropped || direction == .up
        self[direction].track.advance(count, isContent: isContent, isDelivered: isDelivered)
        if let left = self[direction].lateBytes {
            self[direction].lateBytes = left - min(left, UInt64(count))
        }
        reach(direction)
        return isDropped ? .drop(count, isContent: isContent) : .pass(count, isContent: isContent)
    }

    /// Tells of what has been passed.
    mutating func reach(_ direction: Direction) {
        var told: [MessageNote] = []
        self[direction].track.reach(into: &told)
        let passed = self[direction].passed
        byteEvents.removeAll { event in
            guard event.direction == direction, event.offset <= passed else { return false }
            told.append(.happened(event.index))
            return true
        }
        exchange?.events.removeAll { event in
            guard event.resolver.direction == direction, let target = event.resolver.target,
                target <= passed
            else { return false }
            told.append(.happened(event.index))
            return true
        }
        notes += told
    }

    /// Tells of what did not happen and did not end; to be called once, when the connection is over.
    package mutating func close(run: inout RequestRun) {
        for direction in Direction.allCases {
            var told: [MessageNote] = []
            self[direction].track.endBody(into: &told)
            notes += told
        }
        closeExchange(&run, reason: nil)
    }

    subscript(direction: Direction) -> MessageLane {
        get { direction == .up ? up : down }
        _modify { if direction == .up { yield &up } else { yield &down } }
    }
}

extension TapEvent {
    /// Of the server's messages: the request that is answered.
    var answered: Int? {
        switch self {
        case .interim(let r, _, _, _), .responseHead(let r, _, _, _),
            .chunk(.server, let r, _, _, _, _), .content(.server, let r, _, _),
            .messageEnd(.server, let r, _, _, _), .incompleteHead(.server, let r, _):
            r
        case .requestHead, .chunk, .content, .messageEnd, .incompleteHead, .opaque: nil
        }
    }

    /// Where the bytes of an answer's head begin.
    var answerStart: UInt64? {
        switch self {
        case .interim(_, _, _, let range), .responseHead(_, _, _, let range): range.lowerBound
        default: nil
        }
    }

    /// Who sent what this is about.
    var side: TapSide {
        switch self {
        case .requestHead: .client
        case .interim, .responseHead: .server
        case .chunk(let side, _, _, _, _, _), .content(let side, _, _, _),
            .messageEnd(let side, _, _, _, _), .incompleteHead(let side, _, _),
            .opaque(let side, _, _):
            side
        }
    }
}
