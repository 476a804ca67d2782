/// The header of a frame of a WebSocket, or what was read of it (RFC 6455 §5.2).
package struct WebSocketFrameHeader: Hashable, Sendable {
    package internal(set) var bytes: [UInt8] = []

    package var opcode: UInt8 { (bytes.first ?? 0) & 0x0F }
    package var isFinal: Bool { (bytes.first ?? 0) & 0x80 != 0 }
    package var isCompressed: Bool { (bytes.first ?? 0) & 0x40 != 0 }
    /// Whether it has a bit that means nothing without an extension.
    package var hasExtensionBits: Bool { (bytes.first ?? 0) & 0x70 != 0 }
    package var control: WebSocketControl? { WebSocketControl(rawValue: opcode) }
    package var isControl: Bool { opcode >= 8 }
    package var isMasked: Bool { bytes.count > 1 && bytes[1] & 0x80 != 0 }

    /// How many bytes it has; 2 until its first two tell more.
    var wholeCount: Int {
        guard bytes.count > 1 else { return 2 }
        let extended =
            switch bytes[1] & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + extended + (isMasked ? 4 : 0)
    }

    var isComplete: Bool { bytes.count == wholeCount }

    /// Content bytes, by a complete header.
    package var length: UInt64 {
        let short = bytes[1] & 0x7F
        guard short > 125 else { return UInt64(short) }
        return bytes[2..<(short == 126 ? 4 : 10)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What the byte at this place of the content is masked with, by a complete header; 0 without a mask.
    package func mask(at place: Int) -> UInt8 {
        isMasked ? bytes[bytes.count - 4 + place % 4] : 0
    }
}
