/// Finds the values in a text that is written as linkcond writes it.
///
/// It takes less than `JSONParser` (no white space, no escape but `\"` and `\\`, ASCII), and what it
/// takes, the parser takes as well and finds the same in it. All else is the parser's, which alone
/// tells mistakes.
package struct JSONScanner: Sendable {
    /// An object with more members needs a set to find the same key twice.
    private static let mostMembers = 64
    /// A longer number may be beyond 64 bits.
    private static let mostDigits = 18

    /// What was found, the outermost value first.
    package private(set) var nodes: [JSONNode] = []
    private var position = 0
    private var depth = 0
    private var isWritten = false

    package init() {}

    /// Scans an object.
    ///
    /// - Parameters:
    ///   - text: holds the object.
    ///   - start: where it begins.
    ///   - isWritten: whether `JSONObject.write` made it, so that any escape is right.
    /// - Returns: where it ends; nil for what is left to the parser.
    package mutating func scan(
        _ text: [UInt8],
        from start: Int,
        isWritten: Bool = false
    ) -> Int? {
        let bytes = text.span
        nodes.removeAll(keepingCapacity: true)
        position = start
        depth = 0
        self.isWritten = isWritten
        guard bytes.count <= Int32.max, object(bytes, JSONNode.Key()) else { return nil }
        return position
    }

    private mutating func value(_ bytes: Span<UInt8>, _ key: JSONNode.Key) -> Bool {
        guard position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: "\""): return string(bytes, key)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return number(bytes, key)
        case UInt8(ascii: "{"): return object(bytes, key)
        case UInt8(ascii: "["): return array(bytes, key)
        case UInt8(ascii: "t"): return word(bytes, key, "true", .true)
        case UInt8(ascii: "f"): return word(bytes, key, "false", .false)
        case UInt8(ascii: "n"): return word(bytes, key, "null", .null)
        default: return false
        }
    }

    // MARK: Structures

    private mutating func object(_ bytes: Span<UInt8>, _ key: JSONNode.Key) -> Bool {
        guard enter(bytes, "{", key, .object) else { return false }
        let place = nodes.count - 1
        guard !take(bytes, "}") else { return leave(place) }
        var known: UInt64 = 0
        var count = 0
        repeat {
            guard let key = self.key(bytes),
                isWritten || isNew(key, bytes, in: place, &known, &count),
                value(bytes, key)
            else {
                return false
            }
        } while take(bytes, ",")
        return take(bytes, "}") && leave(place)
    }

    private mutating func array(_ bytes: Span<UInt8>, _ key: JSONNode.Key) -> Bool {
        guard enter(bytes, "[", key, .array) else { return false }
        let place = nodes.count - 1
        guard !take(bytes, "]") else { return leave(place) }
        repeat {
            guard value(bytes, JSONNode.Key()) else { return false }
        } while take(bytes, ",")
        return take(bytes, "]") && leave(place)
    }

    private mutating func enter(
        _ bytes: Span<UInt8>,
        _ bracket: Unicode.Scalar,
        _ key: JSONNode.Key,
        _ kind: JSONNode.Kind
    ) -> Bool {
        let start = position
        depth += 1
        guard isWritten || depth <= JSONDialect.journal.maximumDepth, take(bytes, bracket) else {
            return false
        }
        nodes.append(JSONNode(kind, key, start..<position, at: nodes.count))
        return true
    }

    private mutating func leave(_ place: Int) -> Bool {
        depth -= 1
        nodes[place].close(at: position, next: nodes.count)
        return true
    }

    /// Whether a key is not yet in the object at `place`; false also if that takes too long to find.
    ///
    /// `known` has a bit for each known key, perhaps one for several; `count` is of members so far.
    private func isNew(
        _ key: JSONNode.Key,
        _ bytes: Span<UInt8>,
        in place: Int,
        _ known: inout UInt64,
        _ count: inout Int
    ) -> Bool {
        count += 1
        guard count <= Self.mostMembers else { return false }
        let mixed = (key.head ^ UInt64(key.range.count)) &* 0x9E37_79B9_7F4A_7C15
        let bit: UInt64 = 1 << (mixed >> 58)
        guard known & bit != 0 else {
            known |= bit
            return true
        }
        var other = place + 1
        while other < nodes.count {
            let node = nodes[other]
            if node.head == key.head, areEqual(bytes, node.key, key.range) { return false }
            other = node.next
        }
        return true
    }

    private func areEqual(_ bytes: Span<UInt8>, _ a: Range<Int>, _ b: Range<Int>) -> Bool {
        guard a.count == b.count else { return false }
        for offset in 0..<a.count
        where bytes[a.lowerBound + offset] != bytes[b.lowerBound + offset] {
            return false
        }
        return true
    }

    // MARK: Scalars

    /// A key with the colon behind it.
    private mutating func key(_ bytes: Span<UInt8>) -> JSONNode.Key? {
        guard take(bytes, "\"") else { return nil }
        let start = position
        guard let isEscaped = skipString(bytes), isWritten || !isEscaped else { return nil }
        let range = start..<position - 1
        guard take(bytes, ":") else { return nil }
        guard !isEscaped else {
            // Keys sort by what they mean.
            let text = (0..<range.count + 2).map { bytes[start - 1 + $0] }
            guard case .string(let name)? = try? JSONParser.parse(text[...]) else { return nil }
            return JSONNode.Key(range: range, head: JSONKey(name).head, isEscaped: true)
        }
        var head: UInt64 = 0
        for place in range.prefix(8) { head = head << 8 | UInt64(bytes[place]) }
        if range.count < 8 { head <<= UInt64(8 * (8 - range.count)) }
        return JSONNode.Key(range: range, head: head)
    }

    private mutating func string(_ bytes: Span<UInt8>, _ key: JSONNode.Key) -> Bool {
        let start = position
        position += 1
        guard let isEscaped = skipString(bytes) else { return false }
        nodes.append(
            JSONNode(.string, key, start..<position, hasEscape: isEscaped, at: nodes.count)
        )
        return true
    }

    /// Goes behind the quote that ends a string; says whether there are escapes in it.
    private mutating func skipString(_ bytes: Span<UInt8>) -> Bool? {
        var place = position
        var isEscaped = false
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") {
                position = place + 1
                return isEscaped
            }
            if byte == UInt8(ascii: "\\") {
                isEscaped = true
                place += 1
                guard place < bytes.count, isWritten || Self.meansItself(bytes[place]) else {
                    return nil
                }
            } else if byte &- 0x20 >= 0x5F, !isWritten {
                return nil
            }
            place += 1
        }
        return nil
    }

    private static func meansItself(_ escaped: UInt8) -> Bool {
        escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\")
    }

    private mutating func number(_ bytes: Span<UInt8>, _ key: JSONNode.Key) -> Bool {
        let start = position
        if isWritten { _ = take(bytes, "-") }
        let first = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        let count = position - first
        guard count > 0, isWritten || count <= Self.mostDigits,
            count == 1 || bytes[first] != UInt8(ascii: "0")
        else {
            return false
        }
        let whole = position
        while isWritten, position < bytes.count, Self.isOfDecimal(bytes[position]) { position += 1 }
        let kind: JSONNode.Kind = position == whole ? .integer : .decimal
        nodes.append(JSONNode(kind, key, start..<position, at: nodes.count))
        return true
    }

    private static func isOfDecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private mutating func word(
        _ bytes: Span<UInt8>,
        _ key: JSONNode.Key,
        _ word: String,
        _ kind: JSONNode.Kind
    ) -> Bool {
        let start = position
        for byte in word.utf8 {
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
        }
        nodes.append(JSONNode(kind, key, start..<position, at: nodes.count))
        return true
    }

    private mutating func take(_ bytes: Span<UInt8>, _ scalar: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }
}
