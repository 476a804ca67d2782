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
    func one(like example: String) throws(ScheduleError) -> Value {
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

    /// A number of bytes, at least 1.
    func someBytes(
        _ text: some StringProtocol,
        at start: Int
    ) throws(ScheduleError) -> UInt64 {
        let count = try scanner.byteCount(of: String(text), at: start)
        guard count > 0 else { throw scanner.error("expected at least 1 byte, found 0", at: start) }
        return count
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

    func errorCode(_ value: Value) throws(ScheduleError) -> ErrorCode {
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
}
