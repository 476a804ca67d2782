internal import Basics
internal import HTTPWire

/// Finds the offset in a stream that a place in a message stands for, as the message comes.
struct AnchorResolver: Hashable, Sendable {
    enum State: Hashable {
        /// Not seen yet.
        case waiting
        /// Here, unless more of the message follows: nothing passes before that is known.
        case tentative(UInt64)
        case found(UInt64)
        case unreachable(UnreachedReason)
    }

    private(set) var state = State.waiting
    /// The offset in its part that the place turned out to be.
    private(set) var partOffset: UInt64?
    let anchor: Anchor
    /// The content bytes in front of the place, once they are known.
    private var wanted: UInt64?
    /// The bytes of the message inside whose end tells the place.
    private var parts: [Range<UInt64>] = []
    /// Whether the end of any later message will do.
    private var isPostponed = false
    private var heldBytes = AnchorResolver.heldBytes

    /// - Parameter anchor: in a request or response; with nothing drawn left in it.
    init(_ anchor: Anchor) { self.anchor = anchor }

    /// The direction of the messages that the place is in.
    var direction: Direction {
        switch anchor {
        case .message(let direction, _, _), .byte(let direction, _), .datagrams(let direction, _):
            direction
        case .inside(let message, _): message.direction
        case .interim, .idle, .connect, .whole, .silence, .tls: .down
        }
    }

    /// Offset beyond which nothing may pass.
    var limit: UInt64? {
        switch state {
        case .tentative(let place), .found(let place): place
        case .waiting, .unreachable: nil
        }
    }

    var target: UInt64? {
        if case .found(let place) = state { return place }
        return nil
    }

    private var isOpen: Bool {
        switch state {
        case .waiting, .tentative: true
        case .found, .unreachable: false
        }
    }

    /// Notes that the place will not come.
    mutating func give(up reason: UnreachedReason) {
        if isOpen { state = .unreachable(reason) }
    }

    /// Forgets a place that was passed without anything happening there.
    mutating func leave() { state = .waiting }

    /// Looks at the next event of the exchange.
    mutating func observe(_ event: TapEvent) {
        guard isOpen else { return }
        switch event {
        case .requestHead(_, _, let framing, let range):
            if direction == .up { observeHead(range, framing) }
        case .responseHead(_, _, let framing, let range):
            if case .interim = anchor {
                give(up: .notSeen)
            } else if direction == .down {
                observeHead(range, framing)
            }
        case .interim(_, let k, let head, let range): observeInterim(head.status, k, range)
        case .chunk(let side, _, let index, let offset, let size, let line):
            if side.sends == direction { observeChunk(index, offset, size, line) }
        case .content(let side, _, let bytes, let from):
            if side.sends == direction { observeContent(bytes, from) }
        case .messageEnd(let side, _, let place, let size, let how):
            if side.sends == direction { observeEnd(place, size, how) }
        case .incompleteHead(let side, _, let range):
            if side.sends == direction { give(up: .messageEnded(at: UInt64(range.count))) }
        case .inside(let side, _, let kind, let event):
            observeInside(side.sends, kind, event)
        case .opaque(let side, _, _): if side.sends == direction { give(up: .notFollowed) }
        }
    }

    // Messages inside.

    /// The most bytes of a message that wait for its end to be known.
    private static let heldBytes: UInt64 = 65_536
    /// In a stream of HTTP/2, whose sender gets no more window for what waits: far below the 65,535 bytes
    /// of a window with its initial size (RFC 9113 §6.9.2).
    private static let heldBytesOfStream: UInt64 = 16_384

    /// Notes that the messages are in a stream of HTTP/2.
    mutating func enterStream() { heldBytes = Self.heldBytesOfStream }

    /// Waits for the end of a later message instead.
    mutating func postpone() {
        state = .waiting
        isPostponed = true
    }

    private mutating func observeInside(
        _ direction: Direction,
        _ kind: MessageKind,
        _ event: InsideEvent
    ) {
        guard case .inside(let message, let offset) = anchor, message.kind == kind,
            message.direction == direction
        else { return }
        switch event {
        case .part(let part):
            if isPostponed {
                if part.isLast { found(part.bytes.upperBound, nil) }
            } else if part.ordinal == message.ordinal {
                observe(part, offset)
            }
        case .end(let count, _): give(up: .messagesEnded(after: count))
        case .lost: give(up: .notFollowed)
        case .begun, .whole, .told, .control, .close, .status: break
        }
    }

    private mutating func observe(_ part: MessagePart, _ offset: Anchor.PartOffset) {
        switch offset {
        case .fromStart(let start):
            let count = start.lowest
            if count >= part.from, count <= part.upperBound, part.from == 0 || count > part.from {
                found(part.bytes.lowerBound + (count - part.from), count)
            } else if part.isLast, count > part.upperBound {
                give(up: .messageEnded(at: part.upperBound))
            }
        case .end: if part.isLast { found(part.bytes.upperBound, part.upperBound) }
        case .fromEnd, .perMille:
            parts.append(part.bytes)
            state = .tentative(parts[0].lowerBound)
            if part.isLast {
                find(offset, in: parts)
            } else if let size = part.size {
                guard let place = Self.place(offset, in: size) else {
                    return give(up: .messageEnded(at: size))
                }
                found(parts[0].lowerBound + place, place)
            } else if part.upperBound > heldBytes {
                give(up: .tooLong)
            }
        }
    }

