package import Basics

/// Which of several discretionary transfers has the next turn.
package enum TurnOrder {
    /// A transfer that waits, as another one sees it.
    package struct Waiting: Hashable, Sendable {
        /// With the earliest begin on the clock of `next`.
        package var policy: PathPolicy
        /// It waits for nothing but its turn.
        package var isReady: Bool
        /// It follows the same path as the one that looks.
        package var sharesPath: Bool

        package init(_ policy: PathPolicy, isReady: Bool, sharesPath: Bool) {
            self.policy = policy
            self.isReady = isReady
            self.sharesPath = sharesPath
        }
    }

    /// The index of the transfer whose turn is next, as one that waits on `path` sees it.
    ///
    /// One that shares the path and may begin on it takes part, even if it has not learnt of the path
    /// yet: otherwise the first to look would go first, and not the smallest.
    package static func next(
        _ waiting: [Waiting],
        path: PathStatus?,
        at now: Duration
    ) -> Int? {
        let candidates = waiting.indices.filter { index in
            let one = waiting[index]
            guard !one.isReady else { return true }
            return one.sharesPath && one.policy.start(path, at: now, isFirst: false) == .mayStart
        }
        return StartOrder.order(candidates.map { waiting[$0].policy }, path: nil, at: now).first
            .map { candidates[$0] }
    }
}
