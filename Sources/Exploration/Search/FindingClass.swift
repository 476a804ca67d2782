package import Analysis

/// What kind of wrong a run showed, worst first.
package typealias FindingClass = Analysis.Finding.Class

extension FindingClass {
    /// From 0, worst first.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// For people: what is wrong, in a few words.
    package var meaning: String {
        switch self {
        case .corrupt: "ends in success with wrong content"
        case .lost: "ends in success without the origin having it all"
        case .duplicate: "makes more than one of what was asked for once"
        case .dishonest: "its exit code contradicts its result"
        case .crash: "is killed by a signal"
        case .hang: "does not end before the deadline"
        case .giveup: "gives up although the failure was temporary"
        case .waste: "sends or asks more often than it needs to"
        case .protocol: "breaks a rule of the protocol"
        case .escaped: "goes around the proxy"
        case .flaky: "does not always end the same way"
        case .unreached: "was not met by the fault"
        }
    }

    /// The same of the run afterwards, as a clause.
    var laterMeaning: String {
        switch self {
        case .giveup: "it fails"
        case .dishonest: meaning
        default: "it \(meaning)"
        }
    }
}
