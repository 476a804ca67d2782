import Basics
import DNS
import DNSWire
import Faults
import Testing

/// A query as clients send it.
func query(
    _ name: String,
    _ type: RecordType = .a,
    id: UInt16 = 0x1234,
    edns: UInt16? = nil
) throws -> DNSMessage {
    let question = DNSMessage.Question(try #require(DomainName(name)), type)
    var message = DNSMessage(id: id, flags: .init(bits: 0x0100), questions: [question])
    message.edns = edns.map { DNSMessage.EDNS(payloadLimit: $0) }
    return message
}

/// A resolver whose answers the test reads.
struct Asked {
    var resolver: Resolver

    init(
        names: [String] = [],
        faults: [String] = [],
        seed: UInt64 = 7,
        forwards: Bool = false
    ) throws {
        var settings = Resolver.Settings(seed: seed)
        settings.names = try names.map { try NamedAddresses(parsing: $0) }
        settings.faults = try faults.map { try QueryFault(parsing: $0) }
        settings.forwards = forwards
        resolver = Resolver(settings)
    }

    mutating func reply(
        _ name: String,
        _ type: RecordType = .a,
        over transport: QueryTransport = .udp,
        edns: UInt16? = nil
    ) throws -> QueryReply {
        let step = resolver.take(try query(name, type, edns: edns).bytes(), over: transport)
        guard case .reply(let reply) = step else { throw Unexpected(step: step) }
        return reply
    }

    mutating func message(
        _ name: String,
        _ type: RecordType = .a,
        over transport: QueryTransport = .udp,
        edns: UInt16? = nil
    ) throws -> DNSMessage {
        let reply = try reply(name, type, over: transport, edns: edns)
        guard case .bytes(let bytes) = reply.delivery else {
            throw Unexpected(step: .reply(reply))
        }
        return try DNSMessage(parsing: bytes)
    }

    mutating func addresses(_ name: String, _ type: RecordType = .a) throws -> [String] {
        try message(name, type).answers.compactMap { $0.address?.text }
    }

    /// What becomes of a query that another server answers so.
    mutating func finished(_ name: String, with response: DNSMessage?) throws -> DNSMessage {
        let step = resolver.take(try query(name).bytes(), over: .udp)
        guard case .forward(let waiting) = step else { throw Unexpected(step: step) }
        let reply = resolver.finish(waiting, with: response?.bytes())
        guard case .bytes(let bytes) = reply.delivery else {
            throw Unexpected(step: .reply(reply))
        }
        return try DNSMessage(parsing: bytes)
    }

    struct Unexpected: Error { let step: QueryStep }
}
