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

    /// The shard that a job system gives: Kubernetes' indexed jobs, Slurm's arrays, or the
    /// `CI_NODE_INDEX` that CI systems set.
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
        if let index = try number("JOB_COMPLETION_INDEX") {
            let count = try number("LINKCOND_SHARDS")
            self = try shard(index &+ 1, count, "JOB_COMPLETION_INDEX", "LINKCOND_SHARDS")
        } else if let task = try number("SLURM_ARRAY_TASK_ID") {
            let first = try number("SLURM_ARRAY_TASK_MIN") ?? 0
            let step = max(1, try number("SLURM_ARRAY_TASK_STEP") ?? 1)
            let index = task >= first ? (task - first) / step + 1 : 0
            let count = try number("SLURM_ARRAY_TASK_COUNT")
            self = try shard(index, count, "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT")
        } else if let index = try number("CI_NODE_INDEX") {
            let count = try number("CI_NODE_TOTAL")
            self = try shard(index, count, "CI_NODE_INDEX", "CI_NODE_TOTAL")
        } else {
            throw EnvironmentError(
                words: "no shard in the environment: set JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID"
                    + " or CI_NODE_INDEX"
            )
        }
    }
}
