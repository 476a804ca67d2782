internal import Journal

/// Reads a `Decodable` value from the JSON of journals.
struct JSONValueDecoder: Decoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let value: JSONValue

    static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value
    {
        try JSONValueDecoder(codingPath: [], value: value).decode(type)
    }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw mismatch("an object") }
        return KeyedDecodingContainer(Keyed(decoder: self, object: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw mismatch("a list") }
        return Unkeyed(decoder: self, values: values)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    private func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Bool.self {
            guard case .bool(let bool) = value, let result = bool as? Value else {
                throw mismatch("true or false")
            }
            return result
        }
        if type == String.self {
            guard case .string(let text) = value, let result = text as? Value else {
                throw mismatch("text")
            }
            return result
        }
        guard let integer = type as? any FixedWidthInteger.Type else {
            return try Value(from: self)
        }
        guard case .integer(let number) = value,
            let result = Self.number(number, as: integer) as? Value
        else {
            throw mismatch("a number within bounds")
        }
        return result
    }

    private static func number<Integer: FixedWidthInteger>(
        _ number: Int128,
        as type: Integer.Type
    ) -> Integer? { Integer(exactly: number) }

    private func mismatch(_ expected: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: "expected \(expected)"))
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: JSONValueDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.value == .null }
        func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
    }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: JSONValueDecoder
        let object: JSONObject
        var codingPath: [any CodingKey] { decoder.codingPath }
        var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

        private func child(_ key: any CodingKey) throws -> JSONValueDecoder {
            guard let value = object[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key,
                    .init(codingPath: codingPath, debugDescription: "missing")
                )
            }
            return JSONValueDecoder(codingPath: codingPath + [key], value: value)
        }

        func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try child(key).value == .null }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try child(key).decode(type)
        }

        func nestedContainer<NestedKey>(
            keyedBy type: NestedKey.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<NestedKey> { try child(key).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try child(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { decoder }
        func superDecoder(forKey key: Key) throws -> any Decoder { try child(key) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let decoder: JSONValueDecoder
        let values: [JSONValue]
        private(set) var currentIndex = 0
        var codingPath: [any CodingKey] { decoder.codingPath }
        var count: Int? { values.count }
        var isAtEnd: Bool { currentIndex == values.count }

        init(decoder: JSONValueDecoder, values: [JSONValue]) {
            self.decoder = decoder
            self.values = values
        }

        private mutating func next() throws -> JSONValueDecoder {
            guard !isAtEnd else { throw decoder.mismatch("one more element") }
            defer { currentIndex += 1 }
            return JSONValueDecoder(codingPath: codingPath, value: values[currentIndex])
        }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, values[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }

        mutating func nestedContainer<NestedKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> { try next().container(keyedBy: type) }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next().unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { try next() }
    }
}
