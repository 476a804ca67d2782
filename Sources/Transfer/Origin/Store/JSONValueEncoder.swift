internal import Journal

/// Writes an `Encodable` value as the JSON of journals: whole numbers, text, truth, lists, objects.
struct JSONValueEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let node: Node

    static func encode(_ value: some Encodable) throws -> JSONValue {
        let node = Node()
        try JSONValueEncoder(codingPath: [], node: node).encode(value)
        return node.value
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.kind = .members
        return KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.kind = .elements
        return Unkeyed(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    private func encode(_ value: some Encodable) throws {
        switch value {
        case let value as Bool: node.kind = .scalar(.bool(value))
        case let value as String: node.kind = .scalar(.string(value))
        case let value as any BinaryInteger:
            node.kind = .scalar(.integer(Int128(clamping: value)))
        case is Double, is Float:
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: codingPath, debugDescription: "whole numbers only")
            )
        default: try value.encode(to: self)
        }
    }

    /// A value that is being built.
    private final class Node {
        enum Kind { case scalar(JSONValue), elements, members }

        var kind = Kind.scalar(.null)
        private(set) var children: [(key: String, node: Node)] = []

        var value: JSONValue {
            switch kind {
            case .scalar(let value): return value
            case .elements: return .array(children.map(\.node.value))
            case .members:
                var object = JSONObject()
                for child in children { object.append(child.key, child.node.value) }
                return .object(object)
            }
        }

        func append(_ key: String = "") -> Node {
            let child = Node()
            children.append((key, child))
            return child
        }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: JSONValueEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        mutating func encodeNil() { encoder.node.kind = .scalar(.null) }
        mutating func encode<T: Encodable>(_ value: T) throws { try encoder.encode(value) }
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: JSONValueEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        private func child(_ key: any CodingKey) -> JSONValueEncoder {
            JSONValueEncoder(
                codingPath: codingPath + [key],
                node: encoder.node.append(key.stringValue)
            )
        }

        mutating func encodeNil(forKey key: Key) { _ = child(key) }

        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            try child(key).encode(value)
        }

        mutating func nestedContainer<NestedKey>(
            keyedBy keyType: NestedKey.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> { child(key).container(keyedBy: keyType) }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            child(key).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { child(SuperKey()) }
        mutating func superEncoder(forKey key: Key) -> any Encoder { child(key) }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: JSONValueEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { encoder.node.children.count }

        private func child() -> JSONValueEncoder {
            JSONValueEncoder(codingPath: codingPath, node: encoder.node.append())
        }

        mutating func encodeNil() { _ = child() }
        mutating func encode<T: Encodable>(_ value: T) throws { try child().encode(value) }

        mutating func nestedContainer<NestedKey>(
            keyedBy keyType: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> { child().container(keyedBy: keyType) }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            child().unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { child() }
    }

    private struct SuperKey: CodingKey {
        let stringValue = "super"
        let intValue: Int? = nil

        init() {}
        init?(stringValue: String) { return nil }
        init?(intValue: Int) { return nil }
    }
}
