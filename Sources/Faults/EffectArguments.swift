internal import Basics
internal import HTTP2

/// What stands in the parentheses of an effect, and the readers of each kind of value.
struct EffectArguments {
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

    /// The effect's name.
    let name: String
    /// None where there are no parentheses.
    let values: [Value]
    /// Where the name begins.
    let start: Int
    /// Of the whole text, for the columns of errors.
    let scanner: FaultScanner
    /// Where the effect is to act.
    let area: EffectPlace.Area

    /// An effect that takes no values.
    func plain(_ effect: Effect) throws(ScheduleError) -> Effect {
        guard let value = values.first else { return effect }
        throw scanner.error(
            "'\(name)' takes no value, found '\(QuantityError.shown(value.text))'",
            at: value.at
        )
    }

    /// The only value, which has to be there.
    private func one(like example: String) throws(ScheduleError) -> Value {
        guard let value = values.first else {
            throw scanner.error("'\(name)' needs a value, like '\(name)(\(example))'", at: start)
        }
        if let extra = values.dropFirst().first {
            throw scanner.error("'\(name)' takes one value", at: extra.at)
        }
        return value
    }

    // Single values.

    func bitRate(like example: String) throws(ScheduleError) -> BitRate {
        let value = try one(like: example)
        return try scanner.quantity(at: value.at) { () throws(QuantityError) in
            try Quantity.bitRate(value.text)
        }
    }

    /// A duration, or an event to wait for.
    func hold() throws(ScheduleError) -> Effect.Hold {
        let value = try one(like: "2s")
        if let address = value.address { return .until(address) }
        return .time(try scanner.duration(of: value.text, at: value.at, or: "until=ADDRESS"))
    }

    /// A duration.
    func duration(like example: String) throws(ScheduleError) -> Duration {
        let value = try one(like: example)
        return try scanner.duration(of: value.text, at: value.at)
    }

    /// A pattern for names of files.
    func glob(like example: String) throws(ScheduleError) -> PathGlob {
        let value = try one(like: example)
        guard value.name == nil, let glob = PathGlob(value.text) else {
            throw scanner.error(
                "'\(QuantityError.shown(value.text))' is no pattern like \(example)",
                at: value.at
            )
        }
        return glob
    }

    /// A number of this range.
    func number(
        in range: ClosedRange<UInt32>,
        like example: String,
        of what: String
    ) throws(ScheduleError) -> UInt32 {
        let value = try one(like: example)
        guard value.name == nil, let count = UInt32(digits: value.text), range.contains(count)
        else {
            throw scanner.error(
                "'\(QuantityError.shown(value.text))' is not a number of \(what) from"
                    + " \(range.lowerBound) to \(range.upperBound)",
                at: value.at
            )
        }
        return count
    }

    /// A code that a close frame may have (RFC 6455 §7.4).
    func closeCode(like example: String) throws(ScheduleError) -> UInt16 {
        let code = UInt16(try number(in: 1_000...4_999, like: example, of: "a close frame"))
        guard ![1_005, 1_006, 1_015].contains(code) else {
            throw scanner.error(
                "1005, 1006 and 1015 never stand in a close frame; for an end without one, use"
                    + " 'fin' or 'rst'",
                at: values.first?.at ?? start
            )
        }
        return code
    }

    /// Of a datagram its first bytes, if they are given.
    func corruption() throws(ScheduleError) -> Effect {
        guard area == .datagram, !values.isEmpty else { return try plain(.corrupt(within: nil)) }
        return .corrupt(within: UInt16(try number(in: 1...65_507, like: "50", of: "bytes")))
    }

    /// A number of connections; 1 if there is no value.
    func connections() throws(ScheduleError) -> UInt32 {
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

    func choice<Choice>(
        _ kind: String,
        _ choices: [(name: String, value: Choice)],
        like example: String
    ) throws(ScheduleError) -> Choice {
        try choose(one(like: example), kind, choices)
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        like example: String
    ) throws(ScheduleError) -> Choice {
        try choose(one(like: example))
    }

    private func choose<Choice>(
        _ value: Value,
        _ kind: String,
        _ choices: [(name: String, value: Choice)]
    ) throws(ScheduleError) -> Choice {
        guard let choice = choices.first(where: { $0.name == value.text }) else {
            throw scanner.unknown(kind, value.text, among: choices.map(\.name), at: value.at)
        }
        return choice.value
    }

    private func choose<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: Value
    ) throws(ScheduleError) -> Choice {
        try choose(value, "value", Choice.allCases.map { ($0.rawValue, $0) })
    }

    /// A number of bytes, at least 1.
    private func someBytes(
        _ text: some StringProtocol,
        at start: Int
    ) throws(ScheduleError) -> UInt64 {
        let count = try scanner.byteCount(of: String(text), at: start)
        guard count > 0 else { throw scanner.error("expected at least 1 byte, found 0", at: start) }
        return count
    }

    private func unknownName(of value: Value, among names: [String]) -> ScheduleError {
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
}

// Endings.
extension EffectArguments {
    /// `both` and a duration, each of which may be missing.
    func hole() throws(ScheduleError) -> Effect {
        let both = values.first?.text == "both"
        let rest = values.dropFirst(both ? 1 : 0)
        if let extra = rest.dropFirst().first {
            throw scanner.error("'hole' takes 'both' and a duration, in this order", at: extra.at)
        }
        return .hole(
            both: both,
            for: try rest.first.map { value throws(ScheduleError) in
                try scanner.duration(of: value.text, at: value.at, or: "'both'")
            }
        )
    }

