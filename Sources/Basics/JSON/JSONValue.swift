/// A JSON value with its keys in order.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// From -2⁶³ to 2⁶⁴ - 1; nothing else is read, and records make nothing else.
    case integer(Int128)
    /// A number with a fraction or an exponent, as it is written; journals hold none.
    case decimal(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    package static func number(_ value: some FixedWidthInteger & Sendable) -> JSONValue {
        .integer(Int128(value))
    }

    /// Of the type that most numbers have; where the type is known only later, this takes far longer.
    package static func number(_ value: UInt64) -> JSONValue { .integer(Int128(value)) }

    /// Text from bytes that may not be UTF-8, such as arguments: each invalid part becomes U+FFFD.
    package static func text(decoding bytes: some Collection<UInt8>) -> JSONValue {
        .string(String(decoding: bytes, as: UTF8.self))
    }
}

/// The members of a JSON object in the order in which they are written; no key twice.
package struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue
    }

    package private(set) var members: [Member] = []

    package init() {}

    /// Leaves out members whose value is nil.
    package init(dictionaryLiteral elements: (String, JSONValue?)...) {
        for (key, value) in elements {
            if let value { append(key, value) }
        }
    }

    /// The value of a key; compared by its bytes.
    package subscript(key: String) -> JSONValue? {
        members.first { Self.areEqual($0.key, key) }?.value
    }

    package var isEmpty: Bool { members.isEmpty }

    /// Adds a member at the end; a key that is there already is a programmer's error.
    ///
    /// Only debug builds look for it, which takes as long as writing the member.
    package mutating func append(_ key: String, _ value: JSONValue) {
        assert(self[key] == nil, "the key '\(key)' is there already")
        appendNew(key, value)
    }

    /// Adds a member whose key is known to be new.
    package mutating func appendNew(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }

    /// Gives a member that is there another value, at its place.
    package mutating func replace(_ key: String, _ value: JSONValue) {
        guard let place = members.firstIndex(where: { Self.areEqual($0.key, key) }) else {
            return
        }
        members[place] = Member(key: key, value: value)
    }

    /// Takes a member out, if it is there.
    package mutating func remove(_ key: String) {
        members.removeAll { Self.areEqual($0.key, key) }
    }

    private static func areEqual(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8)
    }
}
