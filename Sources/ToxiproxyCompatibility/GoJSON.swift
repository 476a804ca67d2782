package import Basics
internal import Journal

/// JSON as Toxiproxy, a program in Go, reads and writes it.
package enum GoJSON {
    private static let dialect: JSONDialect = {
        var dialect = JSONDialect.document
        dialect.duplicates = .lastCounts
        dialect.ignoresRest = true
        dialect.repairsStrings = true
        return dialect
    }()

    /// Reads the first value of a body, whatever follows it.
    ///
    /// - Throws: 400 in the words of Toxiproxy.
    package static func parse(_ bytes: [UInt8]) throws(ToxiproxyError) -> JSONValue {
        guard bytes.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            throw .badBody("EOF")
        }
        do throws(JSONError) {
            return try JSONParser.parse(bytes[...], dialect)
        } catch {
            throw .badBody(words(for: error))
        }
    }

    /// A value in UTF-8, its keys in their order; what a page could take for markup is escaped.
    package static func bytes(of value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        value.write(to: &bytes, .markup)
        return bytes
    }

    // MARK: Mistakes

    private static func words(for error: JSONError) -> String {
        guard let expected = error.expected else { return error.description }
        guard let found = error.found else { return "unexpected EOF" }
        let place = places[expected] ?? "in literal \(expected.filter { $0 != "'" })"
        return "invalid character \(shown(found)) \(place)"
    }

    /// What is wrong with a character, by what the parser expected in its place.
    private static let places = [
        "a value": "looking for beginning of value",
        "a key in quotes": "looking for beginning of object key string",
        "':'": "after object key",
        "',' or '}'": "after object key:value pair",
        "',' or ']'": "after array element",
        "a digit": "in numeric literal",
        "'\"'": "in string literal",
        "an escape": "in string escape code",
        "four hexadecimal digits": "in \\u hexadecimal character escape",
    ]

    private static func shown(_ byte: UInt8) -> String {
        if (0x20..<0x7F).contains(byte) { return "'\(Character(Unicode.Scalar(byte)))'" }
        return "'\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))'"
    }

    // MARK: Numbers

    /// A number of 32 bits; 0 in place of one that is not finite.
    package static func number(_ value: Float) -> JSONValue { .decimal(text(value)) }

    /// The shortest digits that read as the same value; an exponent below 10⁻⁶ and from 10²¹ on.
    private static func text(_ value: Float) -> String {
        guard value.isFinite else { return "0" }
        let magnitude = value.magnitude
        var (digits, exponent) = shortestDigits(magnitude)
        if digits.isEmpty {
            digits = [UInt8(ascii: "0")]
            exponent = 0
        }
        let sign = value.sign == .minus ? "-" : ""
        if magnitude != 0, magnitude < 1e-6 || magnitude >= 1e21 {
            let rest = digits.dropFirst()
            let fraction = rest.isEmpty ? "" : "." + String(decoding: rest, as: UTF8.self)
            let first = String(decoding: digits.prefix(1), as: UTF8.self)
            return "\(sign)\(first)\(fraction)e\(exponent < 0 ? "-" : "+")\(exponent.magnitude)"
        }
        return sign + plain(digits, exponent)
    }

    private static func plain(_ digits: [UInt8], _ exponent: Int) -> String {
        let text = String(decoding: digits, as: UTF8.self)
        let point = exponent + 1
        if point <= 0 { return "0." + String(repeating: "0", count: -point) + text }
        if point >= digits.count {
            return text + String(repeating: "0", count: point - digits.count)
        }
        return String(text.prefix(point)) + "." + String(text.dropFirst(point))
    }

    /// Digits without zeros at either end, and the power of ten of the first one.
    private static func shortestDigits(_ value: Float) -> (digits: [UInt8], exponent: Int) {
        let parts = value.description.split(separator: "e")
        var exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var digits = Array(halves[0].utf8)
        exponent += digits.count - 1
        if halves.count == 2 { digits += Array(halves[1].utf8) }
        while digits.first == UInt8(ascii: "0") {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return (digits, exponent)
    }
}

extension JSONObject {
    /// The last value under a key, its letters in either case; nil if there is none, or it is null.
    package func value(ofAnyCase key: String) -> JSONValue? {
        let value = members.last { GoJSON.isSame($0.key, key) }?.value
        return value == .null ? nil : value
    }
}

extension GoJSON {
    /// Whether two keys differ at most in the case of their letters.
    static func isSame(_ a: String, _ b: String) -> Bool {
        a.utf8.elementsEqual(b.utf8) || a.lowercased() == b.lowercased()
    }

    /// What Toxiproxy's messages call a value of this kind.
    static func kind(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "bool"
        case .integer, .decimal: "number \(value.text)"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
