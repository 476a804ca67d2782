internal import Basics
internal import DNSWire
internal import Faults

// What the answers hold.
extension Resolver {
    /// The reply of a fault that replaces the answer.
    mutating func replaced(_ query: WaitingQuery, by place: Int) -> QueryReply {
        var (delivery, answer) = (QueryReply.Delivery.silence, "no answer")
        var message: DNSMessage?
        switch accounts[place].fault.effect {
        case .code(let code):
            let records = code == .nameError ? [authority(of: query)] : []
            message = query.message.response(code, authorities: records)
        case .noData:
            message = query.message.response(.noError, authorities: [authority(of: query)])
        case .cnameLoop: message = query.message.response(.noError, answers: loop(at: query))
        case .truncate(let ending) where query.transport == .tcp:
            (delivery, answer) = Self.end(by: ending)
        case .truncate: message = query.message.response(.noError).truncated
        case .timeout, .delay, .wrong, .rotate, .deadFirst, .lifetime: break
        }
        if let message {
            delivery = .bytes(message.bytes(limit: query.limit))
            answer = message.summary
        }
        // Nothing cannot come late.
        let delay = delivery == .silence ? Delay() : delay(of: query)
        return reply(
            to: query,
            delivery,
            delay,
            answer: answer,
            source: .fault,
            by: delay.places + [place]
        )
    }

    private static func end(
        by ending: QueryEffect.StreamEnding
    ) -> (delivery: QueryReply.Delivery, answer: String) {
        switch ending {
        case .fin: (.fin, "connection ended")
        case .rst: (.rst, "connection reset")
        case .hole, .answer: (.silence, "no answer")
        }
    }

    /// The reply of a name that is known here.
    mutating func named(_ query: WaitingQuery, _ addresses: [NetworkAddress]) -> QueryReply {
        let isMeant = { (type: RecordType) in
            query.question.type == type || query.question.type == .any
        }
        var change = AnswerChange(
            addresses: addresses.filter { isMeant($0.type) },
            lifetime: settings.lifetime
        )
        apply(query, to: &change)
        let delay = delay(of: query)
        let answers = change.addresses.map { address in
            ResourceRecord(
                query.question.name,
                address.type,
                lifetime: change.lifetime,
                data: address.bytes
            )
        }
        let nothing = answers.isEmpty ? [authority(of: query, lifetime: change.lifetime)] : []
        var response = query.message.response(
            .noError,
            answers: answers,
            authorities: nothing
        )
        response.flags.isAuthoritative = true
        return reply(
            to: query,
            .bytes(response.bytes(limit: query.limit)),
            delay,
            answer: response.summary,
            source: addresses.isEmpty ? .fault : .name,
            by: delay.places + change.places
        )
    }

    /// The reply where the name is unknown.
    mutating func refused(_ query: WaitingQuery) -> QueryReply {
        let delay = delay(of: query)
        return reply(
            to: query,
            .bytes(query.message.response(.refused).bytes(limit: query.limit)),
            delay,
            answer: ResponseCode.refused.name,
            source: .none,
            by: delay.places
        )
    }

    /// The reply with what another server has answered.
    ///
    /// - Parameters:
    ///   - query: that was passed on.
    ///   - bytes: its answer; nil if none came, which is `SERVFAIL`.
    /// - Returns: what to send to the client.
    package mutating func finish(_ query: WaitingQuery, with bytes: [UInt8]?) -> QueryReply {
        let delay = delay(of: query)
        guard let bytes, var response = try? DNSMessage(parsing: bytes) else {
            let failure = query.message.response(.serverFailure)
            return reply(
                to: query,
                .bytes(failure.bytes(limit: query.limit)),
                delay,
                answer: "\(failure.codeName), no answer from the server",
                source: .upstream,
                by: delay.places
            )
        }
        response.id = query.message.id
        let changed = change(&response, for: query)
        // What no fault changes leaves byte for byte, but for the number that the client has given it.
        let same = [UInt8(response.id >> 8), UInt8(response.id & 255)] + bytes.dropFirst(2)
        let fits = changed.isEmpty && same.count <= query.limit
        return reply(
            to: query,
            .bytes(fits ? same : response.bytes(limit: query.limit)),
            delay,
            answer: response.summary,
            source: .upstream,
            by: delay.places + changed
        )
    }

