/// A frame that its receiver must take for an error of the connection (RFC 9113 §5.4.1).
package enum MalformedFrame: String, Hashable, Sendable, CaseIterable {
    /// DATA on stream 0 (§6.1).
    case data = "data-on-0"
    /// DATA with more padding than it has bytes (§6.1).
    case padding
    /// HEADERS on stream 0 (§6.2).
    case headers = "headers-on-0"
    /// A field block that nothing can have written (§4.3).
    case compression
    /// RST_STREAM of three bytes (§6.4).
    case resetLength = "rst-length"
    /// RST_STREAM of a stream that was never opened (§6.4).
    case resetIdle = "rst-idle"
    /// SETTINGS of five bytes (§6.5).
    case settingsLength = "settings-length"
    /// SETTINGS on a stream (§6.5).
    case settingsOnStream = "settings-on-stream"
    /// SETTINGS with an initial window of 2^31 (§6.5.2).
    case settingsValue = "settings-value"
    /// PING of seven bytes (§6.7).
    case pingLength = "ping-length"
    /// GOAWAY of seven bytes (§6.8).
    case goAwayLength = "goaway-length"
    /// WINDOW_UPDATE of the connection by nothing (§6.9).
    case windowZero = "window-zero"
    /// WINDOW_UPDATE of the connection beyond 2^31 - 1 (§6.9.1).
    case windowOverflow = "window-overflow"
    /// CONTINUATION of no field block (§6.10).
    case continuation
    /// The header of a frame that is longer than any that its receiver has allowed (§4.2).
    case tooLong = "too-long"

    /// The frames, for a connection on which `stream` is open.
    package func bytes(on stream: UInt32) -> [UInt8] {
        switch self {
        case .data: FrameWriter.frame(.data, [], stream: 0, [0])
        case .padding: FrameWriter.frame(.data, .padded, stream: stream, [9, 0])
        case .headers: FrameWriter.frame(.headers, .endHeaders, stream: 0, [Self.status200])
        // An index beyond both tables (RFC 7541 §2.3.3).
        case .compression:
            FrameWriter.frame(.headers, .endHeaders, stream: stream, [0xFF, 0xFF, 0xFF, 0x7F])
        case .resetLength: FrameWriter.frame(.resetStream, [], stream: stream, [0, 0, 0])
        case .resetIdle: FrameWriter.resetStream(.cancel, stream: Self.idleStream)
        case .settingsLength: FrameWriter.frame(.settings, [], stream: 0, [0, 4, 0, 0, 0])
        case .settingsOnStream: FrameWriter.settings([(.initialWindow, 65_535)], stream: stream)
        case .settingsValue: FrameWriter.settings([(.initialWindow, 1 << 31)])
        case .pingLength: FrameWriter.frame(.ping, [], stream: 0, Array(repeating: 0, count: 7))
        case .goAwayLength: FrameWriter.frame(.goAway, [], stream: 0, Array(repeating: 0, count: 7))
        case .windowZero: FrameWriter.windowUpdate(0, stream: 0)
        case .windowOverflow:
            FrameWriter.windowUpdate(Self.mostWindow, stream: 0)
                + FrameWriter.windowUpdate(Self.mostWindow, stream: 0)
        case .continuation:
            FrameWriter.frame(.continuation, .endHeaders, stream: stream, [Self.status200])
        case .tooLong: Self.header(of: 0xFF_FFFF, stream: stream)
        }
    }

    /// The error that the RFC asks of its receiver.
    package var code: ErrorCode {
        switch self {
        case .data, .padding, .headers, .resetIdle, .settingsOnStream, .windowZero, .continuation:
            .protocolError
        case .compression: .compressionError
        case .resetLength, .settingsLength, .pingLength, .goAwayLength, .tooLong: .frameSizeError
        case .settingsValue, .windowOverflow: .flowControlError
        }
    }

    /// `:status: 200` (RFC 7541 appendix A).
    private static let status200: UInt8 = 0x88
    /// No client comes so far.
    private static let idleStream: UInt32 = 0x7FFF_FFFF
    private static let mostWindow: UInt32 = 0x7FFF_FFFF

    private static func header(of length: Int, stream: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        FrameHeader(.data, stream: stream, length: length).append(to: &bytes)
        return bytes
    }
}
