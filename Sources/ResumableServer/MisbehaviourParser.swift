extension Misbehaviour {
    /// Reads the text form; an empty text has no rules.
    package init(parsing text: String) throws(MisbehaviourError) {
        var parser = MisbehaviourParser(text)
        self.init(try parser.rules())
    }

    /// As many rules as one text may have.
    package static let maximumRules = 256
    /// What a rule can begin with beside a status, its value left out.
    package static let effectNames = [
        "drop-104", "forget", "lose", "slow-final", "mutate", "etag", "last-modified",
        "ignore-range", "shift-range", "no-content-range", "wrong-total", "304", "416",
        "200-partial", "short", "multipart", "gzip", "false-gzip", "stale",
        "max-append-size", "max-size",
    ]
    /// The largest number in a rule.
    package static let maximumNumber = 1 << 50
}

/// Reads rules from left to right, without going back.
private struct MisbehaviourParser {
    private let text: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    mutating func rules() throws(MisbehaviourError) -> [Misbehaviour.Rule] {
        var rules: [Misbehaviour.Rule] = []
        skipSpaces()
        guard position < text.count else { return rules }
        repeat {
            guard rules.count < Misbehaviour.maximumRules else {
                throw error("more than \(Misbehaviour.maximumRules) rules", at: position)
            }
            skipSpaces()
            rules.append(try rule())
            skipSpaces()
        } while take(";")
        guard position == text.count else {
            throw error("expected ';' or the end, found \(foundHere)", at: position)
        }
        return rules
    }

    // MARK: Rule

    private typealias Word = (text: String, at: Int)

    private mutating func rule() throws(MisbehaviourError) -> Misbehaviour.Rule {
        var name = word()
        var scope: Misbehaviour.Scope?
        if take(":") {
            scope = try choice(name, "scope")
            name = word()
        }
        var value: Word?
        var ordinals: ClosedRange<Int>?
        while true {
            let start = position
            if take("=") {
                guard value == nil else { throw error("there are two values", at: start) }
                value = word()
            } else if take("@") {
                guard ordinals == nil else {
                    throw error("the requests are given twice", at: start)
                }
                ordinals = try self.ordinals()
            } else {
                break
            }
        }
        let retryAfter = try arguments()
        let effect = try effect(name, value, retryAfter)
        return Misbehaviour.Rule(
            scope: try self.scope(scope, of: effect, name),
            effect: effect,
            ordinals: ordinals ?? 1...Misbehaviour.maximumNumber
        )
    }

    private mutating func ordinals() throws(MisbehaviourError) -> ClosedRange<Int> {
        let start = position
        let first = try number(digits(), "a request, counted from 1", from: 1)
        guard take("-") else { return first...first }
        guard position < text.count, isDigit(text[position]) else {
            return first...Misbehaviour.maximumNumber
        }
        let last = try number(digits(), "a request, counted from 1", from: 1)
        guard first <= last else {
            throw error("'\(first)-\(last)' names no request; the smaller comes first", at: start)
        }
        return first...last
    }

    private mutating func arguments() throws(MisbehaviourError) -> (
        Word, Misbehaviour.RetryAfterForm
    )? {
        var found: (Word, Misbehaviour.RetryAfterForm)?
        while take(",") {
            skipSpaces()
            let name = word()
            guard ["retry-after", "retry-after-date"].contains(name.text) else {
                throw error(
                    "unknown argument '\(name.text)'; expected retry-after or retry-after-date",
                    at: name.at
                )
            }
            guard found == nil else { throw error("'\(name.text)' is one too many", at: name.at) }
            guard take("=") else {
                throw error("expected '=' and seconds, found \(foundHere)", at: position)
            }
            let seconds = try number(word(), "a number of seconds", from: 0)
            found = (name, name.text == "retry-after" ? .seconds(seconds) : .date(in: seconds))
        }
        return found
    }

    // MARK: Effect

    private static let plain: [String: Misbehaviour.Effect] = [
        "drop-104": .drop104, "forget": .forget, "ignore-range": .ignoreRange,
        "no-content-range": .noContentRange, "wrong-total": .wrongTotal, "304": .notModified,
        "416": .unsatisfiable, "200-partial": .partialAs200, "multipart": .multipart,
        "false-gzip": .falseGzip, "gzip": .gzip,
    ]
    private static let names =
        "a status such as 503, " + Misbehaviour.effectNames.joined(separator: ", ")

    private func effect(
        _ name: Word,
        _ value: Word?,
        _ retryAfter: (Word, Misbehaviour.RetryAfterForm)?
    ) throws(MisbehaviourError) -> Misbehaviour.Effect {
        if let plain = Self.plain[name.text] {
            try expectNone(value, retryAfter, name)
            return plain
        }
        if name.text.utf8.count == 3, let status = Int(name.text), (400..<600).contains(status) {
            try expectNone(value, nil, name)
            return .status(status, retryAfter: retryAfter?.1)
        }
        try expectNone(nil, retryAfter, name)
        switch name.text {
        case "lose": return .lose(try number(needed(value, name, "1000"), "bytes", from: 1))
        case "short": return .short(try number(needed(value, name, "1000"), "bytes", from: 1))
        case "stale": return .stale(try number(needed(value, name, "600"), "seconds", from: 0))
        case "max-append-size":
            return .limitAppend(try number(needed(value, name, "1000"), "bytes", from: 1))
        case "max-size":
            return .limitSize(try number(needed(value, name, "1000"), "bytes", from: 1))
        case "shift-range": return .shiftRange(try signed(needed(value, name, "-10")))
        case "slow-final": return .slowFinal(try duration(needed(value, name, "2s")))
        case "mutate": return .mutate(try choice(needed(value, name, "grow"), "mutation"))
        case "etag": return .entityTag(try choice(needed(value, name, "weak"), "form"))
        case "last-modified":
            return .lastModified(try choice(needed(value, name, "coarse"), "form"))
        case "": throw error("expected \(Self.names), found \(foundHere)", at: name.at)
        default:
            throw error("unknown effect '\(name.text)'; expected \(Self.names)", at: name.at)
        }
    }

