internal import Basics
internal import HTTPWire

/// What the bytes of one direction are that were read and have not all passed.
struct DeliveryProgress: Hashable, Sendable {
    private enum Mark: Hashable {
        /// Told once the bytes before the place have passed.
        case note(GateNote)
        case beginBody(request: UInt32)
        case content(to: UInt64)
        case chunkEdge(UInt64)
        case endBody(isComplete: Bool)
        case beginMessages(MessagesNote)
        /// Bytes of a message begin, which the receiver gets `copies` times.
        case part(MessagePart, copies: UInt32)
        case endMessage(UInt32, copies: UInt32)
        case told(ResumptionHint)
        case closed(code: UInt16?)
        case status(CallStatus)
        case lost
    }

    private struct Place: Hashable {
        let at: UInt64
        let mark: Mark
    }

    /// The longest header of a frame (RFC 6455 §5.2).
    private static let maximumHeader: UInt64 = 14

    /// Bytes passed, dropped ones among them.
    private(set) var passed: UInt64 = 0
    private var places: [Place] = []
    /// The first of `places` that has not been reached.
    private var first = 0
    private var contentEnd: UInt64 = 0
    private(set) var body: BodyNote?
    private var messages: MessagesNote?
    /// Whether a close frame of the sender has passed.
    private(set) var isClosed = false
    /// The message that was the last to end.
    private var ended: UInt32 = 0
    /// The part of a message that is passing, or has passed last.
    private var part: MessagePart?
    private let direction: Direction

    init(_ direction: Direction) { self.direction = direction }

    /// The request whose message's content passes; nil outside of content.
    var request: UInt32? { body?.request }

    // What is known.

    mutating func note(_ note: GateNote, at place: UInt64) { add(.note(note), at: place) }

    mutating func beginBody(_ request: UInt32, _ framing: MessageFraming, at place: UInt64) {
        if framing != .none { add(.beginBody(request: request), at: place) }
    }

    mutating func beginMessages(_ kind: MessageKind, of request: UInt32, at place: UInt64) {
        add(.beginMessages(MessagesNote(kind, request, direction)), at: place)
    }

    /// Notes what is inside; the receiver gets the message `copies` times.
    mutating func record(_ event: InsideEvent, copies: UInt32) {
        switch event {
        case .part(let part):
            insert(.part(part, copies: copies), at: max(part.bytes.lowerBound, part.known))
            if part.isLast {
                insert(.endMessage(part.ordinal, copies: copies), at: part.bytes.upperBound)
            }
        case .begun(let ordinal, let from, let place):
            let header = place..<place + Self.maximumHeader
            let part = MessagePart(ordinal, header, from: from, isLast: false)
            insert(.part(part, copies: copies), at: place)
        case .whole(let ordinal, let place):
            insert(.endMessage(ordinal, copies: copies), at: place)
        case .told(let hint, _, let place): if copies > 0 { insert(.told(hint), at: place) }
        case .close(let code, let place): insert(.closed(code: code), at: place)
        case .status(let status, let place): insert(.status(status), at: place)
        case .lost(let place): loseMessages(at: place)
        case .control, .end: break
        }
    }

    /// Notes that messages cannot be told apart from a place on.
    mutating func loseMessages(at place: UInt64) { insert(.lost, at: place) }

    /// Counts a message that passes once more.
    mutating func addMessage() { messages?.add(1) }

    /// Notes a close frame that is not the sender's.
    mutating func noteClose(_ code: UInt16) {
        messages?.closeCode = code
        messages?.isCutByFault = true
    }

    mutating func record(_ event: TapEvent) {
        switch event {
        case .content(_, _, let bytes, _):
            add(.content(to: bytes.upperBound), at: bytes.lowerBound)
        case .chunk(_, _, let index, let offset, _, let line):
            // Only the whole line tells that a chunk has begun.
            if index > 1 { add(.chunkEdge(offset), at: line.upperBound) }
        case .messageEnd(_, _, let place, _, let how):
            add(.endBody(isComplete: how != .incomplete), at: place)
        default: break
        }
    }

