/// Documents as literals in code.
///
/// `nil` is none of them: an optional member is meant to be left out, and would become `null`.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in elements { object.append(key, value) }
        self = .object(object)
    }

    /// A number, or null.
    package static func optional(_ value: (some FixedWidthInteger & Sendable)?) -> JSONValue {
        value.map { .number($0) } ?? .null
    }

    /// A text, or null.
    package static func optional(_ value: String?) -> JSONValue {
        value.map { .string($0) } ?? .null
    }
}
