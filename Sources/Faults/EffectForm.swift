/// What may stand in the parentheses of an effect: how its values are read, and how they are written.
struct EffectForm: Sendable {
    /// Makes the effect from its values.
    let read: @Sendable (EffectArguments) throws(ScheduleError) -> Effect
    /// The values of an effect in canonical form; nil for an effect of another kind.
    let write: @Sendable (Effect) -> [String]?

    init(
        _ read: @escaping @Sendable (EffectArguments) throws(ScheduleError) -> Effect,
        write: @escaping @Sendable (Effect) -> [String]?
    ) {
        self.read = read
        self.write = write
    }
}

extension EffectForm {
    /// The form of an effect that takes no values.
    static func plain(_ effect: Effect) -> EffectForm {
        EffectForm { a throws(ScheduleError) in
            try a.plain(effect)
        } write: {
            $0 == effect ? [] : nil
        }
    }

    /// The form of an effect whose only value is one of a few words.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ effect: @escaping @Sendable (Choice) -> Effect,
        like example: String,
        value: @escaping @Sendable (Effect) -> Choice?
    ) -> EffectForm {
        EffectForm { a throws(ScheduleError) in
            try effect(a.choice(like: example))
        } write: {
            value($0).map { [$0.rawValue] }
        }
    }
}
