import Foundation
import Testing
import Transfer

@Suite struct ReportTests {
    /// A download that was cut and begun again, as a journal tells it.
    private static let journal = """
        {"v":1,"t":"start","tool":"linkcond 0.1.0","command":"run","seed":7,"schedule":"lc1;seed=7","profile":"lte","profile_sha256":"","at_ns":0}
        {"v":1,"t":"conn","c":1,"at_ns":1000000}
        {"v":1,"t":"req","c":1,"r":1,"method":"GET","target":"/big","framing":"none","head_bytes":80,"fields":{"host":"h"},"at_ns":2000000}
        {"v":1,"t":"resp","c":1,"r":1,"status":200,"framing":"length","length":1000,"head_bytes":80,"fields":{"etag":"\\"a\\"","content-length":"1000"},"at_ns":10000000}
        {"v":1,"t":"body","c":1,"r":1,"dir":"resp","bytes":400,"complete":false,"at_ns":20000000}
        {"v":1,"t":"fault","c":1,"r":1,"id":"c1/r1:resp.body+400=rst","address":"resp.body+400","effect":"rst","state":"fired","offset":400,"at_ns":20000000}
        {"v":1,"t":"connend","c":1,"by":"fault","how":"rst","down_bytes":480,"up_bytes":80,"at_ns":21000000}
        {"v":1,"t":"conn","c":2,"at_ns":500000000}
        {"v":1,"t":"req","c":2,"r":1,"method":"GET","target":"/big","framing":"none","head_bytes":80,"fields":{"host":"h"},"at_ns":501000000}
        {"v":1,"t":"resp","c":2,"r":1,"status":200,"framing":"length","length":1000,"head_bytes":80,"fields":{"etag":"\\"a\\"","content-length":"1000"},"at_ns":510000000}
        {"v":1,"t":"body","c":2,"r":1,"dir":"resp","bytes":1000,"complete":true,"at_ns":520000000}
        {"v":1,"t":"connend","c":2,"by_approx":"client","how":"fin","down_bytes":1080,"up_bytes":80,"at_ns":521000000}

        """

    private static func workspace() throws -> Workspace {
        let workspace = Workspace()
        try workspace.write("run.jsonl", journal)
        try workspace.write("big", "abc")
        try workspace.write("same", "abc")
        try workspace.write("other", "abd")
        return workspace
    }

    @Test func `a journal is judged, and the exit code says how`() throws {
        let workspace = try Self.workspace()
        func code(_ arguments: String...) throws -> Int32 {
            try Program.run(["report"] + arguments + ["run.jsonl"], in: workspace).code
        }
        #expect(try code() == 2)
        #expect(try code("--same", "big", "--as", "same", "--exit-code", "0") == 0)
        #expect(try code("--same", "big", "--as", "other", "--exit-code", "0") == 1)
        #expect(try code("--same", "big", "--as", "missing", "--exit-code", "0") == 1)
        #expect(try code("--expect", "attempts<=2,R1") == 0)
        #expect(try code("--expect", "attempts<=1") == 1)
        #expect(try code("--expect", "wire<=1.25") == 1)
        #expect(try code("--expect", "B6") == 2)
    }

    @Test func `text tells of the ladder, the last line of the verdict`() throws {
        let workspace = try Self.workspace()
        let outcome = try Program.run(["report", "run.jsonl"], in: workspace)
        #expect(outcome.output.contains("restarted"))
        #expect(outcome.output.contains("400 B again needlessly"))
        #expect(outcome.output.contains("repeat with: linkcond replay"))
        #expect(outcome.outputLines.dropLast().last?.hasPrefix("inconclusive: R2") == true)
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test func `pages, test results and JSON are written`() throws {
        let workspace = try Self.workspace()
        let outcome = try Program.run(
            ["report", "--html", "a.html", "--junit", "a.xml", "--json", "run.jsonl", "run.jsonl"],
            in: workspace
        )
        #expect(outcome.code == 2)
        #expect(workspace.text("a.html").hasPrefix("<!doctype html>"))
        #expect(workspace.text("a.xml").contains("<testsuite name=\"run.jsonl\""))
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        )
        #expect((document["runs"] as? [Any])?.count == 2)
        let page = try Program.run(["report", "--html", "-", "run.jsonl"], in: workspace)
        #expect(page.output.hasSuffix("</html>\n"))
    }

    @Test func `what is no journal, or cannot be written, is told in one line`() throws {
        let workspace = try Self.workspace()
        try workspace.write("broken.jsonl", Self.journal.replacing("\"t\":\"req\"", with: "\"t\":"))
        try workspace.write("empty.jsonl", "")
        func outcome(_ arguments: String...) throws -> (Int32, Int) {
            let outcome = try Program.run(["report"] + arguments, in: workspace)
            #expect(outcome.output.isEmpty)
            return (outcome.code, outcome.errors.split(separator: "\n").count)
        }
        #expect(try outcome("missing.jsonl") == (66, 1))
        #expect(try outcome("broken.jsonl") == (78, 1))
        #expect(try outcome("empty.jsonl") == (78, 1))
        #expect(try outcome("--html", "no/such/folder.html", "run.jsonl") == (73, 1))
        #expect(try outcome("--expect", "atempts<=5", "run.jsonl") == (64, 1))
        #expect(try outcome("--same", "missing", "--as", "same", "run.jsonl") == (66, 1))
    }

    @Test func `a journal that was cut off is read up to there`() throws {
        let workspace = try Self.workspace()
        try workspace.write("cut.jsonl", String(Self.journal.dropLast(40)))
        let outcome = try Program.run(["report", "cut.jsonl"], in: workspace)
        #expect(outcome.code == 2)
        #expect(outcome.output.contains("ends in the middle of a line"))
    }
}
