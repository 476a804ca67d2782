import Basics
import Journal
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

    @Test func `a document holds the changes during a run, and the schedule after them`() throws {
        let added = ChangeReport(
            "fault",
            by: .control,
            detail: ["add": "c9:down+1=rst"],
            adds: ["c9:down+1=rst"]
        )
        let run = try ReportSamples.run(
            changes: [
                (0, .path(nil, PathReport(interface: "wifi"))),
                (1_500, .path(nil, PathReport(interface: "wifi", isSatisfied: false))),
                (1_600, .change(added)),
            ]
        )
        let text = RunReportJSON.document([run], across: []).text
        let wifi = #"{"interface":"wifi","expensive":false,"constrained":false,"satisfied":"#
        #expect(text.contains(#""path":\#(wifi)true},"pathAtEnd":\#(wifi)false}"#), "\(text)")
        #expect(
            text.contains(
                #"{"atNanoseconds":1600000000,"line":14,"action":"fault","by":"control","#
                    + #""words":"fault, add c9:down+1=rst","detail":{"add":"c9:down+1=rst"},"#
                    + #""path":null,"connections":0}],"changesLeftOut":0"#
            ),
            "\(text)"
        )
        #expect(text.contains(#""schedule":"lc1;seed=7;c9:down+1=rst;c*/r1:resp.body+100=rst""#))
    }
}
