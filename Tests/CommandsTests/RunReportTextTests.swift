import Analysis
import Journal
import Basics
import Testing

@testable import Commands

@Suite struct RunReportTextTests {
    private static func text(
        _ run: JudgedRun,
        width: Int = 80,
        usesUnicode: Bool = false,
        style: TextStyle = TextStyle(isColoured: false)
    ) -> [String] {
        RunReportText(run: run, width: width, usesUnicode: usesUnicode).lines()
            .map { $0.rendered(limit: .max, style: style) }
    }

    @Test func `the ladder shows each attempt at its place`() throws {
        let text = Self.text(try ReportSamples.run())
        let ladder = text.filter { $0.contains("=x") }
        #expect(ladder.count == 3)
        #expect(ladder[0].hasPrefix("   1 ====x "))
        #expect(ladder[1].hasPrefix("   2     ====x "))
        #expect(ladder[2].hasPrefix("   3         ====x "))
        #expect(ladder.map { $0.contains("resumed") } == [false, true, true])
        #expect(text.contains { $0.contains("= new") && $0.contains("# again") })
    }

    @Test func `bytes sent again look different, without colour too`() throws {
        let text = Self.text(try ReportSamples.run(restarts: true))
        #expect(text.contains { $0.hasPrefix("   1 ====x") })
        #expect(text.contains { $0.hasPrefix("   2 ####x") && $0.contains("restarted") })
        #expect(!text.joined().contains("\u{1B}"))
        let coloured = Self.text(
            try ReportSamples.run(restarts: true),
            style: TextStyle(isColoured: true)
        )
        #expect(coloured.joined().contains("\u{1B}[33m####"))
    }

    @Test func `changes are told with their times, and in the ladder in their place`() throws {
        let mark = ChangeReport("mark", by: .control, detail: ["text": "a\u{1B}[2Jb"])
        let run = try ReportSamples.run(
            changes: [
                (0, .path(nil, PathReport(interface: "wifi"))), (1_500, .change(mark)),
                (1_600, .path(nil, PathReport(interface: "cellular", isExpensive: true))),
            ]
        )
        let lines = Self.text(run)
        #expect(lines.contains("  path wifi at the start, cellular, expensive at the end"))
        let place = try #require(lines.firstIndex(of: "Changes"))
        #expect(lines[place + 1].hasPrefix("  1.50 s       mark, text a"))
        #expect(lines[place + 1].hasSuffix("b, by control"))
        #expect(lines[place + 2] == "  1.60 s       path cellular, expensive")
        let second = try #require(lines.firstIndex { $0.hasPrefix("   2 ") })
        #expect(lines[second + 1].hasPrefix("     ~ at 1.50 s: mark, text a"))
        #expect(lines[second + 2] == "     ~ at 1.60 s: path cellular, expensive")
        #expect(lines[second + 3].hasPrefix("   3 "))
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test func `many changes are cut down, and part attempts that are alike`() throws {
        let marks = (0..<30).map { number in
            (at: 2_100 + number, record: JournalRecord.change(ChangeReport("mark", by: .key)))
        }
        let lines = Self.text(try ReportSamples.run(attempts: 9, restarts: true, changes: marks))
        #expect(lines.contains("  and 10 more changes"))
        #expect(lines.contains("     ~ at 2.10 s: mark, by a key"))
        #expect(lines.contains("     ~ and 25 more changes"))
        #expect(lines.contains { $0.hasPrefix("   4 ####x") })
        #expect(lines.contains("     … 5 more alike"))
    }

    @Test(arguments: [60, 66, 80, 99, 100, 130, 200])
    func `no line is wider than the terminal, save the words that cannot be broken`(
        width: Int
    ) throws {
        for usesUnicode in [false, true] {
            let text = JSONValue.string(String(repeating: "word ", count: 60))
            let mark = ChangeReport("mark", by: .control, detail: ["text": text])
            let run = try ReportSamples.run(attempts: 12, changes: [(2_500, .change(mark))])
            let lines = Self.text(run, width: width, usesUnicode: usesUnicode)
            // The last line stays one line, for whoever reads just that.
            let wide = lines.dropLast().filter { $0.count > width }
            #expect(wide.isEmpty, "\(wide)")
            if !usesUnicode {
                let ladder = lines.filter { $0.contains("cut (rst)") }
                #expect(ladder.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
            }
        }
    }

    @Test func `attempts that are alike are told once, and many are cut down`() throws {
        let alike = Self.text(try ReportSamples.run(attempts: 30, restarts: true))
        #expect(alike.contains("     … 28 more alike"))
        let many = Self.text(try ReportSamples.run(attempts: 9_000))
        #expect(many.count < 100)
    }

    @Test func `a check that fails and does not count is a note, in every form`() throws {
        let run = try ReportSamples.run(isConditional: false)
        #expect(run.report.result(.r5).verdict == .fail)
        let lines = Self.text(run)
        #expect(lines.contains { $0.hasPrefix("  note         R5 a continued download") })
        #expect(lines.contains { $0.hasPrefix("  pass         R1 (note) bytes that arrived") })
        #expect(lines.last == "pass: no error or warning; note: R5; the result was not compared")
        #expect(!lines.contains { $0.hasPrefix("  fail") })
    }

    @Test func `the last line is the verdict and its reason, before it how to repeat`() throws {
        let lines = Self.text(try ReportSamples.run())
        #expect(
            lines.last == "pass: no check has failed; the result was not compared"
        )
        let repeated = try ReportSamples.run(demands: "attempts<=2,fail")
        let demanded = Self.text(repeated)
        #expect(demanded.last == "fail: attempts<=2: 3 tries")
        #expect(demanded.joined(separator: " ").contains("repeat with: linkcond replay"))
        #expect(
            repeated.reproduction
                == "linkcond replay 'lc1;seed=7;c*/r1:resp.body+100=rst' -- 'cl<i>ent'"
        )
    }

    @Test func `what a journal says cannot steer the terminal`() throws {
        let text = Self.text(try ReportSamples.run(name: "a\u{1B}[2J", target: "/x\u{9B}31m\r\n"))
        let controls = text.joined().unicodeScalars.filter {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
        }
        #expect(controls.isEmpty)
    }
}
