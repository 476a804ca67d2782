/// Reads the messages that one side of a WebSocket sends (RFC 6455 §5.4).
///
/// Give it the bytes in slices of any size; how they are cut changes nothing but the ranges of parts.
/// What extensions do to the content does not matter; only the framing counts. No content is kept,
/// unless it is asked for.
package struct WebSocketReader: Sendable {
    /// Whether parts have their bytes.
    package var keepsContent = false
    private var frames: WebSocketFrameReader
    /// Messages whose end was read.
    private(set) var count: UInt32 = 0
    /// Bytes of the message that has begun; nil between messages.
    private var message: UInt64?
    private var isCompressed = false
    private var isClosed = false
    /// The first bytes of a close frame, without their mask.
    private var code: [UInt8] = []

    /// Where the header of a frame begins that is incomplete; nil outside of one.
    package private(set) var unfinished: UInt64?

    /// - Parameter isMasked: whether this is the client's direction.
    package init(isMasked: Bool) { frames = WebSocketFrameReader(isMasked: isMasked) }

    /// Reads the next bytes, which begin at `position` of the stream.
    ///
    /// - Throws: `MessageError.malformed` at a frame that no endpoint may send; its place is `unfinished`.
    package mutating func read(
        _ bytes: Span<UInt8>,
        at position: UInt64,
        into events: inout [InsideEvent]
    ) throws(MessageError) {
        var index = 0
        while index < bytes.count {
            if frames.isBetweenFrames { unfinished = position + UInt64(index) }
            switch try frames.next(bytes, &index) {
            case .header(let header): try begin(header, into: &events)
            case .content(let header, let range):
                let start = position + UInt64(range.lowerBound)
                let place = start..<start + UInt64(range.count)
                readContent(bytes.extracting(range), of: header, at: place, into: &events)
            case nil: break
            }
        }
        if let start = unfinished, start >= position, frames.header?.isControl == false {
            events.append(.begun(ordinal: count.successor, from: message ?? 0, at: start))
        }
    }

    /// Notes that no more bytes come.
    package func end(at position: UInt64, into events: inout [InsideEvent]) {
        if !isClosed { events.append(.end(count: count, at: position)) }
    }

    private mutating func begin(
        _ header: WebSocketFrameHeader,
        into events: inout [InsideEvent]
    ) throws(MessageError) {
        let start = unfinished ?? 0
        let end = start.addingReportingOverflow(UInt64(header.bytes.count))
        let all = end.partialValue.addingReportingOverflow(header.length)
        guard !end.overflow, !all.overflow else { throw .malformed("a frame that is too long") }
        unfinished = nil
        code = []
        if let control = header.control {
            events.append(.control(control, at: start..<all.partialValue))
        } else {
            if message == nil {
                message = 0
                isCompressed = header.isCompressed
            }
            let isLast = header.length == 0 && header.isFinal
            part(start..<end.partialValue, header.bytes, isLast: isLast, into: &events)
        }
        if frames.isBetweenFrames { endFrame(header, at: all.partialValue, into: &events) }
    }

    private mutating func readContent(
        _ bytes: Span<UInt8>,
        of header: WebSocketFrameHeader,
        at place: Range<UInt64>,
        into events: inout [InsideEvent]
    ) {
        let isEnd = frames.isBetweenFrames
        if header.control == nil {
            var content: [UInt8] = []
            if keepsContent { for index in bytes.indices { content.append(bytes[index]) } }
            part(place, content, isLast: isEnd && header.isFinal, into: &events)
        } else if header.control == .close {
            for index in bytes.indices where code.count < 2 {
                code.append(bytes[index] ^ header.mask(at: code.count))
            }
        }
        if isEnd { endFrame(header, at: place.upperBound, into: &events) }
    }

    private mutating func part(
        _ bytes: Range<UInt64>,
        _ content: [UInt8],
        isLast: Bool,
        into events: inout [InsideEvent]
    ) {
        let from = message ?? 0
        message = from + UInt64(bytes.count)
        events.append(
            .part(
                MessagePart(
                    count.successor,
                    bytes,
                    from: from,
                    isLast: isLast,
                    isCompressed: isCompressed,
                    content: keepsContent ? content : []
                )
            )
        )
    }

    private mutating func endFrame(
        _ header: WebSocketFrameHeader,
        at place: UInt64,
        into events: inout [InsideEvent]
    ) {
        if header.control == .close {
            isClosed = true
            let number = code.count == 2 ? UInt16(code[0]) << 8 | UInt16(code[1]) : nil
            events.append(.close(code: number, at: place))
            events.append(.end(count: count, at: place))
        } else if header.control == nil, header.isFinal {
            message = nil
            count = count.successor
        }
    }
}
