/// One run as the report keeps it: what was tried and what came of it.
package struct PointRecord: Hashable, Sendable {
    /// Why a run was made.
    package enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// A failure of an earlier time.
        case remembered
        /// An anchor of the baseline's messages.
        case boundary
        /// Between two neighbours that behave differently.
        case edge
        /// A second fault in the recovery from a first.
        case pair
        case random
        /// On the way to a smaller schedule.
        case shrink
        /// The same again, to see whether it comes out the same.
        case verify
        /// The same again, to see whether every message is the same.
        case repetition
        /// The same again at real speed, to see whether it passes, too.
        case speed

        /// Whether it is part of the search and not of what follows from it.
        package var isSearch: Bool {
            switch self {
            case .shrink, .verify, .repetition, .speed: false
            case .remembered, .boundary, .edge, .pair, .random: true
            }
        }

        /// Whether it says what a point comes to, and not whether another run of it says the same.
        package var isOfItself: Bool { isSearch || self == .shrink }
    }

    package var point: Point
    package var purpose: Purpose
    package var judgement: PointJudgement
    package var signature: Signature
    /// The place of each fault in the protocol, such as `GET /a resp.body`.
    package var positions: [String]
    /// Whether the client made another attempt after the first fault.
    package var triesAgain = false
    /// Checks that failed and fail nothing.
    package var advice: [PointOutcome.Advice] = []
    /// The series that the point is on, and where; nil for points without neighbours.
    package var series: String?
    package var at: UInt64?
    package var evidence: [String] = []
    package var milliseconds: UInt64 = 0
    package var trace: String?
    /// Whether it takes the place of a run with a faster clock that came out otherwise.
    package var corrects = false

    package init(
        point: Point,
        purpose: Purpose,
        judgement: PointJudgement,
        signature: Signature,
        positions: [String]
    ) {
        self.point = point
        self.purpose = purpose
        self.judgement = judgement
        self.signature = signature
        self.positions = positions
    }

    /// Whether the faults are one fault, however often it acts.
    package var isSingle: Bool { point.faults.count == 1 }
}

/// What the shrinking of a failing schedule of several faults came to.
package struct Minimum: Hashable, Sendable {
    package var of: Point
    package var kind: FindingClass
    package var point: Point
    package var positions: [String]
    /// Candidates tried, known ones included.
    package var tests: Int

    package init(
        of: Point,
        kind: FindingClass,
        point: Point,
        positions: [String],
        tests: Int
    ) {
        self.of = of
        self.kind = kind
        self.point = point
        self.positions = positions
        self.tests = tests
    }
}
