import Foundation
import Origin
import Testing

@Suite struct FaultAndJournalTests {
    @Test func `a reset arrives after exactly its bytes and curl resumes`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy([
            "--profile", "wifi", "--seed", "3", "--fault", "c1:down+100000=rst",
        ])
        let url = "http://\(proxy.address)/bytes/200000"
        let first = try Program.curl(["-D", "head", "-o", "body", url], in: workspace)
        #expect(first.code == 56)
        // The head is part of the stream.
        let head = workspace.bytes("head").count
        #expect(workspace.bytes("body").count + head == 100_000)
        let second = try Program.curl(["-C", "-", "-o", "body", url], in: workspace)
        #expect(second.code == 0)
        #expect(workspace.bytes("body") == KnownContent(seed: 0).bytes(0..<200_000))
        let outcome = try proxy.end()
        #expect(outcome.errors.contains("fault c1:down+100000=rst fired on c1 at byte 100,000"))
        #expect(outcome.output.contains("fault        c1:down+100000=rst: fired once"))
        #expect(outcome.output.contains("1 reset by a fault"))
    }

    @Test func `a fault that is never reached is said aloud`() throws {
        let proxy = try RunningProxy([
            "--fault", "c1:down+100000000=rst", "--fault", "c9:up+1=fin",
        ])
        _ = try Program.curl(["-o", "body", "http://\(proxy.address)/bytes/10"])
        let outcome = try proxy.end()
        #expect(outcome.output.contains("c1:down+100000000=rst: never reached (stream ended"))
        #expect(outcome.output.contains("c9:up+1=fin: never reached (no connection)"))
    }

    @Test func `equal runs have equal digests and another seed does not`() throws {
        let workspace = Workspace()
        func run(_ seed: String, _ journal: String) throws -> String {
            let proxy = try RunningProxy(
                [
                    "--profile", "wifi", "--seed", seed, "--journal", journal, "--fault",
                    "c*?50%:down+1000..90000=rst",
                ],
                in: workspace
            )
            for _ in 0..<6 {
                _ = try Program.curl(["-o", "body", "http://\(proxy.address)/bytes/100000"])
            }
            #expect(try proxy.end().code == 143)
            return try Program.run(["journal", "digest", journal], in: workspace).output
        }
        let first = try run("1", "a.jsonl")
        #expect(first.count == 65)
        #expect(try run("1", "b.jsonl") == first)
        #expect(try run("2", "c.jsonl") != first)
        let equal = try Program.run(["journal", "diff", "a.jsonl", "b.jsonl"], in: workspace)
        #expect(equal.code == 0 && equal.output == "equal\n")
        let different = try Program.run(["journal", "diff", "a.jsonl", "c.jsonl"], in: workspace)
        #expect(different.code == 1 && different.output.contains("record"))
        let shown = try Program.run(["journal", "show", "a.jsonl"], in: workspace)
        #expect(shown.code == 0 && shown.output.contains("\"t\":\"start\""))
    }

    @Test func `a journal that was changed after its run says so`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(["--journal", "a.jsonl"], in: workspace)
        _ = try Program.curl(["-o", "body", "http://\(proxy.address)/bytes/1000"])
        _ = try proxy.end()
        let whole = try Program.run(["journal", "digest", "a.jsonl"], in: workspace)
        #expect(whole.code == 0 && whole.errors.isEmpty, "\(whole.errors)")
        let text = workspace.text("a.jsonl")
        let digest = whole.output.trimmingCharacters(in: .newlines)
        #expect(text.contains(digest))
        let words = "'b.jsonl' was changed after the run, which recorded the digest \(digest)"
        let changed = text.replacing("\"status\":200", with: "\"status\":206")
        try #require(changed != text)
        try workspace.write("b.jsonl", changed)
        let other = try Program.run(["journal", "digest", "b.jsonl"], in: workspace)
        #expect(other.code == 0 && other.output != whole.output)
        #expect(other.errors.contains(words), "\(other.errors)")
        let diff = try Program.run(["journal", "diff", "a.jsonl", "b.jsonl"], in: workspace)
        #expect(diff.code == 1 && diff.errors.contains(words), "\(diff.errors)")
    }

    @Test func `a full disk ends the journal, not the proxying`() throws {
        let proxy = try RunningProxy(["--journal", "/dev/full"])
        let workspace = Workspace()
        let transfer = try Program.curl(
            ["-o", "body", "http://\(proxy.address)/bytes/50000"],
            in: workspace
        )
        #expect(transfer.code == 0)
        #expect(workspace.bytes("body").count == 50_000)
        let outcome = try proxy.end()
        #expect(outcome.code == 74)
        #expect(outcome.errors.contains("cannot write journal '/dev/full': no space left"))
        #expect(outcome.errors.contains("the proxy continues without it"))
    }

    @Test func `a journal on standard output has the summary elsewhere`() throws {
        let outcome = try Program.run(["proxy", "--journal", "-", "--duration", "200ms"])
        #expect(outcome.code == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count >= 3)
        #expect(lines[1...].allSatisfy { $0.hasPrefix("{\"v\":1") } || lines[0].hasPrefix("{"))
        #expect(outcome.errors.contains("summary none"))
    }

    @Test func `a nonsense journal is named with its line`() throws {
        let workspace = Workspace()
        try workspace.write("bad.jsonl", "{\"v\":1,\"t\":\"start\"}\nnonsense\n")
        let outcome = try Program.run(["journal", "digest", "bad.jsonl"], in: workspace)
        #expect(outcome.code == 78)
        #expect(outcome.errors.contains("bad.jsonl:2:"))
    }

    @Test func `with --json a fault is an event of its own`() throws {
        let proxy = try RunningProxy(["--json", "--fault", "c1:down+100=fin"])
        let line = try #require(proxy.program.output.split(separator: "\n").first)
        let url = try #require(line.split(separator: "\"").first { $0.hasPrefix("http") })
        _ = try Program.curl(["-o", "body", "\(url)/bytes/1000"])
        let outcome = try proxy.end()
        let faults = outcome.outputLines.filter { $0.contains(#""event":"fault""#) }
        #expect(faults.count == 1)
        #expect(faults[0].contains(#""state":"fired","offset":100"#))
    }

    @Test func `an upstream that refuses is named, and the client is reset`() throws {
        let gone = try RunningProxy(["proxy"])
        _ = try gone.end()
        let proxy = try RunningProxy(["--upstream", gone.address])
        let transfer = try Program.curl(["-o", "body", "http://\(proxy.address)/"])
        // A reset, which curl meets while it connects or when it reads.
        #expect([7, 56].contains(transfer.code))
        #expect(transfer.errors.contains("reset") || transfer.code == 7)
        try proxy.program.waitFor("c1 upstream refused the connection", inErrors: true)
        let outcome = try proxy.end()
        #expect(outcome.code == 143)
        #expect(outcome.output.contains("trouble      cannot reach upstream \(gone.address)"))
    }

    @Test func `a budget is shown in the summary and in the journal`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(
            [
                "--profile", "constrained", "--set", "soft=100kB", "--set", "hard=200kB", "--set",
                "then=5Mbit/s", "--journal", "run.jsonl",
            ],
            in: workspace
        )
        let transfer = try Program.curl(["-o", "body", "http://\(proxy.address)/bytes/400000"])
        #expect(transfer.code != 0)
        let outcome = try proxy.end()
        #expect(outcome.errors.contains("budget: soft limit reached at 100,000 bytes"))
        #expect(outcome.output.contains("hard limit reached at 200,000 bytes"))
        #expect(outcome.output.contains("path         cellular, expensive, constrained"))
        #expect(workspace.text("run.jsonl").contains(#""t":"path","interface":"cellular""#))
        #expect(workspace.text("run.jsonl").contains(#""t":"budget","limit":"hard""#))
    }

    @Test func `a journal on standard output follows the first line`() throws {
        let workspace = Workspace()
        let script = """
            \(Program.linkcond) --duration 1500ms --profile wifi --journal - --ready-file r |
                { read -r first; echo "$first" >first; \(Program.linkcond) journal digest - >digest; }
            """
        let shell = try Program("/bin/sh", ["-c", script], in: workspace)
        #expect(Program.poll(seconds: 10) { workspace.text("first").contains("listening ") })
        let address = workspace.text("first").split(separator: " ")[1]
        #expect(try Program.curl(["-o", "body", "http://\(address)/bytes/1000"]).code == 0)
        let outcome = try shell.wait()
        let digest = workspace.text("digest").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(digest.count == 64)
        // The summary, with the same digest, is on standard error.
        #expect(outcome.errors.contains("journal      -, digest \(digest)"))
    }
}
