/// A JSON object in its written form, with the place of each value in it.
///
/// Nothing is copied out of the text before it is asked for.
package struct JSONText: Sendable {
    /// The text, and perhaps more around it.
    package let bytes: [UInt8]
    /// The object, and behind each array and object what is in it.
    package let nodes: [JSONNode]

    /// Takes over what a scanner found in `bytes`.
    package init(_ bytes: [UInt8], _ nodes: [JSONNode]) {
        self.bytes = bytes
        self.nodes = nodes
    }

    /// Writes an object.
    package init(writing object: JSONObject) {
        var bytes: [UInt8] = []
        object.write(to: &bytes)
        self.init(written: bytes)
    }

    /// Takes bytes that `JSONObject.write` made, and what ends them, if anything does.
    package init(written bytes: [UInt8], ending: UInt8? = nil) {
        var scanner = JSONScanner()
        let end = scanner.scan(bytes, from: 0, isWritten: true)
        let isWhole = ending == nil ? end == bytes.count : end == bytes.count - 1
        precondition(isWhole && ending.map { $0 == bytes.last } != false, "a well-formed text")
        self.init(bytes, scanner.nodes)
    }

    // MARK: Members

    /// The members of the object at `place`, each by its place.
    package func members(of place: Int = 0) -> Members {
        Members(nodes: nodes, place: place + 1, end: nodes[place].next)
    }

    package struct Members: Sequence, IteratorProtocol {
        fileprivate let nodes: [JSONNode]
        fileprivate var place: Int
        fileprivate let end: Int

        package mutating func next() -> Int? {
            guard place < end else { return nil }
            defer { place = nodes[place].next }
            return place
        }
    }

    /// The place of the value of a key.
    package func place(of key: JSONKey, in object: Int = 0) -> Int? {
        var place = object + 1
        let end = nodes[object].next
        while place < end {
            let node = nodes[place]
            if node.head == key.head, node.key.count == key.text.utf8.count,
                node.key.count <= 8 || bytes[node.key].elementsEqual(key.text.utf8)
            {
                return place
            }
            place = node.next
        }
        return nil
    }

    /// The key of the member at `place`.
    package func key(at place: Int) -> String {
        let node = nodes[place]
        return string(node.key, isEscaped: node.hasEscapedKey)
    }

    /// Whether the key at `a` stands before the one at `b`, by their bytes.
    package func isKey(at a: Int, before b: Int) -> Bool {
        let (one, other) = (nodes[a], nodes[b])
        guard one.head == other.head else { return one.head < other.head }
        guard one.hasEscapedKey || other.hasEscapedKey else {
            return bytes[one.key].lexicographicallyPrecedes(bytes[other.key])
        }
        return key(at: a).utf8.lexicographicallyPrecedes(key(at: b).utf8)
    }

    // MARK: Values

    package func kind(at place: Int) -> JSONNode.Kind { nodes[place].kind }

    /// Nil for what is not a string.
    package func string(at place: Int) -> String? {
        let node = nodes[place]
        guard node.kind == .string else { return nil }
        return string(node.start + 1..<node.end - 1, isEscaped: node.hasEscape)
    }

    /// Nil for what is not a whole number.
    package func integer(at place: Int) -> Int128? {
        let node = nodes[place]
        guard node.kind == .integer else { return nil }
        let isNegative = bytes[node.start] == UInt8(ascii: "-")
        var magnitude: UInt64 = 0
        for place in node.start + (isNegative ? 1 : 0)..<node.end {
            magnitude = magnitude &* 10 &+ UInt64(bytes[place] & 15)
        }
        return isNegative ? -Int128(magnitude) : Int128(magnitude)
    }

    /// The value, read as a document of its own.
    package func value(at place: Int = 0) -> JSONValue {
        (try? JSONParser.parse(bytes[nodes[place].range], .document)) ?? .null
    }

    /// Of what is no object: none.
    package func object(at place: Int = 0) -> JSONObject {
        if case .object(let object) = value(at: place) { object } else { [:] }
    }

    /// Whether the text of a value holds a byte.
    package func contains(_ byte: UInt8, at place: Int) -> Bool {
        bytes[nodes[place].range].contains(byte)
    }

    private func string(_ range: Range<Int>, isEscaped: Bool) -> String {
        guard isEscaped else { return String(decoding: bytes[range], as: UTF8.self) }
        let quoted = bytes[range.lowerBound - 1..<range.upperBound + 1]
        guard case .string(let text)? = try? JSONParser.parse(quoted) else { return "" }
        return text
    }
}

extension JSONText: Hashable {
    package static func == (a: JSONText, b: JSONText) -> Bool {
        a.bytes[a.nodes[0].range] == b.bytes[b.nodes[0].range]
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes[nodes[0].range]) }
}

/// A value in a text, and its key.
package struct JSONNode: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable {
        case null, `true`, `false`, integer, decimal, string, array, object
    }

    package let kind: Kind
    /// Whether the string is not what stands between its quotes.
    package let hasEscape: Bool
    package let hasEscapedKey: Bool
    /// The first eight bytes of the key, which tell most keys from each other and sort as they do.
    package let head: UInt64
    private let keyStart: Int32
    private let keyEnd: Int32
    private let valueStart: Int32
    fileprivate(set) var valueEnd: Int32
    fileprivate(set) var behind: Int32

    init(_ kind: Kind, _ key: Key, _ range: Range<Int>, hasEscape: Bool = false, at place: Int) {
        self.kind = kind
        self.hasEscape = hasEscape
        hasEscapedKey = key.isEscaped
        head = key.head
        keyStart = Int32(truncatingIfNeeded: key.range.lowerBound)
        keyEnd = Int32(truncatingIfNeeded: key.range.upperBound)
        valueStart = Int32(truncatingIfNeeded: range.lowerBound)
        valueEnd = Int32(truncatingIfNeeded: range.upperBound)
        behind = Int32(truncatingIfNeeded: place + 1)
    }

    /// Where a key stands without its quotes.
    struct Key {
        var range = 0..<0
        var head: UInt64 = 0
        var isEscaped = false
    }

    /// Where the key stands without its quotes; empty for an element of an array.
    package var key: Range<Int> { Int(keyStart)..<Int(keyEnd) }
    package var start: Int { Int(valueStart) }
    package var end: Int { Int(valueEnd) }
    package var range: Range<Int> { start..<end }
    /// The place of what follows this value and all that is in it.
    package var next: Int { Int(behind) }

    mutating func close(at end: Int, next: Int) {
        valueEnd = Int32(truncatingIfNeeded: end)
        behind = Int32(truncatingIfNeeded: next)
    }
}

/// A key to look for.
package struct JSONKey: ExpressibleByStringLiteral, Sendable {
    package let text: String
    package let head: UInt64

    package init(_ text: String) {
        self.text = text
        let bytes = text.utf8.span
        var head: UInt64 = 0
        for place in 0..<8 { head = head << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0) }
        self.head = head
    }

    package init(stringLiteral text: String) { self.init(text) }
}
