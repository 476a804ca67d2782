/// A JSON value that is written as Toxiproxy writes it: keys in their order, no spaces.
package indirect enum OrderedJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case float(Float)
    case string(String)
    case array([OrderedJSON])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: OrderedJSON

        package init(_ key: String, _ value: OrderedJSON) {
            self.key = key
            self.value = value
        }
    }

    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += "\(value)"
        case .float(let value): text += Self.number(value)
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// What a page could take for markup is escaped, as are the two line ends of JavaScript.
    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{08}": text += "\\b"
            case "\u{0C}": text += "\\f"
            case "\0"..<" ", "<", ">", "&", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// The shortest digits that read as the same value; an exponent below 10⁻⁶ and from 10²¹ on.
    static func number(_ value: Float) -> String {
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
