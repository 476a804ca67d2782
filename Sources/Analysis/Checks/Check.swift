/// A rule that a client is held to.
package enum Check: String, Hashable, Sendable, CaseIterable {
    case r1 = "R1"
    case r2 = "R2"
    case r3 = "R3"
    case r4 = "R4"
    case r5 = "R5"
    case r6 = "R6"
    case r7 = "R7"
    case r8 = "R8"
    case r9 = "R9"
    case r10 = "R10"
    case r11 = "R11"
    case b1 = "B1"
    case b2 = "B2"
    case b3 = "B3"
    case b4 = "B4"
    case b5 = "B5"
    case b6 = "B6"
    case b7 = "B7"
    case b8 = "B8"
    case b9 = "B9"
    case b10 = "B10"
    case b11 = "B11"
    case b12 = "B12"
    case q1 = "Q1"
    case q2 = "Q2"
    case q3 = "Q3"
    case q4 = "Q4"
    case q5 = "Q5"
    case h1 = "H1"
    case h2 = "H2"
    case h3 = "H3"
    case h4 = "H4"
    case h5 = "H5"
    case m1 = "M1"
    case m2 = "M2"
    case m3 = "M3"
    case m4 = "M4"
    case g1 = "G1"
    case g2 = "G2"
    case g3 = "G3"
    case t1 = "T1"
    case t2 = "T2"

    /// All of them in a few words, as in `R1 to R11, T1`.
    static let ranges: String = {
        var groups: [(first: String, last: String)] = []
        for name in allCases.map(\.rawValue) {
            if let group = groups.last, group.first.prefix(1) == name.prefix(1) {
                groups[groups.count - 1].last = name
            } else {
                groups.append((name, name))
            }
        }
        return groups.map { $0.first == $0.last ? $0.first : "\($0.first) to \($0.last)" }
            .joined(separator: ", ")
    }()

    /// How much a violation weighs, by how sure it is that it is one.
    package enum Level: String, Hashable, Sendable, CaseIterable {
        case error
        /// `explore` tells it, and fails with --strict only.
        case warning
        /// Counts only if it is asked for.
        case note
    }

    /// The rule, in a few words.
    package var title: String { row.title }
    /// How it is measured, and what is allowed.
    package var measure: String { row.measure }
    /// Whether it measures times, which a busy machine falsifies.
    package var isOfTimes: Bool { row.isOfTimes }
    package var level: Level { row.level }
    /// Whether it counts only if it is asked for.
    package var isAdvisory: Bool { level == .note }
    /// What a violation is told as, unless its reason says more.
    package var findingClass: Finding.Class { row.finding }
    /// Where the rule stands; `practice` where no standard has it.
    package var source: String { row.source }
}

extension Check {
    /// Holds a run to all checks.
    ///
    /// - Returns: one result for each check, in their order.
    static func judge(_ context: CheckContext) -> [CheckResult] {
        allCases.map { $0.row.judge(context) }
    }
}
