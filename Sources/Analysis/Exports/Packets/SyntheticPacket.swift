internal import Basics
internal import Journal

/// A packet that never was: IPv4 and TCP headers, and how much content would follow.
struct SyntheticPacket {
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let fin = Flags(rawValue: 0x01)
        static let syn = Flags(rawValue: 0x02)
        static let rst = Flags(rawValue: 0x04)
        static let push = Flags(rawValue: 0x08)
        static let ack = Flags(rawValue: 0x10)
    }

    var at: Instant
    var from: SyntheticEndpoint
    var to: SyntheticEndpoint
    var flags: Flags
    var sequence: UInt32
    var acknowledgement: UInt32
    /// At most `maximumContentBytes`.
    var contentBytes: Int
    var comments: [String] = []

    /// What fits in an IPv4 packet (RFC 791 §3.1).
    static let maximumContentBytes = 65_535 - 40
    static let maximumHeaderLength = 48

    /// IPv4 header (RFC 791 §3.1) and TCP header (RFC 9293 §3.1).
    ///
    /// The checksum of a segment with content is 0, since what it covers is not known.
    var header: [UInt8] {
        var segment = tcpHeader
        let length = 20 + segment.count + contentBytes
        if contentBytes == 0 {
            let pseudo =
                Self.big(from.address) + Self.big(to.address) + [0, 6]
                + Self.big(UInt16(segment.count))
            segment.replaceSubrange(16..<18, with: Self.big(Self.checksum(pseudo + segment)))
        }
        return Self.internetHeader(from, to, protocol: 6, length: length) + segment
    }

    /// The header of an IPv4 packet of `length` bytes in all.
    static func internetHeader(
        _ from: SyntheticEndpoint,
        _ to: SyntheticEndpoint,
        protocol number: UInt8,
        length: Int
    ) -> [UInt8] {
        var packet: [UInt8] = [0x45, 0] + big(UInt16(clamping: length))
        // No identification, for it may not be split.
        packet += [0, 0, 0x40, 0, 64, number, 0, 0]
        packet += big(from.address) + big(to.address)
        packet.replaceSubrange(10..<12, with: big(checksum(packet)))
        return packet
    }

    private var tcpHeader: [UInt8] {
        // The largest segment, and a window scale (RFC 7323 §2) by which no window is ever full.
        let options: [UInt8] =
            flags.contains(.syn)
            ? [2, 4] + Self.big(UInt16(Self.maximumContentBytes)) + [1, 3, 3, 14] : []
        return Self.big(from.port) + Self.big(to.port) + Self.big(sequence)
            + Self.big(acknowledgement) + [UInt8((20 + options.count) / 4) << 4, flags.rawValue]
            + [0xFF, 0xFF, 0, 0, 0, 0] + options
    }

    /// The internet checksum (RFC 1071).
    static func checksum(_ bytes: [UInt8]) -> UInt16 {
        var sum: UInt32 = 0
        for place in stride(from: 0, to: bytes.count, by: 2) {
            let low = place + 1 < bytes.count ? bytes[place + 1] : 0
            sum += UInt32(bytes[place]) << 8 | UInt32(low)
        }
        while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
        return ~UInt16(sum)
    }

    static func big(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: value.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: value >> $0)
        }
    }
}

/// An unassigned address.
struct SyntheticEndpoint: Hashable {
    let address: UInt32
    let port: UInt16

    private static let portsOfClient: UInt32 = 50_000

    /// 10.0.0.0/8, so that each connection of a listener has address and port of its own.
    static func client(_ id: ConnectionID) -> SyntheticEndpoint {
        let (host, port) = id.ordinal.quotientAndRemainder(dividingBy: portsOfClient)
        return SyntheticEndpoint(address: 0x0A00_0001 + host, port: UInt16(10_000 + port))
    }

    /// 198.18.0.0/15, for measurements (RFC 2544 appendix C.2.2), by listener; the port is that of
    /// HTTP if nothing else is known.
    static func listener(_ id: ConnectionID, port: UInt16 = 80) -> SyntheticEndpoint {
        SyntheticEndpoint(address: 0xC612_0000 + id.listener % (1 << 17), port: port)
    }
}
