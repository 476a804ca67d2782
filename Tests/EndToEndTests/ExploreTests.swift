import Foundation
import FoundationXML
import SystemIO
import Testing

/// `linkcond explore` with the clients that people use.
@Suite struct ExploreTests {
    private func explore(
        _ arguments: [String],
        environment: [String: String] = [:],
        in workspace: Workspace = Workspace()
    ) throws -> Outcome {
        try Program.run(["explore"] + arguments, environment: environment, in: workspace)
    }

    private func last(_ outcome: Outcome) -> String {
        outcome.output.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// Tries a download three times; what is there is not used again.
    private static let patient = [
        "sh", "-c",
        // Half a head is a whole one for curl, with an empty content.
        "for i in 1 2 3; do curl -sf -m 9 -o {out} {url}/bytes/3000 && [ -s {out} ] && exit; done;"
            + " exit 9",
    ]

    /// Tries it twice.
    private static let hasty = [
        "sh", "-c", "curl -sf -o {out} {url}/bytes/9 || curl -sf -o {out} {url}/bytes/9",
    ]

    @Test func `a client that tries again passes`() throws {
        let outcome = try explore(["--effects", "fin,rst", "-q", "--"] + Self.patient)
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(last(outcome).hasPrefix("no failure at any of "), "\(last(outcome))")
        #expect(outcome.errors.isEmpty)
    }

    @Test func `a faster clock finds the same in less time, and confirms it without`() throws {
        let ladder = [
            "--effects", "fin", "-q", "--forget", "--warp", "10", "--", "curl", "-sS", "--retry",
            "3", "--retry-all-errors", "-o", "{out}", "{url}/bytes/1500",
        ]
        let start = ContinuousClock.now
        let outcome = try explore(ladder)
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("10 times as fast, findings at real speed"))
        #expect(outcome.output.contains("FINDING") && outcome.output.contains("(again: 1/1)"))
        #expect(outcome.output.contains("5 passes run again at real speed: all the same"))
        // One who is never let through makes four tries, for seven seconds by his clock.
        #expect(outcome.output.contains("failed honestly"))
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func `a program that no library can be loaded into keeps its clock`() throws {
        let workspace = Workspace()
        var image = [0x7F] + Array("ELF".utf8) + [2, 1] + [UInt8](repeating: 0, count: 122)
        (image[32], image[54], image[56], image[64]) = (64, 56, 1, 1)
        try workspace.write("fixed", String(decoding: image, as: UTF8.self))
        let outcome = try explore(["--warp", "10", "--", "./fixed"], in: workspace)
        #expect(outcome.code == 64)
        #expect(
            outcome.errors.contains(
                "--warp: ./fixed is linked statically, so that no library is loaded into it; leave"
                    + " --warp out"
            ),
            "\(outcome.errors)"
        )
    }

