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
        indirect case act(RequestFault)
        /// From here on no faster than this; nil for no limit.
        case pace(BitRate?)
        /// XOR the first waiting byte with this; it is passed later.
        case corrupt(UInt8)
        /// Pass the end of the stream on. Said once.
        case finish
        /// Nothing to do until something changes.
        case wait
    }

    /// Of the run; what came late is in it from `adopt` on.
    var plan: RequestPlan
    /// Ordinal at its listener, from 1.
    let connection: UInt32
    /// Whether anything could act here, so that order matters.
    var acts: Bool
    /// The latest request whose turn has come, and the latest one that is answered to its end.
    var begun: UInt32 = 0
    var answered: (request: UInt32, end: UInt64) = (0, 0)
    /// Requests up to this one had begun when something came to act here; nothing acts on them.
    var untouched: UInt32 = 0
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
    /// Whether requests are to be given `hints`.
    package let addsHints: Bool
    /// What servers are told of the path as it is now; nil for nothing.
    package var hints: RequestHints?
    /// What dates in answers are counted from.
    package var now = HTTPDate(secondsSince1970: 0)

    /// - Parameters:
    ///   - plan: of the run.
    ///   - connection: its ordinal at its listener, from 1.
    ///   - addsHints: whether requests are to be given `hints`, which holds their heads, as faults do.
    package init(plan: RequestPlan, connection: UInt32, addsHints: Bool = false) {
        self.plan = plan
        self.connection = connection
        self.addsHints = addsHints
        acts = addsHints || plan.concerns(connection: connection)
        watchForEvents(from: 0)
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
        self[direction].hasEnded = true
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
                if direction == .up, isAnswering { return .wait }
                switch due(direction, available: available, ended: ended, run) {
                case .nothing: break
                case .again: continue
                case .answer(let answer): return answer
                }
            }
            return move(direction, available, ended)
        }
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
