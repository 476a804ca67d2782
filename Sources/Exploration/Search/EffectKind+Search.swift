internal import Basics
package import Faults

// The effects that the search tries.
extension Effect.Kind {
    /// Simplest first.
    package static let searched = allCases.filter { $0.declaration.search != nil }
        .sorted { $0.searchRank < $1.searchRank }

    /// What is tried if no effects are named.
    package static let standard = searched.filter { $0.declaration.search?.isStandard ?? false }

    /// Place among the effects, simplest first; one that is not searched is the least simple.
    package var searchRank: Int { declaration.search?.simplicity ?? .max }

    /// Whether a run with this effect mostly waits, so that many of them may run at once.
    var isIdle: Bool { declaration.traits.contains(.silences) }

    /// Whether it acts at every byte; others act where `forms` puts them.
    var isByteWise: Bool { byteEffect != nil }

    /// Whether bytes that it cuts off are worth all boundary points; the rest get a few.
    var isCheap: Bool { isByteWise && !isIdle }

    /// Whether it can be had with a server.
    package func isPossible(with server: CampaignSettings.Server) -> Bool {
        if self == .crash { return server != .other }
        return server == .embedded || !declaration.places.contains(.object)
    }

    /// What is tried at bytes; nil for effects that act on messages as a whole.
    var byteEffect: Effect? {
        switch self {
        case .finish: .finish
        case .reset: .reset
        case .hole: .hole(both: false, for: nil)
        case .stall: .stall(.time(.seconds(1)))
        default: nil
        }
    }
}

extension Effect {
    /// Whether a run with it mostly waits.
    var isIdle: Bool {
        if case .query(let effect) = self { effect.waits } else { kind.isIdle }
    }
}

extension Effect.Kind {
    /// Reads a list such as `fin,rst`; `all` is every effect, `standard` the usual ones.
    ///
    /// - Throws: the word that is none of them.
    package static func list(parsing text: String) throws(UnknownEffect) -> [Effect.Kind] {
        var effects: Set<Effect.Kind> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "all": effects.formUnion(searched)
            case "standard": effects.formUnion(standard)
            default: effects.insert(try searched(named: word))
            }
        }
        return searched.filter(effects.contains)
    }

    private static func searched(named word: Substring) throws(UnknownEffect) -> Effect.Kind {
        guard let kind = Effect.Kind(named: word), searched.contains(kind) else {
            throw UnknownEffect(word: String(word))
        }
        return kind
    }
}

/// A word that names no effect that the search tries.
package struct UnknownEffect: Error, Hashable, Sendable {
    package let word: String

    package init(word: String) { self.word = word }
}
