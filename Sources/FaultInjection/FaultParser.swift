internal import LinkEngine

/// Reads faults and schedules from text, left to right, without going back.
struct FaultParser {
    private let text: [UInt8]
    private var position = 0

    static let effects = ["rst", "fin", "hole", "stall", "slow", "corrupt", "refuse"]
    private static let anchors = ["connect", "up", "down"]
    /// Words of request-addressed faults, which get a message of their own.
    private static let requestAnchors = ["req", "resp", "interim", "idle"]
    private static let requestEffects = [
        "swallow", "late", "status", "withhold", "dup", "edit", "inject", "crash", "mutate",
        "range", "expire", "limit", "truncate", "silent", "down", "rst-on-next", "early",
        "buffer", "strip",
    ]
    private static let requestArguments = ["see", "gate", "times", "drain", "until"]

    init(_ source: String) throws(ScheduleError) {
        text = Array(source.utf8)
        guard text.count <= ScheduleLimits.textLength else {
            throw ScheduleError(
                column: 1,
                "the text has \(text.count) bytes; the most is \(ScheduleLimits.textLength)"
            )
        }
    }

    // MARK: Schedule

    mutating func schedule() throws(ScheduleError) -> (seed: UInt64?, faults: [Fault]) {
        guard takeWord("lc1") else {
            throw error("expected 'lc1' to begin a schedule, found \(foundHere)")
        }
        var seed: UInt64?
        var faults: [Fault] = []
        while take(";") {
            let start = position
            if takeWord("seed=") {
                guard seed == nil else { throw error("the seed is given twice", at: start) }
                seed = try number(upTo: .max, what: "a seed")
            } else if takeWord("base=") {
                throw unsupported("'base' belongs to request addresses", at: start)
            } else {
                faults.append(try fault())
            }
            guard faults.count <= ScheduleLimits.faults else {
                throw error("more than \(ScheduleLimits.faults) faults", at: start)
            }
        }
        return (seed, faults)
    }

    mutating func end() throws(ScheduleError) {
        guard position == text.count else {
            throw error("expected the end of the text, found \(foundHere)")
        }
    }

    // MARK: Fault

    mutating func fault() throws(ScheduleError) -> Fault {
        let connections = try selector()
        guard take(":") else {
            throw error("expected ':' and an anchor, found \(foundHere)")
        }
        let anchor = try anchor()
        guard take("=") else { throw error("expected '=' and an effect, found \(foundHere)") }
        let effect = try effect(at: anchor)
        let far = try arguments(of: effect)
        return Fault(connections: connections, anchor: anchor, effect: effect, far: far)
    }

    private mutating func selector() throws(ScheduleError) -> ConnectionSelector {
        let start = position
        guard take("c") else { throw notASelector() }
        let ordinals: ConnectionSelector.Ordinals
        if take("*") {
            let period = try period(from: start) ?? 1
            ordinals = .periodic(first: period, period: period)
        } else {
            let column = position
            let first = try ordinal("a connection number or '*'")
            guard let period = try period(from: start) else {
                return ConnectionSelector(.one(first), chance: try chance())
            }
            guard first <= period else {
                throw error("'c\(first)/\(period)' names nothing: \(first) > \(period)", at: column)
            }
            ordinals = .periodic(first: first, period: period)
        }
        return ConnectionSelector(ordinals, chance: try chance())
    }

    private mutating func period(from start: Int) throws(ScheduleError) -> UInt32? {
        guard take("/") else { return nil }
        guard peek != UInt8(ascii: "r") else {
            throw unsupported("'\(item(from: start))' addresses a request", at: start)
        }
        return try ordinal("a number after '/'")
    }

