internal import Basics

// What is given to faults of the server.
extension EffectForm {
    /// `crash(loss=tail:5)`.
    static let crash = EffectForm { a throws(ScheduleError) in
        try .crash(a.loss())
    } write: { effect in
        guard case .crash(let loss) = effect else { return nil }
        return loss == .none ? [] : ["loss=\(loss.canonicalText)"]
    }

    /// `range(shift:-1000)`.
    static let range = EffectForm { a throws(ScheduleError) in
        try .range(a.range())
    } write: { effect in
        guard case .range(let misbehaviour) = effect else { return nil }
        return [misbehaviour.canonicalText]
    }

    /// `limit(max-size=1000)`.
    static let limit = EffectForm { a throws(ScheduleError) in
        try a.limit()
    } write: { effect in
        guard case .limit(let limit, let bytes) = effect else { return nil }
        return ["\(limit.rawValue)=\(bytes)"]
    }
}

extension EffectArguments {
    /// What a crash loses; nothing if there is no value.
    fileprivate func loss() throws(ScheduleError) -> Effect.CrashLoss {
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

    fileprivate func range() throws(ScheduleError) -> Effect.RangeMisbehaviour {
        let value = try one(like: "ignore")
        if value.text.hasPrefix("short:") {
            return .short(try someBytes(value.text.dropFirst(6), at: value.at + 6))
        }
        if value.text.hasPrefix("shift:") {
            guard let distance = Int64(value.text.dropFirst(6)), distance != 0,
                distance.magnitude <= ScheduleLimits.offset
            else {
                throw scanner.error(
                    "'\(QuantityError.shown(value.text))' is not a valid shift;"
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

    fileprivate func limit() throws(ScheduleError) -> Effect {
        let value = try one(like: "max-size=1000")
        guard let name = value.name, let limit = Effect.UploadLimit(rawValue: name) else {
            throw unknownName(of: value, among: Effect.UploadLimit.allCases.map(\.rawValue))
        }
        return .limit(limit, try someBytes(value.text, at: value.at))
    }
}
