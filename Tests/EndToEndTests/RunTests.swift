import Foundation
import SystemIO
import TestSupport
import Testing

/// `linkcond run` and `replay`, with the clients that people use.
@Suite struct RunTests {
    private func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        in workspace: Workspace = Workspace()
    ) throws -> Outcome {
        try Program.run(["run"] + arguments, environment: environment, in: workspace)
    }

    private func last(_ outcome: Outcome) -> String {
        outcome.errors.split(separator: "\n").last.map(String.init) ?? ""
    }

    // MARK: The command

    @Test func `standard output is the command's, and its exit code is passed on`() throws {
        let outcome = try run(["--", "sh", "-c", "curl -sS {url}/bytes/5 | wc -c; exit 7"])
        #expect(outcome.code == 7 && outcome.output == "5\n")
        #expect(last(outcome) == "linkcond: exit code 7")
        #expect(outcome.errors.contains("repeat with  linkcond replay 'lc1;seed="))
    }

    @Test func `what made a command fail is told where the server did it`() throws {
        let missing = try run(["--", "curl", "-s", "-o", "{out}", "{url}/nothing", "{url}/nil"])
        #expect(missing.code == 0)
        #expect(
            missing.errors.contains(
                "note         the server answered 404 to GET /nothing, and 1 more request with an error"
            ),
            "\(missing.errors)"
        )
        let absent = try run(["--upstream", "127.0.0.1:1", "--", "curl", "-s", "{url}/x"])
        #expect(
            last(absent).hasSuffix("; cannot reach upstream 127.0.0.1:1: connection refused"),
            "\(absent.errors)"
        )
    }

    @Test func `input and environment reach the command`() throws {
        let workspace = Workspace()
        let program = try Program(
            Program.linkcond,
            [
                "run", "-q", "--seed", "9", "--", "sh", "-c",
                "cat; echo $MINE $LINKCOND_SEED {seed}",
            ],
            environment: ["MINE": "x"],
            in: workspace,
            input: "from outside\n"
        )
        #expect(try program.wait().output == "from outside\nx 9 9\n")
    }

    @Test(arguments: [
        (["nonexistent-program"], Int32(127), "not found: 'nonexistent-program'"),
        (["/etc/passwd"], 126, "cannot be started: '/etc/passwd'"),
        (["sh", "-c", "kill -9 $$"], 137, "killed by signal 9"),
    ])
    func `what a shell would say of a command's end is said`(
        words: [String],
        code: Int32,
        text: String
    ) throws {
        let outcome = try run(["--"] + words)
        #expect(outcome.code == code && outcome.output.isEmpty)
        #expect(last(outcome).hasPrefix("linkcond: \(text)"), "\(outcome.errors)")
    }

    @Test(arguments: [([], 66), (["--restart-from-zero"], 0)] as [([String], Int32)])
    func `a partial file that is purged while its transfer waits is missed, or begun anew`(
        options: [String],
        code: Int32
    ) throws {
        let outcome = try run(
            ["--fault", "c1:down+200000=purge(*.part)", "--fault", "c1:down+200000=rst", "--"]
                + [Program.linkcond, "download", "{url}/bytes/600000", "-o", "{dir}/f"] + options
        )
        #expect(outcome.code == code, "\(outcome.errors)")
        #expect(outcome.errors.contains("the partial file is gone"), "\(outcome.errors)")
        for fault in ["purge(*.part)", "rst"] {
            #expect(
                outcome.errors.contains("c1:down+200000=\(fault): fired once"),
                "\(outcome.errors)"
            )
        }
    }

    @Test(arguments: [
        ["--nonsense", "--", "true"], ["--upstream", "x", "--", "true"],
        ["--journal", "/nonexistent/x", "--", "true"], ["--dir", "/dev/null/x", "--", "true"],
        ["--listen", "192.0.2.1:0", "--", "true"], ["--profile", "nonsense", "--", "true"],
        ["--ready-file", "/nonexistent/x", "--", "true"],
    ])
    func `trouble of linkcond's own is 125, and the command does not start`(
        arguments: [String]
    ) throws {
        let workspace = Workspace()
        var arguments = arguments
        arguments.replaceSubrange(
            arguments.index(before: arguments.endIndex)...,
            with: ["touch", "started"]
        )
        let outcome = try run(arguments, in: workspace)
        #expect(outcome.code == 125, "\(outcome.errors)")
        #expect(outcome.errors.contains("linkcond: error: "))
        #expect(!FileManager.default.fileExists(atPath: "\(workspace.path)/started"))
    }

    @Test func `the temporary folder and all processes go with the run`() throws {
        let workspace = Workspace()
        try workspace.write("tmp/keep", "")
        let outcome = try run(
            ["--", "sh", "-c", "sleep 300 & echo $! {dir}; curl -s -o {out} {url}/bytes/9"],
            environment: ["TMPDIR": "\(workspace.path)/tmp"],
            in: workspace
        )
        let words = outcome.output.split(whereSeparator: \.isWhitespace)
        #expect(words.count == 2 && words[1].hasPrefix("\(workspace.path)/tmp/"))
        #expect(ProcessIdentity(of: Int(words[0]) ?? 0) == nil)
        #expect(outcome.errors.contains("exit code 0; what it left running was ended"))
        #expect(FileSystem.names(in: "\(workspace.path)/tmp") == ["keep"])
    }

    @Test func `a folder of the user's stays`() throws {
        let workspace = Workspace()
        let outcome = try run(
            ["--dir", "kept", "--", "curl", "-s", "-o", "{out}", "{url}/bytes/9"],
            in: workspace
        )
        #expect(outcome.code == 0 && workspace.bytes("kept/out").count == 9)
    }

    // MARK: Faults and checks

    @Test func `wget goes on after a reset, and the bytes are right`() throws {
        let workspace = Workspace()
        let reference = try Program.run(
            ["run", "-q", "--", "curl", "-s", "-o", "right", "{url}/bytes/300000"],
            in: workspace
        )
        #expect(reference.code == 0)
        let outcome = try run(
            [
                "--fault", "c1:down+150000=rst", "--same", "right", "--journal", "run.jsonl",
                "--", "wget", "-q", "-O", "{out}", "{url}/bytes/300000",
            ],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(last(outcome) == "linkcond: pass")
        #expect(outcome.errors.contains("{out} is right: pass, equal, 300000 bytes"))
        #expect(outcome.errors.contains("c1:down+150000=rst: fired once"))
        let journal = workspace.text("run.jsonl")
        #expect(journal.contains(#""t":"command""#) && journal.contains(#""t":"end""#))
    }

    @Test func `a client that gives up fails the run`() throws {
        let workspace = Workspace()
        let outcome = try run(
            [
                "--fault", "c1:down+5000=fin", "--expect", "exit=0", "--", "curl", "-sS", "-o",
                "{out}", "{url}/bytes/300000",
            ],
            in: workspace
        )
        #expect(outcome.code == 1)
        #expect(last(outcome) == "linkcond: fail: exit=0: exit code 18")
        let expected = try run([
            "-q", "--fault", "c1:down+5000=fin", "--expect", "exit=18", "--", "curl", "-sS", "-o",
            "{out}", "{url}/bytes/300000",
        ])
        #expect(expected.code == 0)
    }

    @Test func `a run that finds something and is not to judge it says so`() throws {
        let workspace = Workspace()
        func run(_ demands: [String]) throws -> Outcome {
            try Program.run(
                ["run", "--fault", "c1:down+5000=fin"] + demands + [
                    "--", "sh", "-c", "curl -s -o {out} {url}/bytes/300000; exit 0",
                ],
                in: workspace
            )
        }
        let unjudged = try run([])
        #expect(unjudged.code == 0)
        #expect(unjudged.errors.contains("\n  found        R10, dishonest: "))
        #expect(
            last(unjudged)
                == "linkcond: not judged: add --expect pass to fail a run with such findings"
        )
        let judged = try run(["--expect", "pass"])
        #expect(judged.code == 1 && !judged.errors.contains("not judged"))
    }

    @Test func `a run reports to people, to CI and to GitHub`() throws {
        let workspace = Workspace()
        let environment = [
            "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "\(workspace.path)/summary.md",
        ]
        func run(_ code: Int) throws -> Outcome {
            try Program.run(
                [
                    "run", "-q", "--expect", "exit=0", "--junit", "run.xml", "--html", "run.html",
                    "--", "sh", "-c", "curl -s {url}/bytes/9; exit \(code)",
                ],
                environment: environment,
                in: workspace
            )
        }
        let passed = try run(0)
        #expect(passed.code == 0 && !passed.errors.contains("::"), "\(passed.errors)")
        #expect(workspace.text("run.xml").contains("failures=\"0\" errors=\"0\""))
        #expect(workspace.text("run.html").hasPrefix("<!doctype html>"))
        let failed = try run(3)
        #expect(failed.code == 1)
        let annotation = failed.errors.split(separator: "\n").first {
            $0.hasPrefix("::error title=")
        }
        #expect(annotation?.contains("exit code 3%0Arepeat with: linkcond replay") == true)
        #expect(workspace.text("run.xml").contains("<failure type=\"fail\" message=\"exit=0: "))
        let summary = workspace.text("summary.md")
        #expect(summary.contains(": pass\n") && summary.contains(": fail\n"))
    }

    @Test func `a run that proves nothing is inconclusive`() throws {
        let silent = try run(["--expect", "exit=0", "--", "true"])
        #expect(silent.code == 2)
        #expect(last(silent).hasPrefix("linkcond: inconclusive: nothing came through linkcond"))
        let unfired = try run([
            "--expect", "exit=0", "--fault", "c2:down+1=rst", "--", "curl", "-s", "-o", "{out}",
            "{url}/bytes/9",
        ])
        #expect(unfired.code == 2)
        #expect(last(unfired).contains("c2:down+1=rst never fired"))
        let around = try run([
            "--expect", "exit=0", "--", "sh", "-c",
            "curl -s -o {out} ${LINKCOND_CONTROL%/.linkcond}/bytes/9",
        ])
        #expect(around.code == 2 && last(around).contains("went around linkcond"))
    }

    @Test(arguments: [
        (["--fault", "c2:down+1=rst"], "0", Int32(2)), (["--fault", "c2:down+1=rst"], "3", 3),
        (["--fault", "c1:down+1=rst"], "0", 0),
        (["--profile", "drop-after-n-bytes", "--set", "bytes=1MB"], "0", 0),
        (["--profile", "drop-after-n-bytes", "--fault", "c*:down+1MiB=rst"], "0", 2),
        ([], "0", 0),
    ])
    func `a fault that was given and never fired is no success, even if nothing is demanded`(
        options: [String],
        own: String,
        code: Int32
    ) throws {
        let client = ["sh", "-c", "curl -s {url}/bytes/9; exit \(own)"]
        #expect(try run(options + ["--"] + client).code == code)
        let json = try run(["--json"] + options + ["--"] + client).errors
        #expect(json.contains(#""verdict":"inconclusive""#) == (code == 2))
    }

    @Test func `a repeated schedule has to act, too`() throws {
        let outcome = try Program.run(
            ["replay", "-q", "lc1;seed=1;c2:down+1=rst", "--", "curl", "-s", "{url}/bytes/9"]
        )
        #expect(outcome.code == 2)
        #expect(last(outcome).hasPrefix("linkcond: inconclusive: exit code 0, but c2:down+1=rst"))
    }

    @Test func `an upload is checked at the server`() throws {
        let workspace = Workspace()
        try workspace.write("file", String(repeating: "content ", count: 1_000))
        let check = [
            "--fetch-check", "file=/files/f", "--server-check",
            "curl -fsS {control}/state | grep -q complete",
        ]
        let good = try run(
            check + ["--", "curl", "-sS", "-T", "file", "{url}/files/f"],
            in: workspace
        )
        #expect(good.code == 0, "\(good.errors)")
        let bad = try run(
            check + ["--", "sh", "-c", "head -c 100 file | curl -sS -T - {url}/files/f"],
            in: workspace
        )
        #expect(bad.code == 1)
        #expect(last(bad) == "linkcond: fail: fetch-check: has only the first 100 of 8000 bytes")
    }

    @Test func `the deadline ends a command and fails the run`() throws {
        let begin = Date()
        let outcome = try run([
            "--deadline", "300ms", "--fault", "c1:down+100=hole", "--expect", "exit!=0", "--",
            "curl", "-s", "-o", "{out}", "{url}/bytes/300000",
        ])
        #expect(outcome.code == 1 && Date().timeIntervalSince(begin) < 20)
        #expect(last(outcome) == "linkcond: fail: the deadline came before the command ended")
        let passed = try run(["--deadline", "300ms", "--", "sleep", "60"])
        #expect(
            passed.code == 143 && last(passed).contains("the deadline came; killed by signal 15")
        )
    }

    // MARK: Signals

    @Test func `Control-C reaches the command, and the journal is finished`() throws {
        let workspace = Workspace()
        let program = try Program(
            Program.linkcond,
            [
                "run", "--journal", "run.jsonl", "--", "sh", "-c",
                "trap 'echo caught; exit 5' INT; echo ready; sleep 60 & wait",
            ],
            in: workspace
        )
        try program.waitFor("ready")
        program.signal(SIGINT)
        let outcome = try program.wait()
        #expect(outcome.code == 5 && outcome.output == "ready\ncaught\n")
        #expect(
            workspace.text("run.jsonl").contains(#""t":"end","n_approx""#)
                || workspace.text("run.jsonl").contains(#""t":"end""#)
        )
    }

    @Test func `with a verdict to give, a signal is the exit code`() throws {
        let program = try Program(
            Program.linkcond,
            ["run", "--expect", "exit=0", "--", "sh", "-c", "echo ready; sleep 60"]
        )
        try program.waitFor("ready")
        program.signal(SIGTERM)
        #expect(try program.wait().code == 143)
    }

    @Test(.onLinux("the environment of any process"))
    func `if linkcond is killed, so is the command with all that it started`() throws {
        let program = try Program(
            Program.linkcond,
            [
                "run", "--", "sh", "-c",
                "sleep 300 & echo $$ $! ready; trap '' HUP TERM; sleep 300; sleep 300",
            ]
        )
        try program.waitFor("ready")
        let processes = program.output.split(separator: " ").compactMap { Int($0) }
        #expect(processes.count == 2)
        program.signal(SIGKILL)
        _ = try program.wait()
        let areGone = Program.poll(seconds: 10) {
            processes.allSatisfy { ProcessIdentity(of: $0) == nil }
        }
        #expect(areGone)
    }

    @Test func `the command may open as many files as it could without us`() throws {
        let script =
            "ulimit -Sn 1000; ulimit -n; exec \(Program.linkcond) run -q -- sh -c 'ulimit -n'"
        let outcome = try Program("/bin/sh", ["-c", script]).wait()
        #expect(outcome.output == "1000\n1000\n", "\(outcome.errors)")
    }

    @Test func `a second signal ends at once`() throws {
        let program = try Program(
            Program.linkcond,
            ["run", "--", "sh", "-c", "trap '' INT TERM; echo $$ ready; sleep 60; sleep 60"]
        )
        try program.waitFor("ready")
        let child = Int(program.output.prefix { $0 != " " }) ?? 0
        program.signal(SIGINT)
        try program.waitFor("passed to the command", inErrors: true)
        let begin = Date()
        program.signal(SIGINT)
        #expect(try program.wait().code == 137)
        #expect(Date().timeIntervalSince(begin) < 10)
        #expect(ProcessIdentity(of: child) == nil)
    }

    // MARK: Without a command

    @Test func `without a command it waits for a client that is started elsewhere`() throws {
        let workspace = Workspace()
        let program = try Program(
            Program.linkcond,
            ["run", "--expect", "exit=0", "--fault", "c1:down+100=fin", "--ready-file", "ready"],
            in: workspace
        )
        try program.waitFor("\n")
        let words = program.output.split(separator: " ")
        #expect(words.first == "listening")
        #expect(workspace.text("ready").contains(#""control":"http://127.0.0.1:"#))
        _ = try Program.curl(["-o", "x", "http://\(words[1])/bytes/9"])
        program.signal(SIGINT)
        let outcome = try program.wait()
        #expect(outcome.code == 130)
        #expect(outcome.errors.contains("c1:down+100=fin: fired once"))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `without a command the exit code is the signal's`(signal: Int32, code: Int32) throws {
        let program = try Program(Program.linkcond, ["run"], in: Workspace())
        try program.waitFor("\n")
        program.signal(signal)
        let outcome = try program.wait()
        #expect(outcome.code == code)
        #expect(
            outcome.errors.hasSuffix(
                "linkcond: ended by signal \(signal); it proves nothing: nothing came through linkcond\n"
            ),
            "\(outcome.errors)"
        )
    }

    @Test func `without a command the deadline is the end, and no client hangs`() throws {
        let program = try Program(
            Program.linkcond,
            ["run", "--deadline", "2s", "--expect", "pass", "--json"]
        )
        try program.waitFor("\n")
        let address = program.output.split(separator: " ")[1]
        #expect(try Program.curl(["-o", "x", "http://\(address)/bytes/9"]).code == 0)
        let outcome = try program.wait()
        let words = outcome.errors
        #expect(words.contains(#""timedOut":true"#) && !words.contains("hang"), "\(words)")
        // Nobody compared what came.
        #expect(words.contains(#""verdict":"inconclusive""#) && outcome.code == 2, "\(words)")
    }

    // MARK: Replay

    @Test func `the line that a run prints repeats it`() throws {
        let workspace = Workspace()
        let first = try run(
            [
                "--fault", "c*?50%:down+1..9000=rst", "--seed", "5", "--journal", "1.jsonl", "--",
                "curl", "-s", "--retry", "3", "--retry-all-errors", "--retry-delay", "0", "-o",
                "{out}", "{url}/bytes/20000",
            ],
            in: workspace
        )
        let line = try #require(
            first.errors.split(separator: "\n").first { $0.contains("repeat with") }
        )
        let command = line.drop { $0 != "l" }.replacing("linkcond replay", with: "replay")
        let script =
            "exec \(Program.linkcond) \(command.replacing(" -- ", with: " --journal 2.jsonl -- "))"
        let again = try Program("/bin/sh", ["-c", script], in: workspace).wait()
        #expect(again.code == first.code, "\(again.errors)")
        let recorded = try Program.run(
            [
                "replay", "--from-journal", "1.jsonl", "--", "curl", "-s", "--retry", "3",
                "--retry-all-errors", "--retry-delay", "0", "-o", "{out}", "{url}/bytes/20000",
            ],
            in: workspace
        )
        #expect(recorded.code == first.code)
        #expect(
            recorded.errors.contains("the same happened as in the recorded run"),
            "\(recorded.errors)"
        )
    }

    @Test func `a replay that goes another way says where`() throws {
        let workspace = Workspace()
        _ = try run(
            [
                "--fault", "c1:down+5000=rst", "--profile", "dsl", "--set", "delay=1ms",
                "--journal",
                "1.jsonl", "--", "curl", "-s", "-o", "{out}", "{url}/bytes/20000",
            ],
            in: workspace
        )
        let other = try Program.run(
            [
                "replay", "--from-journal", "1.jsonl", "--", "curl", "-s", "-o", "{out}",
                "{url}/bytes/20",
            ],
            in: workspace
        )
        #expect(
            other.errors.contains(
                "the recorded command was: curl -s -o '{out}' '{url}/bytes/20000'"
            )
        )
        #expect(other.errors.contains("it was different from the recorded run (the first):"))
        #expect(other.errors.contains("summary dsl"))
        #expect(!other.errors.contains("the network is not the recorded one"), "\(other.errors)")
    }

    @Test func `a schedule that was made for other messages is told of`() throws {
        let command = ["--", "curl", "-s", "-o", "{out}", "{url}/bytes/2000"]
        let other = try Program.run(
            ["replay", "lc1;seed=1;base=0123456789abcdef;c1:down+100=rst"] + command
        )
        #expect(other.code == 56)
        #expect(other.errors.contains("are not those that the schedule was made for"))
        #expect(
            !(try Program.run(["replay", "lc1;seed=1;c1:down+100=rst"] + command)).errors
                .contains("made for")
        )
    }

    @Test(arguments: [
        ([], "nothing to replay"), (["nonsense"], "the schedule, column 1"),
        (["lc1"], "the schedule has no faults; did the shell take the rest?"),
        (["lc1", "--from-journal", "x"], "give a schedule or --from-journal FILE, not both"),
        (["--journal", "x"], "nothing to replay: give a schedule"),
        (["--from-journal", "/nonexistent"], "cannot read journal '/nonexistent'"),
        (["--from-journal", "/etc/passwd"], "/etc/passwd:1:1: error:"),
    ])
    func `what cannot be repeated is told`(arguments: [String], text: String) throws {
        let outcome = try Program.run(["replay"] + arguments + ["--", "true"])
        #expect(outcome.code == 125 && outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test func `a full disk under the journal is told, and the command is not harmed`() throws {
        let outcome = try run([
            "--journal", "/dev/full", "--", "curl", "-s", "-o", "{out}", "{url}/bytes/9",
        ])
        #expect(outcome.code == 125)
        #expect(outcome.errors.contains("exit code 0"))
        #expect(outcome.errors.contains("journal '/dev/full' is not complete"))
    }

    @Test func `more on a metered path than is allowed is waste, and fails`() throws {
        let workspace = Workspace()
        func run(_ limit: String) throws -> Outcome {
            try Program.run(
                ["run", "--profile", "expensive", "--max-metered", limit, "--journal", "j", "--"]
                    + ["/usr/bin/curl", "-sS", "-o", "body", "{url}/bytes/50000"],
                in: workspace
            )
        }
        let little = try run("1MB")
        #expect(little.code == 0, "\(little.errors)")
        let much = try run("20kB")
        #expect(much.code == 1, "\(much.errors)")
        #expect(
            much.errors.contains(
                "waste: 1 request, 50,000 bytes requested while the path was constrained or"
            )
        )
        let report = try Program.run(["report", "--max-metered", "20kB", "j"], in: workspace)
        #expect(report.code == 1)
        #expect(
            try Program.run(["report", "--expect", "metered<=1MB", "j"], in: workspace).code == 0
        )
    }

    @Test func `a proxy that ends by itself says that too much was metered`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(
            ["--profile", "expensive", "--max-metered", "20kB", "--duration", "3s"],
            in: workspace
        )
        #expect(
            try Program.curl(["-o", "/dev/null", "http://\(proxy.address)/bytes/50000"]).code == 0
        )
        try proxy.program.waitFor("waste: 1 request", inErrors: true)
        let outcome = try proxy.program.wait()
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("found"), "\(outcome.output)")
    }
}