    @Test func `runs at once that send one file do not disturb each other`() throws {
        let workspace = Workspace()
        try workspace.write("up.bin", String(repeating: "0123456789", count: 20_000))
        let search = ["--effects", "rst", "--jobs", "8", "--runs", "24", "-q", "--forget", "--"]
        let client = [Program.linkcond, "upload", "-q", "up.bin", "{url}/files/up.bin"]
        let first = try explore(search + client, in: workspace)
        // Where no interim answer can have come, no fault is tried that waits for one.
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        #expect(first.output.contains(" 13 passed, 11 failed honestly;"))
        #expect(first.errors.isEmpty)
        // The first line tells how long it took.
        let second = try explore(search + client, in: workspace)
        #expect(
            second.output.drop { !$0.isNewline } == first.output.drop { !$0.isNewline }
        )
        let left = FileSystem.names(in: workspace.path).filter { $0.contains("up.bin") }
        #expect(left == ["up.bin"])
        // Told to keep them in one place, they are in each other's way.
        let shared = try explore(search + client + ["--resume-data", "r"], in: workspace)
        #expect(shared.errors.contains("came, went or changed in the working folder"))
        #expect(shared.output.contains("error: r holds resume data of another"))
    }

    @Test func `each run has a server of its own where a command starts it`() throws {
        let workspace = Workspace()
        try workspace.write("right", String(repeating: "0123456789", count: 200))
        let server =
            "cp \(workspace.path)/right {dir} && cd {dir}"
            + " && exec python3 -u -m http.server --bind 127.0.0.1 {port}"
        let client = Self.patient.map { $0.replacing("/bytes/3000", with: "/right") }
        let outcome = try explore(
            [
                "-q", "--effects", "refuse", "--check-determinism", "--same", "right",
                "--origin-cmd", server, "--",
            ] + client,
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("1 point run twice: every message the same"))
        let broken = try explore(["--origin-cmd", "exit 3 # {port}", "--"] + client)
        #expect(broken.code == 4)
        #expect(last(broken).contains("the server ended before it listened on port"))
    }

    @Test func `runs at the same time serve one folder, and leave it as it was`() throws {
        let workspace = Workspace()
        try workspace.write("site/right", String(repeating: "0123456789", count: 200))
        let client = Self.patient.map { $0.replacing("/bytes/3000", with: "/right") }
        let outcome = try explore(
            ["-q", "-j", "2", "--effects", "rst", "--serve", "site", "--same", "site/right", "--"]
                + client,
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(last(outcome).hasPrefix("no failure at any of "), "\(last(outcome))")
        #expect(FileSystem.names(in: "\(workspace.path)/site") == ["right"])
    }

    @Test func `curl begins again at zero, which right bytes do not show`() throws {
        let client = [
            "curl", "-sf", "--retry", "1", "--retry-all-errors", "-C", "-", "-o", "{out}",
            "{url}/bytes/300000",
        ]
        let arguments = ["--effects", "fin", "--forget", "-q"]
        let plain = try explore(arguments + ["--"] + client)
        #expect(!plain.output.contains("waste"))
        let strict = try explore(arguments + ["--require-resume", "--"] + client)
        #expect(strict.code == 1)
        #expect(strict.output.contains("waste: sends or asks more often than it needs to"))
        #expect(strict.output.contains("c2/r1 GET /bytes/300000 → 200 (300000 B)"))
    }

    @Test func `curl goes on with another version of the object`() throws {
        let twice = "curl -sf -o $0 $1 || curl -sf -C - -o $0 $1"
        let outcome = try explore([
            "--effects", "fin", "--forget", "-q", "--misbehave", "mutate=same-size@2", "--",
            "sh", "-c", twice, "{out}", "{url}/bytes/1500",
        ])
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("corrupt: ends in success with wrong content"))
        #expect(outcome.output.contains("fin: c1/r1:resp.body+1 … resp.body+1499"))
    }

    // MARK: Lists of tests

    /// A test suite of four: one that tries again, two that do not, and one that sends nothing.
    private static let suite = """
        url=$0/bytes/300
        case $1 in
        patient) for try in 1 2 3 4; do curl -sf -o /dev/null $url && exit; done; exit 7 ;;
        hasty*) curl -sf -o /dev/null $url ;;
        idle) true ;;
        broken) curl -sf $url && exit 3 ;;
        esac
        """

    private func exploreSuite(
        _ names: String,
        _ options: [String] = [],
        in workspace: Workspace
    ) throws -> Outcome {
        try explore(
            ["--each", "printf '%s\\n' '# all of them' \(names)", "--effects", "refuse", "-q"]
                + options + ["--", "sh", "-c", Self.suite, "{url}", "{test}"],
            in: workspace
        )
    }

    @Test func `a suite is explored test by test, and its findings are told once`() throws {
        let workspace = Workspace()
        let forms = ["--junit", "junit.xml", "--html", "page.html", "--report", "old.jsonl"]
        let names = "patient hasty-b hasty-a idle patient"
        let outcome = try exploreSuite(names, forms, in: workspace)
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.outputLines[0] == "4 tests: 3 explored, 1 without traffic")
        #expect(outcome.output.contains("  tests     2, the smallest hasty-b; also hasty-a\n"))
        #expect(outcome.output.contains("'{url}' hasty-b\n"))
        #expect(last(outcome) == "1 finding: giveup")
        #expect(try Program.junitProblems(of: "junit.xml", in: workspace).isEmpty)
        #expect(workspace.text("junit.xml").contains("linkcond explore idle"))
        #expect(workspace.text("page.html").contains("<code>hasty-a</code>"))
        let line = try #require(repeatLine(outcome))
        #expect(try shell(line, in: workspace).code == 1)
        try checkComparison(workspace)
        let merged = try Program.run(["report", "merge", "old.jsonl"], in: workspace)
        #expect(merged.code == 1 && merged.output == outcome.output, "\(merged.output)")
    }

    /// Only what an earlier report does not have is a reason to fail.
    private func checkComparison(_ workspace: Workspace) throws {
        let old = ["--baseline-report", "old.jsonl"]
        let same = try exploreSuite("patient hasty-b idle", old, in: workspace)
        #expect(same.code == 0, "\(same.output)\(same.errors)")
        #expect(same.output.contains("KNOWN "))
        #expect(same.output.contains("compared with old.jsonl: findings: 1 known; 0 points behave"))
        let plain = try explore(
            old + ["--effects", "fin", "-q", "--", "curl", "-sf", "{url}/bytes/300"],
            in: workspace
        )
        #expect(plain.code == 1, "\(plain.output)\(plain.errors)")
        #expect(last(plain).contains(" new finding"))
        let missing = try explore(["--baseline-report", "none", "--", "true"], in: workspace)
        #expect(missing.code == 66 && missing.errors.contains("cannot read report 'none'"))
    }

    @Test func `a suite of which some tests fail anyway proves nothing`() throws {
        let outcome = try exploreSuite("patient broken", in: Workspace())
        #expect(outcome.code == 2, "\(outcome.output)\(outcome.errors)")
        #expect(last(outcome).hasPrefix("broken: without any fault: it ends with exit 3"))
        #expect(try exploreSuite("idle", in: Workspace()).code == 5)
        #expect(try exploreSuite("broken idle", in: Workspace()).code == 4)
    }

    @Test func `pytest's tests are explored with nothing but its arguments`() throws {
        let workspace = Workspace()
        try workspace.write(
            "tests/test_it.py",
            """
            import os, urllib.request
            def fetch(): return urllib.request.urlopen(os.environ["LINKCOND_URL"] + "/bytes/30").read()
            def test_adds(): assert 1 + 1 == 2
            def test_hasty(): assert len(fetch()) == 30
            def test_patient():
                for attempt in range(4):
                    try: return fetch()
                    except OSError: pass
                assert False
            """
        )
        try workspace.write("pytest.ini", "[pytest]\naddopts = --verbose\n")
        let outcome = try explore(
            ["--pytest", "--effects", "refuse", "-q", "--forget", "--", "tests"],
            in: workspace
        )
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.outputLines[0] == "3 tests: 2 explored, 1 without traffic")
        #expect(outcome.output.contains("  tests     tests/test_it.py::test_hasty\n"))
        #expect(last(outcome) == "1 finding: giveup")
    }

    @Test(arguments: [
        (["--each", "true", "--", "x"], "--each needs {test} among the words of CMD"),
        (["--each", "true", "--", "x"], "write env LINKCOND_TEST={test} CMD"),
        (["--each", "true", "--", "x", "{test}"], "--each: the list has no tests"),
        (["--each", "exit 3", "--", "x", "{test}"], "--each: exit code 3"),
        (["--each", "x", "--pytest", "--", "x"], "--pytest lists the tests by itself"),
        (["--each", "@", "--", "{test}"], "--each: write a shell command that lists tests"),
    ])
    func `a list that makes no sense is told`(arguments: [String], words: String) throws {
        let outcome = try explore(arguments)
        #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `a list can be a file`() throws {
        let workspace = Workspace()
        try workspace.write("names", "idle\n  patient  \n\n")
        let client = ["sh", "-c", Self.suite, "{url}", "{test}"]
        let search = ["--effects", "refuse", "-q", "--each"]
        let outcome = try explore(search + ["@names", "--"] + client, in: workspace)
        #expect(outcome.code == 0 && outcome.outputLines[1].hasPrefix("  patient  1 exchange; "))
        let missing = try explore(search + ["@none", "--"] + client, in: workspace)
        #expect(missing.code == 66 && missing.errors.contains("cannot read the list 'none'"))
        let bare = try explore(search + ["names", "--"] + client, in: workspace)
        #expect(bare.code == 64 && bare.errors.contains("'names' is a file; write --each @names"))
    }

    @Test func `the self-test brings its own clients and takes nothing else`() throws {
        let told = [
            (
                ["--self-test", "--", "curl"],
                "--self-test brings its own clients; leave 'curl' out"
            ),
            (
                ["--self-test", "--jobs", "2"],
                "--jobs has no effect with --self-test; leave it out"
            ),
            (["--self-test", "--runs", "1"], "--runs: "),
        ]
        for (arguments, words) in told {
            let outcome = try explore(arguments)
            #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test func `a spliced download is found, made small and remembered`() throws {
        let workspace = Workspace()
        let client = [
            "wget", "-q", "-t", "3", "--waitretry=0", "-c", "-O", "{out}", "{url}/bytes/1500",
        ]
        let arguments = [
            "--effects", "fin", "--misbehave", "mutate=same-size@2", "--report", "report.jsonl",
            "--junit", "junit.xml", "--html", "page.html", "--github", "--",
        ]
        let environment = ["GITHUB_STEP_SUMMARY": "\(workspace.path)/summary.md"]
        let outcome = try explore(arguments + client, environment: environment, in: workspace)
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("found corrupt at "))
        #expect(outcome.output.contains("corrupt: ends in success with wrong content"))
        #expect(outcome.output.contains("(again: 3/3)"))
        #expect(outcome.output.contains("linkcond replay 'lc1;seed=1;"))
        #expect(outcome.output.contains("::error title=corrupt%3A "))
        #expect(last(outcome).contains("corrupt"))
        #expect(workspace.text("summary.md").hasPrefix("### linkcond explore: "))
        #expect(workspace.text("page.html").contains("Content-Security-Policy"))
        let junit = workspace.text("junit.xml")
        #expect(junit.contains("<failure type=\"corrupt\""))
        #expect(try Program.junitProblems(of: "junit.xml", in: workspace).isEmpty)
        let report = workspace.text("report.jsonl").split(separator: "\n")
        #expect(report.first?.contains("\"t\":\"start\"") == true)
        #expect(report.last?.contains("\"t\":\"end\",\"exit\":1") == true)
        try checkMemory(arguments + client, environment, workspace)
    }

    /// The line for the bug report, as it stands in a report.
    private func repeatLine(_ outcome: Outcome) -> String? {
        outcome.outputLines.first { $0.hasPrefix("  repeat    ") }.map { String($0.dropFirst(12)) }
    }

    /// What a shell makes of a line in which `linkcond` is the program.
    private func shell(_ line: String, in workspace: Workspace) throws -> Outcome {
        let script = "linkcond() { \(Program.linkcond) \"$@\"; }; \(line)"
        return try Program("/bin/bash", ["-c", script], in: workspace).wait()
    }

    @Test func `the line that repeats a finding fails as the exploration said`() throws {
        let workspace = Workspace()
        let clients = [
            (["wget", "-q", "-t", "3", "--waitretry=0", "-c", "-O"], "fetch-check: differs, 1500"),
            (["sh", "-c", "curl -sf -o $0 $1 || true"], "fetch-check: {out} is missing"),
        ]
        for (client, words) in clients {
            let found = try explore(
                ["--effects", "fin,refuse", "--forget", "-q", "--misbehave", "mutate=same-size@2"]
                    + ["--"] + client + ["{out}", "{url}/bytes/1500"],
                in: workspace
            )
            #expect(found.code == 1)
            let line = try #require(repeatLine(found))
            let again = try shell(line, in: workspace)
            #expect(again.code == 1, "\(line)\n\(again.errors)")
            #expect(again.errors.contains("linkcond: fail: \(words)"), "\(again.errors)")
        }
    }

    @Test func `the line that repeats a lost upload asks the server`() throws {
        let workspace = Workspace()
        try workspace.write("sent", "0123456789")
        let found = try explore(
            ["--effects", "refuse", "--forget", "-q", "--", "sh", "-c"]
                + ["curl -sf -T sent $0/files/a || true", "{url}"],
            in: workspace
        )
        #expect(found.output.contains("exit 0, but the origin has nothing"))
        let again = try shell(try #require(repeatLine(found)), in: workspace)
        #expect(again.code == 1, "\(again.errors)")
        #expect(again.errors.contains("linkcond: fail: server-check: exit code 1"))
        let quiet = try #require(repeatLine(found)).replacing("c1:connect=refuse", with: "")
        #expect(try shell(String(quiet.replacing(";'", with: "'")), in: workspace).code == 0)
    }

    @Test func `what only a later run shows is repeated by two runs in one folder`() throws {
        let workspace = Workspace()
        // Outlasts what passes; else it leaves a lock behind, which it respects the next time.
        let client = """
            test -e $0/lock && exit 3; touch $0/lock
            for i in 1 2 3 4; do curl -sf -o $1 $2 && rm $0/lock && exit; done; exit 9
            """
        let found = try explore(
            ["--effects", "refuse", "--forget", "-q", "--", "sh", "-c", client]
                + ["{dir}", "{out}", "{url}/bytes/1500"],
            in: workspace
        )
        #expect(found.output.contains("a later run without faults does not finish: exit 3"))
        let lines = found.output.split(separator: "  repeat    ").dropFirst()
        let line = try #require(lines.first?.split(separator: "\n\n").first)
        let again = try shell(String(line), in: workspace)
        #expect(again.code == 1, "\(again.errors)")
        #expect(again.errors.contains("linkcond: exit code 9"))
        #expect(again.errors.contains("linkcond: fail: exit=0: exit code 3"), "\(again.errors)")
    }

    /// One attempt for each start, by tus: it asks for the rest of what it began, and takes an upload that
    /// is not there any more for done.
    private static let resumingUpload = """
        cd $0; tus='Tus-Resumable: 1.0.0'
        if test -s place; then
            curl -sfI -H "$tus" $1$(cat place) > answer || exit 0
            from=$(sed -n 's/^upload-offset: //Ip' answer | tr -d '\\r')
        else
            curl -sf -D answer -X POST -H "$tus" -H 'Upload-Length: 20' $1/files/ || exit 1
            sed -n 's#^location: \\(http://[^/]*\\)*##Ip' answer | tr -d '\\r' > place; from=0
        fi
        printf 01234567890123456789 | tail -c +$((from + 1)) |
            curl -sf -X PATCH -H "$tus" -H "Upload-Offset: $from" --data-binary @- \
                -H 'Content-Type: application/offset+octet-stream' $1$(cat place) || exit 1
        """

    @Test func `what the server has of an upload is there when the command is started again`()
        throws
    {
        let outcome = try explore(
            ["--effects", "fin", "--accept", "giveup", "--forget", "-q", "--", "sh", "-c"]
                + [Self.resumingUpload, "{dir}", "{url}"]
        )
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test func `runs with one folder of uploads go on with them`() throws {
        let workspace = Workspace()
        let client = ["--", "sh", "-c", Self.resumingUpload, "{dir}", "{url}"]
        func run(_ fault: [String], uploads: String) throws -> Outcome {
            let place = ["--dir", "d", "--keep-uploads", uploads]
            return try Program.run(["run"] + place + fault + client, in: workspace)
        }
        let fault = ["--fault", "PATCH(*)#1:req.body+7=rst"]
        #expect(try run(fault, uploads: "u").code == 1)
        let second = try run([], uploads: "u")
        #expect(second.code == 0, "\(second.errors)")
        #expect(FileSystem.names(in: "\(workspace.path)/u/files").count == 1)
    }

    /// What failed once is run first the next time.
    private func checkMemory(
        _ arguments: [String],
        _ environment: [String: String],
        _ workspace: Workspace
    ) throws {
        let again = try explore(arguments + [], environment: environment, in: workspace)
        #expect(again.code == 1)
        let runs = workspace.text("report.jsonl").split(separator: "\n")
            .filter { $0.contains("\"t\":\"run\"") }
        // Others may have ended before it.
        let remembered = runs.prefix(8).filter { $0.contains("\"purpose\":\"remembered\"") }
        #expect(
            remembered.contains { $0.contains("\"verdict\":\"corrupt\"") },
            "\(runs.prefix(8))"
        )
    }

    @Test func `a command that fails by itself, or does not come here, is not explored`() throws {
        let failing = try explore([
            "-q", "--", "sh", "-c", "curl -s {url}/bytes/1 -o {out}; exit 3",
        ])
        #expect(failing.code == 4)
        #expect(last(failing) == "without any fault: it ends with exit 3")
        let silent = try explore(["-q", "--", "true"])
        #expect(silent.code == 5)
        #expect(last(silent).hasPrefix("nothing came through linkcond"))
        let missing = try explore(["-q", "--", "nonexistent-program"])
        #expect(missing.code == 4)
        #expect(last(missing).contains("not found: 'nonexistent-program'"))
    }

    @Test func `a server that is not there is told apart from a client that fails`() throws {
        let outcome = try explore(
            ["-q", "--upstream", "127.0.0.1:1", "--", "curl", "-sf", "-o", "{out}", "{url}/x"]
        )
        #expect(outcome.code == 69, "\(outcome.output)")
        #expect(last(outcome).hasPrefix("the upstream server is not available"))
    }

    /// Answers `/x` with a redirect to itself by the name that its argument is.
    private static let redirecting = """
        import http.server, sys

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                content = b"" if self.path == "/x" else b"right"
                self.send_response(302 if self.path == "/x" else 200)
                self.send_header("Location", f"http://{sys.argv[1]}:{server.server_port}/y")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *words):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    @Test(arguments: [
        ("localhost", "127.0.0.1", []), ("127.0.0.1", "localhost", []),
        ("127.0.0.1", "LOCALHOST", []), ("127.0.0.1", "0.0.0.0", []),
        ("127.0.0.1", "app.test", ["--dns", "--name", "app.test=127.0.0.1"]),
    ])
    func `a redirect to the upstream by another name is no fault of the client`(
        upstream: String,
        host: String,
        options: [String]
    ) throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
        let workspace = Workspace()
        try workspace.write("server.py", Self.redirecting)
        try workspace.write("right", "right")
        let server = try Program("/usr/bin/python3", ["server.py", host], in: workspace)
        try server.waitFor("\n")
        let port = server.output.split(separator: "\n")[0]
        let common = options + ["-q", "--upstream", "\(upstream):\(port)"]
        let client = ["--", "curl", "-sfL", "-o", "{out}", "{url}/x"]
        let past = "/x was sent on to \(host):\(port), past the proxy"
        let explored = try explore(common + client, in: workspace)
        #expect(explored.code == 4, "\(explored.output)\(explored.errors)")
        #expect(last(explored) == "without any fault: \(past)")
        let run = try Program.run(["run"] + common + ["--same", "right"] + client, in: workspace)
        #expect(run.code == 2, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("inconclusive: \(past)"), "\(run.errors)")
        server.signal(SIGKILL)
        _ = try server.wait()
    }

    @Test func `an output that all runs share ends it with the cure`() throws {
        let outcome = try Program.run([
            "explore", "-q", "--jobs", "4", "--effects", "fin", "--", "curl", "-s", "-o",
            "shared.bin", "{url}/bytes/1500",
        ])
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.outputLines.contains {
                $0.hasPrefix("all runs write 'shared.bin'") && $0.contains("write {out} instead")
            }
        )
    }

    @Test func `a wrong result without faults ends it with 4`() throws {
        let workspace = Workspace()
        try workspace.write("right", "something else")
        let outcome = try explore(
            ["-q", "--same", "right", "--", "curl", "-sf", "-o", "{out}", "{url}/bytes/9"],
            in: workspace
        )
        #expect(outcome.code == 4)
        #expect(
            last(outcome) == "without any fault: exit 0, but the content is not the expected one;"
                + " same: differs from byte 0 on: 9 bytes, not 14"
        )
    }

    @Test func `a server's check that fails without faults is told with what it said`() throws {
        let check = ["--server-check", "echo nothing there; exit 1"]
        let outcome = try explore(check + ["-q", "--", "curl", "-sf", "{url}/bytes/9"])
        #expect(outcome.code == 4)
        #expect(
            last(outcome) == "without any fault: exit 0, but the check of the server fails;"
                + " server-check: exit code 1: nothing there"
        )
    }

    @Test func `a signal ends it with the report so far`() throws {
        let workspace = Workspace()
        let program = try Program(
            Program.linkcond,
            [
                "explore", "--report", "report.jsonl", "--effects", "hole", "--", "curl", "-sf",
                "-o",
                "{out}", "{url}/bytes/3000",
            ],
            in: workspace
        )
        let isExploring = Program.poll(seconds: 30) {
            workspace.text("report.jsonl").contains("\"t\":\"baseline\"")
        }
        #expect(isExploring)
        kill(program.identifier, SIGINT)
        let outcome = try program.wait()
        #expect(outcome.code == 130, "\(outcome.errors)")
        #expect(last(outcome).hasPrefix("ended by a signal"))
        #expect(workspace.text("report.jsonl").contains("\"complete\":false"))
    }

    @Test func `JSON goes to standard output, the reason to standard error`() throws {
        let outcome = try explore(
            ["--json", "-q", "--effects", "refuse", "--forget", "--"] + Self.hasty
        )
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
        #expect(outcome.output.contains("\"t\":\"finding\""))
        #expect(outcome.errors.contains("linkcond: 1 finding: giveup"))
    }

    @Test func `hooks stand around everything, and traces of failures stay`() throws {
        let workspace = Workspace()
        let outcome = try explore(
            [
                "-q", "--effects", "refuse", "--setup", "printf s >>log", "--reset",
                "printf r >>log", "--teardown", "printf t >>log", "--traces", "traces", "--",
            ] + Self.hasty,
            in: workspace
        )
        #expect(outcome.code == 1)
        let log = workspace.text("log")
        #expect(log.hasPrefix("srr") && log.hasSuffix("rt"))
        let kept = try FileManager.default.contentsOfDirectory(atPath: "\(workspace.path)/traces")
        #expect(kept.count == 4, "the failing run and its three confirmations: \(kept)")
        let broken = try explore(["-q", "--setup", "exit 3", "--", "true"], in: workspace)
        #expect(broken.code == 64)
        #expect(broken.errors.contains("--setup: exit code 3"))
    }

    @Test func `reports of shards join into the report of one exploration`() throws {
        let workspace = Workspace()
        let client = ["--effects", "fin,refuse", "--forget", "-q"]
        let whole = try explore(
            client + ["--report", "whole.jsonl", "--"] + Self.hasty,
            in: workspace
        )
        for index in 1...3 {
            let arguments = ["--shard", "\(index)/3", "--report", "\(index).jsonl", "--"]
            _ = try explore(client + arguments + Self.hasty, in: workspace)
        }
        let merge = ["report", "merge", "-o", "all.jsonl", "--junit", "all.xml"]
        let merged = try Program.run(
            merge + ["1.jsonl", "2.jsonl", "3.jsonl"],
            in: workspace
        )
        #expect(merged.code == whole.code, "\(merged.output)\(merged.errors)")
        #expect(last(merged) == last(whole))
        let found = [workspace.text("whole.jsonl"), workspace.text("all.jsonl")].map { text in
            text.split(separator: "\n").filter { $0.contains("\"t\":\"finding\"") }
                .map { $0.prefix { $0 != "[" } }
        }
        #expect(found[0] == found[1] && !found[0].isEmpty)
        #expect(try Program.junitProblems(of: "all.xml", in: workspace).isEmpty)
        let part = try Program.run(["report", "merge", "1.jsonl", "3.jsonl"], in: workspace)
        #expect(part.output.contains("missing: shard 2"))
        try workspace.write("torn.jsonl", workspace.text("1.jsonl") + "{\"t\":")
        #expect(try Program.run(["report", "merge", "torn.jsonl"], in: workspace).code != 78)
        try workspace.write("bad.jsonl", "{\"t\":\"run\"}\n")
        let bad = try Program.run(["report", "merge", "bad.jsonl"], in: workspace)
        #expect(bad.code == 78)
        #expect(bad.errors.hasPrefix("bad.jsonl:1:1: error: the first line is 'run', not 'start'"))
    }

    @Test(
        arguments: [
            (["--report", "/nonexistent/x", "--", "true"], 73),
            (["--traces", "/dev/null/x", "--", "true"], 73),
            (["--effects", "nonsense", "--", "true"], 64),
            ([], 64), (["--profile", "nonsense", "--", "true"], 64),
        ] as [([String], Int32)]
    )
    func `bad input is told before anything runs`(arguments: [String], code: Int32) throws {
        let outcome = try explore(arguments)
        #expect(outcome.code == code, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("linkcond: error: "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }
}
