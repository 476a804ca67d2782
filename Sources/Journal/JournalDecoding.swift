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
        case "dns":
            DNSReport(members).map { .dns($0, environment: members.environment) }
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
        case "flow": return .flow(connection, environment: members.environment)
        case "flowend": return FlowEnd(members, connection).map { .flowEnd($0) }
        case "quic": return QUICReport(members).map { .quic(connection, $0) }
        case "qpacket": return QUICPacketReport(members, connection).map { .quicPacket($0) }
        case "datagram": return DatagramReport(members, connection).map { .datagram($0) }
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
        case "messages": return MessagesReport(members, exchange).map { .messages($0) }
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
        let path = PathReport(
            interface: interface,
            isExpensive: members.isTrue("expensive"),
            isConstrained: members.isTrue("constrained"),
            isSatisfied: !members.isTrue("unsatisfied")
        )
        return .path(members.connection, path)
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
    private let record: JSONText

    init(_ entry: JournalEntry) {
        type = entry.type
        connection = entry.connection
        record = entry.text
    }

    func text(_ key: JSONKey) -> String? { record.place(of: key).flatMap(record.string(at:)) }

    func number<Number: FixedWidthInteger>(_ key: JSONKey) -> Number? {
        record.place(of: key).flatMap(record.integer(at:)).flatMap { Number(exactly: $0) }
    }

    /// A time of the journal's clock.
    func instant(_ key: JSONKey) -> Instant? {
        let nanoseconds: UInt64? = number(key)
        return nanoseconds.map { Instant(told: $0) }
    }

    func isTrue(_ key: JSONKey) -> Bool {
        record.place(of: key).map { record.kind(at: $0) == .true } ?? false
    }

    /// The whole numbers of an array.
    func numbers<Number: FixedWidthInteger>(_ key: JSONKey) -> [Number] {
        elements(key).compactMap { record.integer(at: $0).flatMap { Number(exactly: $0) } }
    }

    func object(_ key: JSONKey) -> JSONObject {
        record.place(of: key).map(record.object(at:)) ?? [:]
    }

    /// The texts of an array.
    func texts(_ key: JSONKey) -> [String] { elements(key).compactMap(record.string(at:)) }

    /// The objects of an array.
    func objects(_ key: JSONKey) -> [JSONObject] {
        elements(key).filter { record.kind(at: $0) == .object }.map(record.object(at:))
    }

    /// The texts in an object, with their keys.
    func pairs(_ key: JSONKey) -> [(name: String, value: String)] {
        guard let object = record.place(of: key), record.kind(at: object) == .object else {
            return []
        }
        return record.members(of: object).compactMap { member in
            record.string(at: member).map { (record.key(at: member), $0) }
        }
    }

    private func elements(_ key: JSONKey) -> [Int] {
        guard let array = record.place(of: key), record.kind(at: array) == .array else { return [] }
        return Array(record.members(of: array))
    }

    var environment: JSONObject { object("env") }

    func environmentText(_ key: JSONKey) -> String? {
        guard let environment = record.place(of: "env"),
            record.kind(at: environment) == .object
        else {
            return nil
        }
        return record.place(of: key, in: environment).flatMap(record.string(at:))
    }

    /// A count under `key`, or under `key` with `_approx`; nil if there is neither.
    func count(_ key: String) -> (value: UInt64, isExact: Bool)? {
        if let exact: UInt64 = number(JSONKey(key)) { return (exact, true) }
        return number(JSONKey("\(key)_approx")).map { ($0, false) }
    }
}

extension Instant {
    /// A time of the journal's clock, cut to 36 years: a journal may have been tampered with, and sums
    /// of several must not overflow.
    init(told nanoseconds: UInt64) { self.init(nanoseconds: Int64(min(nanoseconds, 1 << 60))) }
}
