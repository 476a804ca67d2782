import Foundation
import SystemIO
import Testing

/// Journals of runs that take days.
@Suite struct LongJournalTests {
    private static let faulty = [
        "-q", "--seed", "7", "--fault", "c1:down+1000=rst", "--fault", "c2:down+3000=fin",
    ]

    /// Four transfers, two of which are cut.
    private static let client = [
        "sh", "-c", "for n in 1 2 3 4; do curl -sS -o body $0/bytes/5000; done; true", "{url}",
    ]

    /// Runs the client with a journal.
    private static func run(_ journal: [String], in workspace: Workspace) throws {
        let outcome = try Program.run(["run"] + faulty + journal + ["--"] + client, in: workspace)
        #expect(outcome.code == 0)
    }

    private static func digest(_ journal: String, in workspace: Workspace) throws -> String {
        let outcome = try Program.run(["journal", "digest", journal], in: workspace)
        #expect(outcome.errors.isEmpty)
        return outcome.output
    }

    /// Without times, which differ.
    private static func findings(_ journal: String, in workspace: Workspace) throws -> [String] {
        let outcome = try Program.run(["report", "--json", journal], in: workspace)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let runs = (object as? [String: Any])?["runs"] as? [[String: Any]]
        let checks = try #require(runs?.first?["checks"] as? [[String: Any]])
        return checks.map { "\($0["check"] ?? ""): \($0["verdict"] ?? "")" }
    }

    @Test func `a compressed journal has the digest and the report of the plain one`() throws {
        let workspace = Workspace()
        try Self.run(["--journal", "a.jsonl"], in: workspace)
        try Self.run(["--journal", "b.jsonl.zst"], in: workspace)
        #expect(workspace.bytes("b.jsonl.zst").starts(with: [0x28, 0xB5, 0x2F, 0xFD]))
        #expect(workspace.bytes("b.jsonl.zst").count < workspace.bytes("a.jsonl").count / 2)
        let digest = try Self.digest("a.jsonl", in: workspace)
        #expect(try Self.digest("b.jsonl.zst", in: workspace) == digest)
        let findings = try Self.findings("a.jsonl", in: workspace)
        #expect(!findings.isEmpty)
        #expect(try Self.findings("b.jsonl.zst", in: workspace) == findings)
        let equal = try Program.run(["journal", "diff", "a.jsonl", "b.jsonl.zst"], in: workspace)
        #expect(equal.code == 0)
        let show = ["a.jsonl", "b.jsonl.zst"].map { ["journal", "show", $0] }
        #expect(
            try Program.run(show[0], in: workspace).output
                == Program.run(show[1], in: workspace).output
        )
        let replay = ["replay", "-q", "--from-journal", "b.jsonl.zst", "--journal", "c.zst"]
        _ = try Program.run(replay + ["--"] + Self.client, in: workspace)
        #expect(try Program.run(["journal", "digest", "c.zst"], in: workspace).output == digest)
    }

    @Test func `a journal in parts has the digest and the report of one in one file`() throws {
        let workspace = Workspace()
        let kept = ["--journal-limit", "1kB", "--journal-keep", "2"]
        try Self.run(["--journal", "a.jsonl"], in: workspace)
        try Self.run(["--journal", "b.jsonl", "--journal-limit", "1kB"], in: workspace)
        try Self.run(["--journal", "c.jsonl"] + kept, in: workspace)
        #expect(workspace.bytes("b.jsonl").isEmpty)
        #expect(workspace.bytes("b.3.jsonl").count >= 1_000)
        let digest = try Self.digest("a.jsonl", in: workspace)
        #expect(try Self.digest("b.jsonl", in: workspace) == digest)
        #expect(
            try Self.findings("b.jsonl", in: workspace)
                == Self.findings("a.jsonl", in: workspace)
        )
        let equal = try Program.run(["journal", "diff", "a.jsonl", "b.jsonl"], in: workspace)
        #expect(equal.output == "equal\n")
        #expect(workspace.bytes("c.1.jsonl").isEmpty)
        let rest = try Program.run(["report", "c.jsonl"], in: workspace)
        #expect(rest.errors.contains("'c.jsonl' lacks parts 1-"))
        #expect(rest.code == 2)
    }

    /// A compressed file grows by what is compressed at a time, which a few records are not.
    @Test func `a compressed journal in parts has the digest of one in one file`() throws {
        let workspace = Workspace()
        let client = ["--", "curl", "-sS", "-o", "body", "{url}/bytes/[1-200]"]
        for journal in [["a.jsonl"], ["b.jsonl.zst", "--journal-limit", "1kB"]] {
            let run = ["run", "-q", "--seed", "7", "--journal"] + journal + client
            #expect(try Program.run(run, in: workspace).code == 0)
        }
        #expect(!workspace.bytes("b.2.jsonl.zst").isEmpty)
        #expect(
            try Self.digest("b.jsonl.zst", in: workspace) == Self.digest("a.jsonl", in: workspace)
        )
    }

    /// What is shown of a journal is more than is held in memory.
    @Test(arguments: ["as it is read", "anew", "without a file"])
    func `a journal is shown as its digest says`(how: String) throws {
        let note = String(repeating: "x", count: 500)
        var lines = [#"{"v":1,"t":"start","tool":"linkcond","command":"proxy"}"#]
        for ordinal in 1...10_000 {
            lines += [
                #"{"v":1,"t":"conn","c":\#(ordinal)}"#,
                #"{"v":1,"t":"req","c":\#(ordinal),"r":1,"method":"GET","target":"/u/1"}"#,
                #"{"v":1,"t":"note","c":\#(ordinal),"text":"\#(note)"}"#,
                #"{"v":1,"t":"connend","c":\#(ordinal),"by":"client","how":"fin"}"#,
            ]
        }
        if how == "anew" {
            let fields = #""fields":{"location":"/u/1"}"#
            lines.append(#"{"v":1,"t":"resp","c":10000,"r":1,"status":201,\#(fields)}"#)
        }
        let workspace = Workspace()
        try workspace.write("a.jsonl", lines.joined(separator: "\n") + "\n")
        let environment = how == "without a file" ? ["TMPDIR": "/nosuchfolder"] : [:]
        let shown = try Program.run(
            ["journal", "show", "a.jsonl"],
            environment: environment,
            in: workspace
        )
        #expect(shown.code == 0)
        #expect(shown.output.contains("{u1}") == (how == "anew"))
        #expect(shown.errors.split(separator: "\n").count == 1)
        let digest = SHA256.hexadecimal(Array(shown.output.utf8))
        #expect(
            try Program.run(["journal", "digest", "a.jsonl"], in: workspace).output
                == digest + "\n"
        )
    }

    @Test func `the journal of a killed proxy has what happened a second before`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(["--journal", "run.jsonl.zst"], in: workspace)
        _ = try Program.curl(["-o", "body", "http://\(proxy.address)/bytes/1000"], in: workspace)
        var size = 0
        var shown = Outcome(code: 0, output: "", errors: "")
        let isThere = Program.poll(seconds: 60) {
            let now = workspace.bytes("run.jsonl.zst").count
            guard now > size else { return false }
            size = now
            let next = try? Program.run(["journal", "show", "run.jsonl.zst"], in: workspace)
            if let next { shown = next }
            return shown.output.contains(#""connend""#)
        }
        #expect(isThere)
        #expect(shown.errors.contains("has no end record: the run was cut off"))
        #expect(!shown.errors.contains("middle of a line"))
        _ = try proxy.end()
        let ended = try Program.run(["journal", "show", "run.jsonl.zst"], in: workspace)
        #expect(ended.errors.isEmpty)
    }
}
