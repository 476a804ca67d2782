internal import LinkEngine

// What stands in the parentheses of an effect.
extension FaultParser {
    struct Value {
        /// What stands before an equals sign.
        var name: String?
        var text: String
        /// What `until` names, instead of a text.
        var address: FaultAddress?
        /// Where the text begins.
        var at: Int

        /// What `date+4` says.
        var secondsAfterNow: Int? {
            guard text.hasPrefix("date+") || text.hasPrefix("date-") else { return nil }
            guard let seconds = Int32(text.dropFirst(4)) else { return nil }
            return Int(seconds)
        }
    }

    /// Reads the values of an effect.
    ///
    /// - Parameter mayWait: whether `until` names an event. Else it is a name like others, such as
    ///   that of a field.
    /// - Returns: none where there are no parentheses.
    /// - Throws: what is wrong, and at which column.
    mutating func values(mayWait: Bool = false) throws(ScheduleError) -> [Value] {
        guard scanner.take("(") else { return [] }
        var values: [Value] = []
        repeat {
            guard values.count < ScheduleLimits.values else {
                throw scanner.error("more than \(ScheduleLimits.values) values")
            }
            values.append(try value(mayWait: mayWait))
        } while scanner.take(",")
        guard scanner.take(")") else {
            throw scanner.error("expected ',' or ')', found \(scanner.foundHere)")
        }
        return values
    }

    mutating func value(mayWait: Bool) throws(ScheduleError) -> Value {
        let start = scanner.position
        let text = scanner.takeText(isValueByte)
        guard !text.isEmpty else {
            throw scanner.error("expected a value, found \(scanner.foundHere)")
        }
        guard scanner.take("=") else { return Value(name: nil, text: text, at: start) }
        guard text.utf8.allSatisfy(isNameByte), text.utf8.count <= ScheduleLimits.nameLength else {
            throw scanner.error("'\(QuantityError.shown(text))' is no name", at: start)
        }
        let column = scanner.position
        if mayWait, text == "until" { return try event(at: column) }
        let value = scanner.takeText(isValueByte)
        return Value(name: text.lowercased(), text: value, at: column)
    }

    /// The address of something to wait for.
    private mutating func event(at start: Int) throws(ScheduleError) -> Value {
        let address = try address()
        if let objection = objection(toEvent: address) {
            throw scanner.error(objection, at: start)
        }
        return Value(name: "until", text: "", address: address, at: start)
    }

    private func objection(toEvent address: FaultAddress) -> String? {
        if case .object = address.target { return "'obj(...)' is no event; name a request" }
        switch address.anchor {
        case .whole: return "an event needs an anchor, like ':req.end'"
        case .byte(_, .drawn), .message(_, _, .fromStart(.drawn)),
            .interim(_, _, .fromStart(.drawn)):
            return "an event is at one place, not at a drawn one"
        case .connect, .idle, .byte, .message, .interim: return nil
        }
    }

    // What a value means.

    func expectNoValue(of name: String, _ values: [Value]) throws(ScheduleError) {
        guard let value = values.first else { return }
        throw scanner.error(
            "'\(name)' takes no value, found '\(QuantityError.shown(value.text))'",
            at: value.at
        )
    }

    func one(
        _ values: [Value],
        of name: String,
        like example: String,
        at start: Int
    ) throws(ScheduleError) -> Value {
        guard let value = values.first else {
            throw scanner.error("'\(name)' needs a value, like '\(name)(\(example))'", at: start)
        }
        if let extra = values.dropFirst().first {
            throw scanner.error("'\(name)' takes one value", at: extra.at)
        }
        return value
    }

    func unknownName(of value: Value, among names: [String]) -> ScheduleError {
        guard let name = value.name else {
            let list = names.map { "\($0)=" }.joined(separator: " or ")
            return scanner.error(
                "expected \(list), found '\(QuantityError.shown(value.text))'",
                at: value.at
            )
        }
        // The name and its equals sign stand before the text.
        return scanner.unknown("value", name, among: names, at: value.at - name.utf8.count - 1)
    }

    func duration(
        of text: String,
        at start: Int,
        or alternative: String? = nil
    ) throws(ScheduleError) -> Duration {
        let duration = try quantity(at: start, or: alternative) { () throws(QuantityError) in
            try Quantity.duration(text)
        }
        guard duration > .zero else {
            throw scanner.error(
                "'\(text)' is no time at all; expected more than 0",
                at: start
            )
        }
        return duration
    }

    func quantity<Amount>(
        at start: Int,
        or alternative: String? = nil,
        _ read: () throws(QuantityError) -> Amount
    ) throws(ScheduleError) -> Amount {
        do throws(QuantityError) {
            return try read()
        } catch {
            let other = alternative.map { ", or \($0)" } ?? ""
            throw scanner.error(error.description + other, at: start)
        }
    }

    // Choices.

    func choose<Choice>(
        _ value: Value,
        _ kind: String,
        _ choices: [(name: String, value: Choice)]
    ) throws(ScheduleError) -> Choice {
        guard let choice = choices.first(where: { $0.name == value.text }) else {
            throw scanner.unknown(kind, value.text, among: choices.map(\.name), at: value.at)
        }
        return choice.value
    }

    func choose<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: Value
    ) throws(ScheduleError) -> Choice {
        try choose(value, "value", Choice.allCases.map { ($0.rawValue, $0) })
    }

    /// A word that stands in the text here.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ kind: String
    ) throws(ScheduleError) -> Choice {
        let start = scanner.position
        let name = scanner.takeText(isNameByte)
        guard let choice = Choice(rawValue: name) else {
            throw scanner.unknown(kind, name, among: Choice.allCases.map(\.rawValue), at: start)
        }
        return choice
    }
}

/// What a value is made of; other bytes are percent-encoded.
private func isValueByte(_ byte: UInt8) -> Bool {
    isQuantityByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "+")
}
