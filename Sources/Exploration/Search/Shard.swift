/// A share of all points: those whose identity falls to this shard.
///
/// Nothing else decides, so that the shares do not depend on the order or the number of points.
package struct Shard: Hashable, Sendable {
    /// From 1.
    package let index: UInt64
    package let count: UInt64

    package static let whole = Shard(1, of: 1)
    /// The most shards.
    package static let limit: UInt64 = 100_000

    private init(_ index: UInt64, of count: UInt64) {
        self.index = index
        self.count = count
    }

    /// Nil unless 1 ≤ index ≤ count ≤ `limit`.
    package init?(index: UInt64, count: UInt64) {
        guard index >= 1, index <= count, count <= Self.limit else { return nil }
        self.init(index, of: count)
    }

    /// Reads `i/n`.
    package init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt64(parts[0]), let count = UInt64(parts[1]) else {
            return nil
        }
        self.init(index: index, count: count)
    }

    package var text: String { "\(index)/\(count)" }

    package func owns(_ point: Point) -> Bool {
        count == 1 || point.identity.remainder(modulo: count) + 1 == index
    }
}

extension Shard {
    /// Why an environment names no shard, in words that say what to do.
    package struct EnvironmentError: Error, Hashable, Sendable {
        package let words: String
    }

    /// A pair of variables of a job system: which share this is, and of how many.
    private struct Variables {
        let index: String
        let total: String
        /// What the system calls the first share.
        let first: UInt64
    }

    /// Kubernetes' indexed jobs, GitLab, CircleCI and Buildkite.
    private static let variables = [
        Variables(index: "JOB_COMPLETION_INDEX", total: "LINKCOND_SHARDS", first: 0),
        Variables(index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", first: 1),
        Variables(index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL", first: 0),
        Variables(
            index: "BUILDKITE_PARALLEL_JOB",
            total: "BUILDKITE_PARALLEL_JOB_COUNT",
            first: 0
        ),
    ]

    /// The shard that a job system gives: that of an array in Slurm, else that of `variables`.
    package init(
        environment: (String) -> String?
    ) throws(EnvironmentError) {
        func number(_ name: String) throws(EnvironmentError) -> UInt64? {
            guard let text = environment(name), !text.isEmpty else { return nil }
            guard let number = UInt64(text) else {
                throw EnvironmentError(words: "\(name) is '\(text)', not a whole number")
            }
            return number
        }
        func shard(
            _ index: UInt64,
            _ count: UInt64?,
            _ name: String,
            _ total: String
        ) throws(EnvironmentError) -> Shard {
            guard let count else {
                throw EnvironmentError(words: "\(name) is set, but not \(total); set it, too")
            }
            guard let shard = Shard(index: index, count: count) else {
                throw EnvironmentError(
                    words: "\(name) and \(total) give the invalid shard \(index) of \(count)"
                )
            }
            return shard
        }
        if let task = try number("SLURM_ARRAY_TASK_ID") {
            let first = try number("SLURM_ARRAY_TASK_MIN") ?? 0
            let step = max(1, try number("SLURM_ARRAY_TASK_STEP") ?? 1)
            let index = task >= first ? (task - first) / step + 1 : 0
            let count = try number("SLURM_ARRAY_TASK_COUNT")
            self = try shard(index, count, "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT")
            return
        }
        for names in Self.variables {
            guard let index = try number(names.index) else { continue }
            let count = try number(names.total)
            self = try shard(index &+ 1 &- names.first, count, names.index, names.total)
            return
        }
        throw EnvironmentError(
            words: "no shard in the environment: set "
                + Self.variables.map(\.index).joined(separator: ", ")
                + " or SLURM_ARRAY_TASK_ID"
        )
    }
}
