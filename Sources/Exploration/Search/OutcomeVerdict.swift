internal import Analysis

// What is wrong with a run is decided by how the command ended and by what it left, and by nothing
// else. What the wire shows says why, and finds faults of its own, but never overrules this.
extension Judge {
    typealias Wrong = (kind: FindingClass, reason: String)

    /// What a run came to.
    struct Result: Hashable, Sendable {
        var ending: PointOutcome.Ending
        var content: PointOutcome.Content
        /// Whether the content is what the server has, not what the client left.
        var isOriginSide: Bool
        /// Whether nothing kept the client from success for good.
        var canSucceed: Bool
    }

    /// All that is wrong with a result; nothing for one that is right.
    static func verdict(_ result: Result) -> [Wrong] {
        switch result.ending {
        case .exited(0): falseSuccess(result.content, result.isOriginSide).map { [$0] } ?? []
        case .deadline: [(.hang, "still running at the deadline")]
        // No network makes a sound program end like this.
        case .signal: [(.crash, "killed by \(result.ending.text)")]
        case .exited: failure(result)
        }
    }

    private static func falseSuccess(
        _ content: PointOutcome.Content,
        _ isOriginSide: Bool
    ) -> Wrong? {
        switch content {
        case .right, .unknown: nil
        case .wrong: (.corrupt, "exit 0, but the content is no version of the object")
        case .partial where isOriginSide: (.lost, "exit 0, but the origin has a part only")
        case .partial: (.dishonest, "exit 0, but the result is incomplete")
        case .missing where isOriginSide: (.lost, "exit 0, but the origin has nothing")
        case .missing: (.dishonest, "exit 0, but there is no result")
        case .denied: (.lost, "exit 0, but the check of the server fails")
        }
    }

    /// Nothing, an empty file or a beginning is left by an honest failure.
    private static func failure(_ result: Result) -> [Wrong] {
        var wrongs: [Wrong] = []
        if result.content == .wrong, !result.isOriginSide {
            wrongs.append(
                (.dishonest, "\(result.ending.text), but leaves what looks like a result")
            )
        }
        if result.canSucceed {
            wrongs.append((.giveup, "\(result.ending.text), although the failure was temporary"))
        }
        return wrongs
    }
}

extension FindingClass {
    /// Whether it follows from how a run came out, so that no rule about the wire can find it in a run
    /// whose outcome is known.
    var isOfOutcome: Bool {
        switch self {
        case .corrupt, .lost, .dishonest, .crash, .hang, .giveup: true
        case .duplicate, .waste, .protocol, .escaped, .flaky, .unreached: false
        }
    }
}
