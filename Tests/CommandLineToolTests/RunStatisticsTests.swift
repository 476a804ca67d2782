import LinkEngine
import Testing

@testable import CommandLineTool

@Suite struct RunStatisticsTests {
    private func statistics(_ milliseconds: [Int64?]) -> RunStatistics {
        var statistics = RunStatistics()
        for (seed, time) in milliseconds.enumerated() {
            statistics.runs.append(
                .init(
                    seed: UInt64(seed),
                    completion: time.map { .milliseconds($0) },
                    droppedPackets: 0,
                    stalls: 0
                )
            )
        }
        return statistics
    }

    @Test func `a percentile is a value that occurred`() {
        let runs = statistics(Array(1...100))
        #expect(runs.percentile(50) == .milliseconds(50))
        #expect(runs.percentile(99) == .milliseconds(99))
        #expect(runs.percentile(5) == .milliseconds(5))
        #expect(statistics([30, 10, 20]).percentile(50) == .milliseconds(20))
        #expect(statistics([10]).percentile(5) == .milliseconds(10))
    }

    @Test func `runs that do not complete are counted apart`() {
        let runs = statistics([10, nil, 30])
        #expect(runs.failureCount == 1)
        #expect(runs.mean == .milliseconds(20))
        #expect(statistics([nil]).percentile(50) == nil)
    }
}
