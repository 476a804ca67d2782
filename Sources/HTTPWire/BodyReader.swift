/// Finds the content of one message in the bytes behind its head (RFC 9112 §6, §7).
struct BodyReader: Sendable {
    enum Found {
        case content(Range<Int>)
        /// The line before a chunk of so many bytes is complete; the last chunk has none.
        case chunk(size: Int)
        case end(trailers: HeaderFields)
    }

    private enum State {
        /// So many bytes of content are left, then the message ends.
        case content(left: Int)
        case untilClose
        case chunkSize
        /// So many bytes of the chunk are left.
        case chunk(left: Int)
        case chunkEnd(ChunkEnding)
        case trailers(FieldBlock)
    }

    private enum ChunkEnding { case atReturn, atNewline }

    private var state: State
    private var lines = LineBuffer()
    private let limits: MessageLimits

    init(_ framing: MessageFraming, limits: MessageLimits) {
        self.limits = limits
        state =
            switch framing {
            case .none: .content(left: 0)
            case .length(let length): .content(left: length)
            case .chunked: .chunkSize
            case .untilClose: .untilClose
            }
    }

    /// Reads on from `index` and moves it; nil if all bytes were used and more are needed.
    mutating func read(
        _ bytes: Span<UInt8>,
        from index: inout Int
    ) throws(MessageError) -> Found? {
        while true {
            switch state {
            case .content(0): return .end(trailers: [:])
            case .content(let left):
                guard let content = Self.take(left, of: bytes, from: &index) else { return nil }
                state = .content(left: left - content.count)
                return .content(content)
            case .untilClose:
                return Self.take(.max, of: bytes, from: &index).map { .content($0) }
            case .chunk(let left):
                guard let content = Self.take(left, of: bytes, from: &index) else { return nil }
                let rest = left - content.count
                state = rest > 0 ? .chunk(left: rest) : .chunkEnd(.atReturn)
                return .content(content)
            case .chunkSize:
                return try readChunkSize(bytes, from: &index)
            case .chunkEnd(let ending):
                guard index < bytes.count else { return nil }
                try readChunkEnd(ending, bytes[index])
                index += 1
            case .trailers(var block):
                state = .chunkSize
                let isComplete = try block.read(bytes, from: &index)
                state = .trailers(block)
                return isComplete ? .end(trailers: block.fields) : nil
            }
        }
    }

    /// The range of the next bytes, `limit` at most; nil if there are none.
    private static func take(
        _ limit: Int,
        of bytes: Span<UInt8>,
        from index: inout Int
    ) -> Range<Int>? {
        guard index < bytes.count else { return nil }
        let range = index..<index + min(limit, bytes.count - index)
        index = range.upperBound
        return range
    }

    private mutating func readChunkEnd(
        _ ending: ChunkEnding,
        _ byte: UInt8
    ) throws(MessageError) {
        switch (ending, byte) {
        case (.atReturn, UInt8(ascii: "\r")): state = .chunkEnd(.atNewline)
        case (.atNewline, UInt8(ascii: "\n")): state = .chunkSize
        default: throw .malformed("a chunk is not followed by CR LF")
        }
    }

    /// Whether the line before a chunk has begun and is not complete.
    var isInChunkLine: Bool {
        if case .chunkSize = state { !lines.isEmpty } else { false }
    }

    private mutating func readChunkSize(
        _ bytes: Span<UInt8>,
        from index: inout Int
    ) throws(MessageError) -> Found? {
        let isComplete = try lines.read(
            bytes,
            from: &index,
            limit: limits.chunkLine,
            excess: .malformed("a chunk-size line is too long")
        )
        guard isComplete else { return nil }
        let size = try ChunkLine.size(lines.line)
        state = size > 0 ? .chunk(left: size) : .trailers(FieldBlock(size: 0, limits: limits))
        return .chunk(size: size)
    }
}
