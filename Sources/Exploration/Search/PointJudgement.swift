internal import Analysis

/// What a run says about the client.
package enum PointJudgement: Hashable, Sendable {
    /// Right in spite of the faults.
    case pass
    /// An honest failure where nothing better was possible.
    case honest
    case failure(FindingClass, reason: String)
    /// Neither right nor wrong.
    case inconclusive(reason: String)
    /// A fault did not act, so that the run was another one than was asked for.
    case unreached(reason: String)

    /// As in the matrix.
    package var letter: Character {
        switch self {
        case .pass: "."
        case .honest: "h"
        case .failure(let kind, _): kind.isFailure ? "X" : "?"
        case .inconclusive: "?"
        case .unreached: "-"
        }
    }

    /// The class of a failure.
    package var failure: FindingClass? {
        guard case .failure(let kind, _) = self, kind.isFailure else { return nil }
        return kind
    }

    /// In one word, for records.
    package var word: String {
        switch self {
        case .pass: "pass"
        case .honest: "honest"
        case .failure(let kind, _): kind.rawValue
        case .inconclusive: "inconclusive"
        case .unreached: "unreached"
        }
    }

    package var reason: String {
        switch self {
        case .pass, .honest: ""
        case .failure(_, let reason), .inconclusive(let reason), .unreached(let reason): reason
        }
    }

    /// The judgement that a record's word and reason stand for.
    package init?(word: String, reason: String) {
        switch word {
        case "pass": self = .pass
        case "honest": self = .honest
        case "inconclusive": self = .inconclusive(reason: reason)
        case "unreached": self = .unreached(reason: reason)
        default:
            guard let kind = FindingClass(rawValue: word) else { return nil }
            self = .failure(kind, reason: reason)
        }
    }
}
