import Foundation
import Testing

/// What control changes while a proxy runs is in its summary and in the report of its journal.
@Suite struct LiveChangeReportTests {
    private let expensive = "requested while the path was expensive"

    @Test func `the report repeats a run with the faults that were added meanwhile`() throws {
        let workspace = Workspace()
        let control = try Controlled(
            ["--seed", "7", "--fault", "c2:down+9=rst", "--journal", "run.jsonl"],
            in: workspace
        )
        let answer = try control.send("POST", "/v1/faults", #"{"fault":"c1:down+5000=rst"}"#)
        #expect(answer.contains("c1:down+5000"))
        let url = "http://\(control.address)/bytes/9000"
        #expect(try Program.curl(["-o", "/dev/null", url], in: workspace).code == 56)
        try control.waitForIdle()
        let lines = try control.proxy.end().outputLines
        let line = try #require(lines.first { $0.contains("repeat with") })
        let command = try #require(
            line.firstRange(of: "linkcond --").map { line[$0.lowerBound...] }
        )
        #expect(command.contains("--fault c1:down+5000=rst"))
        #expect(command.contains("--fault c2:down+9=rst"))
        let report = try Program.run(["report", "run.jsonl", "--json"], in: workspace)
        #expect(report.output.contains(command), "\(report.output)")
        // A run that was killed did not say it at its end.
        let records = workspace.text("run.jsonl").split(separator: "\n").dropLast()
        try workspace.write("killed.jsonl", records.joined(separator: "\n") + "\n")
        let killed = try Program.run(["report", "killed.jsonl", "--json"], in: workspace).output
        #expect(killed.contains("--fault c2:down+9=rst --seed 7 --fault c1:down+5000=rst"))
        // All say the schedule with the fault that was added.
        let schedule = "lc1;seed=7;c1:down+5000=rst;c2:down+9=rst"
        for form in [["--json"], [], ["--har", "-"], ["--html", "-"]] {
            let output = try Program.run(["report", "run.jsonl"] + form, in: workspace).output
            #expect(output.contains(schedule), "\(form)")
        }
    }

    @Test func `a change of the path by control is in the summary and in the report`() throws {
        let workspace = Workspace()
        let control = try Controlled(
            ["--journal", "run.jsonl", "--max-metered", "1500B"],
            in: workspace
        )
        func download(_ count: Int) throws {
            let url = "http://\(control.address)/bytes/\(count)"
            #expect(try Program.curl(["-o", "/dev/null", url], in: workspace).code == 0)
            try control.waitForIdle()
        }
        try download(100_000)
        #expect(try control.send("PUT", "/v1/path", #"{"isExpensive":true}"#).contains("true"))
        try download(1_000)
        _ = try control.send("PUT", "/v1/path", "{}")
        try download(200_000)
        let outcome = try control.proxy.end()
        #expect(outcome.code == 143)
        #expect(outcome.output.contains("1 request, 1.00 kB \(expensive)"))
        #expect(!outcome.output.contains("waste"))

        let report = try Program.run(
            ["report", "run.jsonl", "--max-metered", "1500B"],
            in: workspace
        )
        #expect(report.code == 0, "\(report.output)")
        #expect(report.output.contains("1 request, 1.00 kB \(expensive)"))
        let strict = try Program.run(
            ["report", "run.jsonl", "--max-metered", "999B"],
            in: workspace
        )
        #expect(strict.code == 1)
    }

