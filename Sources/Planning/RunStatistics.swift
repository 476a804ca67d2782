package import Basics
package import Faults

/// Completion times of one transfer under many seeds.
package struct RunStatistics: Hashable, Sendable {
    package struct Run: Hashable, Sendable {
        package var seed: UInt64
        /// Nil if the transfer did not complete.
        package var completion: Duration?
        package var droppedPackets: Int
        package var stalls: Int

        package init(seed: UInt64, completion: Duration?, droppedPackets: Int, stalls: Int) {
            self.seed = seed
            self.completion = completion
            self.droppedPackets = droppedPackets
            self.stalls = stalls
        }
    }

    package var runs: [Run] = []
    /// Faults that acted in no run, and those of which no run says anything.
    package private(set) var neverReached: [FaultLedger.Row] = []
    package private(set) var notPredicted: [String] = []

    package init() {}

    package mutating func add(_ prediction: Prediction) {
        noteFaults(prediction)
        runs.append(
            Run(
                seed: prediction.model.seed,
                completion: prediction.completion.map { $0 - .start },
                droppedPackets: prediction.packets.down.dropped + prediction.packets.up.dropped,
                stalls: prediction.stallCount
            )
        )
    }

    private mutating func noteFaults(_ prediction: Prediction) {
        guard !runs.isEmpty else {
            neverReached = prediction.neverReached
            notPredicted = prediction.notPredicted
            return
        }
        let ids = Set(prediction.neverReached.map(\.id))
        neverReached.removeAll { !ids.contains($0.id) }
        notPredicted.removeAll { !prediction.notPredicted.contains($0) }
    }

    package var completions: [Duration] { runs.compactMap(\.completion).sorted() }

    package var failureCount: Int { runs.count { $0.completion == nil } }

    /// The smallest completion time that at least `percent` of the completed runs do not exceed.
    package func percentile(_ percent: Int) -> Duration? {
        let sorted = completions
        guard !sorted.isEmpty else { return nil }
        let rank = (sorted.count * percent + 99) / 100
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    package var mean: Duration? {
        let sorted = completions
        guard !sorted.isEmpty else { return nil }
        let sum = sorted.reduce(Int64(0)) { $0 + $1.nanoseconds }
        return Duration(nanoseconds: sum / Int64(sorted.count))
    }

    package static let percentiles = [5, 25, 50, 75, 90, 95, 99]
}