    /// What `swallow` keeps, and how it ends.
    func lostAnswer() throws(ScheduleError) -> Effect {
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

    /// A number of bytes and an event.
    func lateBytes() throws(ScheduleError) -> Effect {
        guard values.count == 2, values[0].name == nil, let address = values[1].address else {
            throw scanner.error(
                "'late' needs a number of bytes and an event, like"
                    + " 'late(1000,until=PATCH(/u/*)#2:req.end)'",
                at: start
            )
        }
        let count = try scanner.byteCount(of: values[0].text, at: values[0].at)
        guard (1...ScheduleLimits.lateBytes).contains(count) else {
            throw scanner.error(
                "\(count) bytes are not from 1 to \(ScheduleLimits.lateBytes)",
                at: values[0].at
            )
        }
        return .late(count, until: address)
    }
}

// TLS.
extension EffectArguments {
    /// An alert by its name or number.
    func alert(like example: String) throws(ScheduleError) -> TLSAlert {
        let value = try one(like: example)
        guard value.name == nil, let alert = TLSAlert(value.text) else {
            throw scanner.unknown(
                "alert",
                value.text,
                among: TLSAlert.named.map(\.name),
                at: value.at
            )
        }
        return alert
    }
}

// Frames of HTTP/2.
extension EffectArguments {
    /// A code of RFC 9113 §7.
    func errorCode(like example: String) throws(ScheduleError) -> ErrorCode {
        try errorCode(one(like: example))
    }

    private func errorCode(_ value: Value) throws(ScheduleError) -> ErrorCode {
        guard value.name == nil, let code = ErrorCode(named: value.text) else {
            throw scanner.unknown("error code", value.text, among: ErrorCode.names, at: value.at)
        }
        return code
    }

    /// At least one setting with its value.
    func settings(like example: String) throws(ScheduleError) -> [Effect.AnnouncedSetting] {
        guard !values.isEmpty else {
            throw scanner.error("'\(name)' needs a value, like '\(name)(\(example))'", at: start)
        }
        return try values.map { value throws(ScheduleError) in
            guard let name = value.name, let setting = Setting(rawValue: name) else {
                throw unknownName(of: value, among: Setting.allCases.map(\.rawValue))
            }
            guard let number = UInt32(digits: value.text), setting.range.contains(number) else {
                throw scanner.error(
                    "'\(QuantityError.shown(value.text))' is no \(name) from"
                        + " \(setting.range.lowerBound) to \(setting.range.upperBound)",
                    at: value.at
                )
            }
            return Effect.AnnouncedSetting(setting, number)
        }
    }

    /// `0`, and perhaps `connection`.
    func window() throws(ScheduleError) -> Effect {
        guard let first = values.first, first.name == nil, first.text == "0" else {
            throw scanner.error("'window' takes 0, and 'connection' after it", at: start)
        }
        guard let second = values.dropFirst().first else {
            return .withholdWindow(ofConnection: false)
        }
        guard values.count == 2, second.name == nil, second.text == "connection" else {
            throw scanner.error("'window' takes 0, and 'connection' after it", at: second.at)
        }
        return .withholdWindow(ofConnection: true)
    }

    /// `this` and a code, each of which may be missing.
    func goAway() throws(ScheduleError) -> Effect {
        let takesThis = values.first?.text == "this"
        let rest = values.dropFirst(takesThis ? 1 : 0)
        if let extra = rest.dropFirst().first {
            throw scanner.error("'goaway' takes 'this' and a code, in this order", at: extra.at)
        }
        let code = try rest.first.map { value throws(ScheduleError) in try errorCode(value) }
        return .goAway(code ?? .none, takesThis: takesThis)
    }
}

// Responses that are made up.
extension EffectArguments {
    /// A status of this range, then fields, `page` and `close`.
    func message(
        _ range: ClosedRange<Int>,
        like example: Int
    ) throws(ScheduleError) -> InjectedMessage {
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
            switch value.text {
            case "page" where value.name == nil && name != "inject": message.hasPage = true
            case "close" where value.name == nil && name != "inject": message.closes = true
            default: message.fields.append(try field(value))
            }
        }
        return message
    }

    /// At least one field.
    func fields(like example: String) throws(ScheduleError) -> [InjectedField] {
        guard !values.isEmpty else {
            throw scanner.error("'\(name)' needs a field, like '\(name)(\(example))'", at: start)
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
}

// The embedded origin.
extension EffectArguments {
    /// What a crash loses; nothing if there is no value.
    func loss() throws(ScheduleError) -> Effect.CrashLoss {
        guard let value = values.first else { return .none }
        if let extra = values.dropFirst().first {
            throw scanner.error("'\(name)' takes one value", at: extra.at)
        }
        guard value.name == nil || value.name == "loss" else {
            throw unknownName(of: value, among: ["loss"])
        }
        if value.text.hasPrefix("tail:") {
            let bytes = String(value.text.dropFirst(5))
            return .tail(try scanner.byteCount(of: bytes, at: value.at + 5))
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

    func range() throws(ScheduleError) -> Effect.RangeMisbehaviour {
        let value = try one(like: "ignore")
        if value.text.hasPrefix("short:") {
            return .short(try someBytes(value.text.dropFirst(6), at: value.at + 6))
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

    func limit() throws(ScheduleError) -> Effect {
        let value = try one(like: "max-size=1000")
        guard let name = value.name, let limit = Effect.UploadLimit(rawValue: name) else {
            throw unknownName(of: value, among: Effect.UploadLimit.allCases.map(\.rawValue))
        }
        return .limit(limit, try someBytes(value.text, at: value.at))
    }
}
