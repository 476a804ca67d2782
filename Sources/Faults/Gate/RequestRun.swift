/// What the connections of a run have in common: how many requests matched, and what has happened.
package struct RequestRun: Hashable, Sendable {
    private var matches: [Int: UInt32] = [:]
    private var open: [Int: Int] = [:]
    private var happened: Set<Int> = []

    package init() {}

    /// Counts a request that fits a pattern.
    ///
    /// - Parameter pattern: its place in the plan.
    /// - Returns: its ordinal from 1, and whether another one that fits was open at the time, so
    ///   that timing decided which came first.
    mutating func match(_ pattern: Int) -> (ordinal: UInt32, isRacy: Bool) {
        let ordinal = matches[pattern, default: 0] &+ 1
        matches[pattern] = ordinal
        let others = open[pattern, default: 0]
        open[pattern] = others + 1
        return (ordinal, others > 0)
    }

    /// Whether another request that fits was open while this one was.
    func isContested(_ pattern: Int) -> Bool { open[pattern, default: 0] > 1 }

    /// A request that fitted is over.
    mutating func close(_ pattern: Int) { open[pattern, default: 1] -= 1 }

    /// Notes that an event has happened; false if it had before.
    package mutating func happen(_ event: Int) -> Bool { happened.insert(event).inserted }

    package func hasHappened(_ event: Int) -> Bool { happened.contains(event) }
}
