internal import Basics
internal import DNSWire
package import Faults

/// Decides what queries are answered: the same for the same queries in the same order.
package struct Resolver: Sendable {
    package struct Settings: Hashable, Sendable {
        /// Of several that fit a name, the first one counts.
        package var names: [NamedAddresses] = []
        package var faults: [QueryFault] = []
        package var seed: UInt64
        /// How many seconds an answer from `names` may be kept.
        package var lifetime: UInt32 = 60
        /// Whether queries for other names are passed on; else they are refused.
        package var forwards = false

        package init(seed: UInt64) { self.seed = seed }
    }

    let settings: Settings
    /// Every fault with what it did, in the order of the settings.
    package internal(set) var accounts: [QueryFaultAccount]
    private var counts: [DNSMessage.Question: UInt32] = [:]
    /// Questions whose latest answer was truncated by a fault.
    private var truncated: [DNSMessage.Question: Truncated] = [:]

    /// What is kept of a truncated answer, for the query over TCP that follows.
    private struct Truncated {
        /// Of the fault that truncated it.
        let place: Int
        let ordinal: UInt32
        /// The others that were chosen.
        let faults: [Int]
    }

    /// Names and types that are counted; queries for further ones all count as the first.
    static let countedQuestions = 65_536

    package init(_ settings: Settings) {
        self.settings = settings
        accounts = settings.faults.map { QueryFaultAccount($0, seed: settings.seed) }
    }

    /// Takes what a client has sent: a datagram, or a message without the length before it.
    package mutating func take(
        _ bytes: [UInt8],
        over transport: QueryTransport
    ) -> QueryStep {
        let message: DNSMessage
        do throws(DNSMessageError) {
            message = try DNSMessage(parsing: bytes)
        } catch {
            return objection(toMalformed: bytes, transport)
        }
        if message.flags.isResponse { return .ignore }
        if let code = objection(to: message) {
            return .reply(reply(to: message, code: code, transport))
        }
        return answer(message, message.questions[0], bytes, transport)
    }

    // What is no proper query.

    private func objection(toMalformed bytes: [UInt8], _ transport: QueryTransport) -> QueryStep {
        guard bytes.count >= 12 else { return .ignore }
        let words = stride(from: 0, to: 4, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        let message = DNSMessage(
            id: words[0],
            flags: DNSMessage.Flags(bits: words[1]),
            questions: []
        )
        if message.flags.isResponse { return .ignore }
        return .reply(reply(to: message, code: .formatError, transport))
    }

    private func objection(to message: DNSMessage) -> ResponseCode? {
        if message.flags.operation != 0 { return .notImplemented }
        guard message.questions.count == 1, let question = message.questions.first else {
            return .formatError
        }
        if let edns = message.edns, edns.version > 0 { return .badVersion }
        // The Internet, or any class.
        return question.recordClass == 1 || question.recordClass == 255 ? nil : .refused
    }

    private func reply(
        to message: DNSMessage,
        code: ResponseCode,
        _ transport: QueryTransport
    ) -> QueryReply {
        let question = message.questions.first
        return QueryReply(
            delivery: .bytes(message.response(code).bytes(limit: message.limit(over: transport))),
            report: QueryReport(
                transport: transport,
                name: question?.name.text ?? "",
                type: question?.type.name ?? "",
                source: .none,
                answer: code.name
            )
        )
    }

    // Queries.

    private mutating func answer(
        _ message: DNSMessage,
        _ question: DNSMessage.Question,
        _ bytes: [UInt8],
        _ transport: QueryTransport
    ) -> QueryStep {
        let earlier = transport == .tcp ? truncated[question] : nil
        let ordinal = earlier?.ordinal ?? count(question)
        let faults =
            earlier?.faults ?? accounts.indices.filter { accounts[$0].choose(question, ordinal) }
        let query = WaitingQuery(
            bytes: bytes,
            transport: transport,
            message: message,
            question: question,
            ordinal: ordinal,
            faults: faults
        )
        if let earlier, accounts[earlier.place].fault.effect != .truncate(.answer) {
            return .reply(replaced(query, by: earlier.place))
        }
        if transport == .udp { truncated[question] = nil }
        guard let place = faults.first(where: { replaces($0, query) }) else {
            return addresses(for: query)
        }
        note(place, query)
        return .reply(replaced(query, by: place))
    }

    /// Whether a fault makes the whole answer; over TCP nothing is truncated.
    private func replaces(_ place: Int, _ query: WaitingQuery) -> Bool {
        let effect = accounts[place].fault.effect
        return effect.replaces && (effect != .truncate(.answer) || query.transport == .udp)
    }

    private mutating func note(_ place: Int, _ query: WaitingQuery) {
        accounts[place].fired &+= 1
        guard case .truncate = accounts[place].fault.effect, query.transport == .udp,
            truncated.count < Self.countedQuestions
        else { return }
        truncated[query.question] = Truncated(
            place: place,
            ordinal: query.ordinal,
            faults: query.faults.filter { $0 != place }
        )
    }

    private mutating func count(_ question: DNSMessage.Question) -> UInt32 {
        guard let count = counts[question] else {
            if counts.count < Self.countedQuestions { counts[question] = 1 }
            return 1
        }
        counts[question] = count &+ 1
        return count &+ 1
    }

    /// From the names that are known here, or from another server; else they are refused.
    private mutating func addresses(for query: WaitingQuery) -> QueryStep {
        if let name = settings.names.first(where: {
            $0.names.matches(host: query.question.name.text, port: nil)
        }) {
            return .reply(named(query, name.addresses))
        }
        if let given = given(query) { return .reply(named(query, given)) }
        if settings.forwards { return .forward(query) }
        return .reply(refused(query))
    }

    /// The addresses of a fault that needs no others.
    private func given(_ query: WaitingQuery) -> [NetworkAddress]? {
        let isMet = query.faults.contains { place in
            switch accounts[place].fault.effect {
            case .wrong(let addresses):
                query.asksForAddresses
                    && (addresses.isEmpty || addresses.contains { $0.type == query.question.type })
            case .rotate(let addresses): addresses.contains { $0.type == query.question.type }
            default: false
            }
        }
        return isMet ? [] : nil
    }
}

extension WaitingQuery {
    /// Whether addresses of one family are asked for, which faults can change.
    var asksForAddresses: Bool { question.type == .a || question.type == .aaaa }
}
