extension DNSMessage {
    /// The message as it travels.
    ///
    /// - Parameter limit: bytes at most. A message that is longer leaves without its records, marked as
    ///   truncated, so that its reader asks again over TCP (RFC 2181 §9). It is not cut short of its
    ///   questions and of EDNS.
    /// - Returns: a datagram, or what follows the length over TCP.
    package func bytes(limit: Int = DNSMessage.limit) -> [UInt8] {
        let whole = written
        return whole.count <= limit ? whole : truncated.written
    }

    /// The message without its records, marked as truncated.
    package var truncated: DNSMessage {
        var short = self
        short.answers = []
        short.authorities = []
        short.additionals = []
        short.flags.isTruncated = true
        return short
    }

    private var written: [UInt8] {
        var writer = MessageWriter()
        let extra = edns.map { [$0.record] } ?? []
        writer.append(word: id)
        writer.append(word: flags.bits)
        for count in [
            questions.count, answers.count, authorities.count, additionals.count + extra.count,
        ] {
            writer.append(word: UInt16(clamping: count))
        }
        for question in questions {
            writer.append(question.name)
            writer.append(word: question.type.number)
            writer.append(word: question.recordClass)
        }
        for record in answers + authorities + additionals + extra { writer.append(record) }
        return writer.bytes
    }
}

extension DNSMessage.EDNS {
    fileprivate var record: ResourceRecord {
        ResourceRecord(
            .root,
            .opt,
            recordClass: payloadLimit,
            lifetime: UInt32(extendedCode) << 24 | UInt32(version) << 16 | UInt32(flags),
            data: options
        )
    }
}

private struct MessageWriter {
    private(set) var bytes: [UInt8] = []
    /// Where names begin that a later one may point to.
    private var places: [DomainName: UInt16] = [:]

    mutating func append(word: UInt16) {
        bytes.append(UInt8(word >> 8))
        bytes.append(UInt8(word & 255))
    }

    /// Writes a name, or where it stands already (RFC 1035 §4.1.4).
    mutating func append(_ name: DomainName) {
        if let place = places[name] { return append(word: 0xC000 | place) }
        // A pointer has fourteen bits, and saves nothing for the root.
        if name != .root, bytes.count < 0x4000 { places[name] = UInt16(bytes.count) }
        bytes += name.wire
    }

    mutating func append(_ record: ResourceRecord) {
        append(record.name)
        append(word: record.type.number)
        append(word: record.recordClass)
        append(word: UInt16(record.lifetime >> 16))
        append(word: UInt16(record.lifetime & 0xFFFF))
        append(word: UInt16(clamping: record.data.count))
        bytes += record.data.prefix(Int(UInt16.max))
    }
}