    private mutating func add(_ mark: Mark, at place: UInt64) {
        places.append(Place(at: place, mark: mark))
    }

    /// Adds what is known later than what comes after it.
    private mutating func insert(_ mark: Mark, at place: UInt64) {
        let after = places[first...].lastIndex { $0.at <= place }
        places.insert(Place(at: place, mark: mark), at: after.map { $0 + 1 } ?? first)
    }

    // What passes.

    /// How many of `count` bytes are of one kind, and whether they are content.
    func span(_ count: Int) -> (count: Int, isContent: Bool) {
        if passed < contentEnd { return (Int(min(UInt64(count), contentEnd - passed)), true) }
        guard first < places.count, places[first].at > passed else { return (count, false) }
        return (Int(min(UInt64(count), places[first].at - passed)), false)
    }

    /// Counts content that passed in addition to the sender's.
    mutating func addContent(_ count: Int) { body?.bytes += UInt64(count) }

    /// Counts bytes that passed; `isDelivered` if the receiver got them.
    mutating func advance(_ count: Int, isContent: Bool, isDelivered: Bool) {
        passed += UInt64(count)
        guard isContent else { return }
        if isDelivered {
            body?.bytes += UInt64(count)
        } else {
            body?.isCutByFault = true
        }
    }

    /// Adds notes of what has been reached.
    mutating func reach(into notes: inout [GateNote]) {
        while first < places.count, places[first].at <= passed {
            reach(places[first].mark, into: &notes)
            first += 1
        }
        if first > 32, first * 2 > places.count {
            places.removeFirst(first)
            first = 0
        }
    }

    private mutating func reach(_ mark: Mark, into notes: inout [GateNote]) {
        switch mark {
        case .note(let note): notes.append(note)
        case .beginBody(let request): body = BodyNote(request: request, direction: direction)
        case .content(let end): contentEnd = end
        case .chunkEdge(let offset):
            if let body, body.bytes == offset, body.chunkEdges.count < BodyNote.maximumEdges {
                self.body?.chunkEdges.append(offset)
            }
        case .endBody(let isComplete):
            let isCut = body?.isCutByFault ?? false
            body?.isComplete = isComplete && !isCut
            messages?.end(isComplete: isComplete && !isCut)
            endBody(into: &notes)
        case .beginMessages(let note): (messages, ended) = (note, 0)
        case .part(let part, let copies):
            if part.ordinal > ended { self.part = copies > 0 ? part : nil }
        case .endMessage(let ordinal, let copies):
            guard ordinal > ended else { return }
            messages?.add(copies)
            (part, ended) = (nil, ordinal)
        case .told(let hint):
            messages?.hint.add(hint)
        case .closed(let code):
            messages?.closeCode = code ?? 1_005
            isClosed = messages != nil
        case .status(let status): messages?.status = status
        case .lost: messages?.isLost = true
        }
    }

    /// Adds a note of content whose end will not come, or has.
    private mutating func endBody(into notes: inout [GateNote]) {
        if let body { notes.append(.body(body)) }
        if let kind = messages?.kind, kind != .webSocket {
            messages?.isCutByFault = body?.isCutByFault ?? false
            endMessages(into: &notes)
        }
        body = nil
    }

    private mutating func endMessages(into notes: inout [GateNote]) {
        if let part {
            let count = min(passed, part.bytes.upperBound) - part.bytes.lowerBound
            messages?.partialBytes = part.from + count
        }
        if var messages {
            // What is left of an event is none; what is left of a frame is a part.
            let isCut = messages.kind != .event && messages.partialBytes > 0
            messages.isWhole = messages.isWhole && !isCut && !messages.isLost
            notes.append(.messages(messages))
        }
        messages = nil
        part = nil
    }

    /// Adds notes of what ends with the connection.
    ///
    /// - Parameters:
    ///   - isAnswered: whether the sender's end was passed on, after a close frame of the other side.
    ///   - notes: where they are added.
    mutating func end(isAnswered: Bool, into notes: inout [GateNote]) {
        if messages?.kind == .webSocket { messages?.isWhole = isClosed || isAnswered }
        endBody(into: &notes)
        endMessages(into: &notes)
    }
}
