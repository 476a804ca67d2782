import Foundation
import Testing

/// How a run ends, and what it leaves.
@Suite struct EndingTests {
    /// Seconds that a drain lasts where nothing shortens it.
    private static let patience = 2.0
    /// The same after SIGTERM, with time for the summary.
    private static let longPatience = 10.0

    /// A transfer that lasts until it is ended.
    private func slowTransfer(_ proxy: RunningProxy) throws -> Program {
        let curl = try Program(
            "/usr/bin/curl",
            ["-sS", "-m", "60", "-o", "body", "http://\(proxy.address)/bytes/20000000"]
        )
        let isOpen = Program.poll(seconds: 10) {
            proxy.program.errors.contains("c1 opened") || !curl.isRunning
        }
        #expect(isOpen)
        return curl
    }

    @Test func `Control-C waits for open connections and says how many`() throws {
        let proxy = try RunningProxy(["-v", "--profile", "dsl"])
        let curl = try Program(
            "/usr/bin/curl",
            ["-sS", "-o", "body", "http://\(proxy.address)/bytes/200000"]
        )
        try proxy.program.waitFor("c1 opened", inErrors: true)
        let outcome = try proxy.end(SIGINT)
        #expect(outcome.code == 130)
        #expect(outcome.errors.contains("interrupted: 1 connection may finish, 2 s at most"))
        #expect(try curl.wait().code == 0)
        #expect(curl.workspace.bytes("body").count == 200_000)
        #expect(outcome.output.contains("summary dsl"))
    }

    @Test func `Control-C does not wait for a client that looks into a hole`() throws {
        let proxy = try RunningProxy(["-v", "--fault", "c1:down+5000=hole(both)"])
        let curl = try slowTransfer(proxy)
        try proxy.program.waitFor("fired on c1", inErrors: true)
        let begin = Date()
        let outcome = try proxy.end(SIGINT)
        #expect(outcome.code == 130)
        #expect(Date().timeIntervalSince(begin) < Self.patience)
        #expect(outcome.output.contains("1 silenced by a fault"))
        #expect(try curl.wait().code == 56)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an idle connection does not delay the end`(signal: Int32) throws {
        let proxy = try RunningProxy(["-v"])
        let client = try Program(
            "/bin/bash",
            ["-c", "exec 3<>/dev/tcp/${0/://}; read -r line <&3; echo gone", proxy.address]
        )
        try proxy.program.waitFor("c1 opened", inErrors: true)
        let begin = Date()
        let outcome = try proxy.end(signal)
        #expect(outcome.code == 128 + signal)
        #expect(Date().timeIntervalSince(begin) < Self.patience)
        #expect(!outcome.errors.contains("may finish"))
        #expect(try client.wait().output == "gone\n")
    }

