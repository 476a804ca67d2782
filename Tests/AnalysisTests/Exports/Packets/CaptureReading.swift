/// A packet capture read block by block, as strictly as its formats allow: pcapng (draft-ietf-opsawg-
/// pcapng), IPv4 (RFC 791), TCP (RFC 9293) and UDP (RFC 768).
struct CaptureReading {
    struct Packet {
        var atNanoseconds: UInt64
        var comments: [String]
        var isUp: Bool
        /// Letters as tcpdump has them: F, S, R, P, A.
        var flags: String
        var sequence: UInt32
        var acknowledgement: UInt32
        /// Bytes behind the headers.
        var content: Int
        var clientPort: UInt16
        /// Both addresses and ports, those of the client first.
        var stream: [UInt8]
    }

    struct Mistake: Error { let words: String }

    private(set) var comment = ""
    private(set) var hardware = ""
    private(set) var application = ""
    private(set) var packets: [Packet] = []
    private var types: [UInt32] = []
    private var maximumLength = 0

    init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try require(rest.count >= 12, "a block is cut off")
            let type = Self.little(rest.prefix(4))
            let length = Int(Self.little(rest.dropFirst(4).prefix(4)))
            try require(length % 4 == 0 && length >= 12 && length <= rest.count, "length \(length)")
            let end = rest.startIndex + length
            let second = Int(Self.little(rest[(end - 4)..<end]))
            try require(second == length, "lengths \(length) and \(second)")
            try read(UInt32(type), Array(rest[(rest.startIndex + 8)..<(end - 4)]))
            types.append(UInt32(type))
            rest = rest[end...]
        }
        try require(types.prefix(2).elementsEqual([0x0A0D_0D0A, 1]), "no section or interface")
        try require(types.dropFirst(2).allSatisfy { $0 == 6 }, "a block of another type")
    }

    private mutating func read(_ type: UInt32, _ body: [UInt8]) throws {
        switch type {
        case 0x0A0D_0D0A:
            try require(Self.little(body.prefix(4)) == 0x1A2B_3C4D, "byte order")
            try require(Array(body[4..<8]) == [1, 0, 0, 0], "version")
            try require(body[8..<16].allSatisfy { $0 == 0xFF }, "section length")
            for (code, value) in try options(body[16...]) {
                let text = String(decoding: value, as: UTF8.self)
                switch code {
                case 1: comment = text
                case 2: hardware = text
                case 4: application = text
                default: throw Mistake(words: "option \(code) of the section")
                }
            }
        case 1:
            try require(Self.little(body.prefix(2)) == 101, "link type")
            maximumLength = Int(Self.little(body[4..<8]))
            let options = try options(body[8...])
            try require(options.contains { $0.code == 9 && $0.value == [9] }, "resolution of times")
        case 6: packets.append(try packet(body))
        default: throw Mistake(words: "block \(type)")
        }
    }

    private func options(_ bytes: ArraySlice<UInt8>) throws -> [(code: UInt64, value: [UInt8])] {
        var found: [(code: UInt64, value: [UInt8])] = []
        var rest = bytes
        while !rest.isEmpty {
            try require(rest.count >= 4, "an option is cut off")
            let code = Self.little(rest.prefix(2))
            let length = Int(Self.little(rest.dropFirst(2).prefix(2)))
            rest = rest.dropFirst(4)
            guard code != 0 else {
                try require(length == 0 && rest.isEmpty, "something behind the options")
                return found
            }
            let padded = (length + 3) / 4 * 4
            try require(rest.count >= padded, "an option's value is cut off")
            try require(rest.prefix(padded).dropFirst(length).allSatisfy { $0 == 0 }, "padding")
            found.append((code, Array(rest.prefix(length))))
            rest = rest.dropFirst(padded)
        }
        try require(found.isEmpty, "options without an end")
        return found
    }

    private func packet(_ body: [UInt8]) throws -> Packet {
        let time = Self.little(body[4..<8]) << 32 | Self.little(body[8..<12])
        let held = Int(Self.little(body[12..<16]))
        let original = Int(Self.little(body[16..<20]))
        try require(Self.little(body[0..<4]) == 0 && held <= maximumLength, "interface, length")
        let padded = (held + 3) / 4 * 4
        let ip = Array(body[20..<(20 + held)])
        let options = try options(body[(20 + padded)...])
        try require(options.allSatisfy { $0.code == 1 }, "option of a packet")
        try require(ip[0] == 0x45, "IPv4 without options")
        try require(Int(ip[2]) << 8 | Int(ip[3]) == original, "the packet's length")
        try require(Self.sum(Array(ip[..<20])) == 0xFFFF, "checksum of the IP header")
        if ip[9] == 17 { return try datagram(ip, original, time, options) }
        try require(ip[9] == 6, "TCP or UDP")
        let tcp = Array(ip[20...])
        let headerLength = Int(tcp[12] >> 4) * 4
        try require(headerLength == tcp.count, "the TCP header's length")
        let content = original - 20 - headerLength
        if content == 0 {
            let pseudo = ip[12..<20] + [0, 6, 0, UInt8(tcp.count)]
            try require(Self.sum(pseudo + tcp) == 0xFFFF, "checksum of the segment")
        } else {
            try require(tcp[16] == 0 && tcp[17] == 0, "checksum of what is not known")
        }
        let isUp = ip[12] == 10
        try require(tcp[isUp ? 3 : 1] == 80 && tcp[isUp ? 2 : 0] == 0, "port of the listener")
        let client = isUp ? ip[12..<16] + tcp[0..<2] : ip[16..<20] + tcp[2..<4]
        return Packet(
            atNanoseconds: time,
            comments: options.map { String(decoding: $0.value, as: UTF8.self) },
            isUp: isUp,
            flags: [(1, "F"), (2, "S"), (4, "R"), (8, "P"), (16, "A")]
                .filter { tcp[13] & $0.0 != 0 }.map(\.1).joined(),
            sequence: Self.big(tcp[4..<8]),
            acknowledgement: Self.big(tcp[8..<12]),
            content: content,
            clientPort: UInt16(Self.big(client.suffix(2))),
            stream: Array(client + (isUp ? ip[16..<20] : ip[12..<16]))
        )
    }

    private func datagram(
        _ ip: [UInt8],
        _ original: Int,
        _ time: UInt64,
        _ options: [(code: UInt64, value: [UInt8])]
    ) throws -> Packet {
        let udp = Array(ip[20...])
        try require(udp.count == 8 && udp[6...].allSatisfy { $0 == 0 }, "the UDP header")
        try require(Int(udp[4]) << 8 | Int(udp[5]) == original - 20, "the datagram's length")
        let isUp = ip[12] == 10
        let client = isUp ? ip[12..<16] + udp[0..<2] : ip[16..<20] + udp[2..<4]
        return Packet(
            atNanoseconds: time,
            comments: options.map { String(decoding: $0.value, as: UTF8.self) },
            isUp: isUp,
            flags: "U",
            sequence: 0,
            acknowledgement: 0,
            content: original - 28,
            clientPort: UInt16(Self.big(client.suffix(2))),
            stream: Array(client + (isUp ? ip[16..<20] : ip[12..<16]))
        )
    }

    private func require(_ condition: Bool, _ words: String) throws {
        guard condition else { throw Mistake(words: words) }
    }

    private static func little(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func big(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The sum that a right checksum makes all ones (RFC 1071).
    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0
        for (place, byte) in bytes.enumerated() { sum += UInt32(byte) << (place % 2 == 0 ? 8 : 0) }
        while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
        return sum
    }
}
