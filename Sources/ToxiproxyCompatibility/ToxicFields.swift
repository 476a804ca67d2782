package import Basics
internal import Faults
internal import Journal
internal import LinkEngine

/// What a request says about a toxic.
package struct ToxicFields: Hashable, Sendable {
    /// As given; nil if missing.
    package var name: String?
    package var type: String?
    package var stream: String?
    package var toxicity: Float?
    /// Nil if missing; the numbers are looked at once the type is known.
    private var attributes: JSONValue?
    /// What was passed over.
    package private(set) var warnings: [String] = []

    private static let keys = ["name", "type", "stream", "toxicity", "attributes"]

    /// Reads a toxic of a new one's or an update's body.
    ///
    /// - Throws: 400 for a value of the wrong type.
    package init(_ json: JSONValue) throws(ToxiproxyError) {
        let reader = FieldReader(json)
        try reader.requireObject()
        name = try reader.string("name")
        type = try reader.string("type")
        stream = try reader.string("stream")
        toxicity = try reader.float("toxicity")
        attributes = try reader.object("attributes")
        warnings = reader.unknownKeys(known: Self.keys)
    }

    /// The attributes of a type over those that it had, or over 0.
    ///
    /// - Throws: 400 for what is no whole number of 64 bits.
    package mutating func values(
        of type: ToxicType,
        over old: [Int64]? = nil
    ) throws(ToxiproxyError) -> [Int64] {
        var values = old ?? Array(repeating: 0, count: type.attributes.count)
        guard let attributes else { return values }
        let reader = FieldReader(attributes, path: "attributes.")
        for (index, name) in type.attributes.enumerated() {
            if let value = try reader.integer(name) { values[index] = value }
        }
        warnings += reader.unknownKeys(known: type.attributes)
        return values
    }
}

/// What a request says about a proxy.
package struct ProxyFields: Hashable, Sendable {
    package var name: String?
    package var listen: String?
    package var upstream: String?
    package var isEnabled: Bool?
    /// Ours: toxics that the proxy has from its first connection on.
    package var toxics: [ToxicFields]?
    package private(set) var warnings: [String] = []

    private static let keys = ["name", "listen", "upstream", "enabled", "toxics", "logger"]

    /// Reads a proxy of a new one's or an update's body, or of a list.
    ///
    /// - Throws: 400 for a value of the wrong type.
    package init(_ json: JSONValue) throws(ToxiproxyError) {
        let reader = FieldReader(json)
        try reader.requireObject()
        name = try reader.string("name")
        listen = try reader.string("listen")
        upstream = try reader.string("upstream")
        isEnabled = try reader.bool("enabled")
        if let list = try reader.array("toxics") {
            var toxics: [ToxicFields] = []
            for item in list { toxics.append(try ToxicFields(item)) }
            self.toxics = toxics
        }
        warnings = reader.unknownKeys(known: Self.keys) + (toxics ?? []).flatMap(\.warnings)
    }

    /// Reads the list of `/populate`.
    package static func list(_ json: JSONValue) throws(ToxiproxyError) -> [ProxyFields] {
        switch json {
        case .null: return []
        case .array(let items):
            var list: [ProxyFields] = []
            for item in items { list.append(try ProxyFields(item)) }
            return list
        default:
            throw .badBody(
                "json: cannot unmarshal \(GoJSON.kind(of: json)) into Go value of type []Proxy"
            )
        }
    }
}

/// Reads the members of an object, each by its type.
struct FieldReader {
    private let json: JSONValue
    private let path: String

    init(_ json: JSONValue, path: String = "") {
        self.json = json
        self.path = path
    }

    private func value(_ key: String) -> JSONValue? {
        if case .object(let object) = json { object.value(ofAnyCase: key) } else { nil }
    }

    /// `null` stands for an object without members.
    func requireObject() throws(ToxiproxyError) {
        switch json {
        case .object, .null: break
        default:
            throw .badBody(
                "json: cannot unmarshal \(GoJSON.kind(of: json)) into Go value of type object"
            )
        }
    }

    func string(_ key: String) throws(ToxiproxyError) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw wrong(value, key, "string") }
        return text
    }

    func bool(_ key: String) throws(ToxiproxyError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let bool) = value else { throw wrong(value, key, "bool") }
        return bool
    }

    func integer(_ key: String) throws(ToxiproxyError) -> Int64? {
        guard let value = value(key) else { return nil }
        guard case .integer(let integer) = value, let number = Int64(exactly: integer) else {
            throw wrong(value, key, "int64")
        }
        return number
    }

    func float(_ key: String) throws(ToxiproxyError) -> Float? {
        guard let value = value(key) else { return nil }
        switch value {
        case .integer(let number): return Float(number)
        case .decimal(let text):
            if let number = Float(text), number.isFinite { return number }
        default: break
        }
        throw wrong(value, key, "float32")
    }

    func object(_ key: String) throws(ToxiproxyError) -> JSONValue? {
        guard let value = value(key) else { return nil }
        guard case .object = value else { throw wrong(value, key, "object") }
        return value
    }

    func array(_ key: String) throws(ToxiproxyError) -> [JSONValue]? {
        guard let value = value(key) else { return nil }
        guard case .array(let values) = value else { throw wrong(value, key, "array") }
        return values
    }

    /// A warning for each key that means nothing.
    func unknownKeys(known: [String]) -> [String] {
        guard case .object(let object) = json else { return [] }
        return object.members.map(\.key).filter { key in
            !known.contains { GoJSON.isSame($0, key) }
        }.map { key in
            let hint = NearestName.of(key, among: known).map { "; did you mean '\($0)'?" } ?? ""
            return "unknown key '\(QuantityError.shown(path + key))'\(hint)"
        }
    }

    private func wrong(_ value: JSONValue, _ key: String, _ type: String) -> ToxiproxyError {
        .wrongType(value, path + key, type)
    }
}
