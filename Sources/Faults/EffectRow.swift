/// All that is known of an effect besides what it does to the traffic: one row of the table.
///
/// The rows are in `EffectRow+Streams`, `EffectRow+Exchanges` and the like. The parser, `FaultRules`, the order of faults at one place, the
/// help, the search of `explore` and the analysis read them.
package struct EffectRow: Sendable {
    /// The word in a fault's text.
    package let name: String
    package let places: [EffectPlace]
    /// Orders the faults at one place: the lower rank acts first.
    let rank: Int
    package let traits: EffectTraits
    /// The ending of the far leg that `far=same` stands for; nil if the far ending cannot be chosen.
    let farEnding: FarEnding?
    /// How `explore` tries it; nil if it does not.
    package let search: EffectSearch?
    /// Faults with this effect for the help, the most common one first.
    package let examples: [EffectExample]
    /// Makes the effect from the values in its parentheses.
    let read: @Sendable (EffectArguments) throws(ScheduleError) -> Effect

    init(
        _ name: String,
        at places: [EffectPlace],
        rank: Int = 8,
        _ traits: EffectTraits = [],
        far farEnding: FarEnding? = nil,
        search: EffectSearch? = nil,
        examples: KeyValuePairs<String, String>,
        read: @escaping @Sendable (EffectArguments) throws(ScheduleError) -> Effect
    ) {
        self.name = name
        self.places = places
        self.rank = rank
        self.traits = traits
        self.farEnding = farEnding
        self.search = search
        self.examples = examples.map { EffectExample(fault: $0.key, meaning: $0.value) }
        self.read = read
    }
}

/// What distinguishes an effect, whatever its values are.
package struct EffectTraits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// No byte passes after it, ever.
    package static let endsStream = EffectTraits(rawValue: 1)
    /// It closes the client's connection.
    package static let closesClient = EffectTraits(rawValue: 2)
    /// It keeps bytes back; a run with it mostly waits.
    package static let silences = EffectTraits(rawValue: 4)
    /// It changes or loses what the server has.
    package static let tampers = EffectTraits(rawValue: 8)
    /// `until=ADDRESS` may stand among its values.
    static let waits = EffectTraits(rawValue: 16)
    /// `see=` goes with it in a request.
    static let takesSee = EffectTraits(rawValue: 32)
    /// It can end in a FIN, and `drain=` goes with it then.
    static let drains = EffectTraits(rawValue: 64)
    /// It acts on the byte at its place, of which the seed chooses a bit.
    static let changesByte = EffectTraits(rawValue: 128)
    /// A client may take it for final, and fail without another try.
    package static let excusesFailure = EffectTraits(rawValue: 256)
}

/// How `explore` tries an effect.
package struct EffectSearch: Hashable, Sendable {
    /// From 0, the simplest effect.
    package let simplicity: Int
    /// Whether it is tried if no effects are named.
    package let isStandard: Bool

    static func standard(_ simplicity: Int) -> EffectSearch {
        EffectSearch(simplicity: simplicity, isStandard: true)
    }

    static func onRequest(_ simplicity: Int) -> EffectSearch {
        EffectSearch(simplicity: simplicity, isStandard: false)
    }
}

/// A fault and what it does, for the help.
package struct EffectExample: Hashable, Sendable {
    package let fault: String
    package let meaning: String
}
