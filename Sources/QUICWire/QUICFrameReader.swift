/// Takes the content of a packet apart into its frames.
package struct QUICFrameReader {
    private var reader: ByteReader

    /// Frames of one packet, of which clients cut a ClientHello into dozens.
    ///
    /// Equal ones in a row, such as PADDING, are one. The mark that others follow is one of them.
    private static let limit = 512

    private init(_ content: [UInt8]) { reader = ByteReader(content, at: 0) }

    /// The frames in their order, up to the first one that cannot be read.
    ///
    /// - Parameter content: of a packet, without its protection.
    /// - Returns: the frames; the last one is `unknown` or `cut` if others may follow it.
    package static func frames(in content: [UInt8]) -> [QUICFrame] {
        var reader = Self(content)
        var frames: [QUICFrame] = []
        while !reader.reader.isAtEnd {
            guard let frame = reader.next() else { return frames + [.cut] }
            guard frame != frames.last else { continue }
            guard frames.count < limit - 1 else { return frames + [.cut] }
            frames.append(frame)
            if case .unknown = frame { return frames }
        }
        return frames
    }

    private mutating func next() -> QUICFrame? {
        guard let type = reader.variable() else { return nil }
        switch type {
        case 0x00: return .padding
        case 0x01: return .ping
        case 0x02, 0x03: return acknowledgement(hasCounts: type == 3)
        case 0x06:
            guard let offset = reader.variable(), let content = counted() else { return nil }
            return .crypto(offset: offset, content: content)
        case 0x18: return newConnectionID()
        case 0x1A: return reader.take(8).map { .pathChallenge($0) }
        case 0x1B: return reader.take(8).map { .pathResponse($0) }
        case 0x1C, 0x1D: return close(isOfApplication: type == 0x1D)
        default: return plain(type)
        }
    }

    /// Frames of which only the end counts, that the next one may be found.
    private mutating func plain(_ type: UInt64) -> QUICFrame? {
        switch type {
        case 0x04: numbers(3, "reset_stream")
        case 0x05: numbers(2, "stop_sending")
        case 0x07: counted().map { _ in .plain("new_token") }
        case 0x08...0x0F: stream(type)
        case 0x10: numbers(1, "max_data")
        case 0x11: numbers(2, "max_stream_data")
        case 0x12, 0x13: numbers(1, "max_streams")
        case 0x14: numbers(1, "data_blocked")
        case 0x15: numbers(2, "stream_data_blocked")
        case 0x16, 0x17: numbers(1, "streams_blocked")
        case 0x19: numbers(1, "retire_connection_id")
        case 0x1E: .plain("handshake_done")
        // Of draft-ietf-quic-ack-frequency.
        case 0x1F: .plain("immediate_ack")
        case 0xAF: numbers(4, "ack_frequency")
        case 0x30: rest("datagram")
        case 0x31: counted().map { _ in .plain("datagram") }
        default: .unknown(type)
        }
    }

    private mutating func numbers(_ count: Int, _ name: String) -> QUICFrame? {
        for _ in 0..<count where reader.variable() == nil { return nil }
        return .plain(name)
    }

    private mutating func rest(_ name: String) -> QUICFrame {
        reader.skipRest()
        return .plain(name)
    }

    private mutating func counted() -> ArraySlice<UInt8>? {
        reader.variable().flatMap { Int(exactly: $0) }.flatMap { reader.take($0) }
    }

    /// STREAM: bit 4 is for an offset, bit 2 for a length (RFC 9000 §19.8).
    private mutating func stream(_ type: UInt64) -> QUICFrame? {
        guard reader.variable() != nil, type & 4 == 0 || reader.variable() != nil else {
            return nil
        }
        return type & 2 == 0 ? rest("stream") : counted().map { _ in .plain("stream") }
    }

    private mutating func acknowledgement(hasCounts: Bool) -> QUICFrame? {
        guard let largest = reader.variable(), reader.variable() != nil,
            let ranges = reader.variable(), let first = reader.variable(), first <= largest
        else { return nil }
        // Each further range takes two bytes at least.
        let numbers = min(ranges, 65_536) * 2 + (hasCounts ? 3 : 0)
        for _ in 0..<numbers where reader.variable() == nil { return nil }
        return .ack(smallest: largest - first, largest: largest)
    }

    private mutating func newConnectionID() -> QUICFrame? {
        guard reader.variable() != nil, reader.variable() != nil, let id = reader.counted(),
            (1...20).contains(id.count), reader.take(16) != nil
        else { return nil }
        return .newConnectionID(length: id.count)
    }

    private mutating func close(isOfApplication: Bool) -> QUICFrame? {
        guard let code = reader.variable(), isOfApplication || reader.variable() != nil,
            counted() != nil
        else { return nil }
        return .connectionClose(code: code, isOfApplication: isOfApplication)
    }
}