    /// Lets faults change an answer; returns which ones did.
    private mutating func change(
        _ response: inout DNSMessage,
        for query: WaitingQuery
    ) -> [Int] {
        let isAddress = { (record: ResourceRecord) in record.type == query.question.type }
        let old = query.asksForAddresses ? response.answers.filter(isAddress) : []
        let first = response.answers.first ?? response.authorities.first
        var change = AnswerChange(
            addresses: old.compactMap(\.address),
            lifetime: first?.lifetime ?? 0,
            hasRecords: first != nil
        )
        apply(query, to: &change)
        guard !change.places.isEmpty else { return [] }
        if change.addresses != old.compactMap(\.address) {
            let owner = old.first?.name ?? query.question.name
            response.answers.removeAll(where: isAddress)
            response.answers += change.addresses.map {
                ResourceRecord(owner, $0.type, lifetime: change.lifetime, data: $0.bytes)
            }
            response.flags.isAuthentic = false
        }
        if change.setsLifetime {
            for place in response.answers.indices {
                response.answers[place].lifetime = change.lifetime
            }
            for place in response.authorities.indices {
                response.authorities[place].lifetime = change.lifetime
            }
        }
        return change.places
    }

    private func reply(
        to query: WaitingQuery,
        _ delivery: QueryReply.Delivery,
        _ delay: Delay,
        answer: String,
        source: QueryReport.Source,
        by places: [Int]
    ) -> QueryReply {
        QueryReply(
            delivery: delivery,
            delay: delay.time,
            report: QueryReport(
                transport: query.transport,
                name: query.question.name.text,
                type: query.question.type.name,
                ordinal: query.ordinal,
                source: source,
                answer: answer,
                faults: places.sorted().map { accounts[$0].fault.canonicalText }
            )
        )
    }

    // Records of our own.

    /// Whoever keeps that something does not exist does so for the time that this record says
    /// (RFC 2308 §5).
    private func authority(of query: WaitingQuery, lifetime: UInt32? = nil) -> ResourceRecord {
        let seconds = lifetime ?? settings.lifetime
        let numbers: [UInt32] = [1, 3_600, 600, 86_400, seconds]
        let server = DomainName("linkcond.invalid") ?? .root
        return ResourceRecord(
            query.question.name,
            .soa,
            lifetime: seconds,
            data: server.wire + server.wire
                + numbers.flatMap { number in
                    stride(from: 24, through: 0, by: -8).map { UInt8(number >> $0 & 255) }
                }
        )
    }

    /// Two names, each an alias of the other; one that is its own if a second one would be too long.
    private func loop(at query: WaitingQuery) -> [ResourceRecord] {
        let name = query.question.name
        let other = name.child("loop")
        let alias = { (from: DomainName, to: DomainName) in
            ResourceRecord(from, .cname, lifetime: self.settings.lifetime, data: to.wire)
        }
        return other.map { [alias(name, $0), alias($0, name)] } ?? [alias(name, name)]
    }
}

extension WaitingQuery {
    /// Bytes of the longest answer.
    var limit: Int { message.limit(over: transport) }
}

extension DNSMessage {
    /// Bytes of the longest answer to this query.
    func limit(over transport: QueryTransport) -> Int {
        guard transport == .udp else { return Self.limit }
        return min(max(Self.plainLimit, Int(edns?.payloadLimit ?? 0)), Self.datagramLimit)
    }

    /// Bytes of the longest datagram that we send, whatever the client takes.
    private static let datagramLimit = 4_096

    /// Bytes of the longest datagram that we take, which no path cuts into pieces.
    private static let ownLimit: UInt16 = 1_232

    /// A response to this query, with EDNS if the query has it (RFC 6891 §6.1.1).
    func response(
        _ code: ResponseCode,
        answers: [ResourceRecord] = [],
        authorities: [ResourceRecord] = []
    ) -> DNSMessage {
        var response = DNSMessage(
            id: id,
            flags: Flags(bits: flags.bits & 0x7910),
            questions: questions
        )
        response.flags.isResponse = true
        response.flags.offersRecursion = true
        response.flags.code = code.rawValue
        response.answers = answers
        response.authorities = authorities
        guard let edns else { return response }
        var own = EDNS(payloadLimit: Self.ownLimit)
        own.extendedCode = UInt8(code.rawValue >> 4)
        // Whether signatures are wanted is said again (RFC 3225 §3).
        own.flags = edns.flags & 0x8000
        response.edns = own
        return response
    }

    /// The response code and what the records lead to, for people.
    var summary: String {
        if flags.isTruncated { return "truncated" }
        // The name exists, but has nothing of this type.
        if flags.code == 0, answers.isEmpty { return "NODATA" }
        let addresses = answers.compactMap(\.address).map(\.text)
        guard addresses.isEmpty else { return "\(codeName) \(addresses.joined(separator: " "))" }
        let aliases = answers.count { $0.type == .cname }
        let others = answers.count - aliases
        return codeName + (aliases > 0 ? " \(aliases) CNAME" : "")
            + (others > 0 ? " \(others) other" : "")
    }
}
