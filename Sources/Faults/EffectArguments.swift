internal import LinkEngine

// The effects of faults and what their values mean.
extension FaultParser {
    static let effects = [
        "rst", "fin", "hole", "stall", "slow", "corrupt", "refuse", "silent", "down", "swallow",
        "late", "status", "early", "inject", "withhold", "dup", "edit", "truncate", "rst-on-next",
        "buffer", "strip", "crash", "mutate", "range", "expire", "limit",
    ]

    /// - Parameters:
    ///   - address: where it is to act.
    ///   - place: where the address begins.
    /// - Returns: the effect with its values.
    /// - Throws: what is wrong with it, or that it cannot act there.
    mutating func effect(
        at address: FaultAddress,
        from place: Int
    ) throws(ScheduleError) -> Effect {
        let start = scanner.position
        let name = scanner.takeText(isNameByte)
        guard Self.effects.contains(name) else {
            throw scanner.unknown("effect", name, among: Self.effects, at: start)
        }
        if let objection = FaultRules.objection(to: name, at: address) {
            throw scanner.error(objection, at: start)
        }
        let mayWait = ["stall", "late", "down"].contains(name)
        var values = try values(mayWait: mayWait)
        if mayWait, scanner.isAhead(",until=") {
            _ = scanner.take(",")
            values.append(try value(mayWait: true))
        }
        return try effect(name, values, at: start)
    }

    private func effect(
        _ name: String,
        _ values: [Value],
        at start: Int
    ) throws(ScheduleError) -> Effect {
        if let plain = Self.plain[name] {
            try expectNoValue(of: name, values)
            return plain
        }
        switch name {
        case "hole": return try hole(values)
        case "stall": return .stall(try hold(values, of: name, at: start))
        case "down": return .down(try hold(values, of: name, at: start))
        case "slow":
            let value = try one(values, of: name, like: "64kbit/s", at: start)
            return .slow(
                try quantity(at: value.at) { () throws(QuantityError) in
                    try Quantity.bitRate(value.text)
                }
            )
        case "refuse": return .refuse(try connections(values, of: name))
        case "silent": return .silent(try connections(values, of: name))
        case "swallow": return try swallow(values)
        case "late": return try late(values, at: start)
        case "status": return .status(try message(values, of: name, 200...999, at: start))
        case "early": return .early(try message(values, of: name, 200...999, at: start))
        case "inject": return .inject(try message(values, of: name, 100...199, at: start))
        case "edit": return .edit(try edits(values, at: start))
        case "buffer":
            let word = try one(values, of: name, like: "req", at: start)
            return .buffer(try choose(word, "message", [("req", .up), ("resp", .down)]))
        case "strip":
            let word = try one(values, of: name, like: "1xx", at: start)
            return try choose(word, "kind of response", [("1xx", .strip)])
        case "crash": return .crash(try loss(values))
        case "mutate":
            return .mutate(try choose(one(values, of: name, like: "same-size", at: start)))
        case "range": return .range(try range(one(values, of: name, like: "ignore", at: start)))
        default: return try limit(one(values, of: name, like: "max-size=1000", at: start))
        }
    }

    private static let plain: [String: Effect] = [
        "rst": .reset, "fin": .finish, "truncate": .truncate, "corrupt": .corrupt,
        "withhold": .withhold, "dup": .duplicate, "rst-on-next": .resetOnNext, "expire": .expire,
    ]

    private func hole(_ values: [Value]) throws(ScheduleError) -> Effect {
        let both = values.first?.text == "both"
        let rest = values.dropFirst(both ? 1 : 0)
        if let extra = rest.dropFirst().first {
            throw scanner.error("'hole' takes 'both' and a duration, in this order", at: extra.at)
        }
        return .hole(
            both: both,
            for: try rest.first.map { value throws(ScheduleError) in
                try duration(of: value.text, at: value.at, or: "'both'")
            }
        )
    }

    private func hold(
        _ values: [Value],
        of name: String,
        at start: Int
    ) throws(ScheduleError) -> Effect.Hold {
        let value = try one(values, of: name, like: "2s", at: start)
        if let address = value.address { return .until(address) }
        return .time(
            try duration(of: value.text, at: value.at, or: "until=ADDRESS")
        )
    }

    private func connections(
        _ values: [Value],
        of name: String
    ) throws(ScheduleError) -> UInt32 {
        guard let value = values.first else { return 1 }
        if let extra = values.dropFirst().first {
            throw scanner.error("'\(name)' takes one number", at: extra.at)
        }
        guard let count = UInt32(digits: value.text), (1...ScheduleLimits.refusals).contains(count)
        else {
            throw scanner.error(
                "'\(QuantityError.shown(value.text))' is not a number of connections from 1 to "
                    + "\(ScheduleLimits.refusals)",
                at: value.at
            )
        }
        return count
    }

    private func swallow(_ values: [Value]) throws(ScheduleError) -> Effect {
        var keep: Effect.KeptAnswer?
        var ending: Effect.NearEnding?
        for value in values {
            switch value.name {
            case nil where keep == nil, "keep" where keep == nil: keep = try choose(value)
            case "end" where ending == nil: ending = try choose(value)
            case "keep", "end":
                throw scanner.error("'\(value.name ?? "")' is given twice", at: value.at)
            default: throw unknownName(of: value, among: ["keep", "end"])
            }
        }
        return .swallow(keep: keep ?? .none, ending: ending ?? .rst)
    }

