internal import Basics

/// Of the transfers that have begun, those that wait for a better path.
///
/// A better path must not start all of them at once: each learns of it when there is room for it, in
/// the order of ``StartOrder``.
package struct WaitingTransfers<Name: Hashable & Sendable>: Sendable {
    private var waiting: Set<Name> = []
    /// Those of `waiting` that have not learned of the latest path.
    private var uninformed: Set<Name> = []

    package init() {}

    package var count: Int { waiting.count }

    package func contains(_ name: Name) -> Bool { waiting.contains(name) }

    /// A transfer waits, for a path or a time.
    package mutating func insert(_ name: Name) { waiting.insert(name) }

    /// A transfer continues, or has ended.
    package mutating func remove(_ name: Name) {
        waiting.remove(name)
        uninformed.remove(name)
    }

    /// The path has changed: all that wait have yet to learn of it.
    package mutating func pathChanged() { uninformed = waiting }

    /// The transfers that learn of the path now.
    ///
    /// - Parameters:
    ///   - path: the latest path.
    ///   - room: how many may continue.
    ///   - names: all that have begun, in the order given.
    ///   - policy: the policy of one; nil if it waits for a time that has not come.
    /// - Returns: first those that the path does not help, then, as far as there is room, the ones
    ///   that may continue on it, which are not counted as waiting any more.
    package mutating func informed(
        of path: PathStatus,
        room: Int,
        among names: [Name],
        policy: (Name) -> PathPolicy?
    ) -> [Name] {
        guard !uninformed.isEmpty else { return [] }
        let candidates = names.filter(uninformed.contains)
        let policies = candidates.map(policy)
        let due = candidates.indices.filter { policies[$0] != nil }
        let starting = StartOrder.order(due.compactMap { policies[$0] }, path: path, at: .zero)
            .map { candidates[due[$0]] }
        let others = candidates.filter { !starting.contains($0) }
        let chosen = starting.prefix(max(0, room))
        uninformed.subtract(others)
        uninformed.subtract(chosen)
        waiting.subtract(chosen)
        return others + chosen
    }
}
