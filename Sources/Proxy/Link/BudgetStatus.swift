internal import FaultInjection
internal import LinkProfile

/// How much of a profile's byte budget is used.
package struct BudgetStatus: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case within
        /// Beyond the soft limit: slowed down.
        case slowed
        /// At the hard limit: nothing more passes.
        case exhausted
    }

    package var usedBytes: UInt64
    package var softLimitBytes: UInt64?
    package var hardLimitBytes: UInt64?
    package var state: State
}

extension ProxyServer {
    /// Of the budget in force; nil for a profile without one.
    package var budgetStatus: BudgetStatus? {
        guard let budget, let limits = profile.budget else { return nil }
        return BudgetStatus(
            usedBytes: budget.meter.used,
            softLimitBytes: limits.softLimitBytes,
            hardLimitBytes: limits.hardLimitBytes,
            state: budget.meter.isExhausted
                ? .exhausted : budget.meter.reducedRate == nil ? .within : .slowed
        )
    }
}