    @Test func `a profile that was changed meanwhile is told beside the line that has another`()
        throws
    {
        let workspace = Workspace()
        let control = try Controlled(["--journal", "run.jsonl"], in: workspace)
        _ = try control.send("PATCH", "/v1/proxies/default", #"{"profile":"wifi"}"#)
        let url = "http://\(control.address)/bytes/5000"
        #expect(try Program.curl(["-o", "/dev/null", url], in: workspace).code == 0)
        try control.waitForIdle()
        let outcome = try control.proxy.end()
        let words = "a replay cannot change the profile: it was wifi from"
        #expect(outcome.output.contains("not repeated \(words)"), "\(outcome.output)")
        let report = try Program.run(["report", "run.jsonl"], in: workspace)
        #expect(report.output.contains("not repeated: \(words)"), "\(report.output)")
    }

    @Test func `a handover to a metered network is told, and what begins there counts`() throws {
        let workspace = Workspace()
        try workspace.write(
            "leaving.yaml",
            "handovers: [{at: 50ms, for: 10ms, path: {interface: cellular, expensive: yes}}]"
        )
        let control = try Controlled(
            ["--profile", "leaving.yaml", "--journal", "run.jsonl"],
            in: workspace
        )
        #expect(
            Program.poll(seconds: 20) {
                (try? control.get("/v1/path"))?.contains(#""isExpensive":true"#) == true
            }
        )
        let url = "http://\(control.address)/bytes/1000"
        #expect(try Program.curl(["-o", "/dev/null", url], in: workspace).code == 0)
        try control.waitForIdle()
        _ = try control.proxy.end()
        let report = try Program.run(["report", "run.jsonl"], in: workspace)
        #expect(report.output.contains("1 request, 1.00 kB \(expensive)"))
    }

    /// The profile is metered; control says that the network is not.
    @Test func `a client that waited for a free network is not blamed`() throws {
        let workspace = Workspace()
        let control = try Controlled(
            ["--profile", "expensive", "--max-metered", "0B", "--journal", "run.jsonl"],
            in: workspace
        )
        _ = try control.send("PUT", "/v1/path", #"{"isExpensive":false}"#)
        let url = "http://\(control.address)/bytes/5000"
        #expect(try Program.curl(["-o", "/dev/null", url], in: workspace).code == 0)
        try control.waitForIdle()
        let outcome = try control.proxy.end()
        #expect(!outcome.output.contains(expensive), "\(outcome.output)")
        let report = try Program.run(["report", "run.jsonl", "--max-metered", "0B"], in: workspace)
        #expect(report.code == 0, "\(report.output)")
    }

    @Test func `a path that was put is told as not repeated, also one that is unsatisfied`() throws
    {
        let workspace = Workspace()
        let control = try Controlled(
            ["--profile", "wifi", "--journal", "run.jsonl"],
            in: workspace
        )
        let url = "http://\(control.address)/bytes/1000"
        let path = #"{"status":"unsatisfied","interface":"cellular","isExpensive":true}"#
        _ = try control.send("PUT", "/v1/path", path)
        #expect(try Program.curl(["-o", "/dev/null", url], in: workspace).code == 0)
        try control.waitForIdle()
        let words =
            "a replay cannot change the path: it was cellular, expensive, unsatisfied from "
        let remarks = try control.member("remarks", of: "/v1/schedule", as: [String].self)
        #expect(remarks.count == 1 && remarks.first?.hasPrefix(words) == true)
        let summary = try control.proxy.end().outputLines
        #expect(summary.contains { $0.contains("not repeated") && $0.contains(words) })
        let records = workspace.text("run.jsonl").split(separator: "\n")
        let paths = records.filter { $0.contains(#""t":"path""#) }
        #expect(paths.count == 2)
        #expect(paths.last?.contains(#""interface":"cellular""#) == true)
        #expect(paths.last?.contains(#""unsatisfied":true"#) == true)
        let report = try Program.run(["report", "run.jsonl"], in: workspace).output
        #expect(report.replacing("\n   ", with: "").contains("not repeated: \(words)"))
    }

    @Test func `what is done by control is in every form of the report`() throws {
        let workspace = Workspace()
        let control = try Controlled(
            ["--profile", "wifi", "--journal", "run.jsonl"],
            in: workspace
        )
        let url = "http://\(control.address)/bytes/5000"
        for action in [
            #"{"action":"mark","text":"half way"}"#,
            #"{"action":"outage","for":"20ms"}"#,
            #"{"action":"handover","for":"10ms","profile":"lte"}"#,
        ] {
            #expect(try control.act(action).contains("record"))
        }
        let path = #"{"isConstrained":true,"isExpensive":true}"#
        _ = try control.send("PUT", "/v1/path", path)
        #expect(try Program.curl(["-o", "/dev/null", url], in: workspace).code == 0)
        try control.waitForIdle()
        let har = try control.get("/v1/exports/har")
        let summary = try control.proxy.end().output
        let course = "wifi at the start, cellular, expensive, constrained at the end"
        #expect(summary.contains("path         \(course)"), "\(summary)")
        let done = [
            "mark, text half way", "outage, for 20ms", "handover, for 10ms, profile lte",
            "path cellular, expensive, constrained",
        ]
        for words in done { #expect(har.contains(words)) }
        for form in [["--json"], [], ["--har", "-"], ["--html", "-"], ["--junit", "-"]] {
            let output = try Program.run(["report", "run.jsonl"] + form, in: workspace).output
            for words in done { #expect(output.contains(words), "\(form): \(output)") }
        }
        let text = try Program.run(["report", "run.jsonl"], in: workspace).output
        #expect(text.contains("  path \(course)\n"))
    }
}
