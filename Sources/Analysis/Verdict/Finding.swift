internal import Journal

/// Something that a run shows to be wrong, or to prove nothing.
package struct Finding: Hashable, Sendable {
    /// Kinds of findings, the worst first.
    package enum Class: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Success with other bytes than those of one version.
        case corrupt
        /// Success, but the server has nothing.
        case lost
        /// Twice what should be once.
        case duplicate
        /// Success without a result, or a failure that leaves what looks like one.
        case dishonest
        /// An end by a signal that nobody sent.
        case crash
        /// No end before the deadline.
        case hang
        /// Failure where success was possible.
        case giveup
        /// More bytes or tries than needed.
        case waste
        /// A rule of the protocol is broken.
        case `protocol`
        /// Traffic that did not come through here.
        case escaped
        /// Not the same each time.
        case flaky
        /// A fault did not act, or too late.
        case unreached

        /// Whether it says that something is wrong, not only that nothing is proven.
        package var isFailure: Bool { self < .escaped }

        package static func < (a: Class, b: Class) -> Bool { a.rank < b.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    package var kind: Class
    /// The check that found it, if it was one.
    package var check: Check?
    /// What is wrong, in a sentence without a full stop.
    package var words: String
    /// Lines of the journal that show it.
    package var lines: [Int]

    package init(_ kind: Class, _ words: String, check: Check? = nil, lines: [Int] = []) {
        self.kind = kind
        self.words = words
        self.check = check
        self.lines = lines
    }
}

extension CheckResult {
    /// The finding that a failed check is; nil for another verdict.
    package var finding: Finding? {
        guard verdict == .fail else { return nil }
        // What happened first: a rule alone reads as if it had been kept.
        return Finding(kind, "\(observed) (the rule: \(check.title))", check: check, lines: lines)
    }

    /// That of the check, unless the reason says that it is another one.
    private var kind: Finding.Class {
        switch (check, reason) {
        case (.r2, "missing"), (.r2, "partial"), (.r2, "left-behind"): .dishonest
        case (.r4, "lost"): .lost
        case (.b5, "deadline"): .hang
        default: check.findingClass
        }
    }
}
