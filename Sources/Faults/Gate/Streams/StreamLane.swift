internal import Basics
internal import HTTP2
internal import HTTPWire

/// One direction of a `StreamGates`.
final class StreamLane {
    var reader = FrameReader()
    let decoder = FieldDecoder()
    /// Nil as long as every field block passes as it came.
    var encoder: FieldEncoder?
    /// What its receiver allows for the table of fields, once it has said so.
    var table: UInt32?
    /// The stream of the DATA frame that is being read.
    var dataStream: UInt32 = 0
    private var units: [StreamUnit] = []
    private var first = 0
    /// The unit that content is kept in as it is read; nil if that of this frame is not kept.
    private var filling: Int?
    /// Streams of which something waits, or whose gates may have more to say than they have said.
    var stirred = StreamSet()
    /// What the connection is to do next.
    var answers: [FaultGate.Answer] = []
    /// Frames that are to go to the receiver between two others, before any that waits.
    var urgent: [UInt8] = []
    /// Ends of streams, which follow once the receiver has taken what is before them: one that reads both
    /// at once may throw away what it has not handed on.
    var endings: [UInt8] = []
    /// Frames that have passed; the first ones are what each side has to say first (RFC 9113 §3.4).
    private var passedUnits = 0
    /// Whether the bytes could not be understood; they pass as they are.
    var isOpaque = false
    /// What its receiver takes on the whole connection.
    var window = LentWindow()
    /// The size with which its receiver's windows of streams begin.
    var initialWindow = LentWindow.initialSize
    /// The size announced to its sender instead; nil for the receiver's.
    var announcedWindow: Int?
    /// What waits of all streams and is to be lent for.
    var covered = 0
    /// Whether its sender has ended.
    var hasEnded = false

    var isEmpty: Bool { first == units.count }

    /// The unit whose bytes are next.
    var front: StreamUnit { units[first] }

    func append(_ unit: StreamUnit) { units.append(unit) }

    func removeFront() {
        first += 1
        passedUnits += 1
        if first > 64, first * 2 > units.count {
            units.removeFirst(first)
            filling = filling.map { $0 - first }
            first = 0
        }
    }

    /// Whether other frames may go out here: no unit has passed in part, and the preface has.
    func takesFrames(_ direction: Direction) -> Bool {
        guard passedUnits >= (direction == .up ? 2 : 1) else { return false }
        return isEmpty
            || front.left == front.wire.prefix + front.wire.content + front.wire.padding
                && front.wire.prefix > 0
    }

    /// Notes that the units of a frame follow, whose content is kept or not.
    func beginContent(isKept: Bool) { filling = isKept ? units.count : nil }

    /// Keeps content of the frame that is being read, if that is wanted.
    func keep(_ bytes: Span<UInt8>) {
        guard var place = filling else { return }
        var index = 0
        while index < bytes.count {
            let room = units[place].wire.content - units[place].content.count
            let count = min(room, bytes.count - index)
            units[place].content.append(copying: bytes.extracting(index..<index + count))
            index += count
            if count == room, index < bytes.count { place += 1 }
        }
        filling = place
    }

    /// Makes every field block from here on one of ours.
    func writeBlocks() {
        guard encoder == nil else { return }
        let encoder = FieldEncoder()
        if let table { encoder.allow(table: table) }
        self.encoder = encoder
    }

    func allow(table size: UInt32) {
        table = size
        encoder?.allow(table: size)
    }
}

extension StreamLane {
    /// The next step that was decided before, as far as there are bytes for it.
    func takeAnswer(_ available: Int) -> FaultGate.Answer? {
        guard let answer = answers.first else { return nil }
        switch answer {
        case .pass(let count, let request) where count > available:
            guard available > 0 else { return .wait }
            answers[0] = .pass(count - available, contentOf: request)
            return .pass(available, contentOf: request)
        case .drop(let count, let request) where count > available:
            guard available > 0 else { return .wait }
            answers[0] = .drop(count - available, contentOf: request)
            return .drop(available, contentOf: request)
        default:
            answers.removeFirst()
            return answer
        }
    }

    /// Frames that go before the next unit, if there are any.
    func takeUrgent() -> FaultGate.Answer? {
        guard !urgent.isEmpty else { return nil }
        defer { urgent.removeAll() }
        return .insert(urgent, contentOf: nil)
    }
}

/// Streams in the order of their numbers.
struct StreamSet {
    private var ids: [UInt32] = []

    subscript(place: Int) -> UInt32? { place < ids.count ? ids[place] : nil }

    mutating func insert(_ id: UInt32) {
        var place = ids.endIndex
        while place > ids.startIndex, ids[place - 1] >= id {
            if ids[place - 1] == id { return }
            place -= 1
        }
        ids.insert(id, at: place)
    }

    mutating func remove(_ id: UInt32) {
        if let place = ids.firstIndex(of: id) { ids.remove(at: place) }
    }
}
