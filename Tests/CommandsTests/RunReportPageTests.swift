import Analysis
import Basics
import HTTPWire
import Journal
import SystemIO
import Reports
import Testing

@testable import Commands

@Suite struct RunReportPageTests {
    private static func page(_ runs: [JudgedRun]) -> String {
        RunReportPage(runs: runs, across: []).document()
    }

    /// What stands between two texts, the first time.
    private static func part(of text: String, from begin: String, to end: String) throws -> String {
        let rest = try #require(text.firstRange(of: begin)).upperBound
        let stop = try #require(text[rest...].firstRange(of: end)).lowerBound
        return String(text[rest..<stop])
    }

    @Test func `the policy allows this style and this script, and nothing else`() throws {
        let page = Self.page([try ReportSamples.run()])
        let policy = try Self.part(of: page, from: "Content-Security-Policy\" content=\"", to: "\"")
        func digest(_ element: String) throws -> String {
            let text = try Self.part(of: page, from: "<\(element)>", to: "</\(element)>")
            return Base64.encode(SHA256.digest(Array(text.utf8)))
        }
        #expect(
            policy == "default-src 'none'; style-src 'sha256-\(try digest("style"))'; "
                + "script-src 'sha256-\(try digest("script"))'"
        )
        #expect(page.ranges(of: "<style").count == 1)
        #expect(page.ranges(of: "<script").count == 1)
        for forbidden in [
            " style=", " onclick=", "http://", "https://", " src=", "@import", "<link",
        ] {
            #expect(!page.contains(forbidden), "\(forbidden)")
        }
    }

    @Test func `names and targets are text, not markup`() throws {
        let hostile = "</title><script>alert(1)</script>\" onload=\"x&"
        let page = Self.page([try ReportSamples.run(name: hostile, target: "/\(hostile)")])
        #expect(!page.contains("alert(1)</script>"))
        #expect(!page.contains(hostile))
        #expect(page.contains("&lt;script&gt;alert(1)"))
        #expect(page.contains("cl&lt;i&gt;ent"))
    }

    @Test func `changes are told in a table and in the ladder`() throws {
        let mark = ChangeReport("mark", by: .control, detail: ["text": "<b>"])
        let page = Self.page([try ReportSamples.run(changes: [(1_500, .change(mark))])])
        let words = "mark, text &lt;b&gt;, by control"
        #expect(page.contains("<h3>Changes</h3>"))
        #expect(page.contains("<td>\(words)</td>"))
        let ladder = try Self.part(of: page, from: ">resumed<", to: ">resumed<")
        #expect(ladder.contains("~ at 1.50 s: \(words)</td>"))
    }

    @Test func `elements are closed in the order in which they were opened`() throws {
        let page = Self.page([
            try ReportSamples.run(),
            try ReportSamples.run(restarts: true, demands: "R1,attempts<=5"),
            try ReportSamples.run(changes: [(1_500, .change(ChangeReport("mark", by: .key)))]),
        ])
        var open: [Substring] = []
        let single: Set<Substring> = ["meta", "th", "!doctype"]
        for piece in page.split(separator: "<").dropFirst() {
            let name = piece.prefix { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "!" }
            let tag = piece.prefix { $0 != ">" }
            if name.hasPrefix("/") {
                #expect(open.popLast() == name.dropFirst(), "\(piece.prefix(40))")
            } else if !single.contains(name), !tag.hasSuffix("/") {
                open.append(name)
            }
        }
        #expect(open.isEmpty)
    }

    @Test func `the page has ladder, waterfall, checks and a line to copy`() throws {
        let page = Self.page([try ReportSamples.run()])
        #expect(page.contains("<rect class=\"new\" x=\"10%\" y=\"2\" width=\"10%\""))
        #expect(page.contains("aria-label=\"bytes 100 to 200 of 1000\""))
        #expect(page.contains("Requests over time"))
        #expect(page.contains("<td>R5</td>"))
        #expect(page.contains("data-for=\"repeat1\">Copy</button>"))
    }

    @Test func `a page has a title, and a run that passes no failed check`() throws {
        let run = try ReportSamples.run(isConditional: false, demands: "attempts<=5")
        #expect(run.report.checks.contains { $0.verdict == .fail && $0.check.isAdvisory })
        let page = Self.page([run])
        #expect(page.contains("<h1><small>linkcond report</small> run.jsonl</h1>"))
        #expect(page.contains("<td class=\"word inconclusive\">note</td>"))
        // Whether a journal was kept or not, its lines lead to their records.
        let line = try Self.part(of: page, from: "href=\"#run1-line", to: "\"")
        #expect(page.contains("<tr id=\"run1-line\(line)\">"))
        let several = Self.page([run, run])
        #expect(several.ranges(of: "<h1>").count == 1)
        #expect(several.contains("</span> run.jsonl</h2>"))
    }

    @Test func `a page stays below its limit and says what is missing`() throws {
        let run = try ReportSamples.run(attempts: 1_000)
        let one = Self.page([run])
        #expect(one.utf8.count < 300_000)
        #expect(one.contains("800 attempts in the middle are left out"))
        let page = Self.page([JudgedRun](repeating: run, count: 60))
        #expect(page.utf8.count <= HTMLPage.limit)
        #expect(page.contains("more journals would make this page too large"))
        #expect(page.hasSuffix("</html>\n"))
    }
}
