internal import Basics

/// The text of faults, read from left to right, and the words for what is wrong in it.
package struct FaultScanner {
    private let text: [UInt8]
    package private(set) var position = 0

    package init(_ source: String) throws(ScheduleError) {
        text = Array(source.utf8)
        guard text.count <= ScheduleLimits.textLength else {
            throw ScheduleError(
                column: 1,
                "the text has \(text.count) bytes; the most is \(ScheduleLimits.textLength)"
            )
        }
    }

    package var isAtEnd: Bool { position == text.count }

    /// The next byte; nil at the end.
    var peek: UInt8? { position < text.count ? text[position] : nil }

    func isAhead(_ word: String) -> Bool {
        text[position...].starts(with: word.utf8)
    }

    package mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    package mutating func takeWord(_ word: String) -> Bool {
        guard isAhead(word) else { return false }
        position += word.utf8.count
        return true
    }

    package mutating func takeText(_ isPart: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = peek, isPart(byte), byte != UInt8(ascii: ";") { position += 1 }
        return string(start..<position)
    }

    package mutating func number(upTo limit: UInt64, what: String) throws(ScheduleError) -> UInt64 {
        let start = position
        let digits = takeText(isDigit)
        guard !digits.isEmpty else { throw error("expected \(what), found \(foundHere)") }
        guard let number = UInt64(digits: digits), number <= limit else {
            throw error(
                "'\(QuantityError.shown(digits))' is too large; the most is \(limit)",
                at: start
            )
        }
        return number
    }

    /// - Parameters:
    ///   - what: is expected.
    ///   - kind: of what is counted.
    /// - Returns: a number from 1.
    /// - Throws: what stands there instead.
    mutating func ordinal(_ what: String, of kind: String) throws(ScheduleError) -> UInt32 {
        let start = position
        let number = try number(upTo: UInt64(UInt32.max), what: what)
        guard number > 0 else {
            let several = kind.hasSuffix("y") ? "\(kind.dropLast())ies" : "\(kind)s"
            throw error("\(several) count from 1, found 0", at: start)
        }
        return UInt32(number)
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: text[range], as: UTF8.self)
    }

    /// Takes the bytes of a quantity up to a `..` that separates two of them.
    mutating func takeQuantity() -> String {
        let start = position
        while let byte = peek, isQuantityByte(byte), !isAhead("..") { position += 1 }
        return string(start..<position)
    }

    // What messages show.

    /// What stands at the current place, for a message.
    package var foundHere: String {
        guard position < text.count else { return "the end" }
        let scalars = string(position..<min(position + 4, text.count)).unicodeScalars
        guard let scalar = scalars.first else { return "the end" }
        let shown = QuantityError.shown(String(scalar))
        return shown == "\u{FFFD}" || scalar.properties.isWhitespace
            ? "U+" + String(scalar.value, radix: 16, uppercase: true) : "'\(shown)'"
    }

    /// What was read since `start`, as much of it as a message can show.
    package func text(from start: Int) -> String { QuantityError.shown(string(start..<position)) }

    /// What stands from a place on, which may be beyond the end.
    func rest(from place: Int) -> ArraySlice<UInt8> { text[min(place, text.count)...] }

    /// The word before a parenthesis that comes next; empty if none does.
    var methodAhead: String {
        let word = wordAhead
        return isAhead(word + "(") ? word : ""
    }

    /// The letters, digits, `-` and `_` that follow.
    var wordAhead: String {
        String(decoding: text[position...].prefix { isNameByte($0) }, as: UTF8.self)
    }

    package func unknown(
        _ kind: String,
        _ name: String,
        among names: [String],
        at start: Int
    ) -> ScheduleError {
        if name.isEmpty {
            let article = kind.first.map { "aeiou".contains($0) } == true ? "an" : "a"
            let known = names.joined(separator: ", ")
            return error(
                "expected \(article) \(kind), one of \(known), found \(foundHere)",
                at: start
            )
        }
        let hint =
            NearestName.of(name, among: names).map { "did you mean '\($0)'?" }
            ?? "expected one of \(names.joined(separator: ", "))"
        return error("unknown \(kind) '\(QuantityError.shown(name))'; \(hint)", at: start)
    }

    package func error(_ description: String, at start: Int? = nil) -> ScheduleError {
        // Continuation bytes do not begin a scalar, so they take no column.
        let column = text[..<(start ?? position)].count { $0 & 0xC0 != 0x80 } + 1
        return ScheduleError(column: column, description)
    }
}

extension FixedWidthInteger {
    /// Plain digits only: no sign.
    init?(digits: String) {
        guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { return nil }
        self.init(digits)
    }
}

func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

func isNameByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || isDigit(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
}

func isQuantityByte(_ byte: UInt8) -> Bool {
    isNameByte(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: "%") || byte >= 0x80
}
