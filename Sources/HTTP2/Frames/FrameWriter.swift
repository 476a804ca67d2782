/// Frames as bytes (RFC 9113 §4, §6).
package enum FrameWriter {
    /// What every receiver takes (RFC 9113 §4.2).
    package static let maximumPayload = 16_384

    /// A DATA frame of at most `maximumPayload` bytes.
    package static func data(
        _ content: some Collection<UInt8>,
        endsStream: Bool,
        stream: UInt32
    ) -> [UInt8] {
        frame(.data, endsStream ? .endStream : [], stream: stream, content)
    }

    /// A HEADERS or PUSH_PROMISE frame, and CONTINUATION frames for what does not fit.
    package static func block(_ block: FrameReader.Block) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = (block.promised.map(\.networkBytes) ?? block.priority) + block.fragment
        var kind = block.promised == nil ? FrameKind.headers : .pushPromise
        var flags: FrameFlags = block.endsStream ? .endStream : []
        if !block.priority.isEmpty { flags.insert(.priority) }
        repeat {
            let part = rest.prefix(maximumPayload)
            rest.removeFirst(part.count)
            if rest.isEmpty { flags.insert(.endHeaders) }
            bytes += frame(kind, flags, stream: block.stream, part)
            kind = .continuation
            flags = []
        } while !rest.isEmpty
        return bytes
    }

    package static func resetStream(_ code: ErrorCode, stream: UInt32) -> [UInt8] {
        frame(.resetStream, [], stream: stream, code.rawValue.networkBytes)
    }

    /// Gives back 1 to 2^31 - 1 bytes of a window, of the connection for stream 0.
    package static func windowUpdate(_ increment: UInt32, stream: UInt32) -> [UInt8] {
        frame(.windowUpdate, [], stream: stream, increment.networkBytes)
    }

    package static func frame(
        _ kind: FrameKind,
        _ flags: FrameFlags,
        stream: UInt32,
        _ payload: some Collection<UInt8>
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(FrameHeader.size + payload.count)
        FrameHeader(kind, flags, stream: stream, length: payload.count).append(to: &bytes)
        bytes += payload
        return bytes
    }
}
