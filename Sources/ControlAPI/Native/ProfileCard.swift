package import Basics
package import LinkProfile

/// A profile in a list to choose from.
package struct ProfileCard: Hashable, Sendable {
    package var name: String
    package var kind: Profile.Kind
    package var summary: String
    /// Rates, round trip and loss in a few words; empty if there is nothing to say.
    package var figures: String

    package init(name: String, kind: Profile.Kind, summary: String, figures: String) {
        self.name = name
        self.kind = kind
        self.summary = summary
        self.figures = figures
    }

    /// In the order of kinds, and of one kind as they were.
    package static func grouped(_ cards: [ProfileCard]) -> [ProfileCard] {
        Profile.Kind.allCases.flatMap { kind in cards.filter { $0.kind == kind } }
    }

    package var document: JSONValue {
        [
            "name": .string(name), "group": .string(kind.title), "summary": .string(summary),
            "figures": .string(figures),
        ]
    }
}
