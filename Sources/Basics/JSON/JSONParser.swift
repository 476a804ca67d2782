/// Why bytes are not the JSON that is asked for.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in Unicode scalars, from 1.
    package let column: Int
    /// The value in which the mistake is, as a JSON pointer (RFC 6901).
    package fileprivate(set) var pointer = ""
    package let description: String
    /// What should have stood at the place; nil if the mistake is another one.
    package let expected: String?
    /// What stood there instead; nil for the end.
    package let found: UInt8?
}

/// What a text may hold.
package struct JSONDialect: Hashable, Sendable {
    /// What a key that is there twice means.
    package enum Duplicates: Hashable, Sendable {
        case refused
        case lastCounts
    }

    /// Arrays and objects inside one another.
    package var maximumDepth = 16
    /// Whether numbers may have a fraction or an exponent.
    package var allowsDecimals = false
    package var duplicates = Duplicates.refused
    /// Whether anything may follow the value.
    package var ignoresRest = false
    /// Whether what is no Unicode in a string becomes U+FFFD; it is a mistake otherwise.
    package var repairsStrings = false

    package init() {}

    /// Journals and what is written beside them.
    package static let journal = JSONDialect()
    /// Documents that other programs write.
    package static let document: JSONDialect = {
        var dialect = JSONDialect()
        dialect.maximumDepth = 32
        dialect.allowsDecimals = true
        return dialect
    }()
}

