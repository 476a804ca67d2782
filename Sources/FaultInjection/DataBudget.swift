package import LinkEngine

/// How many bytes a path carries before it gets slow or stops, like a mobile data plan.
package struct DataBudget: Hashable, Sendable {
    /// Which delivered bytes count.
    package enum Counted: Hashable, Sendable { case both, down, up }

    /// Beyond so many bytes everything is slower.
    package struct SoftLimit: Hashable, Sendable {
        package var bytes: UInt64
        package var rate: BitRate

        package init(bytes: UInt64, rate: BitRate) {
            self.bytes = bytes
            self.rate = rate
        }
    }

    package let counted: Counted
    package let soft: SoftLimit?
    /// Beyond so many bytes nothing passes and new connections are refused.
    package let hardBytes: UInt64?

    /// Fails for a soft limit at or beyond the hard one, for limits of 0 and without any limit.
    package init?(counted: Counted = .both, soft: SoftLimit?, hardBytes: UInt64?) {
        guard soft != nil || hardBytes != nil, soft?.bytes != 0, hardBytes != 0 else { return nil }
        if let soft, let hardBytes, soft.bytes >= hardBytes { return nil }
        self.counted = counted
        self.soft = soft
        self.hardBytes = hardBytes
    }
}

/// Counts delivered bytes against a budget that all connections share.
///
/// Ask `allowance` before bytes pass, tell `add` after; so both limits are met to the byte.
package struct DataBudgetMeter: Hashable, Sendable {
    /// A limit that was just reached.
    package enum Crossing: Hashable, Sendable { case soft, hard }

    package let budget: DataBudget
    /// Counted bytes so far.
    package private(set) var used: UInt64 = 0

    package init(budget: DataBudget) { self.budget = budget }

    /// How many bytes of this direction may pass before a limit is reached; nil for no end.
    package func allowance(_ direction: Direction) -> UInt64? {
        guard counts(direction) else { return isExhausted ? 0 : nil }
        if let soft = budget.soft, used < soft.bytes { return soft.bytes - used }
        return budget.hardBytes.map { $0 > used ? $0 - used : 0 }
    }

    /// Counts delivered bytes; says which limits they reached, each once, the soft one first.
    package mutating func add(_ count: UInt64, _ direction: Direction) -> [Crossing] {
        guard counts(direction) else { return [] }
        let before = used
        used = before.addingReportingOverflow(count).overflow ? .max : before + count
        var crossings: [Crossing] = []
        if let soft = budget.soft, before < soft.bytes, used >= soft.bytes {
            crossings.append(.soft)
        }
        if let hard = budget.hardBytes, before < hard, used >= hard { crossings.append(.hard) }
        return crossings
    }

    /// The rate for everything from now on; nil while the budget changes nothing.
    package var reducedRate: BitRate? {
        guard let soft = budget.soft, used >= soft.bytes else { return nil }
        return soft.rate
    }

    /// Whether the hard limit is reached: nothing passes in either direction any more.
    package var isExhausted: Bool { budget.hardBytes.map { used >= $0 } ?? false }

    private func counts(_ direction: Direction) -> Bool {
        switch budget.counted {
        case .both: true
        case .down: direction == .down
        case .up: direction == .up
        }
    }
}
