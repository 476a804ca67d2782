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

    @Test(arguments: [60, 66, 80, 99, 100, 130, 200])
    func `no line is wider than the terminal, save the words that cannot be broken`(
        width: Int
    ) throws {
        for usesUnicode in [false, true] {
            let run = try ReportSamples.run(attempts: 12)
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
