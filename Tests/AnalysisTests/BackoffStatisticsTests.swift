import Analysis
import Basics
import Journal
import Testing
import TestSupport

/// The limits, held to simulated clients.
///
/// The seeds are fixed: the counts are always the same. Bounds allow what the arithmetic beside them
/// says.
@Suite struct BackoffStatisticsTests {
    private static let second = 1_000_000_000.0

    private static func spans(_ nanoseconds: [Int64]) -> [Duration] {
        nanoseconds.map { .nanoseconds($0) }
    }

    /// Clients by how they draw the n-th gap, from 0, in seconds.
    enum Client: CaseIterable {
        /// Uniform from 0 to a doubling bound.
        case fullJitter
        /// Doubling, give or take a tenth.
        case tenthJitter
        case doubling
        /// Uniform from 0 to 1 s, always.
        case constantRange
        case constant
        case immediate

        func gap(_ index: Int, _ numbers: inout SeededRandom) -> Duration {
            let bound = Double(1 << index)
            let seconds =
                switch self {
                case .fullJitter: bound * numbers.unit()
                case .tenthJitter: bound * (0.9 + 0.2 * numbers.unit())
                case .doubling: bound
                case .constantRange: numbers.unit()
                case .constant: 1.0
                case .immediate: 0.001 * numbers.unit()
                }
            return .nanoseconds(Int64(seconds * second))
        }

        func gaps(_ count: Int, _ numbers: inout SeededRandom) -> [Duration] {
            (0..<count).map { gap($0, &numbers) }
        }
    }

    private static func share(
        _ draws: Int,
        _ wanted: (inout SeededRandom) -> Bool
    ) -> Double {
        var numbers = SeededRandom(seed: 2_026)
        var count = 0
        for _ in 0..<draws where wanted(&numbers) { count += 1 }
        return Double(count) / Double(draws)
    }

    // MARK: B1

    /// 0.01 % in 20,000 draws of the design; with 20,000 here, 8 would be four deviations above.
    @Test func `full jitter is not called flat`() {
        let blamed = Self.share(20_000) {
            BackoffStatistics.growth(Client.fullJitter.gaps(5, &$0)).verdict == .fail
        }
        #expect(blamed <= 0.0004)
    }

    /// 99.3 %; one deviation in 5,000 draws is 0.12 %.
    @Test func `full jitter over eight gaps passes`() {
        let passed = Self.share(5_000) {
            BackoffStatistics.growth(Client.fullJitter.gaps(8, &$0)).verdict == .pass
        }
        #expect(passed >= 0.985)
    }

    /// 3 %; one deviation in 5,000 draws is 0.24 %.
    @Test func `a constant range rarely passes over eight gaps`() {
        let passed = Self.share(5_000) {
            BackoffStatistics.growth(Client.constantRange.gaps(8, &$0)).verdict == .pass
        }
        #expect(passed <= 0.045)
    }

    /// Four uniform draws in order, each 1.3 times the one before: 1/4! · 1.3⁻⁶ = 0.86 %.
    @Test func `a constant range rarely passes over four gaps`() {
        let passed = Self.share(20_000) {
            BackoffStatistics.growth(Client.constantRange.gaps(4, &$0)).verdict == .pass
        }
        #expect(passed <= 0.012)
        #expect(passed >= 0.005)
    }

    @Test(arguments: 4...12)
    func `doubling passes, a constant and none at all fail`(count: Int) {
        var numbers = SeededRandom(seed: 1)
        #expect(BackoffStatistics.growth(Client.doubling.gaps(count, &numbers)).verdict == .pass)
        #expect(BackoffStatistics.growth(Client.tenthJitter.gaps(count, &numbers)).verdict == .pass)
        let constant = BackoffStatistics.growth(Client.constant.gaps(count, &numbers))
        #expect(constant.reason == (count == 4 ? "fewer-than-8-gaps" : "flat"))
        #expect(BackoffStatistics.growth(Client.immediate.gaps(count, &numbers)).reason == "hammer")
    }

    @Test func `three gaps say nothing, gaps at the cap nothing either`() {
        #expect(BackoffStatistics.growth(Self.spans([1, 1, 1])).verdict == .skipped)
        let capped = [1, 2, 4, 8, 8, 8, 8, 8].map { Duration.seconds($0) }
        #expect(BackoffStatistics.growth(capped).reason == "no-clear-growth")
        #expect(BackoffStatistics.growth(capped, cap: .seconds(8)).reason == "at-the-cap")
    }