    @Test(arguments: [22, 24])
    func `a limit of open files that leaves none for connections ends the start`(
        limit: Int
    ) throws {
        // What the tests have open would count, too.
        let shell = """
            for i in {3..99}; do eval "exec $i>&-"; done
            ulimit -n \(limit); exec \(Program.linkcond) --duration 100ms
            """
        let outcome = try Program("/bin/bash", ["-c", shell]).wait()
        #expect(outcome.code == 69)
        #expect(
            outcome.errors == """
                linkcond: error: the limit of open files, \(limit), leaves none for connections; \
                raise it, as with 'ulimit -n 1024'

                """
        )
        #expect(!outcome.output.contains("listening"))
    }

    @Test func `a journal pipe that no one reads is waited for no longer than the run`() throws {
        let workspace = Workspace()
        #expect(try Program("/usr/bin/mkfifo", ["pipe"], in: workspace).wait().code == 0)
        let begin = Date()
        let outcome = try Program(
            Program.linkcond,
            ["--journal", "pipe", "--duration", "200ms"],
            in: workspace
        ).wait()
        #expect(Date().timeIntervalSince(begin) < 4)
        #expect(outcome.code == 73)
        #expect(outcome.errors.contains("no one reads this pipe; start its reader first"))
    }

    @Test(arguments: [["toxiproxy", "-port", "0", "--quiet"], ["dns"], ["run"]])
    func `every command says at once that it waits for a journal pipe's reader`(
        command: [String]
    ) throws {
        let workspace = Workspace()
        #expect(try Program("/usr/bin/mkfifo", ["pipe"], in: workspace).wait().code == 0)
        let isRun = command == ["run"]
        let client = isRun ? ["--", "true"] : []
        let program = try Program(
            Program.linkcond,
            command + ["--journal", "pipe"] + client,
            in: workspace
        )
        let words = "waiting for a reader of the pipe 'pipe'"
        try program.waitFor(words, inErrors: true)
        #expect(program.output.isEmpty)
        let outcome = try program.wait()
        #expect(outcome.code == (isRun ? 125 : 73))
        #expect(outcome.errors.contains("no one reads this pipe; start its reader first"))
    }

    @Test func `a second Control-C ends at once`() throws {
        let proxy = try RunningProxy(["-v", "--profile", "edge"])
        let curl = try slowTransfer(proxy)
        proxy.program.signal(SIGINT)
        try proxy.program.waitFor("may finish", inErrors: true)
        let begin = Date()
        let outcome = try proxy.end(SIGINT)
        #expect(outcome.code == 130)
        #expect(Date().timeIntervalSince(begin) < Self.patience)
        #expect(outcome.output.contains("summary edge"))
        #expect(try curl.wait().code != 0)
    }

    /// An hour's transfer over a link.
    private static let hourLink = "name: hour\nlink:\n  down: {rate: 8kbit/s}\n"
    private static let hourBytes = 3_600_000

    /// Begins a transfer that nothing but the program under test ends within an hour.
    private func hourLongTransfer(_ address: String, in workspace: Workspace) throws -> Program {
        let curl = try Program(
            "/usr/bin/curl",
            ["-sS", "-o", "body", "http://\(address)/bytes/\(Self.hourBytes)"],
            in: workspace
        )
        #expect(Program.poll(seconds: 30) { !workspace.bytes("body").isEmpty || !curl.isRunning })
        return curl
    }

    @Test func `after one Control-C a transfer of an hour is ended, and said to be`() throws {
        let workspace = Workspace()
        try workspace.write("hour.yaml", Self.hourLink)
        let proxy = try RunningProxy(["--profile", "./hour.yaml"], in: workspace)
        let curl = try hourLongTransfer(proxy.address, in: workspace)
        let outcome = try proxy.end(SIGINT)
        #expect(outcome.code == 130)
        #expect(
            outcome.errors.contains(
                "interrupted: 1 connection may finish, 2 s at most;"
                    + " a second Ctrl-C or signal ends at once\n"
            )
        )
        #expect(outcome.output.contains("1 reset at the end of the run"))
        #expect(try curl.wait().code == 56)
    }

    @Test func `a second signal ends at once, and its exit code counts`() throws {
        let workspace = Workspace()
        try workspace.write("hour.yaml", Self.hourLink)
        let proxy = try RunningProxy(["--profile", "./hour.yaml"], in: workspace)
        let curl = try hourLongTransfer(proxy.address, in: workspace)
        proxy.program.signal(SIGTERM)
        try proxy.program.waitFor(
            "told to end: 1 connection may finish, 5 s at most;"
                + " a second Ctrl-C or signal ends at once",
            inErrors: true
        )
        // At the limit it would end as SIGTERM asked.
        #expect(try proxy.end(SIGINT).code == 130)
        #expect(try curl.wait().code == 56)
    }

    @Test func `the origin says what it waits for, and a second signal ends it at once`() throws {
        let origin = try RunningProxy(["origin", "-v"])
        let idle = try Program(
            "/bin/bash",
            ["-c", "exec 3<>/dev/tcp/${0/://}; echo open; read -r line <&3; echo gone"]
                + [origin.address]
        )
        try idle.waitFor("open")
        // More than kernels hold.
        let curl = try Program(
            "/usr/bin/curl",
            [
                "-sS", "--limit-rate", "1k", "-o", "body",
                "http://\(origin.address)/bytes/1000000000",
            ]
        )
        let hasBegun = Program.poll(seconds: 30) {
            !curl.workspace.bytes("body").isEmpty || !curl.isRunning
        }
        #expect(hasBegun)
        origin.program.signal(SIGTERM)
        try origin.program.waitFor(
            "  1 connection may finish, 5 s at most; a second Ctrl-C or signal ends at once\n",
            inErrors: true
        )
        #expect(try origin.end(SIGINT).code == 130)
        #expect(try idle.wait().output == "open\ngone\n")
        curl.signal(SIGKILL)
    }

    @Test func `SIGTERM waits five seconds at most`() throws {
        let proxy = try RunningProxy(["-v", "--profile", "edge"])
        let curl = try slowTransfer(proxy)
        let begin = Date()
        let outcome = try proxy.end(SIGTERM)
        let elapsed = Date().timeIntervalSince(begin)
        #expect(outcome.code == 143)
        #expect(elapsed > 4 && elapsed < Self.longPatience)
        #expect(try curl.wait().code != 0)
    }

    @Test func `after kill -9 the port and the socket can be used again`() throws {
        let workspace = Workspace()
        let socket = "unix:\(workspace.path)/s.sock"
        let first = try RunningProxy(["--listen", "127.0.0.1:0", "--listen", socket])
        try first.program.waitFor(socket)
        first.program.signal(SIGKILL)
        _ = try first.program.wait()
        let again = try RunningProxy(["--listen", first.address, "--listen", socket])
        #expect(again.address == first.address)
        #expect(try again.end().code == 143)
    }

    @Test func `SIGHUP reads the profile again and keeps it if the new one is bad`() throws {
        let workspace = Workspace()
        let profile = { (name: String, delay: String) in
            "name: mine\nlink:\n  down: {\(name): \(delay)}\n"
        }
        try workspace.write("mine.yaml", profile("delay", "20ms"))
        let proxy = try RunningProxy(
            ["--profile", "./mine.yaml", "--journal", "run.jsonl"],
            in: workspace
        )
        try workspace.write("mine.yaml", profile("dealy", "20ms"))
        proxy.program.signal(SIGHUP)
        try proxy.program.waitFor("did you mean 'delay'?", inErrors: true)
        #expect(proxy.program.errors.contains("the profile stays as it was"))
        try workspace.write("mine.yaml", profile("delay", "40ms"))
        proxy.program.signal(SIGHUP)
        try proxy.program.waitFor("profile mine read again", inErrors: true)
        let time = try Program.curl(["-o", "body", "http://\(proxy.address)/bytes/10"])
        #expect(time.code == 0)
        #expect(try proxy.end().code == 143)
        let changes = workspace.text("run.jsonl").split(separator: "\n").filter {
            $0.contains(#""t":"change""#)
        }
        #expect(changes.count == 1)
        #expect(changes.first?.contains(#""action":"profile","by":"signal""#) == true)
    }

    @Test func `SIGHUP does not wait for a profile that has become a pipe`() throws {
        let workspace = Workspace()
        try workspace.write("mine.yaml", "name: mine\nlink: {delay: 1ms}\n")
        let proxy = try RunningProxy(["--profile", "./mine.yaml"], in: workspace)
        try FileManager.default.removeItem(atPath: workspace.path + "/mine.yaml")
        let pipe = try Program("/usr/bin/mkfifo", ["mine.yaml"], in: workspace)
        #expect(try pipe.wait().code == 0)
        proxy.program.signal(SIGHUP)
        try proxy.program.waitFor("the profile stays as it was", inErrors: true)
        #expect(proxy.program.errors.contains("it is a pipe, which can be read but once"))
        #expect(try proxy.end().code == 143)
    }

    @Test func `a proxy goes on without standard output, and says so at its end`() throws {
        let workspace = Workspace()
        let proxy = try Program(
            "/bin/sh",
            ["-c", "exec \(Program.linkcond) --ready-file ready.json >&-"],
            in: workspace
        )
        let url = try readyURL(workspace)
        #expect(try Program.curl(["-o", "body", "\(url)/bytes/1000"]).code == 0)
        proxy.signal(SIGTERM)
        let outcome = try proxy.wait()
        #expect(outcome.code == 74)
        #expect(outcome.errors.contains("bad file descriptor; the proxy continues"))
        #expect(outcome.errors.contains("connections  1: 1 closed normally"))
        #expect(outcome.errors.hasSuffix("cannot write to standard output: bad file descriptor\n"))
    }

    @Test func `a full standard output ends a command that prints with 74`() throws {
        let full = try Program(
            "/bin/sh",
            ["-c", "exec \(Program.linkcond) profiles >/dev/full"]
        ).wait()
        #expect(full.code == 74)
        #expect(full.errors.contains("cannot write to standard output: no space left"))
    }

    @Test func `a reader that goes away does not end the proxy`() throws {
        let workspace = Workspace()
        let script = """
            { \(Program.linkcond) -v --ready-file ready.json; echo $? > code; } | head -1
            """
        let shell = try Program("/bin/sh", ["-c", script], in: workspace)
        try shell.waitFor("listening ")
        let url = try readyURL(workspace)
        #expect(try Program.curl(["-o", "body", "\(url)/bytes/1000"]).code == 0)
        kill(try readyProcess(workspace), SIGINT)
        #expect(Program.poll(seconds: 10) { workspace.text("code") == "74\n" })
        let outcome = try shell.wait()
        #expect(outcome.errors.contains("summary none"))
        #expect(outcome.errors.contains("error: cannot write to standard output: broken pipe"))
    }

    private func ready(_ workspace: Workspace) throws -> [String: Any] {
        #expect(Program.poll(seconds: 10) { workspace.text("ready.json").hasSuffix("}\n") })
        let object = try JSONSerialization.jsonObject(with: Data(workspace.text("ready.json").utf8))
        return try #require(object as? [String: Any])
    }

    private func readyURL(_ workspace: Workspace) throws -> String {
        try #require(try ready(workspace)["url"] as? String)
    }

    private func readyProcess(_ workspace: Workspace) throws -> pid_t {
        pid_t(try #require(try ready(workspace)["pid"] as? Int))
    }

    @Test func `q ends the live view with success, whatever it has to reset`() throws {
        let workspace = Workspace()
        let command = "\(Program.linkcond) --profile edge --ready-file ready.json; echo code=$?"
        // What `script` reads is typed on the terminal that it makes.
        let shell = """
            press() { until [ -e $1 ]; do sleep 0.05; done; printf q; }
            { press first; press second; until [ -e over ]; do sleep 0.05; done; } |
                TERM=xterm script -qfc 'stty cols 60 rows 20; \(command); touch over' log
            """
        let program = try Program("/bin/sh", ["-c", shell], in: workspace)
        let url = try readyURL(workspace)
        let curl = try Program("/usr/bin/curl", ["-sS", "-o", "body", "\(url)/bytes/20000000"])
        #expect(Program.poll(seconds: 10) { workspace.text("log").contains(" open ") })
        try workspace.write("first", "")
        let text = "quitting: 1 connection may finish, 2 s at most"
        #expect(Program.poll(seconds: 10) { workspace.text("log").contains(text) })
        try workspace.write("second", "")
        _ = try program.wait()
        #expect(try curl.wait().code != 0)
        #expect(workspace.text("log").contains("1 reset at the end of the run"))
        #expect(workspace.text("log").contains("code=0"))
    }

    @Test func `the live view gives the terminal back however it ends`() throws {
        for (signal, code) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
            let workspace = Workspace()
            let command = "\(Program.linkcond) --profile lte --ready-file r; echo code=$?"
            let program = try Program(
                "/usr/bin/script",
                ["-qfc", command, "log"],
                environment: ["TERM": "xterm"],
                in: workspace
            )
            #expect(Program.poll(seconds: 10) { workspace.text("log").contains("q quit") })
            let object = try JSONSerialization.jsonObject(with: Data(workspace.text("r").utf8))
            let identifier = try #require((object as? [String: Any])?["pid"] as? Int)
            kill(pid_t(identifier), signal)
            _ = try program.wait()
            let log = workspace.text("log")
            #expect(log.contains("\u{1B}[?1049h") && log.contains("\u{1B}[?25l"))
            let left = try #require(log.range(of: "\u{1B}[?1049l"))
            #expect(log[..<left.lowerBound].contains("\u{1B}[?25h"))
            #expect(log[left.upperBound...].contains("summary"))
            #expect(log.contains("code=\(code)"))
        }
    }
}
