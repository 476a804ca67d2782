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
