import Analysis
import Basics
import Journal
import Testing

@testable import Commands

/// Holds the XML to what the common readers' schema asks for.
@Suite struct RunReportJUnitTests {
    /// One element: its name, attributes and whether it is alone, opens or closes.
    private struct Tag {
        let name: String
        let attributes: [String: String]
        let isEmpty: Bool
        let isEnd: Bool

        init(_ text: Substring) {
            isEnd = text.hasPrefix("/")
            isEmpty = text.hasSuffix("/")
            name = String(text.drop { $0 == "/" }.prefix { $0.isLetter || $0 == "-" })
            var attributes: [String: String] = [:]
            for part in text.split(separator: "\" ", omittingEmptySubsequences: true) {
                let pair = part.split(separator: "=\"", maxSplits: 1)
                guard pair.count == 2, let key = pair[0].split(separator: " ").last else {
                    continue
                }
                attributes[String(key)] = String(pair[1].prefix { $0 != "\"" })
            }
            self.attributes = attributes
        }
    }

    private static let children: [String: Set<String>] = [
        "": ["testsuites"], "testsuites": ["testsuite"], "testsuite": ["testcase"],
        "testcase": ["failure", "error", "skipped", "system-out"], "failure": [], "error": [],
        "skipped": [], "system-out": [],
    ]
    private static let required: [String: Set<String>] = [
        "testsuites": ["tests", "failures", "errors", "skipped", "time"],
        "testsuite": ["name", "tests", "failures", "errors", "skipped", "time"],
        "testcase": ["name", "classname", "time"], "failure": ["type", "message"],
        "error": ["type", "message"], "skipped": ["message"], "system-out": [],
    ]

    /// Checks nesting, attributes and counts; returns how often each element is there.
    private func hold(_ runs: [JudgedRun]) -> [String: Int] {
        let text = RunReportJUnit(runs: runs).lines().joined(separator: "\n")
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        var open: [String] = []
        var counts: [String: Int] = [:]
        var sums: [String: Int] = [:]
        for piece in text.split(separator: "<").dropFirst() {
            let tag = Tag(piece.prefix { $0 != ">" })
            if tag.isEnd {
                #expect(open.popLast() == tag.name)
                continue
            }
            #expect(Self.children[open.last ?? ""]?.contains(tag.name) == true, "\(tag.name)")
            #expect(Set(tag.attributes.keys) == Self.required[tag.name], "\(tag)")
            counts[tag.name, default: 0] += 1
            for name in ["tests", "failures", "errors", "skipped"] where tag.name == "testsuite" {
                sums[name, default: 0] += Int(tag.attributes[name] ?? "") ?? 0
            }
            if !tag.isEmpty { open.append(tag.name) }
        }
        #expect(open.isEmpty)
        #expect(sums["tests"] == counts["testcase"])
        #expect(sums["failures"] == counts["failure", default: 0])
        #expect(sums["errors"] == counts["error", default: 0])
        #expect(sums["skipped"] == counts["skipped", default: 0])
        return counts
    }

    /// The checks that apply to a run: of the others, there is nothing to say.
    private static func applying(_ run: JudgedRun) -> Int {
        run.report.checks.count { $0.verdict != .skipped }
    }

    @Test func `a suite for each journal, a case for each check that applies and the run`() throws {
        let run = try ReportSamples.run()
        let counts = hold([run, try ReportSamples.run(name: "other.jsonl")])
        #expect(counts["testsuite"] == 2)
        #expect((3..<15).contains(Self.applying(run)))
        #expect(counts["testcase"] == 2 * (Self.applying(run) + 1))
        #expect(counts["failure"] == nil)
        // No case fails because the result was not compared.
        #expect(counts["error"] == nil)
    }

    @Test func `a demand is a case, and that of a check is the check's own`() throws {
        let run = try ReportSamples.run(attempts: 30, demands: "fail,attempts<=5,R2")
        let counts = hold([run])
        #expect(counts["testcase"] == Self.applying(run) + 1 + 2)
        #expect(counts["failure"] == 2)
        #expect(counts["error"] == 1)
        let text = RunReportJUnit(runs: [run]).lines().joined(separator: "\n")
        #expect(text.contains("name=\"demanded: attempts&lt;=5\""))
        #expect(text.contains("name=\"demanded: the command fails\""))
    }

    /// The element of the case whose name begins so; empty for one that passed.
    private func element(_ name: String, _ run: JudgedRun) throws -> String {
        let lines = RunReportJUnit(runs: [run]).lines()
        let place = try #require(lines.firstIndex { $0.contains(" name=\"\(name)") }, "\(name)")
        return lines[place].hasSuffix("/>") ? "" : lines[place + 1]
    }

    @Test(arguments: [
        ("pass", true), ("B5", true), ("B5,attempts<=50", true), ("attempts<=50", false),
    ])
    func `a check fails in its own case if it was demanded, by name or with the run`(
        demands: String,
        isDemanded: Bool
    ) throws {
        let run = try ReportSamples.run(attempts: 30, restarts: true, demands: demands)
        #expect(run.report.result(.b5).verdict == .fail)
        let element = try element("B5 ", run)
        #expect(
            element.contains(
                isDemanded
                    ? "<failure type=\"fail\""
                    : "<skipped message=\"not demanded; it would fail: "
            ),
            "\(element)"
        )
        #expect(!element.contains("message=\"fail"))
    }

    @Test func `a result that was compared counts in a run that demands something else`() throws {
        var run = try ReportSamples.run(demands: "attempts<=50", oracle: .differs("differs"))
        #expect(try element("R2 ", run).contains("not demanded"))
        run.decision = (.fail, "same: differs")
        #expect(try element("R2 ", run).contains("<failure"))
    }

    @Test func `no case says one thing more often than in its message and its text`() throws {
        let run = try ReportSamples.run(attempts: 30, restarts: true, demands: "pass")
        let words = try #require(run.report.findings.first?.words)
        let document = RunReportJUnit(runs: [run]).lines().joined(separator: "\n")
        for item in document.split(separator: "<testcase") {
            #expect(item.ranges(of: words).count <= 2, "\(item)")
        }
        #expect(!document.contains("name=\"pass\""))
    }

    @Test func `what changed is the output of the run as a whole`() throws {
        let mark = ChangeReport("mark", by: .control, detail: ["text": "<a>&\u{0}"])
        let run = try ReportSamples.run(
            changes: [(1_500, .change(mark)), (1_600, .change(ChangeReport("pause", by: .key)))]
        )
        #expect(hold([run])["system-out"] == 1)
        let text = RunReportJUnit(runs: [run]).lines().joined(separator: "\n")
        #expect(
            text.contains(
                "<system-out>at 1.50 s: mark, text &lt;a&gt;&amp;\u{FFFD}, by control\n"
                    + "at 1.60 s: pause, by a key</system-out>\n    </testcase>"
            )
        )
    }

    @Test func `a required check that fails is a failure`() throws {
        let counts = hold([try ReportSamples.run(attempts: 30, restarts: true)])
        #expect(counts["failure", default: 0] >= 2)
    }

    @Test func `characters that XML cannot hold are replaced`() throws {
        let run = try ReportSamples.run(name: "a\u{0}\u{8}\u{FFFE}<&\">", target: "/\u{1B}")
        _ = hold([run])
        let text = RunReportJUnit(runs: [run]).lines().joined()
        #expect(text.contains("classname=\"a\u{FFFD}\u{FFFD}\u{FFFD}&lt;&amp;&quot;&gt;\""))
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    }
}
