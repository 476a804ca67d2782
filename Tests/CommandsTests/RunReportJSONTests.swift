import Basics
import Testing

@testable import Commands

@Suite struct RunReportJSONTests {
    @Test func `a document holds the figures of each run`() throws {
        let run = try ReportSamples.run(demands: "attempts<=5")
        let text = RunReportJSON.document([run], across: []).text
        guard case .object(let document) = try JSONParser.parse(Array(text.utf8)[...]),
            case .array(let runs) = document["runs"], case .object(let first) = runs.first,
            case .array(let transfers) = first["transfers"],
            case .object(let transfer) = transfers.first,
            case .array(let attempts) = transfer["attempts"],
            case .object(let attempt) = attempts.last
        else {
            Issue.record("\(text)")
            return
        }
        #expect(document["v"] == .number(1))
        #expect(first["verdict"] == .string("pass"))
        #expect(first["exit"] == .number(1))
        #expect(transfer["wireBytes"] == .number(300))
        #expect(transfer["tries"] == .number(3))
        #expect(attempt["start"] == .number(200))
        #expect(attempt["kind"] == .string("resumed"))
        #expect(attempt["failure"] == .string("a cut (rst)"))
    }
}
