/// All that is known of an effect besides what it does to the traffic: one row of the table.
///
/// The rows are in `EffectRow+Bytes`, `EffectRow+Exchanges` and the like. The parser, `FaultRules`,
/// the gates, the order of faults at one place, the help, the search of `explore` and the analysis read
/// them.
package struct EffectRow: Sendable {
    package let kind: Effect.Kind
    /// The word in a fault's text.
    package let name: String
    package let places: [EffectPlace]
    /// How it makes a client fail.
    package let family: FaultFamily
    /// Orders the faults at one place: the lower rank acts first.
    let rank: Int
    package let traits: EffectTraits
    /// How the near leg ends, if that is all that the effect does; nil for others.
    let nearEnding: Effect.NearEnding?
    /// The ending of the far leg that `far=same` stands for; nil if the far ending cannot be chosen.
    let farEnding: FarEnding?
    /// How `explore` tries it; nil if it does not.
    package let search: EffectSearch?
    /// Faults with this effect for the help, the most common one first.
    package let examples: [EffectExample]
    /// What may stand in its parentheses.
    let form: EffectForm

    init(
        _ kind: Effect.Kind,
        _ name: String,
        at places: [EffectPlace],
        family: FaultFamily,
        rank: Int = 8,
        _ traits: EffectTraits = [],
        near nearEnding: Effect.NearEnding? = nil,
        far farEnding: FarEnding? = nil,
        search: EffectSearch? = nil,
        examples: KeyValuePairs<String, String>,
        form: EffectForm
    ) {
        self.kind = kind
        self.name = name
        self.places = places
        self.family = family
        self.rank = rank
        self.traits = nearEnding == nil ? traits : traits.union(.endsConnection)
        self.nearEnding = nearEnding
        self.farEnding = farEnding
        self.search = search
        self.examples = examples.map { EffectExample(fault: $0.key, meaning: $0.value) }
        self.form = form
    }
}

extension EffectRow {
    /// The row of each effect, at the place of its kind.
    static let table: [EffectRow] = {
        let rows =
            ofBytes + ofExchanges + ofServer + ofHTTP2 + ofDatagrams + ofTLS + ofLookups
            + ofMessagesInside
        return Effect.Kind.allCases.map { kind in
            guard let row = rows.first(where: { $0.kind == kind }) else {
                preconditionFailure("the table of effects lacks a row for '\(kind)'")
            }
            return row
        }
    }()
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
