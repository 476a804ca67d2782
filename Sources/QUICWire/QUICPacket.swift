/// What the header of a QUIC packet shows to anybody on the path (RFC 8999, RFC 9000 §17).
package struct QUICPacket: Hashable, Sendable {
    package let type: QUICPacketType
    /// Of a long header; 0 for version negotiation, nil for a short header.
    package let version: UInt32?
    /// The destination connection id; empty for a short header, which does not say how long it is.
    package let destination: ArraySlice<UInt8>
    package let source: ArraySlice<UInt8>
    /// Whether it is an Initial with a token (RFC 9000 §17.2.2).
    package let hasToken: Bool
    /// Where its packet number stands, protected; nil for Retry, version negotiation and short headers.
    package let numberStart: Int?
    /// Its bytes in the datagram.
    package let range: Range<Int>

    package init(
        type: QUICPacketType,
        version: UInt32?,
        destination: ArraySlice<UInt8>,
        source: ArraySlice<UInt8>,
        hasToken: Bool = false,
        numberStart: Int? = nil,
        range: Range<Int>
    ) {
        self.type = type
        self.version = version
        self.destination = destination
        self.source = source
        self.hasToken = hasToken
        self.numberStart = numberStart
        self.range = range
    }
}

/// The types of RFC 9000 §17, by the names that faults use.
package enum QUICPacketType: String, Hashable, Sendable, CaseIterable {
    case initial
    case zeroRTT = "0rtt"
    case handshake
    case retry
    case oneRTT = "1rtt"
    case versionNegotiation = "vn"
}

package enum QUICVersion {
    /// RFC 9000.
    package static let one: UInt32 = 1
    /// RFC 9369 §3.1.
    package static let two: UInt32 = 0x6B33_43CF

    /// Whether the header forms of version 1 or 2 apply; the drafts of version 1 have its forms.
    static func isKnown(_ version: UInt32) -> Bool {
        version == one || version == two || version >> 8 == 0xFF_0000
    }

    /// As people write it: `1`, `2`, or hexadecimal.
    package static func text(_ version: UInt32) -> String {
        switch version {
        case one: "1"
        case two: "2"
        default: "0x" + String(version, radix: 16)
        }
    }
}
