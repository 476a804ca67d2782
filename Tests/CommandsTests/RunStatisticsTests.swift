import Basics
import Faults
import LinkEngine
import Planning
import Testing

@testable import Commands

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

    @Test func `a fault that acted in no run is told, once`() throws {
        var model = TransferModel(
            settings: LinkSettings(),
            seed: 1,
            bytes: 1_000,
            direction: .down,
            connections: 1
        )
        // The chance decides otherwise in some runs.
        let faults = ["c1:down+2000=rst", "c1?50%:down+5=rst", "c1:up+9=rst"]
        model.faults = try faults.map { try Fault(parsing: $0) }
        var statistics = RunStatistics()
        for seed in 1...20 {
            model.seed = UInt64(seed)
            statistics.add(Predictor.predict(model))
        }
        #expect((1...19).contains(statistics.failureCount))
        let lines = statistics.lines(
            profile: "none",
            model: model,
            width: 80,
            style: TextStyle(isColoured: false),
            usesUnicode: true
        )
        #expect(
            lines.suffix(2) == [
                "  never reached  c1:down+2000=rst (stream ended at 1000)",
                "  not predicted  c1:up+9=rst",
            ]
        )
        let json = statistics.json(profile: "none", model: model).text
        #expect(json.contains(#""neverReached":[{"id":"c1:down+2000=rst","reason":"stream"#))
        #expect(json.contains(#""notPredicted":["c1:up+9=rst"]"#))
    }
}