    private mutating func find(_ offset: Anchor.PartOffset, in parts: [Range<UInt64>]) {
        let size = parts.reduce(0) { $0 + UInt64($1.count) }
        guard let place = Self.place(offset, in: size) else {
            return give(up: .messageEnded(at: size))
        }
        var before: UInt64 = 0
        for part in parts {
            if place - before <= UInt64(part.count) {
                return found(part.lowerBound + (place - before), place)
            }
            before += UInt64(part.count)
        }
    }

    // Heads.

    private mutating func observeHead(_ range: Range<UInt64>, _ framing: MessageFraming) {
        guard case .message(_, let part, let offset) = anchor else { return }
        switch part {
        case .head: find(offset, in: range)
        case .body: beginBody(offset, framing, at: range.upperBound)
        case .chunk, .size, .last:
            if framing != .chunked { give(up: .messageEnded(at: 0)) }
        case .end: break
        }
    }

    private mutating func observeInterim(_ status: Int, _ k: Int, _ range: Range<UInt64>) {
        guard case .interim(status, let ordinal, let offset) = anchor,
            ordinal.map({ Int($0) == k }) ?? true
        else { return }
        find(offset, in: range)
    }

    private mutating func find(_ offset: Anchor.PartOffset, in range: Range<UInt64>) {
        let size = UInt64(range.count)
        guard let place = Self.place(offset, in: size) else {
            give(up: .messageEnded(at: size))
            return
        }
        found(range.lowerBound + place, place)
    }

    /// Nil for a place beyond the end.
    private static func place(_ offset: Anchor.PartOffset, in size: UInt64) -> UInt64? {
        switch offset {
        case .fromStart(.at(let count)):
            count <= size ? count : nil
        case .fromStart(.drawn(let range)): range.lowerBound <= size ? range.lowerBound : nil
        case .fromEnd(let count): count <= size ? size - count : nil
        case .perMille(let thousandths):
            // Never beyond 64 bits: the quotient is at most the size.
            size / 1_000 * UInt64(thousandths) + size % 1_000 * UInt64(thousandths) / 1_000
        case .end: size
        }
    }

    private mutating func found(_ place: UInt64, _ offset: UInt64?) {
        state = .found(place)
        partOffset = offset
    }

    // Content.

    private mutating func beginBody(
        _ offset: Anchor.PartOffset,
        _ framing: MessageFraming,
        at start: UInt64
    ) {
        let length: UInt64?
        switch framing {
        case .none: length = 0
        case .length(let count): length = UInt64(count)
        case .chunked, .untilClose: length = nil
        }
        if let length {
            wanted = Self.place(offset, in: length)
            if wanted == nil { give(up: .messageEnded(at: length)) }
        } else {
            switch offset {
            case .fromStart: wanted = Self.place(offset, in: .max)
            case .fromEnd, .perMille: give(up: .lengthUnknown)
            case .end: state = .tentative(start)
            }
        }
        if wanted == 0 { found(start, 0) }
    }

    private mutating func observeChunk(
        _ index: Int,
        _ offset: UInt64,
        _ size: UInt64,
        _ line: Range<UInt64>
    ) {
        guard case .message(_, let part, let place) = anchor else { return }
        if case .tentative(let end) = state {
            if size == 0 { found(end, offset) } else { state = .waiting }
        }
        switch part {
        case .size(let ordinal) where index == Int(ordinal): return find(place, in: line)
        // How long it is, its end tells.
        case .last where size == 0: state = .tentative(line.lowerBound)
        case .head, .body, .chunk, .size, .last, .end: break
        }
        guard case .chunk(let ordinal) = part, index == Int(ordinal) || size == 0 else { return }
        guard size > 0, let inChunk = Self.place(place, in: size) else {
            give(up: .messageEnded(at: size > 0 ? size : offset))
            return
        }
        wanted = offset + inChunk
        if inChunk == 0 { found(line.upperBound, wanted) }
    }

    private mutating func observeContent(_ bytes: Range<UInt64>, _ from: UInt64) {
        guard case .message(_, let part, let offset) = anchor else { return }
        if let wanted, wanted > from, wanted - from <= UInt64(bytes.count) {
            found(bytes.lowerBound + (wanted - from), wanted)
        } else if part == .body, offset == .end, wanted == nil {
            state = .tentative(bytes.upperBound)
        }
    }

    private mutating func observeEnd(_ place: UInt64, _ size: UInt64, _ how: MessageEnding) {
        guard case .message(_, let part, let offset) = anchor else { return }
        if part == .last, case .tentative(let start) = state, how == .complete {
            find(offset, in: start..<place)
        } else if case .tentative(let end) = state, how == .closeDelimited {
            found(end, size)
        } else if part == .end, how != .incomplete {
            found(place, size)
        } else {
            give(up: .messageEnded(at: size))
        }
    }
}

extension TapSide {
    /// The direction in which this side sends.
    var sends: Direction { self == .client ? .up : .down }

    init(sending direction: Direction) { self = direction == .up ? .client : .server }
}
