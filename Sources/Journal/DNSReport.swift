internal import Basics

/// What a name server was asked, and what it did.
package struct DNSReport: Hashable, Sendable {
    /// `udp` or `tcp`.
    package var transport: String
    /// In small letters; empty for what is no query.
    package var name: String
    /// The type of record, such as `AAAA`.
    package var type: String
    /// Among the queries for this name and type, from 1; nil for what is no proper query.
    package var number: UInt32?
    /// Whose answer it is: `name`, `upstream`, `fault` or `none`.
    package var source: String
    /// Response code and addresses, or what was done instead.
    package var answer: String
    /// The faults that acted, as text.
    package var faults: [String]

    package init(
        transport: String,
        name: String,
        type: String,
        number: UInt32?,
        source: String,
        answer: String,
        faults: [String] = []
    ) {
        self.transport = transport
        self.name = name
        self.type = type
        self.number = number
        self.source = source
        self.answer = answer
        self.faults = faults
    }

    func object(_ environment: JSONObject) -> JSONObject {
        // What another server says may be different each time.
        let isOurs = source != "upstream"
        return JournalRecord.members(
            "dns",
            nil,
            [
                "transport": .string(transport), "name": .string(name), "qtype": .string(type),
                "number": number.map { .number($0) }, "source": .string(source),
                isOurs ? "answer" : "answer_approx": .string(answer),
                "faults": faults.isEmpty ? nil : .array(faults.map { .string($0) }),
            ],
            environment: environment
        )
    }
}

extension DNSReport {
    init?(_ members: RecordMembers) {
        guard let transport = members.text("transport"), let name = members.text("name"),
            let type = members.text("qtype"), let source = members.text("source"),
            let answer = members.text("answer") ?? members.text("answer_approx")
        else { return nil }
        self.init(
            transport: transport,
            name: name,
            type: type,
            number: members.number("number"),
            source: source,
            answer: answer,
            faults: members.texts("faults")
        )
    }
}
