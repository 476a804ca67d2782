/// Reads the events of a `text/event-stream` (WHATWG HTML §9.2.5).
///
/// An event is a block of lines with a `data` field, up to the empty line that ends it, without the
/// comments before it. A block without data makes no event (§9.2.6); it counts for nothing, but its
/// `id` does. Give it the content in slices of any size; how it is cut changes nothing but the ranges of
/// parts.
package struct EventStreamReader: Sendable {
    private enum Line: Hashable {
        case start
        /// Within the name of a field.
        case name
        case value
        case comment
        /// After a CR, which an LF may complete.
        case afterReturn(isEmpty: Bool)
    }

    private enum Block: Hashable {
        /// No line of a block but comments.
        case none
        /// Lines, and no data among them yet.
        case pending
        case event
    }

    /// The most bytes of lines that are kept to see whether data follows.
    package static let maximumPending: UInt64 = 65_536
    /// The most bytes of a field that are looked at.
    private static let maximumField = 1_024
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether parts have their bytes.
    package var keepsContent = false
    private var line = Line.start
    private var block = Block.none
    /// Bytes of the byte order mark that were read; nil once anything else was.
    private var marks: Int? = 0
    private var name: [UInt8] = []
    private var value: [UInt8] = []
    /// Bytes of the block that were not reported: runs of the stream, and the bytes themselves.
    private var runs: [Range<UInt64>] = []
    private var kept: [UInt8] = []
    private var unreported: UInt64 = 0
    /// Bytes of the event that were reported.
    private var reported: UInt64 = 0
    /// Where it showed that the block is an event.
    private var known: UInt64 = 0
    private var hint = ResumptionHint()
    /// Events whose end was read.
    private(set) var count: UInt32 = 0

    /// The end of the byte that was too much to keep; nil if there was none.
    private(set) var limit: UInt64?

    package init() {}

    /// Where the bytes begin of which the next ones tell what they are; nil if there are none.
    package var unfinished: UInt64? { runs.first?.lowerBound }

    /// Reads the next content, which begins at `position` of the stream.
    ///
    /// - Throws: `MessageError.malformed` at lines without data that are too long, at `limit`.
    package mutating func read(
        _ bytes: Span<UInt8>,
        at position: UInt64,
        into events: inout [InsideEvent]
    ) throws(MessageError) {
        for index in bytes.indices {
            take(bytes[index], at: position + UInt64(index), into: &events)
            guard block != .pending || unreported <= Self.maximumPending else {
                limit = position + UInt64(index) + 1
                throw .malformed("lines of an event without data that are too long")
            }
        }
        if block == .event { reportParts(into: &events) }
    }

    /// Notes that no more content comes: what is incomplete is no event.
    package mutating func end(at position: UInt64, into events: inout [InsideEvent]) {
        if case .afterReturn(isEmpty: true) = line, block != .none { endBlock(into: &events) }
        if block == .event { report(isLast: false, into: &events) }
        runs = []
        events.append(.end(count: count, at: position))
    }

    private mutating func take(
        _ byte: UInt8,
        at place: UInt64,
        into events: inout [InsideEvent]
    ) {
        if let seen = marks {
            if byte == Self.mark[seen] {
                marks = seen + 1 < Self.mark.count ? seen + 1 : nil
                return
            }
            marks = nil
        }
        if case .afterReturn(let isEmpty) = line {
            if byte == UInt8(ascii: "\n") {
                if block != .none { keep(byte, place) }
                line = .start
                if isEmpty { endBlock(into: &events) }
                return
            }
            line = .start
            if isEmpty { endBlock(into: &events) }
        }
        takeInLine(byte, at: place, into: &events)
    }

    private mutating func takeInLine(
        _ byte: UInt8,
        at place: UInt64,
        into events: inout [InsideEvent]
    ) {
        let isEnd = byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
        if line == .start, !isEnd {
            line = byte == UInt8(ascii: ":") ? .comment : .name
            if line == .name, block == .none { block = .pending }
            (name, value) = ([], [])
        }
        if block != .none { keep(byte, place) }
        if isEnd {
            let isEmpty = line == .start
            if !isEmpty { endLine() }
            if byte == UInt8(ascii: "\r") {
                line = .afterReturn(isEmpty: isEmpty)
                if isEmpty { completeBlock(at: place + 1, into: &events) }
            } else {
                line = .start
                if isEmpty { endBlock(into: &events) }
            }
        } else if line == .name, byte == UInt8(ascii: ":") {
            line = .value
        } else if line == .name {
            if name.count < 8 { name.append(byte) }
        } else if line == .value, value.count < Self.maximumField + 2 {
            // A space that does not count, and one byte too many.
            value.append(byte)
        }
        if block == .pending, line == .value || isEnd, name.elementsEqual("data".utf8) {
            block = .event
            known = place + 1
        }
    }

    /// Takes what a whole field says (§9.2.6).
    private mutating func endLine() {
        guard line != .comment else { return }
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        guard value.count <= Self.maximumField else { return }
        let text = String(decoding: value, as: UTF8.self)
        if name.elementsEqual("id".utf8), !value.contains(0) { hint.id = text }
        let isNumber = !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }
        if name.elementsEqual("retry".utf8), isNumber, let time = UInt64(text) {
            hint.retryMilliseconds = time
        }
    }

    private mutating func keep(_ byte: UInt8, _ place: UInt64) {
        unreported += 1
        if keepsContent { kept.append(byte) }
        if let last = runs.last, last.upperBound == place {
            runs[runs.count - 1] = last.lowerBound..<place + 1
        } else {
            runs.append(place..<place + 1)
        }
    }

    /// Tells what is certain at a CR that ends a block, whatever follows.
    private mutating func completeBlock(at place: UInt64, into events: inout [InsideEvent]) {
        guard block != .none else { return }
        let ordinal = block == .event ? count.successor : nil
        if let ordinal {
            reportParts(into: &events)
            events.append(.whole(ordinal: ordinal, at: place))
        }
        tell(ordinal, at: place, into: &events)
    }

    private mutating func tell(
        _ ordinal: UInt32?,
        at place: UInt64,
        into events: inout [InsideEvent]
    ) {
        guard !hint.isEmpty else { return }
        events.append(.told(hint, ordinal: ordinal, at: place))
        hint = ResumptionHint()
    }

    /// Ends a block at its empty line.
    private mutating func endBlock(into events: inout [InsideEvent]) {
        let place = runs.last?.upperBound ?? 0
        if block == .event {
            report(isLast: true, into: &events)
            count = count.successor
        }
        tell(block == .event ? count : nil, at: place, into: &events)
        block = .none
        (runs, kept, unreported, reported) = ([], [], 0, 0)
    }

    /// Reports what was read of an event, but for a CR that may be its end.
    private mutating func reportParts(into events: inout [InsideEvent]) {
        guard case .afterReturn(isEmpty: true) = line, let last = runs.popLast() else {
            return report(isLast: false, into: &events)
        }
        let held = last.upperBound - 1..<last.upperBound
        let content = kept.popLast()
        if last.count > 1 { runs.append(last.lowerBound..<held.lowerBound) }
        report(isLast: false, into: &events)
        (runs, unreported) = ([held], 1)
        if let content { kept = [content] }
    }

    private mutating func report(isLast: Bool, into events: inout [InsideEvent]) {
        var content = kept[...]
        for (index, run) in runs.enumerated() {
            let part = MessagePart(
                count.successor,
                run,
                from: reported,
                known: known,
                isLast: isLast && index == runs.count - 1,
                content: Array(content.prefix(run.count))
            )
            content = content.dropFirst(run.count)
            reported += UInt64(run.count)
            events.append(.part(part))
        }
        (runs, kept, unreported) = ([], [], 0)
    }
}
