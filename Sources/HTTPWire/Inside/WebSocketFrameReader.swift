/// Reads the frames that one side of a WebSocket sends (RFC 6455 §5.2).
///
/// Give it the bytes in slices of any size; how they are cut changes nothing but the ranges of content.
package struct WebSocketFrameReader: Sendable {
    package enum Piece: Hashable, Sendable {
        /// The header of a frame is complete.
        case header(WebSocketFrameHeader)
        /// Some content of its frame, as places in the bytes that were given.
        case content(WebSocketFrameHeader, Range<Int>)
    }

    /// Whether frames are masked, as a client's are (RFC 6455 §5.1).
    private let isMasked: Bool
    /// What was read of the header of the frame that has begun; nil between frames.
    package private(set) var header: WebSocketFrameHeader?
    /// Content bytes to come; nil as long as the header is incomplete.
    private var left: UInt64?
    private var isWithinMessage = false
    private var isClosed = false

    /// - Parameter isMasked: whether this is the client's direction.
    package init(isMasked: Bool) { self.isMasked = isMasked }

    /// Whether the latest piece was the last one of its frame.
    package var isBetweenFrames: Bool { header == nil }

    /// Reads one piece.
    ///
    /// - Parameters:
    ///   - bytes: what has come.
    ///   - index: where the piece begins; afterwards, where the next one does.
    /// - Returns: nil if the bytes end within a header.
    /// - Throws: `MessageError.malformed` at a frame that no endpoint may send, as early as it shows.
    package mutating func next(
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) throws(MessageError) -> Piece? {
        if let header, let left {
            let count = Int(min(UInt64(bytes.count - index), left))
            defer { index += count }
            take(UInt64(count), of: left, header)
            return count > 0 ? .content(header, index..<index + count) : nil
        }
        while index < bytes.count {
            var next = header ?? WebSocketFrameHeader()
            header = nil
            next.bytes.append(bytes[index])
            index += 1
            header = next
            try check(next)
            guard next.isComplete else { continue }
            guard next.length <= UInt64(Int64.max) else {
                throw .malformed("a frame that is too long")
            }
            if !next.isControl { isWithinMessage = true }
            take(0, of: next.length, next)
            return .header(next)
        }
        return nil
    }

    private mutating func take(_ count: UInt64, of all: UInt64, _ header: WebSocketFrameHeader) {
        left = all - count
        guard left == 0 else { return }
        if !header.isControl, header.isFinal { isWithinMessage = false }
        if header.control == .close { isClosed = true }
        (self.header, left) = (nil, nil)
    }

    private func check(_ header: WebSocketFrameHeader) throws(MessageError) {
        if header.bytes.count == 1 {
            if isClosed { throw .malformed("a frame after a close frame") }
            if header.isControl {
                guard header.control != nil else { throw .malformed("an unknown control frame") }
                guard header.isFinal else { throw .malformed("a fragmented control frame") }
            } else if header.opcode > 2 {
                throw .malformed("an unknown frame")
            } else if (header.opcode == 0) != isWithinMessage {
                throw .malformed("a fragment out of place")
            }
        }
        if header.bytes.count == 2 {
            guard header.isMasked == isMasked else {
                throw .malformed(isMasked ? "a client's frame without mask" : "a masked frame")
            }
            if header.isControl, header.bytes[1] & 0x7F > 125 {
                throw .malformed("a control frame that is too long")
            }
        }
    }
}
