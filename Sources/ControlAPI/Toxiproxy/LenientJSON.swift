/// A JSON value as Toxiproxy reads it: the first value of a body, whatever follows it.
///
/// Keys match without regard to case, and of several the last one counts. Numbers stay text, so that
/// whoever asks decides whether 1.5 or 1e3 will do.
package indirect enum LenientJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([LenientJSON])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: LenientJSON
    }

    /// What Toxiproxy's messages call a value of this kind.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .number(let text): "number \(text)"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The last value under a key; nil if there is none, or it is `null`.
    package subscript(key: String) -> LenientJSON? {
        guard case .object(let members) = self,
            let value = members.last(where: { Self.isSame($0.key, key) })?.value
        else { return nil }
        return value == .null ? nil : value
    }

    package static func isSame(_ a: String, _ b: String) -> Bool {
        a.utf8.elementsEqual(b.utf8) || a.lowercased() == b.lowercased()
    }
}

/// Why a body is no JSON, in Toxiproxy's words.
package struct LenientJSONError: Error, Hashable, Sendable {
    package let description: String

    /// There is nothing.
    static let end = LenientJSONError(description: "EOF")
    /// It is cut short.
    static let unexpectedEnd = LenientJSONError(description: "unexpected EOF")

    static func invalid(_ byte: UInt8, _ place: String) -> LenientJSONError {
        let shown =
            (0x20..<0x7F).contains(byte)
            ? "'\(Character(Unicode.Scalar(byte)))'" : "'\\x\(hexadecimal(byte))'"
        return LenientJSONError(description: "invalid character \(shown) \(place)")
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.utf8.count == 1 ? "0\(digits)" : digits
    }
}

/// Reads the first JSON value of some bytes (RFC 8259).
package struct LenientJSONParser {
    /// Arrays and objects inside one another; nothing that is asked for is nested more than a few
    /// times.
    package static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The first value; what follows it is not looked at.
    package static func parse(_ bytes: [UInt8]) throws(LenientJSONError) -> LenientJSON {
        var parser = LenientJSONParser(bytes)
        parser.skipSpace()
        guard parser.position < bytes.count else { throw .end }
        return try parser.value()
    }

    private mutating func value() throws(LenientJSONError) -> LenientJSON {
        let byte = try next()
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number(byte))
        default: throw .invalid(byte, "looking for beginning of value")
        }
    }

    private mutating func object() throws(LenientJSONError) -> LenientJSON {
        try enter()
        var members: [LenientJSON.Member] = []
        var byte = try nextAfterSpace()
        if byte == UInt8(ascii: "}") { return leave(.object([])) }
        while true {
            guard byte == UInt8(ascii: "\"") else {
                throw .invalid(byte, "looking for beginning of object key string")
            }
            let key = try string()
            byte = try nextAfterSpace()
            guard byte == UInt8(ascii: ":") else { throw .invalid(byte, "after object key") }
            skipSpace()
            members.append(LenientJSON.Member(key: key, value: try value()))
            byte = try nextAfterSpace()
            if byte == UInt8(ascii: "}") { return leave(.object(members)) }
            guard byte == UInt8(ascii: ",") else {
                throw .invalid(byte, "after object key:value pair")
            }
            byte = try nextAfterSpace()
        }
    }

    private mutating func array() throws(LenientJSONError) -> LenientJSON {
        try enter()
        var values: [LenientJSON] = []
        skipSpace()
        if position < bytes.count, bytes[position] == UInt8(ascii: "]") {
            position += 1
            return leave(.array([]))
        }
        while true {
            skipSpace()
            values.append(try value())
            let byte = try nextAfterSpace()
            if byte == UInt8(ascii: "]") { return leave(.array(values)) }
            guard byte == UInt8(ascii: ",") else { throw .invalid(byte, "after array element") }
        }
    }

    private mutating func enter() throws(LenientJSONError) {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw LenientJSONError(description: "exceeded max depth")
        }
    }

    private mutating func leave(_ value: LenientJSON) -> LenientJSON {
        depth -= 1
        return value
    }

    private mutating func word(
        _ word: String,
        _ value: LenientJSON
    ) throws(LenientJSONError) -> LenientJSON {
        for expected in word.utf8.dropFirst() {
            let byte = try next()
            guard byte == expected else {
                let letter = Character(Unicode.Scalar(expected))
                throw .invalid(byte, "in literal \(word) (expecting '\(letter)')")
            }
        }
        return value
    }

    private mutating func number(_ first: UInt8) throws(LenientJSONError) -> String {
        let start = position - 1
        var byte = first
        if byte == UInt8(ascii: "-") { byte = try digit("in numeric literal") }
        if byte != UInt8(ascii: "0") { skipDigits() }
        if take(UInt8(ascii: ".")) {
            _ = try digit("after decimal point in numeric literal")
            skipDigits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            _ = try digit("in exponent of numeric literal")
            skipDigits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digit(_ place: String) throws(LenientJSONError) -> UInt8 {
        let byte = try next()
        guard Self.isDigit(byte) else { throw .invalid(byte, place) }
        return byte
    }

    private mutating func skipDigits() {
        while position < bytes.count, Self.isDigit(bytes[position]) { position += 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// What is not UTF-8, and halves of surrogate pairs, become U+FFFD.
    private mutating func string() throws(LenientJSONError) -> String {
        var content: [UInt8] = []
        while true {
            let byte = try next()
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"): content += String(try escape()).utf8
            case 0..<0x20: throw .invalid(byte, "in string literal")
            default: content.append(byte)
            }
        }
    }

    private mutating func escape() throws(LenientJSONError) -> Unicode.Scalar {
        let byte = try next()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try codePoint()
        default: throw .invalid(byte, "in string escape code")
        }
    }

    private mutating func codePoint() throws(LenientJSONError) -> Unicode.Scalar {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let start = position
        guard UTF16.isLeadSurrogate(UInt16(unit)), take(UInt8(ascii: "\\")),
            take(UInt8(ascii: "u"))
        else {
            position = start
            return "\u{FFFD}"
        }
        let other = try hexadecimal()
        if UTF16.isTrailSurrogate(UInt16(other)),
            let scalar = Unicode.Scalar(0x1_0000 + (unit - 0xD800) << 10 + (other - 0xDC00))
        {
            return scalar
        }
        position = start
        return "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(LenientJSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try next()
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw .invalid(byte, "in \\u hexadecimal character escape")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    // MARK: Bytes

    private mutating func next() throws(LenientJSONError) -> UInt8 {
        guard position < bytes.count else { throw .unexpectedEnd }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func nextAfterSpace() throws(LenientJSONError) -> UInt8 {
        skipSpace()
        return try next()
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
    }
}
