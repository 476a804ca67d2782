/// What kind of wrong a run showed, worst first.
package enum FindingClass: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The result is not one whole version of the object, and the client says it is.
    case corrupt
    /// The client says that it is done, and the origin does not have it.
    case lost
    /// More was created or completed than was asked for.
    case duplicate
    /// Success without the content, or a failure that looks like a success.
    case dishonest
    /// No end before the deadline.
    case hang
    /// A failure that passes was not outlasted.
    case giveup
    /// Bytes were sent again that need not have been.
    case waste
    /// A rule of the protocol, or of polite retries, was broken.
    case protocolBreach = "protocol"
    /// The client went around the proxy, so that the run proves nothing.
    case escaped
    /// The same faults do not always lead to the same end.
    case flaky

    /// Whether it is a failure; the others leave the question open.
    package var isFailure: Bool { self < .escaped }

    package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

    /// From 0, worst first.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The class of a failed check, by its name.
    package init(check: String) {
        self =
            switch check {
            case "R1": .waste
            case "R2", "R6": .corrupt
            case "R3": .duplicate
            case "R4": .lost
            case "R10": .dishonest
            case "B5": .hang
            default: .protocolBreach
            }
    }

    /// For people: what is wrong, in a few words.
    package var meaning: String {
        switch self {
        case .corrupt: "ends in success with wrong content"
        case .lost: "ends in success without the origin having it all"
        case .duplicate: "makes more than one of what was asked for once"
        case .dishonest: "says something about the result that is not so"
        case .hang: "does not end before the deadline"
        case .giveup: "gives up though the failure passes"
        case .waste: "sends again what need not be sent again"
        case .protocolBreach: "breaks a rule of the protocol"
        case .escaped: "goes around the proxy"
        case .flaky: "does not always end the same way"
        }
    }
}