/// Reads one JSON value (RFC 8259), strictly.
///
/// Stricter than the RFC: whole numbers from -2⁶³ to 2⁶⁴ - 1 only, no lone surrogates, UTF-8 only,
/// limited depth and size, and what the dialect says.
package struct JSONParser {
    /// Bytes of one value.
    package static let maximumLength = 1 << 20
    /// Members of one object.
    package static let maximumMembers = 1_024
    /// Bytes of a number with a fraction or an exponent.
    package static let maximumDecimalLength = 64

    private let bytes: ArraySlice<UInt8>
    private let dialect: JSONDialect
    private var position: Int
    private var depth = 0

    private init(_ bytes: ArraySlice<UInt8>, _ dialect: JSONDialect) {
        self.bytes = bytes
        self.dialect = dialect
        position = bytes.startIndex
    }

    /// Reads bytes that are one value and white space around it, nothing more.
    package static func parse(
        _ bytes: ArraySlice<UInt8>,
        _ dialect: JSONDialect = .journal
    ) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes, dialect)
        guard bytes.count <= maximumLength else {
            throw parser.error("longer than \(maximumLength) bytes")
        }
        let value = try parser.value()
        if dialect.ignoresRest { return value }
        parser.skipSpace()
        guard parser.peek == nil else { throw parser.unexpected("the end") }
        return value
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipSpace()
        guard let byte = peek else { throw unexpected("a value") }
        switch byte {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw unexpected("a value")
        }
    }

    // MARK: Structures

    private mutating func object() throws(JSONError) -> JSONObject {
        try enter()
        var object = JSONObject()
        var keys = KnownKeys()
        if !takeAfterSpace("}") {
            repeat {
                skipSpace()
                let start = position
                guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
                let key = try string()
                let isNew = keys.insert(key, of: object)
                guard isNew || dialect.duplicates == .lastCounts else {
                    let mistake = error(
                        "the key \(JSONValue.string(key).shown) is there twice",
                        at: start
                    )
                    throw mistake.inside(key)
                }
                guard object.members.count < Self.maximumMembers || !isNew else {
                    throw error("more than \(Self.maximumMembers) keys", at: start)
                }
                guard takeAfterSpace(":") else { throw unexpected("':'") }
                let value = try value(inside: key)
                if isNew { object.appendNew(key, value) } else { object.replace(key, value) }
            } while takeAfterSpace(",")
            guard takeAfterSpace("}") else { throw unexpected("',' or '}'") }
        }
        depth -= 1
        return object
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        try enter()
        var values: [JSONValue] = []
        if !takeAfterSpace("]") {
            repeat { values.append(try value(inside: "\(values.count)")) } while takeAfterSpace(",")
            guard takeAfterSpace("]") else { throw unexpected("',' or ']'") }
        }
        depth -= 1
        return values
    }

    /// A value whose mistakes are told with its place.
    private mutating func value(inside key: @autoclosure () -> String) throws(JSONError)
        -> JSONValue
    {
        do throws(JSONError) {
            return try value()
        } catch {
            throw error.inside(key())
        }
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= dialect.maximumDepth else {
            throw error("more than \(dialect.maximumDepth) levels deep")
        }
        position += 1
    }

    // MARK: Scalars

    private mutating func word(
        _ word: String,
        _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        for byte in word.utf8 {
            guard peek == byte else { throw unexpected("'\(word)'") }
            position += 1
        }
        return value
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        let isNegative = take("-")
        let first = position
        while let byte = peek, isDigit(byte) { position += 1 }
        let digits = bytes[first..<position]
        guard !digits.isEmpty else { throw unexpected("a digit") }
        guard digits.count == 1 || digits.first != UInt8(ascii: "0") else {
            throw error("a number begins with 0", at: start)
        }
        if peek == UInt8(ascii: ".") || peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            guard dialect.allowsDecimals else {
                throw error("a journal holds whole numbers only", at: start)
            }
            return .decimal(try decimal(from: start))
        }
        guard let magnitude = Self.magnitude(digits),
            !isNegative || magnitude <= Int64.min.magnitude
        else {
            throw error("a number beyond 64 bits", at: start)
        }
        return .integer(isNegative ? -Int128(magnitude) : Int128(magnitude))
    }

    /// Nil beyond 64 bits.
    private static func magnitude(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            let (tenfold, isBeyond) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tenfold.addingReportingOverflow(UInt64(digit & 15))
            guard !isBeyond, !overflows else { return nil }
            value = sum
        }
        return value
    }

    /// Fraction and exponent of a number whose whole part was read.
    private mutating func decimal(from start: Int) throws(JSONError) -> String {
        if take(".") { try digits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits()
        }
        guard position - start <= Self.maximumDecimalLength else {
            throw error("a number longer than \(Self.maximumDecimalLength) bytes", at: start)
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) {
        guard let byte = peek, isDigit(byte) else { throw unexpected("a digit") }
        while let byte = peek, isDigit(byte) { position += 1 }
    }

    private mutating func string() throws(JSONError) -> String {
        let start = position
        position += 1
        skipPlain()
        // Most strings hold no escape, and need no copy of their bytes.
        var content = bytes[(start + 1)..<position]
        while !take("\"") {
            guard take("\\") else { throw unexpected("'\"'") }
            content.append(contentsOf: String(try escape()).utf8)
            let next = position
            skipPlain()
            content.append(contentsOf: bytes[next..<position])
        }
        if let string = String(validating: content, as: UTF8.self) { return string }
        guard dialect.repairsStrings else { throw error("a string that is not UTF-8", at: start) }
        return String(decoding: content, as: UTF8.self)
    }

    /// Goes on to the end of a string, an escape, or what may not stand in a string.
    private mutating func skipPlain() {
        while position < bytes.endIndex {
            let byte = bytes[position]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            position += 1
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = position - 1
        guard let byte = peek else { throw unexpected("an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try codePoint(from: start)
        default: throw error("an unknown escape", at: start)
        }
    }

    private mutating func codePoint(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let afterHalf = position
        if UTF16.isLeadSurrogate(UInt16(unit)), take("\\"), take("u") {
            let other = try hexadecimal()
            if UTF16.isTrailSurrogate(UInt16(other)),
                let scalar = Unicode.Scalar(0x1_0000 + (unit - 0xD800) << 10 + (other - 0xDC00))
            {
                return scalar
            }
        }
        guard dialect.repairsStrings else { throw error("half of a surrogate pair", at: start) }
        position = afterHalf
        return "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected("four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
            position += 1
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func takeAfterSpace(_ scalar: Unicode.Scalar) -> Bool {
        skipSpace()
        return take(scalar)
    }

    // MARK: Errors

    private func unexpected(_ expected: String) -> JSONError {
        error("expected \(expected), found \(found)", expected: expected)
    }

    private var found: String {
        guard let byte = peek else { return "the end" }
        guard byte >= 0x20 else { return "a control character" }
        let scalar = String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars
            .first
        return JSONValue.string(scalar.map(String.init) ?? "").shown
    }

    private func error(
        _ description: String,
        at start: Int? = nil,
        expected: String? = nil
    ) -> JSONError {
        // Continuation bytes do not begin a scalar, so they take no column.
        let column = bytes[..<(start ?? position)].count { $0 & 0xC0 != 0x80 } + 1
        return JSONError(
            column: column,
            description: description,
            expected: expected,
            found: peek
        )
    }
}

/// Tells which keys of an object are new; large ones need a set.
private struct KnownKeys {
    private static let most = 16

    private var set: Set<[UInt8]> = []

    mutating func insert(_ key: String, of object: JSONObject) -> Bool {
        guard object.members.count >= Self.most else { return object[key] == nil }
        if set.isEmpty { set = Set(object.members.map { Array($0.key.utf8) }) }
        return set.insert(Array(key.utf8)).inserted
    }
}

extension JSONError {
    /// The same mistake, seen from the object or array around it.
    fileprivate func inside(_ key: String) -> JSONError {
        var error = self
        error.pointer = JSONPointer.step(key) + pointer
        return error
    }
}

/// The place of a value in a document (RFC 6901).
package enum JSONPointer {
    /// One step of a pointer, its slash included.
    package static func step(_ key: String) -> String {
        var text = "/"
        for character in key.unicodeScalars {
            switch character {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
