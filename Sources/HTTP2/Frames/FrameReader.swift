internal import HTTPWire

/// Finds the frames in the bytes of one direction, which come in slices of any size.
///
/// Content of DATA is not kept, and no payload that means nothing here.
package struct FrameReader: Sendable {
    package enum Event: Hashable, Sendable {
        /// A whole frame of another type; `payload` is empty where nobody needs to know it.
        case frame(FrameHeader, payload: [UInt8])
        /// HEADERS or PUSH_PROMISE with all its CONTINUATION frames, `size` bytes on the wire.
        case block(Block, size: Int)
        /// The beginning of a DATA frame: the bytes before its content, its content, its padding.
        case data(stream: UInt32, prefix: Int, content: Int, padding: Int, endsStream: Bool)
        /// The next bytes of its content, a range of the slice.
        case content(Range<Int>)
        /// These are no frames, or none that anybody may send; nothing follows.
        case malformed(String)
    }

    /// A field block and what stands before it.
    package struct Block: Hashable, Sendable {
        package let stream: UInt32
        /// Of PUSH_PROMISE: the stream that it announces.
        package var promised: UInt32?
        package let endsStream: Bool
        package var fragment: [UInt8]
        /// The five bytes of a deprecated priority (RFC 9113 §6.2), which are kept.
        package var priority: [UInt8] = []

        package init(stream: UInt32, endsStream: Bool, fragment: [UInt8]) {
            self.stream = stream
            self.endsStream = endsStream
            self.fragment = fragment
        }
    }

    /// What a field block may have on the wire.
    private static let maximumBlock = 262_144
    /// What a payload that has a meaning may have.
    private static let maximumPayload = 65_536

    private enum State {
        case header
        case payload(FrameHeader)
        case padLength(FrameHeader)
        case content(left: Int, padding: Int)
        case skipping(left: Int)
        case failed
    }

    private var state = State.header
    private var buffer: [UInt8] = []
    private var block: Block?
    private var blockSize = 0

    package init() {}

    /// Whether the last frame is whole.
    package var isBetweenFrames: Bool {
        if case .header = state { return buffer.isEmpty && block == nil }
        return false
    }

    package mutating func read(_ bytes: Span<UInt8>, into events: inout [Event]) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .header:
                guard collect(FrameHeader.size, bytes, &index) else { return }
                guard let header = FrameHeader(buffer) else { return }
                buffer.removeAll(keepingCapacity: true)
                begin(header, into: &events)
            case .payload(let header):
                guard collect(header.length, bytes, &index) else { return }
                let payload = buffer
                buffer.removeAll(keepingCapacity: true)
                state = .header
                end(header, payload, into: &events)
            case .padLength(let header):
                let padding = Int(bytes[index])
                index += 1
                beginContent(header, padding: padding, into: &events)
            case .content(let left, let padding):
                let count = min(left, bytes.count - index)
                events.append(.content(index..<index + count))
                index += count
                state =
                    count == left ? skip(padding) : .content(left: left - count, padding: padding)
            case .skipping(let left):
                let count = min(left, bytes.count - index)
                index += count
                state = skip(left - count)
            case .failed: return
            }
        }
    }

    /// Fills the buffer up to `count` bytes; false if there are not enough yet.
    private mutating func collect(
        _ count: Int,
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) -> Bool {
        let part = min(count - buffer.count, bytes.count - index)
        buffer.append(copying: bytes.extracting(index..<index + part))
        index += part
        return buffer.count == count
    }

    private func skip(_ count: Int) -> State { count > 0 ? .skipping(left: count) : .header }

    private mutating func fail(_ words: String, into events: inout [Event]) {
        state = .failed
        buffer = []
        events.append(.malformed(words))
    }

    private mutating func begin(_ header: FrameHeader, into events: inout [Event]) {
        if let block, header.kind != .continuation || header.stream != block.stream {
            return fail("a field block is interrupted by another frame", into: &events)
        }
        switch header.kind {
        case .data where header.flags.contains(.padded):
            guard header.length > 0 else { return fail("DATA without its padding", into: &events) }
            state = .padLength(header)
        case .data: beginContent(header, padding: nil, into: &events)
        case .headers, .pushPromise, .continuation, .settings, .resetStream, .ping, .goAway,
            .windowUpdate:
            guard header.length <= Self.maximumPayload else {
                return fail("a frame of \(header.length) bytes", into: &events)
            }
            guard header.length > 0 else {
                state = .header
                return end(header, [], into: &events)
            }
            state = .payload(header)
        default:
            events.append(.frame(header, payload: []))
            state = skip(header.length)
        }
    }

    private mutating func beginContent(
        _ header: FrameHeader,
        padding: Int?,
        into events: inout [Event]
    ) {
        let lengthBytes = padding == nil ? 0 : 1
        let content = header.length - lengthBytes - (padding ?? 0)
        guard content >= 0, header.stream > 0 else {
            return fail("DATA on no stream, or with more padding than there is", into: &events)
        }
        events.append(
            .data(
                stream: header.stream,
                prefix: FrameHeader.size + lengthBytes,
                content: content,
                padding: padding ?? 0,
                endsStream: header.flags.contains(.endStream)
            )
        )
        state = content > 0 ? .content(left: content, padding: padding ?? 0) : skip(padding ?? 0)
    }

    private mutating func end(
        _ header: FrameHeader,
        _ payload: [UInt8],
        into events: inout [Event]
    ) {
        switch header.kind {
        case .headers, .pushPromise: beginBlock(header, payload, into: &events)
        case .continuation:
            guard block != nil else { return fail("CONTINUATION of nothing", into: &events) }
            block?.fragment += payload
            blockSize += FrameHeader.size + payload.count
            endBlock(header, into: &events)
        default: events.append(.frame(header, payload: payload))
        }
    }

    private mutating func beginBlock(
        _ header: FrameHeader,
        _ payload: [UInt8],
        into events: inout [Event]
    ) {
        var rest = payload[...]
        var padding = 0
        if header.flags.contains(.padded) { padding = Int(rest.popFirst() ?? 0) }
        let isPromise = header.kind == .pushPromise
        let extra = isPromise ? 4 : header.flags.contains(.priority) ? 5 : 0
        guard rest.count >= extra + padding, header.stream > 0 else {
            return fail("a field block on no stream, or shorter than it says", into: &events)
        }
        let leading = Array(rest.prefix(extra))
        var block = Block(
            stream: header.stream,
            endsStream: !isPromise && header.flags.contains(.endStream),
            fragment: Array(rest.dropFirst(extra).dropLast(padding))
        )
        if isPromise {
            block.promised = UInt32(networkBytes: leading).map { $0 & 0x7FFF_FFFF }
        } else {
            block.priority = leading
        }
        self.block = block
        blockSize = FrameHeader.size + payload.count
        endBlock(header, into: &events)
    }

    private mutating func endBlock(_ header: FrameHeader, into events: inout [Event]) {
        guard blockSize <= Self.maximumBlock else {
            return fail("a field block of more than \(Self.maximumBlock) bytes", into: &events)
        }
        guard header.flags.contains(.endHeaders), let block else { return }
        events.append(.block(block, size: blockSize))
        self.block = nil
    }
}
