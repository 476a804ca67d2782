/// The parsing algorithms of RFC 9651 §4.2.
struct StructuredFieldParser {
    private var scanner: FieldScanner

    /// Begins at the first byte that is not a space.
    init(_ text: String) {
        scanner = FieldScanner(text)
        skipSpaces()
    }

    /// Holds that nothing but spaces is left.
    mutating func end() throws(StructuredFieldError) {
        skipSpaces()
        guard scanner.isAtEnd else { throw error("goes on behind its value") }
    }

    // MARK: Structures

    mutating func list() throws(StructuredFieldError) -> [StructuredMember] {
        var members: [StructuredMember] = []
        guard !scanner.isAtEnd else { return members }
        repeat { members.append(try member()) } while try skipComma()
        return members
    }

    mutating func dictionary() throws(StructuredFieldError) -> StructuredDictionary {
        var dictionary = StructuredDictionary()
        guard !scanner.isAtEnd else { return dictionary }
        repeat {
            let key = try key()
            if scanner.skip("=") {
                dictionary[key] = try member()
            } else {
                let parameters = try parameters()
                dictionary[key] = .item(StructuredItem(.boolean(true), parameters: parameters))
            }
        } while try skipComma()
        return dictionary
    }

    mutating func item() throws(StructuredFieldError) -> StructuredItem {
        let value = try value()
        return StructuredItem(value, parameters: try parameters())
    }

    private mutating func member() throws(StructuredFieldError) -> StructuredMember {
        scanner.next == UInt8(ascii: "(") ? .innerList(try innerList()) : .item(try item())
    }

    private mutating func innerList() throws(StructuredFieldError) -> StructuredInnerList {
        var items: [StructuredItem] = []
        guard scanner.skip("(") else { throw error("has no inner list where one belongs") }
        while true {
            skipSpaces()
            if scanner.skip(")") {
                return StructuredInnerList(items, parameters: try parameters())
            }
            items.append(try item())
            guard scanner.next == UInt8(ascii: " ") || scanner.next == UInt8(ascii: ")") else {
                throw error("has an inner list without an end")
            }
        }
    }

    private mutating func parameters() throws(StructuredFieldError) -> StructuredParameters {
        var parameters = StructuredParameters()
        while scanner.skip(";") {
            skipSpaces()
            let key = try key()
            parameters[key] = scanner.skip("=") ? try value() : .boolean(true)
        }
        return parameters
    }

    private mutating func key() throws(StructuredFieldError) -> String {
        guard let first = scanner.next, first.isLowerAlpha || first == UInt8(ascii: "*") else {
            throw error("has no key where one belongs")
        }
        return String(scalars: scanner.take(while: \.isKeyCharacter))
    }

    /// Whether another member follows.
    private mutating func skipComma() throws(StructuredFieldError) -> Bool {
        scanner.skipBlanks()
        guard !scanner.isAtEnd else { return false }
        guard scanner.skip(",") else { throw error("has no comma between members") }
        scanner.skipBlanks()
        guard !scanner.isAtEnd else { throw error("ends with a comma") }
        return true
    }

    // MARK: Values

