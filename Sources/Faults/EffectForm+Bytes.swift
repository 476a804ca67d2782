internal import Basics

// What is given to faults of bytes and exchanges.
extension EffectForm {
    /// `hole(both,30s)`.
    static let hole = EffectForm { a throws(ScheduleError) in
        try a.hole()
    } write: { effect in
        guard case .hole(let both, let duration) = effect else { return nil }
        return (both ? ["both"] : []) + (duration.map { [Quantity.text($0)] } ?? [])
    }

    /// `corrupt`, `corrupt(50)`.
    static let corruption = EffectForm { a throws(ScheduleError) in
        try a.corruption()
    } write: { effect in
        guard case .corrupt(let count) = effect else { return nil }
        return count.map { ["\($0)"] } ?? []
    }

    /// `swallow(keep=head,end=fin)`.
    static let lostAnswer = EffectForm { a throws(ScheduleError) in
        try a.lostAnswer()
    } write: { effect in
        guard case .swallow(let keep, let ending) = effect else { return nil }
        return (keep == .none ? [] : ["keep=\(keep.rawValue)"])
            + (ending == .rst ? [] : ["end=\(ending.rawValue)"])
    }

    /// `late(5,until=ADDRESS)`.
    static let lateBytes = EffectForm { a throws(ScheduleError) in
        try a.lateBytes()
    } write: { effect in
        guard case .late(let count, let address) = effect else { return nil }
        return ["\(count)", "until=\(address.canonicalText)"]
    }
}

extension EffectArguments {
    /// `both` and a duration, each of which may be missing.
    fileprivate func hole() throws(ScheduleError) -> Effect {
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

    /// Of a datagram its first bytes, if they are given.
    fileprivate func corruption() throws(ScheduleError) -> Effect {
        guard area == .datagram, !values.isEmpty else { return try plain(.corrupt(within: nil)) }
        return .corrupt(within: UInt16(try number(in: 1...65_507, like: "50", of: "bytes")))
    }

    /// What `swallow` keeps, and how it ends.
    fileprivate func lostAnswer() throws(ScheduleError) -> Effect {
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
    fileprivate func lateBytes() throws(ScheduleError) -> Effect {
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
