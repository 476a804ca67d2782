/// Reads the messages that one side of a gRPC call sends: a flag, the length in four bytes, the content
/// (gRPC over HTTP/2, Length-Prefixed-Message).
///
/// Give it the content in slices of any size; how it is cut changes nothing but the ranges of parts. What
/// compression does to the content does not matter.
package struct GRPCReader: Sendable {
    /// The flag and the length.
    private static let prefix = 5

    /// Bytes of the prefix that were read.
    private var prefixRead = 0
    /// What they say of the length.
    private var length: UInt64 = 0
    /// Content bytes to come; nil as long as the prefix is incomplete.
    private var left: UInt64?
    /// Bytes of the message before the next ones.
    private var passed: UInt64 = 0
    /// Messages whose end was read, at most as many as have an ordinal.
    private(set) var count: UInt32 = 0

    /// Whether parts have their bytes.
    package var keepsContent = false

    package init() {}

    /// Reads the next content, which begins at `position` of the stream; a message has one part in it.
    ///
    /// - Throws: `MessageError.malformed` at a message that no side may send; its place is that of the
    ///   bytes that follow the last part.
    package mutating func read(
        _ bytes: Span<UInt8>,
        at position: UInt64,
        into events: inout [InsideEvent]
    ) throws(MessageError) {
        var index = 0
        while index < bytes.count {
            let first = index
            if left == nil { try readPrefix(bytes, &index) }
            if let left {
                let taken = min(left, UInt64(bytes.count - index))
                self.left = left - taken
                index += Int(taken)
            }
            let part = position + UInt64(first)..<position + UInt64(index)
            var content: [UInt8] = []
            if keepsContent { content.append(copying: bytes.extracting(first..<index)) }
            report(part, content, into: &events)
        }
    }

    private mutating func readPrefix(
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) throws(MessageError) {
        guard prefixRead > 0 || bytes[index] <= 1 else {
            throw .malformed("a gRPC message with an unknown flag")
        }
        while prefixRead < Self.prefix, index < bytes.count {
            if prefixRead > 0 { length = length << 8 | UInt64(bytes[index]) }
            prefixRead += 1
            index += 1
        }
        if prefixRead == Self.prefix { left = length }
    }

    /// Notes that no more content comes: what is incomplete is no message.
    package func end(at position: UInt64, into events: inout [InsideEvent]) {
        events.append(.end(count: count, at: position))
    }

    private mutating func report(
        _ bytes: Range<UInt64>,
        _ content: [UInt8],
        into events: inout [InsideEvent]
    ) {
        let from = passed
        passed += UInt64(bytes.count)
        let ordinal = count.successor
        events.append(
            .part(
                MessagePart(
                    ordinal,
                    bytes,
                    from: from,
                    isLast: left == 0,
                    size: left.map { passed + $0 },
                    content: content
                )
            )
        )
        guard left == 0 else { return }
        count = ordinal
        (prefixRead, length, left, passed) = (0, 0, nil, 0)
    }
}