    /// No error in 2,000 draws of the design; 400 here.
    @Test func `eight runs tell full jitter from a constant range`() {
        func judge(_ client: Client, _ numbers: inout SeededRandom) -> Verdict {
            var runs: [[Duration]] = []
            for _ in 0..<8 { runs.append(client.gaps(5, &numbers)) }
            return BackoffStatistics.growth(over: runs).verdict
        }
        #expect(Self.share(400) { judge(.fullJitter, &$0) == .fail } == 0)
        #expect(Self.share(400) { judge(.fullJitter, &$0) == .pass } >= 0.95)
        #expect(Self.share(400) { judge(.constantRange, &$0) == .pass } <= 0.01)
        #expect(BackoffStatistics.growth(over: [Self.spans([1, 2])]).verdict == .skipped)
    }

    // MARK: B4

    /// A tenth of jitter is blamed in 0.02 % of draws for each of the three places that are judged.
    @Test func `a tenth of jitter is rarely blamed by few runs, no jitter always`() {
        func judge(_ client: Client, runs: Int, _ numbers: inout SeededRandom) -> Verdict {
            var gaps: [[Duration]] = []
            for _ in 0..<runs { gaps.append(client.gaps(5, &numbers)) }
            return BackoffStatistics.jitter(over: gaps).verdict
        }
        #expect(Self.share(400) { judge(.fullJitter, runs: 8, &$0) == .fail } == 0)
        #expect(Self.share(400) { judge(.fullJitter, runs: 8, &$0) == .pass } >= 0.99)
        #expect(Self.share(2_000) { judge(.tenthJitter, runs: 8, &$0) == .fail } <= 0.003)
        #expect(Self.share(1_000) { judge(.tenthJitter, runs: 16, &$0) == .fail } == 0)
        #expect(Self.share(50) { judge(.doubling, runs: 8, &$0) == .fail } == 1)
        var numbers = SeededRandom(seed: 4)
        #expect(judge(.fullJitter, runs: 7, &numbers) == .skipped)
    }

    @Test func `most runs alike are no jitter, though some differ`() {
        let runs = (0..<16).map {
            [Duration.milliseconds(Int64($0 < 11 ? 2_000 : 1_000 + $0 * 150))]
        }
        #expect(BackoffStatistics.jitter(over: runs).reason == "mostly-equal")
    }

    @Test func `two thirds are most runs, fewer are not`() {
        for (alike, verdict) in [(12, Verdict.fail), (11, .pass)] {
            let runs = (0..<18).map {
                [Duration.milliseconds(Int64($0 < alike ? 2_000 : 1_000 + $0 * 150))]
            }
            #expect(BackoffStatistics.jitter(over: runs).verdict == verdict, "\(alike)")
        }
    }

    @Test func `short gaps need no jitter`() {
        let runs = [[Duration]](repeating: [.milliseconds(900)], count: 8)
        #expect(BackoffStatistics.jitter(over: runs).reason == "gaps-below-1-s")
    }

    @Test func `one run shows equal ratios and nothing else`() {
        var numbers = SeededRandom(seed: 1)
        #expect(BackoffStatistics.jitter(Client.doubling.gaps(4, &numbers)).verdict == .fail)
        #expect(
            BackoffStatistics.jitter(Client.fullJitter.gaps(8, &numbers)).verdict == .inconclusive
        )
        #expect(BackoffStatistics.jitter(Self.spans([1, 2, 4])).verdict == .skipped)
    }

    // MARK: B12

    @Test func `bursts of equal size are two layers`() {
        let bursts = Self.spans([10, 10, 1_000, 10, 10, 2_000, 10, 10])
        #expect(BackoffStatistics.layers(bursts).verdict == .fail)
        let cutShort = Self.spans([10, 10, 1_000, 10, 10, 2_000, 10, 10, 4_000])
        #expect(BackoffStatistics.layers(cutShort).verdict == .fail)
        let irregular = Self.spans([10, 10, 1_000, 10, 2_000, 10, 10, 900, 10, 10])
        #expect(BackoffStatistics.layers(irregular).verdict == .pass)
        #expect(BackoffStatistics.layers(Self.spans([10, 10, 10, 10])).verdict == .skipped)
    }

    /// At most 0.05 % in 20,000 draws of each.
    @Test(arguments: [Client.fullJitter, .doubling, .constantRange, .constant], [5, 8, 19])
    func `one layer is rarely taken for two`(client: Client, count: Int) {
        let blamed = Self.share(4_000) {
            BackoffStatistics.layers(client.gaps(count, &$0)).verdict == .fail
        }
        #expect(blamed <= 0.0015)
    }
}