    private func scope(
        _ given: Misbehaviour.Scope?,
        of effect: Misbehaviour.Effect,
        _ name: Word
    ) throws(MisbehaviourError) -> Misbehaviour.Scope {
        let allowed: [Misbehaviour.Scope]
        switch effect {
        case .status: allowed = Misbehaviour.Scope.allCases
        case .drop104, .slowFinal: allowed = [.upload, .creation, .append]
        case .limitAppend, .limitSize: allowed = [.upload, .creation, .append, .status]
        case .forget, .lose: allowed = [.upload, .append, .status, .cancel]
        case .mutate, .entityTag, .lastModified, .ignoreRange, .shiftRange, .noContentRange,
            .wrongTotal, .notModified, .unsatisfiable, .partialAs200, .short, .multipart,
            .falseGzip, .gzip, .stale:
            allowed = [.object]
        }
        guard let given else { return allowed[0] }
        guard allowed.contains(given) else {
            let list = allowed.map(\.rawValue).joined(separator: ", ")
            throw error(
                "'\(name.text)' does not act on \(given.rawValue), only on \(list)",
                at: name.at
            )
        }
        return given
    }

    private func expectNone(
        _ value: Word?,
        _ retryAfter: (Word, Misbehaviour.RetryAfterForm)?,
        _ name: Word
    ) throws(MisbehaviourError) {
        if let value { throw error("'\(name.text)' takes no value", at: value.at) }
        if let retryAfter {
            throw error("'\(retryAfter.0.text)' goes with a status only", at: retryAfter.0.at)
        }
    }

    private func needed(
        _ value: Word?,
        _ name: Word,
        _ example: String
    ) throws(MisbehaviourError) -> Word {
        guard let value else {
            throw error("'\(name.text)' needs a value, as in \(name.text)=\(example)", at: name.at)
        }
        return value
    }

    // MARK: Values

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ word: Word,
        _ what: String
    ) throws(MisbehaviourError) -> Choice {
        guard let choice = Choice(rawValue: word.text) else {
            let list = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("unknown \(what) '\(word.text)'; expected one of \(list)", at: word.at)
        }
        return choice
    }

    private func number(
        _ word: Word,
        _ what: String,
        from least: Int
    ) throws(MisbehaviourError) -> Int {
        guard word.text.unicodeScalars.allSatisfy(isDigit), let number = Int(word.text),
            (least...Misbehaviour.maximumNumber).contains(number)
        else {
            throw error(
                "'\(word.text)' is not \(what): expected a number from \(least) to "
                    + "\(Misbehaviour.maximumNumber)",
                at: word.at
            )
        }
        return number
    }

    private func signed(_ word: Word) throws(MisbehaviourError) -> Int {
        let isNegative = word.text.hasPrefix("-")
        let hasSign = isNegative || word.text.hasPrefix("+")
        let digits = (hasSign ? String(word.text.dropFirst()) : word.text, word.at)
        let distance = try number(digits, "a distance in bytes", from: 1)
        return isNegative ? -distance : distance
    }

    /// Milliseconds.
    private func duration(_ word: Word) throws(MisbehaviourError) -> Int {
        for (unit, factor) in [("ms", 1), ("s", 1_000)] where word.text.hasSuffix(unit) {
            let digits = (String(word.text.dropLast(unit.count)), word.at)
            let count = try number(digits, "a time", from: 1)
            guard count <= Misbehaviour.maximumNumber / factor else { break }
            return count * factor
        }
        throw error("'\(word.text)' is not a time such as 2s or 500ms", at: word.at)
    }

    // MARK: Scalars

    private mutating func word() -> Word {
        let start = position
        while position < text.count, isWordScalar(text[position]) { position += 1 }
        return (string(start..<position), start)
    }

    private mutating func digits() -> Word {
        let start = position
        while position < text.count, isDigit(text[position]) { position += 1 }
        return (string(start..<position), start)
    }

    private mutating func skipSpaces() {
        while position < text.count, text[position] == " " { position += 1 }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == scalar else { return false }
        position += 1
        return true
    }

    private func string(_ range: Range<Int>) -> String {
        var string = String.UnicodeScalarView()
        string.append(contentsOf: text[range])
        return String(string)
    }

    private var foundHere: String {
        guard position < text.count else { return "the end" }
        let scalar = text[position]
        return (0x20..<0x7F).contains(scalar.value)
            ? "'\(scalar)'" : "U+" + String(scalar.value, radix: 16, uppercase: true)
    }

    private func error(_ description: String, at place: Int) -> MisbehaviourError {
        MisbehaviourError(column: place + 1, description: description)
    }
}

private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

private func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || isDigit(scalar)
        || "-+._".unicodeScalars.contains(scalar)
}
