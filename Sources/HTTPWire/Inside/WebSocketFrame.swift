/// Frames of a WebSocket that are written (RFC 6455 §5.2).
package enum WebSocketFrame {
    /// A close frame with a code.
    ///
    /// - Parameters:
    ///   - code: why the connection ends (RFC 6455 §7.4).
    ///   - isMasked: whether a client sends it; the mask is zero, which changes nothing.
    /// - Returns: its bytes.
    package static func close(_ code: UInt16, isMasked: Bool) -> [UInt8] {
        let mask: [UInt8] = isMasked ? [0, 0, 0, 0] : []
        let length: UInt8 = isMasked ? 0x82 : 0x02
        return [0x88, length] + mask + [UInt8(code >> 8), UInt8(code & 0xFF)]
    }
}
