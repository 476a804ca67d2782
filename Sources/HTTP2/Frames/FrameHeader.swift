/// The type of a frame (RFC 9113 §6); types that nobody knows are frames, too (§5.5).
package struct FrameKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let data = FrameKind(rawValue: 0)
    package static let headers = FrameKind(rawValue: 1)
    package static let priority = FrameKind(rawValue: 2)
    package static let resetStream = FrameKind(rawValue: 3)
    package static let settings = FrameKind(rawValue: 4)
    package static let pushPromise = FrameKind(rawValue: 5)
    package static let ping = FrameKind(rawValue: 6)
    package static let goAway = FrameKind(rawValue: 7)
    package static let windowUpdate = FrameKind(rawValue: 8)
    package static let continuation = FrameKind(rawValue: 9)
}

/// The flags of a frame; what a bit means depends on the frame's type.
package struct FrameFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let endStream = FrameFlags(rawValue: 0x01)
    /// Of SETTINGS and PING.
    package static let acknowledges = FrameFlags(rawValue: 0x01)
    package static let endHeaders = FrameFlags(rawValue: 0x04)
    package static let padded = FrameFlags(rawValue: 0x08)
    package static let priority = FrameFlags(rawValue: 0x20)
}

/// The nine bytes in front of each frame (RFC 9113 §4.1).
package struct FrameHeader: Hashable, Sendable {
    package static let size = 9

    /// Bytes of the payload, below 2^24.
    package var length: Int
    package var kind: FrameKind
    package var flags: FrameFlags
    /// Below 2^31; 0 for the connection.
    package var stream: UInt32

    package init(_ kind: FrameKind, _ flags: FrameFlags = [], stream: UInt32, length: Int) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.length = length
    }

    /// Reads a header; nil for fewer than nine bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size else { return nil }
        length = bytes[..<3].reduce(0) { $0 << 8 | Int($1) }
        kind = FrameKind(rawValue: bytes[3])
        flags = FrameFlags(rawValue: bytes[4])
        stream = bytes[5..<9].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    }

    package func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UInt32(length).networkBytes.dropFirst())
        bytes.append(kind.rawValue)
        bytes.append(flags.rawValue)
        bytes.append(contentsOf: stream.networkBytes)
    }
}

extension UInt32 {
    package var networkBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
    }

    /// Of the first four bytes; nil for fewer.
    package init?(networkBytes bytes: some Collection<UInt8>) {
        guard bytes.count >= 4 else { return nil }
        self = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Why a stream or a connection ended (RFC 9113 §7).
package struct ErrorCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let none = ErrorCode(rawValue: 0x0)
    package static let protocolError = ErrorCode(rawValue: 0x1)
    package static let internalError = ErrorCode(rawValue: 0x2)
    package static let flowControlError = ErrorCode(rawValue: 0x3)
    package static let frameSizeError = ErrorCode(rawValue: 0x6)
    package static let refusedStream = ErrorCode(rawValue: 0x7)
    package static let cancel = ErrorCode(rawValue: 0x8)
    package static let compressionError = ErrorCode(rawValue: 0x9)
    package static let enhanceYourCalm = ErrorCode(rawValue: 0xB)
    package static let http11Required = ErrorCode(rawValue: 0xD)

    /// The names of the codes, in the order of their numbers.
    package static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
        "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
        "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// Reads a name of the RFC, in any case, or a number, in hexadecimal after `0x`.
    package init?(named text: String) {
        if let place = Self.names.firstIndex(where: { $0.lowercased() == text.lowercased() }) {
            self.init(rawValue: UInt32(place))
        } else if text.hasPrefix("0x"), let code = UInt32(text.dropFirst(2), radix: 16) {
            self.init(rawValue: code)
        } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let code = UInt32(text) {
            self.init(rawValue: code)
        } else {
            return nil
        }
    }

    /// As the RFC writes it; a number in hexadecimal for what it does not know.
    package var name: String {
        Int(rawValue) < Self.names.count
            ? Self.names[Int(rawValue)] : "0x" + String(rawValue, radix: 16)
    }
}
