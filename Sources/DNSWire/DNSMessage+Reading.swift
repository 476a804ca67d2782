/// Why bytes are no message.
package enum DNSMessageError: Error, Hashable, Sendable {
    /// They end within something.
    case short
    /// A name is longer than 255 bytes, a label has a reserved form, or a name is continued
    /// at a place that is not before it.
    case badName
    /// A record's data is longer or shorter than its type says.
    case badData
    /// More than one record of EDNS, or one with a name (RFC 6891 §6.1.1).
    case badEDNS
    /// Something follows the last record.
    case trailing
}

extension DNSMessage {
    /// Reads a whole message, as a datagram holds it.
    ///
    /// - Throws: why it is none; no bytes lead to anything worse.
    package init(parsing bytes: [UInt8]) throws(DNSMessageError) {
        var reader = MessageReader(bytes)
        let id = try reader.word()
        let flags = Flags(bits: try reader.word())
        let counts = [try reader.word(), try reader.word(), try reader.word(), try reader.word()]
        self.init(id: id, flags: flags, questions: [])
        for _ in 0..<counts[0] {
            questions.append(
                Question(
                    try reader.name(),
                    RecordType(number: try reader.word()),
                    recordClass: try reader.word()
                )
            )
        }
        for _ in 0..<counts[1] { answers.append(try reader.record()) }
        for _ in 0..<counts[2] { authorities.append(try reader.record()) }
        for _ in 0..<counts[3] { try take(try reader.record()) }
        guard reader.isAtEnd else { throw .trailing }
    }

    private mutating func take(_ record: ResourceRecord) throws(DNSMessageError) {
        guard record.type == .opt else {
            additionals.append(record)
            return
        }
        guard edns == nil, record.name == .root else { throw .badEDNS }
        var new = EDNS(payloadLimit: record.recordClass)
        new.extendedCode = UInt8(record.lifetime >> 24)
        new.version = UInt8(record.lifetime >> 16 & 255)
        new.flags = UInt16(record.lifetime & 0xFFFF)
        new.options = record.data
        edns = new
    }
}

/// Reads a message from its first byte to its last.
private struct MessageReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func word() throws(DNSMessageError) -> UInt16 {
        let pair = try take(2)
        return UInt16(pair[pair.startIndex]) << 8 | UInt16(pair[pair.startIndex + 1])
    }

    private mutating func take(_ count: Int) throws(DNSMessageError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .short }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads a name that may be continued at an earlier place (RFC 1035 §4.1.4).
    ///
    /// Each part has to begin before the one that leads to it, so that no name leads back to itself.
    mutating func name() throws(DNSMessageError) -> DomainName {
        var wire: [UInt8] = []
        var place = position
        var earliest = position
        var end: Int?
        while true {
            guard place < bytes.count else { throw .short }
            let length = Int(bytes[place])
            switch length {
            case 0:
                position = end ?? place + 1
                return DomainName(wire: wire + [0])
            case 1...DomainName.labelLimit:
                let next = place + 1 + length
                guard next <= bytes.count else { throw .short }
                wire += bytes[place..<next]
                guard wire.count < DomainName.limit else { throw .badName }
                place = next
            case 0xC0...:
                guard place + 1 < bytes.count else { throw .short }
                let target = (length & 0x3F) << 8 | Int(bytes[place + 1])
                guard target < earliest else { throw .badName }
                end = end ?? place + 2
                place = target
                earliest = target
            default: throw .badName
            }
        }
    }

    mutating func record() throws(DNSMessageError) -> ResourceRecord {
        let name = try name()
        let type = RecordType(number: try word())
        let recordClass = try word()
        let lifetime = UInt32(try word()) << 16 | UInt32(try word())
        let end = Int(try word()) + position
        guard end <= bytes.count else { throw .short }
        let data = try data(of: type, upTo: end)
        return ResourceRecord(
            name,
            type,
            recordClass: recordClass,
            lifetime: lifetime,
            data: data
        )
    }

    /// Data with its names written out.
    private mutating func data(
        of type: RecordType,
        upTo end: Int
    ) throws(DNSMessageError) -> [UInt8] {
        var data: [UInt8] = []
        // A request to delete records has none (RFC 2136 §2.5).
        let pieces = position == end ? [] : type.layout
        for piece in pieces {
            switch piece {
            case .bytes(let count): data += try take(count)
            case .name: data += try name().wire
            }
            guard position <= end else { throw .badData }
        }
        data += try take(end - position)
        guard data.count <= Int(UInt16.max) else { throw .badData }
        return data
    }
}
