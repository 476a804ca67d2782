internal import Basics

extension JournalRecord {
    /// Understands a record that was read.
    ///
    /// nil for a type of a later version of the program, and for a record that lacks what its type
    /// needs. Keys that are not known are passed over.
    package init?(_ entry: JournalEntry) {
        let members = RecordMembers(entry)
        guard let record = Self.ofRun(members) ?? Self.ofConnection(members) else { return nil }
        self = record
    }

    private static func ofRun(_ members: RecordMembers) -> JournalRecord? {
        switch members.type {
        case "start": RunStart(members).map { .start($0) }
        case "fault": FaultReport(members).map { .fault($0) }
        case "draw": draw(members)
        case "path": path(members)
        case "budget": budget(members)
        case "note": members.text("text").map { .note(members.connection, text: $0) }
        case "change": ChangeReport(members).map { .change($0) }
        case "internal":
            members.text("text").map {
                .trouble(
                    members.text("kind").flatMap(InternalTrouble.init) ?? .other,
                    words: $0
                )
            }
        case "origin": OriginReport(members).map { .origin($0) }
        case "command": .command(CommandReport(members))
        case "verdict": VerdictReport(members).map { .verdict($0) }
        case "end": RunEnd(members).map { .end($0) }
        default: nil
        }
    }

    private static func ofConnection(_ members: RecordMembers) -> JournalRecord? {
        guard let connection = members.connection else { return nil }
        switch members.type {
        case "conn": return .connection(connection, environment: members.environment)
        case "connend": return ConnectionEnd(members, connection).map { .connectionEnd($0) }
        case "upstream":
            return .upstream(
                connection,
                members.text("error").flatMap(UpstreamTrouble.init) ?? .other,
                words: members.environmentText("words") ?? ""
            )
        case "opaque":
            return OpaqueReport(
                connection,
                members.text("dir").flatMap(MessageSide.init) ?? .request,
                reason: members.text("reason") ?? ""
            ).record
        default: return ofExchange(members, connection)
        }
    }

    private static func ofExchange(
        _ members: RecordMembers,
        _ connection: ConnectionID
    ) -> JournalRecord? {
        guard let ordinal: UInt32 = members.number("r") else { return nil }
        let exchange = ExchangeID(connection, ordinal: ordinal)
        switch members.type {
        case "req": return RequestReport(members, exchange).map { .request($0) }
        case "resp", "interim": return ResponseReport(members, exchange).map { .response($0) }
        case "body": return BodyReport(members, exchange).map { .body($0) }
        default: return nil
        }
    }

    private static func draw(_ members: RecordMembers) -> JournalRecord? {
        guard let stream = members.text("stream"), let index: UInt64 = members.number("index"),
            let value: UInt64 = members.number("value")
        else {
            return nil
        }
        return .draw(members.connection, stream: stream, index: index, value: value)
    }

    private static func path(_ members: RecordMembers) -> JournalRecord? {
        guard let interface = members.text("interface") else { return nil }
        return .path(
            interface: interface,
            isExpensive: members.isTrue("expensive"),
            isConstrained: members.isTrue("constrained")
        )
    }

    private static func budget(_ members: RecordMembers) -> JournalRecord? {
        guard let limit = members.text("limit").flatMap(BudgetLimit.init),
            let bytes: UInt64 = members.number("bytes")
        else {
            return nil
        }
        return .budget(limit, bytes: bytes, bitsPerSecond: members.number("bps"))
    }
}

extension OpaqueReport {
    fileprivate var record: JournalRecord { .opaque(self) }
}

/// A record's members, by type.
struct RecordMembers {
    let type: String
    let connection: ConnectionID?
    private let object: JSONObject

    init(_ entry: JournalEntry) {
        type = entry.type
        connection = entry.connection
        object = entry.object
    }

    func text(_ key: String) -> String? {
        if case .string(let text) = object[key] { text } else { nil }
    }

    func number<Number: FixedWidthInteger>(_ key: String) -> Number? {
        if case .integer(let value) = object[key] { Number(exactly: value) } else { nil }
    }

    func isTrue(_ key: String) -> Bool { object[key] == .bool(true) }

    /// The whole numbers of an array.
    func numbers<Number: FixedWidthInteger>(_ key: String) -> [Number] {
        guard case .array(let values) = object[key] else { return [] }
        return values.compactMap {
            if case .integer(let value) = $0 { Number(exactly: value) } else { nil }
        }
    }

    func object(_ key: String) -> JSONObject {
        if case .object(let object) = object[key] { object } else { [:] }
    }

    /// The texts of an array.
    func texts(_ key: String) -> [String] {
        guard case .array(let values) = object[key] else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The objects of an array.
    func objects(_ key: String) -> [JSONObject] {
        guard case .array(let values) = object[key] else { return [] }
        return values.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }

    var environment: JSONObject { object("env") }

    func environmentText(_ key: String) -> String? {
        if case .string(let text) = environment[key] { text } else { nil }
    }

    /// A count under `key`, or under `key` with `_approx`; nil if there is neither.
    func count(_ key: String) -> (value: UInt64, isExact: Bool)? {
        if let exact: UInt64 = number(key) { return (exact, true) }
        return number("\(key)_approx").map { ($0, false) }
    }
}
