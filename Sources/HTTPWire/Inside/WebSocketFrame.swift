/// Frames of a WebSocket that are written (RFC 6455 §5.2).
///
/// The mask of a client's frames is zero, which changes nothing.
package enum WebSocketFrame {
    /// A message in one frame.
    package static func message(
        _ content: [UInt8],
        isText: Bool = true,
        isMasked: Bool
    ) -> [UInt8] {
        frame(opcode: isText ? 1 : 2, content, isMasked: isMasked)
    }

    /// A control frame; its content is at most 125 bytes.
    package static func control(
        _ kind: WebSocketControl,
        _ content: [UInt8] = [],
        isMasked: Bool
    ) -> [UInt8] {
        frame(opcode: kind.rawValue, content, isMasked: isMasked)
    }

    /// A close frame with a code.
    ///
    /// - Parameters:
    ///   - code: why the connection ends (RFC 6455 §7.4).
    ///   - isMasked: whether a client sends it.
    /// - Returns: its bytes.
    package static func close(_ code: UInt16, isMasked: Bool) -> [UInt8] {
        control(.close, [UInt8(code >> 8), UInt8(code & 0xFF)], isMasked: isMasked)
    }

    private static func frame(opcode: UInt8, _ content: [UInt8], isMasked: Bool) -> [UInt8] {
        let count = content.count
        let bit: UInt8 = isMasked ? 0x80 : 0
        let length: [UInt8] =
            switch count {
            case ...125: [bit | UInt8(count)]
            case ...0xFFFF: [bit | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
            default:
                [bit | 127]
                    + stride(from: 56, through: 0, by: -8).map { UInt8(count >> $0 & 0xFF) }
            }
        return [0x80 | opcode] + length + (isMasked ? [0, 0, 0, 0] : []) + content
    }
}
