/// Reads the frames that one side of a WebSocket sends (RFC 6455 §5.2).
///
/// Give it the bytes in slices of any size; how they are cut changes nothing but the ranges of parts.
/// What extensions do to the content does not matter; only the framing counts. No content is kept,
/// unless it is asked for.
package struct WebSocketReader: Sendable {
    private struct Frame {
        var start: UInt64
        var header: [UInt8] = []
        /// Content bytes to come; nil as long as the header is incomplete.
        var left: UInt64?
        /// The first bytes of a close frame.
        var code: [UInt8] = []

        var opcode: UInt8 { (header.first ?? 0) & 0x0F }
        var isFinal: Bool { (header.first ?? 0) & 0x80 != 0 }
        var isCompressed: Bool { (header.first ?? 0) & 0x40 != 0 }
        var control: WebSocketControl? { WebSocketControl(rawValue: opcode) }
        var isControl: Bool { opcode >= 8 }
        var isMasked: Bool { header.count > 1 && header[1] & 0x80 != 0 }

        /// Length of the header in bytes; 2 until its first two bytes tell more.
        var headerLength: Int {
            guard header.count > 1 else { return 2 }
            let extended =
                switch header[1] & 0x7F {
                case 126: 2
                case 127: 8
                default: 0
                }
            return 2 + extended + (isMasked ? 4 : 0)
        }

        /// Content bytes, by a complete header.
        var length: UInt64 {
            let short = header[1] & 0x7F
            guard short > 125 else { return UInt64(short) }
            return header[2..<(short == 126 ? 4 : 10)].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Whether frames are masked, as a client's are (RFC 6455 §5.1).
    private let isMasked: Bool
    /// Whether parts have their bytes.
    package var keepsContent = false
    private var frame: Frame?
    /// Messages whose end was read.
    private(set) var count: UInt32 = 0
    /// Bytes of the message that has begun; nil between messages.
    private var message: UInt64?
    private var isCompressed = false
    private var isClosed = false

    /// - Parameter isMasked: whether this is the client's direction.
    package init(isMasked: Bool) { self.isMasked = isMasked }

    /// Where the header of a frame begins that is incomplete; nil outside of one.
    package var unfinished: UInt64? { frame.flatMap { $0.left == nil ? $0.start : nil } }

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
            if frame?.left == nil {
                if frame == nil { frame = Frame(start: position + UInt64(index)) }
                frame?.header.append(bytes[index])
                index += 1
                guard let next = frame else { continue }
                try check(next)
                guard next.header.count == next.headerLength else { continue }
                try begin(next, into: &events)
            } else {
                readContent(bytes, &index, position, into: &events)
            }
        }
        if let frame, frame.left == nil, frame.start >= position, !frame.isControl {
            events.append(.begun(ordinal: count.successor, from: message ?? 0, at: frame.start))
        }
    }

    /// Notes that no more bytes come.
    package func end(at position: UInt64, into events: inout [InsideEvent]) {
        if !isClosed { events.append(.end(count: count, at: position)) }
    }

    /// Refuses what breaks the framing, as early as it shows.
    private func check(_ frame: Frame) throws(MessageError) {
        if frame.header.count == 1 {
            if isClosed { throw .malformed("a frame after a close frame") }
            if frame.isControl {
                guard frame.control != nil else { throw .malformed("an unknown control frame") }
                guard frame.isFinal else { throw .malformed("a fragmented control frame") }
            } else if frame.opcode > 2 {
                throw .malformed("an unknown frame")
            } else if (frame.opcode == 0) != (message != nil) {
                throw .malformed("a fragment out of place")
            }
        }
        if frame.header.count == 2 {
            guard frame.isMasked == isMasked else {
                throw .malformed(isMasked ? "a client's frame without mask" : "a masked frame")
            }
            if frame.isControl, frame.header[1] & 0x7F > 125 {
                throw .malformed("a control frame that is too long")
            }
        }
    }

    private mutating func begin(
        _ next: Frame,
        into events: inout [InsideEvent]
    ) throws(MessageError) {
        let end = next.start.addingReportingOverflow(UInt64(next.header.count))
        let all = end.partialValue.addingReportingOverflow(next.length)
        guard next.length <= UInt64(Int64.max), !end.overflow, !all.overflow else {
            throw .malformed("a frame that is too long")
        }
        frame?.left = next.length
        let header = next.start..<end.partialValue
        if let control = next.control {
            events.append(.control(control, at: next.start..<all.partialValue))
        } else {
            if message == nil {
                message = 0
                isCompressed = next.isCompressed
            }
            part(header, next.header, isLast: next.length == 0 && next.isFinal, into: &events)
        }
        if next.length == 0 { endFrame(at: all.partialValue, into: &events) }
    }

    private mutating func readContent(
        _ bytes: Span<UInt8>,
        _ index: inout Int,
        _ position: UInt64,
        into events: inout [InsideEvent]
    ) {
        guard let current = frame, let left = current.left else { return }
        let taken = Int(min(UInt64(bytes.count - index), left))
        let start = position + UInt64(index)
        if current.control == nil {
            var content: [UInt8] = []
            if keepsContent { for place in index..<index + taken { content.append(bytes[place]) } }
            let isLast = UInt64(taken) == left && current.isFinal
            part(start..<start + UInt64(taken), content, isLast: isLast, into: &events)
        } else if current.control == .close {
            for place in index..<index + taken where (frame?.code.count ?? 2) < 2 {
                frame?.code.append(bytes[place])
            }
        }
        index += taken
        frame?.left = left - UInt64(taken)
        if left == UInt64(taken) { endFrame(at: start + UInt64(taken), into: &events) }
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

    private mutating func endFrame(at place: UInt64, into events: inout [InsideEvent]) {
        guard let done = frame else { return }
        frame = nil
        if done.control == .close {
            isClosed = true
            events.append(.close(code: Self.code(done.code, mask: done), at: place))
            events.append(.end(count: count, at: place))
        } else if done.control == nil, done.isFinal {
            message = nil
            count = count.successor
        }
    }

    private static func code(_ bytes: [UInt8], mask frame: Frame) -> UInt16? {
        guard bytes.count == 2 else { return nil }
        let mask = frame.isMasked ? Array(frame.header.suffix(4)) : [0, 0]
        return UInt16(bytes[0] ^ mask[0]) << 8 | UInt16(bytes[1] ^ mask[1])
    }
}