    private func late(_ values: [Value], at start: Int) throws(ScheduleError) -> Effect {
        guard values.count == 2, values[0].name == nil, let address = values[1].address else {
            throw scanner.error(
                "'late' needs a number of bytes and an event, like"
                    + " 'late(1000,until=PATCH(/u/*)#2:req.end)'",
                at: start
            )
        }
        let count = try byteCount(of: values[0].text, at: values[0].at)
        guard (1...ScheduleLimits.lateBytes).contains(count) else {
            throw scanner.error(
                "\(count) bytes are not from 1 to \(ScheduleLimits.lateBytes)",
                at: values[0].at
            )
        }
        return .late(count, until: address)
    }

    // Made-up responses.

    private func message(
        _ values: [Value],
        of name: String,
        _ range: ClosedRange<Int>,
        at start: Int
    ) throws(ScheduleError) -> InjectedMessage {
        let example = name == "inject" ? 103 : name == "early" ? 413 : 503
        guard let first = values.first else {
            throw scanner.error(
                "'\(name)' needs a status, like '\(name)(\(example))'",
                at: start
            )
        }
        guard first.name == nil, let status = Int(digits: first.text), range.contains(status),
            status != 101
        else {
            throw scanner.error(
                "'\(QuantityError.shown(first.text))' is no status from \(range.lowerBound) to"
                    + " \(range.upperBound) that '\(name)' can send",
                at: first.at
            )
        }
        var message = InjectedMessage(status)
        for value in values.dropFirst() {
            if value.name == nil, value.text == "close", name != "inject" {
                message.closes = true
            } else {
                message.fields.append(try field(value))
            }
        }
        return message
    }

    private func edits(_ values: [Value], at start: Int) throws(ScheduleError) -> [InjectedField] {
        guard !values.isEmpty else {
            throw scanner.error("'edit' needs a field, like 'edit(location=/x)'", at: start)
        }
        return try values.map { value throws(ScheduleError) in try field(value) }
    }

    private func field(_ value: Value) throws(ScheduleError) -> InjectedField {
        guard let name = value.name else {
            throw scanner.error(
                "expected a field like 'retry-after=4', found"
                    + " '\(QuantityError.shown(value.text))'",
                at: value.at
            )
        }
        if let seconds = value.secondsAfterNow {
            return InjectedField(name, .date(after: seconds))
        }
        guard let bytes = TextEscape.decode(value.text) else {
            throw scanner.error("'%' is not followed by two hexadecimal digits", at: value.at)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw scanner.error("a field has no control characters", at: value.at)
        }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        guard bytes.first.map({ $0 != 0x20 && $0 != 0x09 }) ?? true,
            bytes.last.map({ $0 != 0x20 && $0 != 0x09 }) ?? true
        else {
            throw scanner.error("a field neither begins nor ends with a space", at: value.at)
        }
        return InjectedField(name, .text(text))
    }

    // Of the embedded origin.

    private func loss(_ values: [Value]) throws(ScheduleError) -> Effect.CrashLoss {
        guard let value = values.first else { return .none }
        if let extra = values.dropFirst().first {
            throw scanner.error("'crash' takes one value", at: extra.at)
        }
        guard value.name == nil || value.name == "loss" else {
            throw unknownName(of: value, among: ["loss"])
        }
        if value.text.hasPrefix("tail:") {
            let bytes = String(value.text.dropFirst(5))
            return .tail(try byteCount(of: bytes, at: value.at + 5))
        }
        return try choose(
            value,
            "loss",
            [
                ("none", .none), ("uncommitted", .uncommitted), ("meta", .meta), ("all", .all),
                ("tail:1000", .tail(1_000)),
            ]
        )
    }

    private func range(_ value: Value) throws(ScheduleError) -> Effect.RangeMisbehaviour {
        if value.text.hasPrefix("short:") {
            return .short(try byteCount(of: String(value.text.dropFirst(6)), at: value.at + 6))
        }
        if value.text.hasPrefix("shift:") {
            guard let distance = Int64(value.text.dropFirst(6)), distance != 0,
                distance.magnitude <= ScheduleLimits.offset
            else {
                throw scanner.error(
                    "'\(QuantityError.shown(value.text))' shifts by no number of bytes;"
                        + " expected one like 'shift:-1000'",
                    at: value.at
                )
            }
            return .shift(distance)
        }
        return try choose(
            value,
            "range effect",
            Effect.RangeMisbehaviour.names.map { ($0.name, $0.value) }
                + [("shift:-1000", .shift(-1_000)), ("short:1000", .short(1_000))]
        )
    }

    private func limit(_ value: Value) throws(ScheduleError) -> Effect {
        guard let name = value.name, let limit = Effect.UploadLimit(rawValue: name) else {
            throw unknownName(of: value, among: Effect.UploadLimit.allCases.map(\.rawValue))
        }
        return .limit(limit, try byteCount(of: value.text, at: value.at))
    }
}
