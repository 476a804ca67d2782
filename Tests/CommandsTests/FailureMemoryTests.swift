import Analysis
import Exploration
import SystemIO
import TestSupport
import Testing

@testable import Commands

/// What an exploration remembers of its failures for the next one.
@Suite struct FailureMemoryTests {
    private static let schedule = "lc1;c1/r1:resp.body+5=fin"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The schedules that are remembered after an exploration in which one point came to this.
    private func remembered(after judgement: PointJudgement?) throws -> [String] {
        let memory = try FailureMemory(folder.path, command: ["get"])
        let point = try Point(parsing: Self.schedule)
        let records = judgement.map { [record(point, $0)] } ?? []
        memory.remember(
            CampaignReport(
                settings: ReportSettings(
                    tool: "",
                    command: ["get"],
                    seed: 1,
                    effects: [],
                    depth: 1,
                    replay: "{}"
                ),
                baseline: nil,
                records: records,
                minima: [],
                shards: [.whole],
                isComplete: true
            )
        )
        return try FailureMemory(folder.path, command: ["get"]).points.map(\.schedule)
    }

    private func record(_ point: Point, _ judgement: PointJudgement) -> PointRecord {
        PointRecord(
            point: point,
            purpose: .remembered,
            judgement: judgement,
            signature: Signature(
                judgement,
                PointOutcome(ending: .exited(0), content: .wrong)
            ),
            positions: ["GET /a resp.body"]
        )
    }

    @Test(arguments: [PointJudgement.pass, .honest])
    func `a failure is remembered until it passes or fails honestly`(
        later: PointJudgement
    ) throws {
        let failure = PointJudgement.failure(.corrupt, reason: "why\r\nand\nwhat")
        #expect(try remembered(after: failure) == [Self.schedule])
        #expect(try remembered(after: nil) == [Self.schedule], "it was not tried")
        #expect(try remembered(after: later).isEmpty)
    }

    @Test func `each command has failures of its own`() throws {
        _ = try remembered(after: .failure(.corrupt, reason: "why"))
        #expect(try FailureMemory(folder.path, command: ["get", "-v"]).points.isEmpty)
    }
}
