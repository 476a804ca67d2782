/// Writes blocks of pcapng, little endian (draft-ietf-opsawg-pcapng).
struct PacketCaptureWriter {
    private(set) var bytes: [UInt8] = []

    private enum BlockType {
        static let sectionHeader: UInt32 = 0x0A0D_0D0A
        static let interfaceDescription: UInt32 = 1
        static let enhancedPacket: UInt32 = 6
    }

    private enum OptionCode {
        static let comment: UInt16 = 1
        static let sectionHardware: UInt16 = 2
        static let sectionApplication: UInt16 = 4
        static let interfaceName: UInt16 = 2
        static let interfaceTimestampResolution: UInt16 = 9
    }

    /// Packets begin with an IP header.
    private static let linkTypeRaw: UInt16 = 101
    /// Of one comment; a journal's names may be of any length.
    static let maximumCommentBytes = 1_000

    /// Writes a section with one interface, on which all packets are.
    mutating func begin(
        comment: String,
        hardware: String,
        application: String,
        interface: String,
        maximumLength: Int
    ) {
        block(BlockType.sectionHeader) { body in
            body.append(0x1A2B_3C4D as UInt32)
            body.append(1 as UInt16)
            body.append(0 as UInt16)
            // The section's length is not said.
            body.append(UInt64.max)
            body.option(OptionCode.comment, Self.shortened(comment))
            body.option(OptionCode.sectionHardware, Self.shortened(hardware))
            body.option(OptionCode.sectionApplication, Self.shortened(application))
            body.endOptions()
        }
        block(BlockType.interfaceDescription) { body in
            body.append(Self.linkTypeRaw)
            body.append(0 as UInt16)
            body.append(UInt32(maximumLength))
            body.option(OptionCode.interfaceName, Self.shortened(interface))
            // Times in 10⁻⁹ seconds.
            body.option(OptionCode.interfaceTimestampResolution, [9])
            body.endOptions()
        }
    }

    /// Writes a packet of which only the first bytes are held.
    mutating func add(
        _ packet: [UInt8],
        originalLength: Int,
        atNanoseconds time: UInt64,
        comments: [String]
    ) {
        block(BlockType.enhancedPacket) { body in
            body.append(0 as UInt32)
            body.append(UInt32(truncatingIfNeeded: time >> 32))
            body.append(UInt32(truncatingIfNeeded: time))
            body.append(UInt32(packet.count))
            body.append(UInt32(originalLength))
            body.append(padded: packet)
            for comment in comments { body.option(OptionCode.comment, Self.shortened(comment)) }
            if !comments.isEmpty { body.endOptions() }
        }
    }

    /// A block has its length at both ends, so that files can be read backwards.
    private mutating func block(_ type: UInt32, _ fill: (inout BlockBody) -> Void) {
        var body = BlockBody()
        fill(&body)
        var frame = BlockBody()
        let length = UInt32(body.bytes.count + 12)
        frame.append(type)
        frame.append(length)
        bytes += frame.bytes
        bytes += body.bytes
        var end = BlockBody()
        end.append(length)
        bytes += end.bytes
    }

    /// A comment's UTF-8, cut between two characters if it is too long.
    private static func shortened(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8.prefix(maximumCommentBytes + 1))
        guard bytes.count > maximumCommentBytes else { return bytes }
        // Whatever is behind the last place where a scalar begins.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        return bytes
    }
}

/// The inner part of a block while it is made.
private struct BlockBody {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
        for place in 0..<(value.bitWidth / 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place)))
        }
    }

    /// Bytes up to a whole number of 32-bit words.
    mutating func append(padded value: [UInt8]) {
        bytes += value
        bytes += [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }

    mutating func option(_ code: UInt16, _ value: [UInt8]) {
        append(code)
        append(UInt16(value.count))
        append(padded: value)
    }

    mutating func endOptions() { append(0 as UInt32) }
}