    private mutating func chance() throws(ScheduleError) -> Probability? {
        guard take("?") else { return nil }
        let start = position
        let value = takeText { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "=") }
        return try quantity(at: start) { () throws(QuantityError) in
            try Quantity.probability(value)
        }
    }

    private mutating func anchor() throws(ScheduleError) -> Anchor {
        let start = position
        let name = takeText { isNameByte($0) && $0 != UInt8(ascii: "-") }
        switch name {
        case "connect": return .connect
        case "up": return .byte(.up, try offset(after: name))
        case "down": return .byte(.down, try offset(after: name))
        default:
            if Self.requestAnchors.contains(name) {
                throw unsupported("'\(item(from: start))' addresses a request", at: start)
            }
            throw unknown("anchor", name, among: Self.anchors, at: start)
        }
    }

    private mutating func offset(after name: String) throws(ScheduleError) -> Anchor.Offset {
        if peek == UInt8(ascii: "-") || peek == UInt8(ascii: "~") {
            throw unsupported("an offset from the end needs a message's length", at: position)
        }
        guard take("+") else {
            throw error("expected an offset like '\(name)+1024', found \(foundHere)")
        }
        let start = position
        let low = try byteCount()
        guard takeWord("..") else { return .at(low) }
        let high = try byteCount()
        guard low <= high else {
            throw error(
                "the range \(low)..\(high) is empty; the smaller end comes first",
                at: start
            )
        }
        return low == high ? .at(low) : .drawn(low...high)
    }

    private mutating func byteCount() throws(ScheduleError) -> UInt64 {
        let start = position
        while let byte = peek, isQuantityByte(byte), !isAhead("..") { position += 1 }
        let value = string(start..<position)
        guard !value.isEmpty else {
            throw error("expected a number of bytes, found \(foundHere)")
        }
        let count = try quantity(at: start) { () throws(QuantityError) in
            try Quantity.byteCount(value)
        }
        guard count <= ScheduleLimits.offset else {
            throw error(
                "'\(QuantityError.shown(value))' is beyond the largest offset, \(ScheduleLimits.offset)",
                at: start
            )
        }
        return count
    }

    // MARK: Effect

    private mutating func effect(at anchor: Anchor) throws(ScheduleError) -> Effect {
        let start = position
        let name = takeText(isNameByte)
        guard Self.effects.contains(name) else {
            if Self.requestEffects.contains(name) {
                throw unsupported("the effect '\(name)' acts on a request", at: start)
            }
            throw unknown("effect", name, among: Self.effects, at: start)
        }
        guard (name == "refuse") == (anchor == .connect) else {
            let hint =
                name == "refuse"
                ? "'refuse' acts at 'connect' only"
                : "'connect' takes 'refuse' only; to act at the first byte use 'down+0' or 'up+0'"
            throw error(hint, at: start)
        }
        let values = try values()
        return try effect(name, values, at: start)
    }

    private typealias Value = (text: String, at: Int)

    private mutating func values() throws(ScheduleError) -> [Value] {
        guard take("(") else { return [] }
        var values: [Value] = []
        repeat {
            let start = position
            let value = takeText(isQuantityByte)
            guard !value.isEmpty else { throw error("expected a value, found \(foundHere)") }
            values.append((value, start))
        } while take(",")
        guard take(")") else { throw error("expected ',' or ')', found \(foundHere)") }
        return values
    }

    private func effect(
        _ name: String,
        _ values: [Value],
        at start: Int
    ) throws(ScheduleError) -> Effect {
        switch name {
        case "rst":
            try expectNoValue(of: name, values)
            return .reset
        case "fin":
            try expectNoValue(of: name, values)
            return .finish
        case "corrupt":
            try expectNoValue(of: name, values)
            return .corrupt
        case "hole": return try hole(values)
        case "stall": return .stall(try duration(one(values, of: name, like: "2s", at: start)))
        case "slow": return .slow(try rate(one(values, of: name, like: "64kbit/s", at: start)))
        default: return .refuse(try refusals(values))
        }
    }

    private func hole(_ values: [Value]) throws(ScheduleError) -> Effect {
        let both = values.first?.text == "both"
        let rest = values.dropFirst(both ? 1 : 0)
        if let extra = rest.dropFirst().first {
            throw error("'hole' takes 'both' and a duration, in this order", at: extra.at)
        }
        return .hole(
            both: both,
            for: try rest.first.map { value throws(ScheduleError) in
                try duration(value, or: "'both'")
            }
        )
    }

    private func refusals(_ values: [Value]) throws(ScheduleError) -> UInt32 {
        guard let value = values.first else { return 1 }
        if let extra = values.dropFirst().first {
            throw error("'refuse' takes one number", at: extra.at)
        }
        guard let count = UInt32(digits: value.text), (1...ScheduleLimits.refusals).contains(count)
        else {
            throw error(
                "'\(QuantityError.shown(value.text))' is not a number of connections from 1 to "
                    + "\(ScheduleLimits.refusals)",
                at: value.at
            )
        }
        return count
    }

    private func expectNoValue(of name: String, _ values: [Value]) throws(ScheduleError) {
        guard let value = values.first else { return }
        throw error(
            "'\(name)' takes no value, found '\(QuantityError.shown(value.text))'",
            at: value.at
        )
    }

    private func one(
        _ values: [Value],
        of name: String,
        like example: String,
        at start: Int
    ) throws(ScheduleError) -> Value {
        guard let value = values.first else {
            throw error("'\(name)' needs a value, like '\(name)(\(example))'", at: start)
        }
        if let extra = values.dropFirst().first {
            throw error("'\(name)' takes one value", at: extra.at)
        }
        return value
    }

    private func duration(
        _ value: Value,
        or alternative: String? = nil
    ) throws(ScheduleError) -> Duration {
        let duration = try quantity(at: value.at, or: alternative) { () throws(QuantityError) in
            try Quantity.duration(value.text)
        }
        guard duration > .zero else {
            throw error("'\(value.text)' is no time at all; expected more than 0", at: value.at)
        }
        return duration
    }

    private func rate(_ value: Value) throws(ScheduleError) -> BitRate {
        try quantity(at: value.at) { () throws(QuantityError) in try Quantity.bitRate(value.text) }
    }

    private func quantity<Amount>(
        at start: Int,
        or alternative: String? = nil,
        _ read: () throws(QuantityError) -> Amount
    ) throws(ScheduleError) -> Amount {
        do throws(QuantityError) {
            return try read()
        } catch {
            let other = alternative.map { ", or \($0)" } ?? ""
            throw self.error(error.description + other, at: start)
        }
    }

    // MARK: Arguments

    private mutating func arguments(of effect: Effect) throws(ScheduleError) -> FarEnding {
        var far: FarEnding?
        while take(",") {
            let start = position
            let name = takeText(isNameByte)
            if Self.requestArguments.contains(name) {
                throw unsupported("the argument '\(name)' belongs to a request", at: start)
            }
            guard name == "far" else { throw unknown("argument", name, among: ["far"], at: start) }
            guard far == nil else { throw error("'far' is given twice", at: start) }
            guard effect.takesFarEnding else {
                throw error("'far' goes with 'rst', 'fin' and 'hole' only", at: start)
            }
            guard take("=") else { throw error("expected '=' after 'far', found \(foundHere)") }
            far = try farEnding()
        }
        return far ?? .same
    }

    private mutating func farEnding() throws(ScheduleError) -> FarEnding {
        let start = position
        let name = takeText(isNameByte)
        guard let ending = FarEnding(rawValue: name) else {
            throw unknown(
                "far ending",
                name,
                among: FarEnding.allCases.map(\.rawValue),
                at: start
            )
        }
        return ending
    }

    // MARK: Bytes

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private func isAhead(_ word: String) -> Bool {
        text[position...].starts(with: word.utf8)
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard isAhead(word) else { return false }
        position += word.utf8.count
        return true
    }

    private mutating func takeText(_ isPart: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = peek, isPart(byte), byte != UInt8(ascii: ";") { position += 1 }
        return string(start..<position)
    }

    private mutating func number(upTo limit: UInt64, what: String) throws(ScheduleError) -> UInt64 {
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

    private mutating func ordinal(_ what: String) throws(ScheduleError) -> UInt32 {
        let start = position
        let number = try number(upTo: UInt64(UInt32.max), what: what)
        guard number > 0 else { throw error("connections count from 1, found 0", at: start) }
        return UInt32(number)
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: text[range], as: UTF8.self)
    }

    // MARK: Errors

    /// What stands at the current place, for a message.
    private var foundHere: String {
        guard position < text.count else { return "the end" }
        let scalars = string(position..<min(position + 4, text.count)).unicodeScalars
        guard let scalar = scalars.first else { return "the end" }
        let shown = QuantityError.shown(String(scalar))
        return shown == "\u{FFFD}" || scalar.properties.isWhitespace
            ? "U+" + String(scalar.value, radix: 16, uppercase: true) : "'\(shown)'"
    }

    /// The whole address from `start`, as much of it as a message can show.
    private func item(from start: Int) -> String {
        let rest = text[start...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") }
        return QuantityError.shown(string(start..<(end ?? rest.endIndex)))
    }

    private func notASelector() -> ScheduleError {
        let rest = text[position...].prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
        if rest.contains(UInt8(ascii: "(")) {
            return unsupported("'\(item(from: position))' addresses a request", at: position)
        }
        return error(
            "expected a connection, 'c1' for the first or 'c*' for all, found \(foundHere)"
        )
    }

    private func unknown(
        _ kind: String,
        _ name: String,
        among names: [String],
        at start: Int
    ) -> ScheduleError {
        if name.isEmpty {
            return error(
                "expected an \(kind), one of \(names.joined(separator: ", ")), found \(foundHere)",
                at: start
            )
        }
        let hint =
            NearestName.of(name, among: names).map { "did you mean '\($0)'?" }
            ?? "expected one of \(names.joined(separator: ", "))"
        return error("unknown \(kind) '\(QuantityError.shown(name))'; \(hint)", at: start)
    }

    private func unsupported(_ what: String, at start: Int) -> ScheduleError {
        error("\(what); this version has byte addresses only", at: start)
    }

    private func error(_ description: String, at start: Int? = nil) -> ScheduleError {
        // Continuation bytes do not begin a scalar, so they take no column.
        let column = text[..<(start ?? position)].count { $0 & 0xC0 != 0x80 } + 1
        return ScheduleError(column: column, description)
    }
}

extension FixedWidthInteger {
    /// Plain digits only: no sign.
    fileprivate init?(digits: String) {
        guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { return nil }
        self.init(digits)
    }
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isNameByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || isDigit(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
}

private func isQuantityByte(_ byte: UInt8) -> Bool {
    isNameByte(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: "%") || byte >= 0x80
}