    private mutating func value() throws(StructuredFieldError) -> StructuredValue {
        guard let first = scanner.next else { throw error("has no value where one belongs") }
        switch first {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: ":"): return .bytes(try bytes())
        case UInt8(ascii: "?"): return .boolean(try boolean())
        case UInt8(ascii: "@"): return .date(secondsSince1970: try date())
        case UInt8(ascii: "%"): return .displayString(try displayString())
        case _ where first.isDigit || first == UInt8(ascii: "-"): return try number()
        case _ where first.isAlpha || first == UInt8(ascii: "*"):
            return .token(String(scalars: scanner.take(while: \.isStructuredTokenCharacter)))
        default: throw error("has no value where one belongs")
        }
    }

    private mutating func number() throws(StructuredFieldError) -> StructuredValue {
        let sign = scanner.skip("-") ? -1 : 1
        let whole = scanner.take(while: \.isDigit)
        guard (1...15).contains(whole.count) else {
            throw error("has a number without digits or with too many")
        }
        guard scanner.skip(".") else { return .integer(sign * Self.number(whole)) }
        let fraction = scanner.take(while: \.isDigit)
        guard whole.count <= 12, (1...3).contains(fraction.count) else {
            throw error("has a decimal with a wrong number of digits")
        }
        let zeros = repeatElement(UInt8(ascii: "0"), count: 3 - fraction.count)
        return .decimal(thousandths: sign * Self.number(whole + fraction + zeros))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private mutating func boolean() throws(StructuredFieldError) -> Bool {
        if scanner.skip(word: "?1") { return true }
        if scanner.skip(word: "?0") { return false }
        throw error("has a boolean that is neither ?0 nor ?1")
    }

    private mutating func date() throws(StructuredFieldError) -> Int {
        _ = scanner.skip("@")
        guard case .integer(let seconds) = try number() else {
            throw error("has a date that is not whole seconds")
        }
        return seconds
    }

    private mutating func string() throws(StructuredFieldError) -> String {
        _ = scanner.skip("\"")
        var content: [UInt8] = []
        while let byte = scanner.take() {
            switch byte {
            case UInt8(ascii: "\""): return String(scalars: content)
            case UInt8(ascii: "\\"):
                guard let escaped = scanner.take(),
                    escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\")
                else {
                    throw error("has a string with a wrong escape")
                }
                content.append(escaped)
            case 0x20...0x7E: content.append(byte)
            default: throw error("has a string with a byte that is not visible ASCII")
            }
        }
        throw error("has a string without an end")
    }

    private mutating func bytes() throws(StructuredFieldError) -> [UInt8] {
        _ = scanner.skip(":")
        let text = scanner.take { $0 != UInt8(ascii: ":") }
        guard scanner.skip(":") else { throw error("has a byte sequence without an end") }
        // RFC 9651 §4.2.7: missing padding and stray bits in the last digit are to be accepted.
        guard let bytes = Base64.decode(text, isStrict: false) else {
            throw error("has a byte sequence that is not base64")
        }
        return bytes
    }

    private mutating func displayString() throws(StructuredFieldError) -> String {
        guard scanner.skip(word: "%\"") else { throw error("has a lone percent sign") }
        var content: [UInt8] = []
        while let byte = scanner.take() {
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw error("has a display string that is not UTF-8")
                }
                return text
            case UInt8(ascii: "%"): content.append(try escapedByte())
            case 0x20...0x7E: content.append(byte)
            default: throw error("has a display string with a byte that is not visible ASCII")
            }
        }
        throw error("has a display string without an end")
    }

    /// Two hexadecimal digits with small letters.
    private mutating func escapedByte() throws(StructuredFieldError) -> UInt8 {
        var value = 0
        for _ in 0..<2 {
            guard let digit = scanner.take(), !digit.isUpperAlpha, let half = digit.hexValue else {
                throw error("has a display string with a wrong escape")
            }
            value = value << 4 | half
        }
        return UInt8(truncatingIfNeeded: value)
    }

    // MARK: Helpers

    private mutating func skipSpaces() { _ = scanner.take { $0 == 0x20 } }

    private func error(_ reason: String) -> StructuredFieldError {
        StructuredFieldError(reason: reason, offset: scanner.offset)
    }
}

extension UInt8 {
    /// What keys are made of, behind their first character (RFC 9651 §3.1.2).
    var isKeyCharacter: Bool {
        switch self {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"): true
        default: isLowerAlpha || isDigit
        }
    }

    /// What tokens of structured fields are made of (RFC 9651 §3.3.4).
    var isStructuredTokenCharacter: Bool {
        isTokenCharacter || self == UInt8(ascii: ":") || self == UInt8(ascii: "/")
    }
}
