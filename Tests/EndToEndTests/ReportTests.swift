import Foundation
import Origin
import Testing

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
        #expect(try code() == 0)
        #expect(try code("--expect", "R2") == 2)
        #expect(try code("--same", "big", "--result", "same", "--exit-code", "0") == 0)
        #expect(try code("--same", "big", "--result", "other", "--exit-code", "0") == 1)
        #expect(try code("--same", "big", "--result", "missing", "--exit-code", "0") == 1)
        #expect(try code("--expect", "attempts<=2,R1") == 0)
        #expect(try code("--expect", "attempts<=1") == 1)
        #expect(try code("--expect", "wire<=1.25") == 1)
        #expect(try code("--expect", "B6") == 2)
    }

    @Test func `text tells of the ladder, the last line of the verdict`() throws {
        let workspace = try Self.workspace()
        let outcome = try Program.run(["report", "run.jsonl"], in: workspace)
        #expect(outcome.output.contains("restarted"))
        #expect(outcome.output.contains("400 B sent again needlessly"))
        #expect(outcome.output.contains("repeat with: linkcond replay"))
        #expect(
            outcome.outputLines.dropLast().last
                == "pass: no check has failed; the result was not compared"
        )
        #expect(outcome.code == 0)
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test func `pages, test results and JSON are written`() throws {
        let workspace = try Self.workspace()
        let outcome = try Program.run(
            ["report", "--html", "a.html", "--junit", "a.xml", "--json", "run.jsonl", "run.jsonl"],
            in: workspace
        )
        #expect(outcome.code == 0)
        #expect(workspace.text("a.html").hasPrefix("<!doctype html>"))
        #expect(workspace.text("a.xml").contains("<testsuite name=\"run.jsonl\""))
        #expect(try Program.junitProblems(of: "a.xml", in: workspace).isEmpty)
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
        #expect(try outcome("--same", "missing", "--result", "same", "run.jsonl") == (66, 1))
    }

    /// The whole way: a proxy writes the journal of what curl did.
    @Test func `a download that is cut and resumed shows as a ladder`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(
            ["--seed", "3", "--fault", "c1/r1:resp.body+100000=rst", "--journal", "run.jsonl"],
            in: workspace
        )
        let url = "http://\(proxy.address)/bytes/200000"
        #expect(try Program.curl(["-o", "body", url], in: workspace).code == 56)
        #expect(try Program.curl(["-C", "-", "-o", "body", url], in: workspace).code == 0)
        _ = try proxy.end()
        try Data(KnownContent(seed: 0).bytes(0..<200_000))
            .write(to: URL(fileURLWithPath: "\(workspace.path)/object"))
        let report = try Program.run(
            ["report", "--same", "object", "--result", "body", "--exit-code", "0", "run.jsonl"],
            in: workspace
        )
        #expect(report.output.contains("2 tries, 1 resumed, 200 kB on the wire"))
        #expect(report.output.contains("cut (rst)"))
        // curl continues without naming the version that it continues, of which there is one only.
        #expect(report.code == 0, "\(report.output)")
        let demands = "R2,attempts<=2,resent<=0B,wire<=1,resumes>=1"
        let held = try Program.run(
            ["report", "--expect", demands, "--same", "object", "--result", "body", "run.jsonl"],
            in: workspace
        )
        #expect(held.code == 0)
    }

    @Test func `how long a client's patience was is seen, though nothing is closed`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(
            ["--fault", "c1/r1:resp.body+1000=hole", "--journal", "run.jsonl"],
            in: workspace
        )
        let url = "http://\(proxy.address)/bytes/20000"
        let curl = try Program.curl(
            ["--max-time", "1", "--retry", "1", "--retry-all-errors", "-o", "body", url],
            in: workspace
        )
        #expect(curl.code == 0)
        _ = try proxy.end()
        let report = try Program.run(["report", "--json", "run.jsonl"], in: workspace)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any]
        )
        let run = try #require((document["runs"] as? [[String: Any]])?.first)
        let transfers = try #require(run["transfers"] as? [[String: Any]])
        try #require(transfers.count == 1)
        #expect(transfers[0]["tries"] as? Int == 2)
        // curl waits a second before its first retry; the proxy's clock starts when curl leaves.
        let gaps = try #require(transfers[0]["gapNanoseconds"] as? [Int])
        try #require(gaps.count == 1)
        #expect((900_000_000...3_000_000_000).contains(gaps[0]))
    }

    @Test func `a journal that was cut off is read up to there`() throws {
        let workspace = try Self.workspace()
        try workspace.write("cut.jsonl", String(Self.journal.dropLast(40)))
        let outcome = try Program.run(["report", "cut.jsonl"], in: workspace)
        #expect(outcome.code == 2)
        #expect(outcome.output.contains("ends in the middle of a line"))
    }

    @Test func `a journal becomes an archive with an entry for each attempt`() throws {
        let workspace = try Self.workspace()
        let outcome = try Program.run(["report", "--har", "run.har", "run.jsonl"], in: workspace)
        #expect(outcome.code == 0)
        let archive = try JSONSerialization.jsonObject(with: Data(workspace.bytes("run.har")))
        let log = try #require((archive as? [String: Any])?["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        let entries = try #require(log["entries"] as? [[String: Any]])
        #expect(entries.count == 2)
        let own = try #require(entries[0]["_linkcond"] as? [String: Any])
        #expect(own["cutBy"] as? String == "rst")
        let printed = try Program.run(["report", "--har", "-", "run.jsonl"], in: workspace)
        #expect(printed.output.hasPrefix(#"{"log":{"version":"1.2""#))
        let packets = ["report", "--pcapng", "run.pcapng", "run.jsonl"]
        #expect(try Program.run(packets, in: workspace).code == 0)
        let capture = workspace.bytes("run.pcapng")
        #expect(capture.prefix(4).elementsEqual([0x0A, 0x0D, 0x0D, 0x0A]))
        #expect(String(decoding: capture, as: UTF8.self).contains("fault c1"))
        let both = ["report", "--har", "-", "--json", "run.jsonl"]
        #expect(try Program.run(both, in: workspace).code == 64)
        for form in ["--har", "--pcapng"] {
            let several = ["report", form, "x", "run.jsonl", "run.jsonl"]
            #expect(try Program.run(several, in: workspace).code == 64)
        }
    }
}
