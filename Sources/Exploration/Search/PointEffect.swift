/// A kind of fault that the search tries, simplest first; most are named as in a schedule line.
package enum PointEffect: String, Hashable, Sendable, CaseIterable {
    /// The receiver sees an orderly end of the connection.
    case fin
    /// The receiver sees a reset.
    case rst
    /// Nothing more comes, and nothing is closed.
    case hole
    /// Silence for a second, then the rest.
    case stall
    /// Connections are accepted and reset.
    case refuse
    /// The origin finishes, and its answer is lost.
    case swallow
    /// Connections are accepted and never answered.
    case silent
    /// The client is reset, and what it had sent reaches the origin after its next request began.
    case late
    /// Answered in the origin's place, with a status that asks for another try.
    case status
    /// A final answer before the body.
    case early
    /// A body that ends early though its framing does not say so.
    case truncate
    /// An interim response that does not come.
    case withhold
    /// An interim response that comes twice.
    case dup
    /// The origin ends and comes back, with or without what it had stored.
    case crash
    /// The object is another one from the second request on.
    case mutate
    /// Ranges that are answered wrongly.
    case range
    /// The upload's address is gone.
    case expire
    /// A box in the path that holds whole messages back.
    case buffer

    /// What is tried if nothing else is asked for.
    package static let standard: [PointEffect] = [.fin, .rst, .hole, .stall, .refuse, .swallow]

    /// Place among the effects, simplest first.
    package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The rank of an effect in a schedule line; an unknown one is the least simple.
    static func rank(of effectName: String) -> Int {
        PointEffect(rawValue: effectName)?.rank ?? allCases.count
    }

    /// Whether a run with this effect mostly waits, so that many of them may run at once.
    var isIdle: Bool { [.hole, .stall, .silent].contains(self) }

    /// Whether it acts at every byte; others act where `forms` puts them.
    var isByteWise: Bool { [.fin, .rst, .hole, .stall].contains(self) }

    /// Whether bytes that it cuts off are worth all boundary points; the rest get a few.
    var isCheap: Bool { self == .fin || self == .rst }

    /// Whether it can be had with a server.
    package func isPossible(with server: CampaignSettings.Server) -> Bool {
        switch self {
        case .mutate, .range, .expire: server == .embedded
        case .crash: server != .other
        default: true
        }
    }

    /// The texts of a byte-wise effect, with their arguments.
    var deed: (effect: String, arguments: [String]) {
        switch self {
        case .stall: ("stall(1s)", [])
        default: (rawValue, [])
        }
    }
}

extension PointEffect {
    /// Reads a list such as `fin,rst`; `all` is every effect, `standard` the usual ones.
    ///
    /// - Throws: the word that is none of them.
    package static func list(parsing text: String) throws(UnknownPointEffect) -> [PointEffect] {
        var effects: Set<PointEffect> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "all": effects.formUnion(allCases)
            case "standard": effects.formUnion(standard)
            default:
                guard let effect = PointEffect(rawValue: String(word)) else {
                    throw UnknownPointEffect(word: String(word))
                }
                effects.insert(effect)
            }
        }
        return allCases.filter(effects.contains)
    }
}

/// A word that names no effect.
package struct UnknownPointEffect: Error, Hashable, Sendable {
    package let word: String

    package init(word: String) { self.word = word }
}
