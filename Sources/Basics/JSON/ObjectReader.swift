/// Reads the members of a JSON object by their types.
///
/// A member that is missing and one that is null are the same.
package struct ObjectReader {
    private let object: JSONObject
    /// Names the object in errors.
    private let name: String

    package init(_ value: JSONValue?, _ name: String) throws(RecordError) {
        guard case .object(let object)? = value else {
            throw RecordError("\(name) is not a JSON object")
        }
        self.object = object
        self.name = name
    }

    /// The member if it is there and not null.
    package func value(_ key: String) -> JSONValue? {
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    package func object(_ key: String) throws(RecordError) -> ObjectReader {
        try ObjectReader(value(key), "'\(key)'")
    }

    package func text(_ key: String) throws(RecordError) -> String {
        guard let text = try optionalText(key) else { throw wrong(key, "a text") }
        return text
    }

    package func optionalText(_ key: String) throws(RecordError) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw wrong(key, "a text") }
        return text
    }

    /// False if it is missing.
    package func truth(_ key: String) throws(RecordError) -> Bool {
        guard let value = value(key) else { return false }
        guard case .bool(let truth) = value else { throw wrong(key, "true or false") }
        return truth
    }

    package func number<Number: FixedWidthInteger>(
        _ key: String,
        _ type: Number.Type
    ) throws(RecordError) -> Number {
        guard let number = try optionalNumber(key, type) else { throw wrong(key, "a number") }
        return number
    }

    package func optionalNumber<Number: FixedWidthInteger>(
        _ key: String,
        _ type: Number.Type
    ) throws(RecordError) -> Number? {
        guard let value = value(key) else { return nil }
        guard case .integer(let integer) = value, let number = Number(exactly: integer) else {
            throw wrong(key, "a whole number within its range")
        }
        return number
    }

    /// Empty if it is missing.
    package func list(_ key: String) throws(RecordError) -> [JSONValue] {
        guard let value = value(key) else { return [] }
        guard case .array(let values) = value else { throw wrong(key, "a list") }
        return values
    }

    /// Whole numbers from 0 to 255.
    package func bytes(_ key: String) throws(RecordError) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in try list(key) {
            guard case .integer(let number) = value, let byte = UInt8(exactly: number) else {
                throw wrong(key, "a list of bytes")
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// The error for a value of the right type that is out of place.
    package func wrong(_ key: String, _ expected: String) -> RecordError {
        RecordError("\(name): '\(key)' has to be \(expected)")
    }
}

/// Why a record cannot be read.
package struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
