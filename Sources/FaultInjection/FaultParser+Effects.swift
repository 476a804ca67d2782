internal import LinkEngine

// The effects of faults and their values.
extension FaultParser {
    static let effects = ["rst", "fin", "hole", "stall", "slow", "corrupt", "refuse"]
    /// Words of request-addressed faults, which get a message of their own.
    private static let requestEffects = [
        "swallow", "late", "status", "withhold", "dup", "edit", "inject", "crash", "mutate",
        "range", "expire", "limit", "truncate", "silent", "down", "rst-on-next", "early",
        "buffer", "strip",
    ]

    mutating func effect(at anchor: Anchor) throws(ScheduleError) -> Effect {
        let start = scanner.position
        let name = scanner.takeText(isNameByte)
        guard Self.effects.contains(name) else {
            if Self.requestEffects.contains(name) {
                throw scanner.unsupported("the effect '\(name)' acts on a request", at: start)
            }
            throw scanner.unknown("effect", name, among: Self.effects, at: start)
        }
        guard (name == "refuse") == (anchor == .connect) else {
            let hint =
                name == "refuse"
                ? "'refuse' acts at 'connect' only"
                : "'connect' takes 'refuse' only; to act at the first byte use 'down+0' or 'up+0'"
            throw scanner.error(hint, at: start)
        }
        let values = try values()
        return try effect(name, values, at: start)
    }

    private typealias Value = (text: String, at: Int)

    private mutating func values() throws(ScheduleError) -> [Value] {
        guard scanner.take("(") else { return [] }
        var values: [Value] = []
        repeat {
            let start = scanner.position
            let value = scanner.takeText(isQuantityByte)
            guard !value.isEmpty else {
                throw scanner.error("expected a value, found \(scanner.foundHere)")
            }
            values.append((value, start))
        } while scanner.take(",")
        guard scanner.take(")") else {
            throw scanner.error("expected ',' or ')', found \(scanner.foundHere)")
        }
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
            throw scanner.error("'hole' takes 'both' and a duration, in this order", at: extra.at)
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
            throw scanner.error("'refuse' takes one number", at: extra.at)
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

    private func expectNoValue(of name: String, _ values: [Value]) throws(ScheduleError) {
        guard let value = values.first else { return }
        throw scanner.error(
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
            throw scanner.error("'\(name)' needs a value, like '\(name)(\(example))'", at: start)
        }
        if let extra = values.dropFirst().first {
            throw scanner.error("'\(name)' takes one value", at: extra.at)
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
            throw scanner.error(
                "'\(value.text)' is no time at all; expected more than 0",
                at: value.at
            )
        }
        return duration
    }

    private func rate(_ value: Value) throws(ScheduleError) -> BitRate {
        try quantity(at: value.at) { () throws(QuantityError) in try Quantity.bitRate(value.text) }
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
}
