package import Basics
package import HTTPWire
internal import LinkEngine

/// The gate of one connection: what every byte passes on its way to its receiver, and where faults
/// act.
///
/// ```
/// FaultPlan ── faults(onConnection:) ──▶ ConnectionFaults ──▶ ByteFaults          a place is an offset
/// RequestPlan ── RequestChooser, for each request ──▶ MessageExchange: WaitingFault
///                                                        └ AnchorResolver: a place becomes an offset
/// read(bytes) ──▶ HTTPTap ──▶ TapEvent ──▶ exchange, its turn and its faults
/// next(direction) ──▶ Answer: pass, drop, insert, act(ArmedFault) …
///                 └─▶ GateNote: what was seen and done, for the journal
/// ```
///
/// It holds no byte. Where messages matter, show it every byte with `read` as it comes, and ends
/// with `end`. Then ask `next` about the bytes that wait in a direction, and do what each answer
/// says, until it says `wait`; take the notes after asking. What it answers depends on the bytes
/// and on the order of calls for the two directions, not on how the bytes were cut or how often it
/// was asked. A fault at a byte of the connection acts as soon as its offset was passed, before
/// anything else at that place.
///
/// With a fault that could act on a request, requests go one after another: the next one waits
/// until the one before is answered, and heads wait until they are complete. Without any,
/// everything passes at once and is only noted.
///
/// It is not copyable, so that asking it costs no copy of all that it holds.
package struct FaultGate: ~Copyable {
    /// What to do next with the bytes of a direction.
    package enum Answer: Hashable, Sendable {
        /// Forward exactly this many of the waiting bytes, at least one. They count as passed.
        ///
        /// They are all content of this request's message, or none of them is content.
        case pass(Int, contentOf: UInt32?)
        /// Throw this many of them away.
        case drop(Int, contentOf: UInt32?)
        /// Write these before anything that waits; they, too, may be content.
        case insert([UInt8], contentOf: UInt32?)
        /// Let this fault act, once, and ask again.
        ///
        /// - `slow`: pace everything from here on at its rate, up to `endPace`; a later one
        ///   replaces it.
        /// - `corrupt`: XOR the first waiting byte with `flippedBits`. It is passed later.
        /// - `stall`, `late`: forward nothing until it is over, then call `resume`. Until then
        ///   `next` says `wait`.
        /// - All others end the near leg, once everything passed before is delivered, or forward
        ///   nothing more. `next` says `wait` for ever in this direction.
        indirect case act(ArmedFault)
        /// Pace nothing from here on.
        case endPace
        /// Pass the end of the stream on. Said once; `wait` follows.
        case finish
        /// Nothing to do until there are more bytes, the end, `resume`, or news of the other
        /// direction.
        case wait
    }

    /// Whether the meaning of the bytes matters, so that they have to be shown.
    package let followsMessages: Bool
    private let up: DirectionState
    private let down: DirectionState
    /// Of the run; what came late is in it from `adopt` on.
    var plan: RequestPlan
    /// Ordinal at its listener, from 1.
    let connection: UInt32
    /// Its ordinals among those to each host that faults name.
    let hosts: HostOrdinals
    /// Whether anything could act on messages here, so that order matters.
    var acts: Bool
    /// The latest request whose turn has come, and the latest one that is answered to its end.
    var begun: UInt32 = 0
    var answered: (request: UInt32, end: UInt64) = (0, 0)
    /// Requests up to this one had begun when something came to act here; nothing acts on them.
    var untouched: UInt32 = 0
    var tap = HTTPTap()
    /// What is seen of its messages, if this is the gate of one stream of HTTP/2; else they are read
    /// from bytes.
    var stream: StreamTap?
    var exchange: MessageExchange?
    /// Events at bytes of the connection that have not happened.
    var byteEvents: [(index: Int, direction: Direction, offset: UInt64)] = []
    /// Content bytes of a lost answer that the client gets, until their end was found.
    var halfOfAnswer: UInt64?
    /// Whether the client's system has acknowledged what has passed to it.
    var isAnswerDelivered = false
    /// How often a fault in a message was due while the gate was asked.
    private(set) var changes: UInt = 0
    private var notes: [GateNote] = []
    /// What every request is given.
    package let rewrites: RequestRewrites
    /// What servers are told of the path as it is now; nil for nothing.
    package var hints: RequestHints?
    /// What dates in answers are counted from.
    package var now = HTTPDate(secondsSince1970: 0)

    /// Makes a gate at which only faults at bytes act.
    package init(faults: ConnectionFaults? = nil) {
        self.init(
            faults: faults,
            plan: RequestPlan(seed: 0),
            connection: 1,
            hosts: [:],
            rewrites: RequestRewrites(),
            follows: false
        )
    }

    /// Makes a gate that looks at messages.
    ///
    /// - Parameters:
    ///   - faults: at bytes of this connection.
    ///   - plan: the faults of the run in requests.
    ///   - connection: its ordinal at its listener, from 1.
    ///   - hosts: its ordinals among those to each host that faults name.
    ///   - rewrites: what every request is given; anything holds their heads, as faults do.
    package init(
        faults: ConnectionFaults? = nil,
        plan: RequestPlan,
        connection: UInt32,
        hosts: HostOrdinals = [:],
        rewrites: RequestRewrites = RequestRewrites()
    ) {
        self.init(
            faults: faults,
            plan: plan,
            connection: connection,
            hosts: hosts,
            rewrites: rewrites,
            follows: true
        )
        watchForEvents(from: 0)
    }

    /// Makes a gate of one stream of HTTP/2, whose messages `take` is told of.
    ///
    /// - Parameters:
    ///   - request: its ordinal on the connection, from 1.
    ///   - plan: the faults of the run in requests.
    ///   - connection: the ordinal of that at its listener, from 1.
    ///   - hosts: its ordinals among those to each host that faults name.
    ///   - rewrites: what every request is given.
    init(
        stream request: UInt32,
        plan: RequestPlan,
        connection: UInt32,
        hosts: HostOrdinals,
        rewrites: RequestRewrites
    ) {
        self.init(
            faults: nil,
            plan: plan,
            connection: connection,
            hosts: hosts,
            rewrites: rewrites,
            follows: true
        )
        stream = StreamTap(request, keepsMessages: plan.copiesMessages)
    }

    private init(
        faults: ConnectionFaults?,
        plan: RequestPlan,
        connection: UInt32,
        hosts: HostOrdinals,
        rewrites: RequestRewrites,
        follows: Bool
    ) {
        up = DirectionState(.up, faults?.up ?? [])
        down = DirectionState(.down, faults?.down ?? [])
        followsMessages = follows
        self.plan = plan
        self.connection = connection
        self.hosts = hosts
        self.rewrites = rewrites
        acts = !rewrites.isEmpty || plan.concerns(connection: connection, hosts: hosts)
        tap.keepsMessages = plan.copiesMessages
    }

    // What comes in.

    /// Looks at the next bytes of a direction; needless if nobody follows messages.
    package mutating func read(_ bytes: Span<UInt8>, _ direction: Direction) {
        var events: [TapEvent] = []
        tap.read(bytes, from: TapSide(sending: direction), into: &events)
        sort(events)
    }

    /// Notes that the sender of a direction has ended; by a FIN if that was orderly.
    package mutating func end(_ direction: Direction, isOrderly: Bool = true) {
        guard followsMessages else { return }
        var events: [TapEvent] = []
        if stream != nil {
            events = stream?.abort(TapSide(sending: direction)) ?? []
        } else {
            tap.end(TapSide(sending: direction), isOrderly: isOrderly, into: &events)
        }
        sort(events)
        lane(direction).hasEnded = true
    }

    /// Bytes of a side that were seen.
    func seen(of side: TapSide) -> UInt64 {
        stream?.position(of: side) ?? tap.position(of: side)
    }

    mutating func sort(_ events: [TapEvent]) {
        for event in events { lane(event.side.sends).events.append(event) }
    }

    // Faults at bytes.

    /// Starts after bytes that have passed without a gate; no fault is armed.
    package mutating func begin(_ direction: Direction, at position: UInt64) {
        lane(direction).bytes.begin(at: position)
    }

    /// Arms one more fault at a byte.
    ///
    /// - Returns: false if its place is passed, or if no byte passes any more.
    package mutating func arm(_ fault: ArmedFault) -> Bool {
        switch lane(fault.direction).phase {
        case .open, .stalled: lane(fault.direction).bytes.arm(fault)
        case .closed, .finished: false
        }
    }

    /// Takes back a fault at a byte that has not acted; false if there is none.
    package mutating func disarm(_ id: String) -> Bool {
        lane(.up).bytes.disarm(id) || lane(.down).bytes.disarm(id)
    }

    /// How many bytes may pass before the next fault at a byte acts; nil if none is left.
    package func unobstructed(_ direction: Direction) -> UInt64? {
        direction == .up ? lane(.up).bytes.unobstructed : lane(.down).bytes.unobstructed
    }

    /// Whether this many bytes may pass at once: no fault at a byte acts before the last of them
    /// has passed.
    package func passes(_ count: Int, _ direction: Direction) -> Bool {
        direction == .up ? lane(.up).passes(count) : lane(.down).passes(count)
    }

    /// Passes bytes that `passes` speaks of, as `next` would; only if nobody follows messages.
    package mutating func pass(_ count: Int, _ direction: Direction) {
        precondition(!followsMessages && isOpen(direction), "bytes that may pass")
        lane(direction).bytes.pass(count)
    }

    /// The faults at bytes that have not acted, with the reason if the connection ends now.
    package func unfired(_ direction: Direction) -> [UnfiredFault] { lane(direction).unfired }

    // What holds a direction.

    /// Whether bytes may pass: not stalled, not ended by a fault, not finished.
    package func isOpen(_ direction: Direction) -> Bool {
        direction == .up ? lane(.up).isOpen : lane(.down).isOpen
    }

    /// Ends a stall of a direction, or passes what a `late` has kept.
    package mutating func resume(_ direction: Direction) { lane(direction).resume() }

    /// Closes a direction because of a fault elsewhere; `next` says `wait` from now on.
    ///
    /// Does nothing once the stream has ended.
    package mutating func close(_ direction: Direction, by fault: String) {
        lane(direction).close(by: fault)
    }

    // What goes out.

    /// Whether `now` is to be set before asking.
    package var needsTime: Bool { plan.needsTime }

    /// Whether all that a `late` has kept has passed.
    package var hasPassedLateBytes: Bool { lane(.up).lateBytes == 0 }

    /// Whether messages hold, change or await nothing from here on: bytes need only be shown.
    package var onlyWatches: Bool {
        !acts && byteEvents.isEmpty && !lane(.down).bytes.hasEnding
    }

    /// Returns what has been seen and done since the last time.
    package mutating func takeNotes() -> [GateNote] {
        guard !notes.isEmpty else { return [] }
        defer { notes.removeAll() }
        return notes
    }

    mutating func note(_ note: GateNote) { notes.append(note) }

    /// What to do with the waiting bytes of a direction where nobody follows messages.
    ///
    /// - Parameters:
    ///   - direction: which one.
    ///   - available: bytes that could be forwarded now; offering fewer than wait is fine.
    ///   - ended: whether the stream's end (FIN) follows right after these bytes. It is passed on
    ///     when it is said with nothing available.
    /// - Returns: the next step; it is to be taken before asking again.
    package mutating func next(
        _ direction: Direction,
        available: Int,
        ended: Bool = false
    ) -> Answer {
        precondition(available >= 0 && !followsMessages, "a count of bytes that nobody reads")
        return lane(direction).nextUnread(available: available, ended: ended)
    }

    /// What to do with the waiting bytes of a direction; all were shown to `read`.
    ///
    /// - Parameters:
    ///   - direction: which one.
    ///   - available: bytes that could be forwarded now.
    ///   - ended: whether the stream's end (FIN) follows right after these bytes.
    ///   - run: what connections have in common.
    /// - Returns: the next step; it is to be taken before asking again.
    package mutating func next(
        _ direction: Direction,
        available: Int,
        ended: Bool,
        run: inout RequestRun
    ) -> Answer {
        precondition(available >= 0, "a count of bytes")
        guard followsMessages else {
            return lane(direction).nextUnread(available: available, ended: ended)
        }
        if let fault = lane(direction).nextByteFault(available: available) {
            return .act(cutsRequest(fault) ? fault.racy : fault)
        }
        let count = lane(direction).unobstructed(available)
        return nextOfMessages(direction, count, ended && count == available, &run)
    }

    /// Whether a fault at a byte of an answer cuts requests, too, of which timing decides how much has come.
    private func cutsRequest(_ fault: ArmedFault) -> Bool {
        guard fault.direction == .down, fault.endsBothDirections, !fault.isByHand else {
            return false
        }
        if isWithinHead || lane(.up).progress.body != nil { return true }
        // Where answers cannot be told apart, requests do not wait for them.
        return tap.opaqueReason(of: .server) != nil && begun > answered.request + 1
    }

    private mutating func nextOfMessages(
        _ direction: Direction,
        _ available: Int,
        _ ended: Bool,
        _ run: inout RequestRun
    ) -> Answer {
        while true {
            settle(&run)
            guard isOpen(direction) else { return .wait }
            if !lane(direction).steps.isEmpty { return nextStep(direction) }
            if acts {
                if direction == .up, isAnswering { return .wait }
                switch due(direction, available: available, ended: ended, run) {
                case .nothing: break
                case .again:
                    changes &+= 1
                    continue
                case .answer(let answer):
                    changes &+= 1
                    return answer
                }
            }
            return move(direction, available, ended)
        }
    }

    /// Notes what did not happen and did not end; call it once, when the connection is over.
    package mutating func close(run: inout RequestRun) {
        let isDownAnswered = lane(.down).phase == .finished && lane(.up).progress.isClosed
        let isUpAnswered = lane(.up).phase == .finished && lane(.down).progress.isClosed
        var ended: [GateNote] = []
        lane(.down).progress.end(isAnswered: isDownAnswered, into: &ended)
        lane(.up).progress.end(isAnswered: isUpAnswered, into: &ended)
        notes += ended
        closeExchange(&run, reason: nil)
        for unfired in lane(.down).unfired + lane(.up).unfired {
            note(.unreached(unfired.fault, unfired.reason))
        }
    }

    // A function, also where the direction is known: the thread sanitizer's compiler (Swift 6.3) fails at
    // a change through a property of a value that cannot be copied.
    func lane(_ direction: Direction) -> DirectionState { direction == .up ? up : down }
}
