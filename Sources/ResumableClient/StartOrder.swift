package import Basics

/// The order in which waiting transfers begin.
package enum StartOrder {
    /// The indices of those that may begin now: first what a user asked for, then those with the
    /// fewest expected bytes (without a hint last), then in the order given.
    package static func order(
        _ waiting: [PathPolicy],
        path: PathStatus?,
        at now: Duration
    ) -> [Int] {
        waiting.indices
            .filter { waiting[$0].start(path, at: now, isFirst: true) == .mayStart }
            .sorted { precedes(waiting[$0], waiting[$1], orderGiven: $0 < $1) }
    }

    private static func precedes(_ one: PathPolicy, _ other: PathPolicy, orderGiven: Bool) -> Bool {
        if one.isUserInitiated != other.isUserInitiated { return one.isUserInitiated }
        let left = one.expectedBytes ?? .max
        let right = other.expectedBytes ?? .max
        return left == right ? orderGiven : left < right
    }
}
