/// Follows the messages of one direction and knows where in its stream they stand.
///
/// The owner says when a body begins; the end of one is found here.
struct MessageFollower<Start: StartLine>: Sendable {
    enum BodyPart {
        case content(Range<UInt64>, from: UInt64)
        case chunk(index: Int, size: UInt64, at: Range<UInt64>)
        case end
    }

    /// Bytes of the stream that were read.
    private(set) var position: UInt64 = 0
    /// The end of the last head, chunk line, content or message.
    private(set) var boundary: UInt64 = 0
    /// Content of the current message so far.
    private(set) var contentBytes: UInt64 = 0
    private var chunks = 0
    /// Bytes of empty lines before a head that is complete and not yet accepted.
    private var skipped = 0
    private let limits: MessageLimits
    private var head: HeadReader<Start>
    private var body: BodyReader?

    init(limits: MessageLimits) {
        self.limits = limits
        head = HeadReader(limits: limits)
    }

    /// Whether a head was read whose content is not complete.
    var isInBody: Bool { body != nil }

    /// Whether no byte of a message has been read that is not complete.
    var isBetweenMessages: Bool { body == nil && head.isIdle }

    /// Whether the content has not begun, not even its framing.
    var isAtStartOfBody: Bool {
        body != nil && position == boundary && contentBytes == 0 && chunks == 0
    }

    /// Where the head begins that is being read or not yet accepted.
    var headStart: UInt64 { boundary + UInt64(skipped + head.skipped) }

    /// Where the line before a chunk begins that is being read; nil elsewhere.
    var chunkLineStart: UInt64? {
        body?.isInChunkLine == true ? boundary + (chunks == 0 ? 0 : 2) : nil
    }

    /// What there is of the start line that is being read.
    var startLine: [UInt8] { head.startLine }

    /// Reads on from `index` and moves it; nil if all bytes were used.
    mutating func readHead(
        _ bytes: Span<UInt8>,
        from index: inout Int
    ) throws(MessageError) -> (Start, HeaderFields, at: Range<UInt64>)? {
        let first = index
        let found = try head.read(bytes, from: &index)
        position += UInt64(index - first)
        guard let (start, fields, emptyLines) = found else { return nil }
        if let doubt = head.framingDoubt {
            skipped = emptyLines
            throw .malformed(doubt)
        }
        skipped = emptyLines
        return (start, fields, headStart..<position)
    }

    /// Says that the head was understood and no content belongs to it: another head follows.
    mutating func acceptHead() {
        boundary = position
        skipped = 0
    }

    /// Says that the head was understood and how the content behind it is framed.
    mutating func beginBody(_ framing: MessageFraming) {
        acceptHead()
        body = BodyReader(framing, limits: limits)
        contentBytes = 0
        chunks = 0
    }

    /// Reads on from `index` and moves it; nil if all bytes were used.
    mutating func readBody(
        _ bytes: Span<UInt8>,
        from index: inout Int
    ) throws(MessageError) -> BodyPart? {
        let first = index
        let found = try body?.read(bytes, from: &index)
        position += UInt64(index - first)
        switch found {
        case nil: return nil
        case .content(let range):
            // Framing may stand before content in the same bytes, never behind it.
            boundary = position
            let from = contentBytes
            contentBytes += UInt64(range.count)
            return .content(position - UInt64(range.count)..<position, from: from)
        case .chunk(let size):
            // CR LF stands between the content of one chunk and the line of the next.
            let start = boundary + (chunks == 0 ? 0 : 2)
            chunks += 1
            boundary = position
            return .chunk(index: chunks, size: UInt64(size), at: start..<position)
        case .end:
            boundary = position
            body = nil
            return .end
        }
    }

    /// Counts bytes that nobody looks at, up to this offset.
    mutating func skip(to end: UInt64) { position = end }

    /// Reads all of `bytes` from `index` on as frames of a WebSocket.
    mutating func readRest(
        of bytes: Span<UInt8>,
        _ index: inout Int,
        with frames: inout WebSocketReader?,
        into events: inout [InsideEvent]
    ) throws(MessageError) {
        let rest = bytes.extracting(index...)
        let start = position
        index = bytes.count
        skip(to: start + UInt64(rest.count))
        try frames?.read(rest, at: start, into: &events)
    }
}

extension MessageFollower.BodyPart {
    /// Adds the event for content or a chunk line; false for the end.
    func report(
        _ side: TapSide,
        _ number: Int,
        _ contentBytes: UInt64,
        into events: inout [TapEvent]
    ) -> Bool {
        switch self {
        case .content(let range, let offset):
            events.append(.content(side, r: number, bytes: range, from: offset))
        case .chunk(let index, let size, let line):
            events.append(
                .chunk(
                    side,
                    r: number,
                    index: index,
                    contentOffset: contentBytes,
                    size: size,
                    at: line
                )
            )
        case .end: return false
        }
        return true
    }
}
