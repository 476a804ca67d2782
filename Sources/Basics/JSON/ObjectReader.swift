internal import HTTPWire
internal import Journal

/// Reads the members of a JSON object, each once and by its type.
struct ObjectReader {
    private let object: JSONObject
    /// Names the object in errors.
    private let name: String

    init(_ value: JSONValue?, _ name: String) throws(RecordError) {
        guard case .object(let object)? = value else {
            throw RecordError("\(name) is not a JSON object")
        }
        self.object = object
        self.name = name
    }

    /// The member if it is there and not null.
    func value(_ key: String) -> JSONValue? {
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    func object(_ key: String) throws(RecordError) -> ObjectReader {
        try ObjectReader(value(key), "'\(key)'")
    }

    func text(_ key: String) throws(RecordError) -> String {
        guard let text = try optionalText(key) else { throw missing(key, "a text") }
        return text
    }

    func optionalText(_ key: String) throws(RecordError) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw missing(key, "a text") }
        return text
    }

    func url(_ key: String) throws(RecordError) -> HTTPURL {
        do throws(HTTPURLError) {
            return try HTTPURL((try? text(key)) ?? "")
        } catch {
            throw missing(key, "an http or https URL")
        }
    }

    func truth(_ key: String) throws(RecordError) -> Bool {
        guard let value = value(key) else { return false }
        guard case .bool(let truth) = value else { throw missing(key, "true or false") }
        return truth
    }

    func number<Number: FixedWidthInteger>(
        _ key: String,
        _ type: Number.Type
    ) throws(RecordError) -> Number {
        guard let number = try optionalNumber(key, type) else { throw missing(key, "a number") }
        return number
    }

    func optionalNumber<Number: FixedWidthInteger>(
        _ key: String,
        _ type: Number.Type
    ) throws(RecordError) -> Number? {
        guard let value = value(key) else { return nil }
        guard case .integer(let integer) = value, let number = Number(exactly: integer) else {
            throw missing(key, "a whole number within its range")
        }
        return number
    }

    func list(_ key: String) throws(RecordError) -> [JSONValue] {
        guard let value = value(key) else { return [] }
        guard case .array(let values) = value else { throw missing(key, "a list") }
        return values
    }

    /// A value that another reading of the text refused.
    func wrong(_ key: String, _ expected: String) -> RecordError { missing(key, expected) }

    private func missing(_ key: String, _ expected: String) -> RecordError {
        RecordError("\(name): '\(key)' has to be \(expected)")
    }
}

/// Why a record cannot be read.
package struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
