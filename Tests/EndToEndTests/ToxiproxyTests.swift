import Foundation
import SystemIO
import TestSupport
import Testing

/// `linkcond toxiproxy` as curl sees it.
@Suite struct ToxiproxyTests {
    /// A server that runs, and where its API is.
    private struct Server {
        let program: Program
        let address: String

        init(
            _ arguments: [String] = [],
            environment: [String: String] = [:],
            in workspace: Workspace = Workspace()
        ) throws {
            program = try Program(
                Program.linkcond,
                ["toxiproxy", "-port", "0"] + arguments,
                environment: environment,
                in: workspace
            )
            let message = "\"message\":\"Starting Toxiproxy HTTP server\""
            try program.waitFor(message)
            let line = try #require(
                program.output.split(separator: "\n").first { $0.contains(message) }
            )
            let found = try #require(line.firstMatch(of: #/"address":"([^"]+)"/#))
            address = String(found.1)
        }

        func ask(_ method: String, _ path: String, _ body: String? = nil) throws -> String {
            let content = body.map { ["--data-binary", $0] } ?? []
            return try Program.curl(["-X", method, "http://\(address)\(path)"] + content).output
        }

        /// Makes a proxy and answers where it listens.
        func makeProxy(_ upstream: String) throws -> String {
            let answer = try ask(
                "POST",
                "/proxies",
                #"{"name":"p","listen":"127.0.0.1:0","upstream":"\#(upstream)"}"#
            )
            let found = try #require(answer.firstMatch(of: #/"listen":"([^"]+)"/#), "\(answer)")
            return String(found.1)
        }
    }

    @Test func `clients steer a transfer through the API`() throws {
        let origin = try RunningProxy(["origin"])
        let server = try Server(["-seed", "-5", "-proxy-metrics", "--quiet"])
        let place = try server.makeProxy(origin.address)
        let url = "http://\(place)/bytes/100000"
        let toxic = #"{"type":"limit_data","attributes":{"bytes":30000}}"#
        #expect(
            try server.ask("POST", "/proxies/p/toxics", toxic).contains("limit_data_downstream")
        )
        let workspace = Workspace()
        let cut = try Program.curl(["-o", "file", url], in: workspace)
        #expect(cut.code == 18)
        _ = try server.ask("POST", "/reset")
        let whole = try Program.curl(["-o", "file", url], in: workspace)
        #expect(whole.code == 0 && workspace.bytes("file").count == 100_000)
        let metrics = try server.ask("GET", "/metrics")
        let listener = "direction=\"downstream\",listener=\"\(place)\",proxy=\"p\""
        let family = "toxiproxy_proxy_sent_bytes_total"
        #expect(metrics.contains("\(family){\(listener),upstream=\"\(origin.address)\"} 13"))
        #expect(server.program.output.split(separator: "\n").count == 1)
    }

    @Test func `it begins with the proxies and toxics of a file`() throws {
        let workspace = Workspace()
        let file = """
            [{"name": "a", "listen": "localhost:0", "upstream": "localhost:1", "enabled": true,
              "toxics": [{"type": "latency", "attributes": {"latency": 7}, "toxicity": 0.5}]},
             {"name": "b", "upstream": "localhost:2", "enabled": false}]
            """
        try workspace.write("proxies.json", file)
        let server = try Server(["-config", "proxies.json"], in: workspace)
        let proxies = try server.ask("GET", "/proxies")
        #expect(proxies.contains(#""attributes":{"latency":7,"jitter":0}"#))
        #expect(proxies.contains(#""b":{"name":"b","listen":"","upstream":"localhost:2""#))
        let log = server.program.output
        #expect(log.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"level\":\"") })
        #expect(log.contains("\"seed\":"))
    }

    @Test(arguments: [
        ("[{\"name\": \"a\",", 78, "proxies.json:2:1: error: "),
        ("{\"name\": \"a\"}", 78, "proxies.json:1:1: error: expected a list of proxies"),
        ("[\n {\"name\": \"a\"}]", 78, "proxies.json:2:2: error: missing required field: upstream"),
        (
            "[{\"name\": \"a\", \"upstream\": \"u:1\", \"enabled\": 1}]", 78,
            "proxies.json:1:46: error: enabled must be true or false; found '1'"
        ),
        (
            "[{\"name\": \"a\", \"upstream\": \"u:1\"},\n {\"name\": \"a\", \"upstream\": \"u:1\"}]",
            78, "proxies.json:2:11: error: duplicate name: a at proxy 2"
        ),
        (
            "[{\"name\": \"a\", \"upstream\": \"u:1\", \"listen\": \"127.0.0.1:99999\"}]", 69,
            "linkcond: error: listen tcp: address 99999: invalid port"
        ),
    ])
    func `a configuration with a mistake ends it with the place`(
        text: String,
        code: Int32,
        message: String
    ) throws {
        let workspace = Workspace()
        try workspace.write("proxies.json", text + "\n")
        let outcome = try Program.run(
            ["toxiproxy", "-port", "0", "-config", "proxies.json"],
            in: workspace
        )
        #expect(outcome.code == code, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
    }

    @Test func `what cannot be served ends it with the right code`() throws {
        let missing = try Program.run(["toxiproxy", "-port", "0", "-config", "none.json"])
        #expect(missing.code == 66 && missing.errors.contains("'none.json'"))
        let remote = try Program.run(["toxiproxy", "-host", "203.0.113.7"])
        #expect(remote.code == 64 && remote.errors.contains("--allow-remote"))
        let name = try Program.run(["toxiproxy", "-host", "example.org"])
        #expect(name.code == 64)
        let server = try Server()
        let port = server.address.split(separator: ":")[1]
        let taken = try Program.run(["toxiproxy", "-port", String(port)])
        #expect(taken.code == 69 && taken.errors.contains(server.address))
        let workspace = Workspace()
        try workspace.write(
            "proxies.json",
            #"[{"name":"a","upstream":"u:1","listen":"\#(server.address)"}]"#
        )
        let proxy = try Program.run(
            ["toxiproxy", "-port", "0", "-config", "proxies.json"],
            in: workspace
        )
        #expect(proxy.code == 69)
        #expect(proxy.errors.contains("listen tcp \(server.address): bind: address already in use"))
    }

    @Test(arguments: [(SIGTERM, 0), (SIGINT, 130)] as [(Int32, Int32)])
    func `a signal lets transfers finish, and the journal is whole`(
        signal: Int32,
        code: Int32
    ) throws {
        let origin = try RunningProxy(["origin"])
        let workspace = Workspace()
        let server = try Server(["--journal", "run.jsonl"], in: workspace)
        let place = try server.makeProxy(origin.address)
        let toxic = #"{"type":"bandwidth","attributes":{"rate":200}}"#
        _ = try server.ask("POST", "/proxies/p/toxics", toxic)
        let transfer = try Program(
            "/usr/bin/curl",
            ["-sS", "-o", "file", "http://\(place)/bytes/200000"],
            in: workspace
        )
        _ = Program.poll(seconds: 10) { workspace.bytes("file").count > 20_000 }
        server.program.signal(signal)
        #expect(try transfer.wait().code == 0)
        #expect(workspace.bytes("file").count == 200_000)
        #expect(try server.program.wait().code == code)
        let lines = workspace.text("run.jsonl").split(separator: "\n")
        #expect(lines.contains { $0.contains("\"id\":\"toxic bandwidth_downstream\"") })
        #expect(lines.contains { $0.contains("\"t\":\"connend\"") })
        #expect(lines.last?.contains("\"t\":\"end\"") == true)
    }

    /// Begins a transfer of an hour through a proxy that has an idle connection, too.
    private func hourLongTransfer(
        _ server: Server,
        from origin: RunningProxy,
        in workspace: Workspace
    ) throws -> (curl: Program, idle: Program) {
        let place = try server.makeProxy(origin.address)
        let toxic = #"{"type":"bandwidth","attributes":{"rate":1}}"#
        _ = try server.ask("POST", "/proxies/p/toxics", toxic)
        let idle = try Program(
            "/bin/bash",
            ["-c", "exec 3<>/dev/tcp/${0/://}; echo open; read -r line <&3; echo gone", place]
        )
        try idle.waitFor("open")
        let curl = try Program(
            "/usr/bin/curl",
            ["-sS", "-o", "file", "http://\(place)/bytes/3600000"],
            in: workspace
        )
        #expect(Program.poll(seconds: 30) { !workspace.bytes("file").isEmpty || !curl.isRunning })
        return (curl, idle)
    }

    @Test func `Control-C ends a transfer of an hour, and says what it waits for`() throws {
        let workspace = Workspace()
        let server = try Server(in: workspace)
        let origin = try RunningProxy(["origin"])
        let (curl, idle) = try hourLongTransfer(server, from: origin, in: workspace)
        server.program.signal(SIGINT)
        let outcome = try server.program.wait()
        #expect(outcome.code == 130)
        let waits = outcome.outputLines.filter { $0.contains("may finish") }
        #expect(waits.count == 1)
        // The idle one is not waited for.
        let words = "1 connection may finish, 2 s at most; a second Ctrl-C or signal ends at once"
        #expect(waits.first?.contains("\"message\":\"\(words)\"") == true, "\(waits)")
        #expect(try idle.wait().output == "open\ngone\n")
        #expect(try curl.wait().code != 0)
        _ = try origin.end()
    }

    @Test func `a second signal ends at once, and its exit code counts`() throws {
        let workspace = Workspace()
        let server = try Server(in: workspace)
        let origin = try RunningProxy(["origin"])
        let (curl, _) = try hourLongTransfer(server, from: origin, in: workspace)
        server.program.signal(SIGTERM)
        try server.program.waitFor("5 s at most; a second Ctrl-C or signal ends at once")
        server.program.signal(SIGINT)
        // At the limit it would end as SIGTERM asked, with 0.
        #expect(try server.program.wait().code == 130)
        #expect(try curl.wait().code != 0)
        _ = try origin.end()
    }

    @Test(arguments: [
        ("0.0.0.0", false, "127.0.0.1:"), ("0.0.0.0", true, "[::]:"), ("[::]", true, "[::]:"),
    ])
    func `a wildcard host serves both families, this machine only unless others are allowed`(
        host: String,
        allowsRemote: Bool,
        shown: String
    ) throws {
        let server = try Server(["-host=\(host)"] + (allowsRemote ? ["--allow-remote"] : []))
        #expect(server.address.hasPrefix(shown))
        let port = server.address.split(separator: ":").last ?? ""
        for name in ["127.0.0.1", "[::1]"] {
            let answer = try Program.curl(["-g", "http://\(name):\(port)/version"])
            #expect(answer.code == 0 && answer.output.contains("2."), "\(name)")
        }
        try server.program.waitFor("\"level\":\"warn\"")
        #expect(server.program.output.contains("--allow-remote") != allowsRemote)
    }

    @Test func `the environment sets the least level that is logged`() throws {
        let server = try Server(environment: ["LOG_LEVEL": "error"])
        _ = try server.makeProxy("127.0.0.1:1")
        #expect(server.program.output.split(separator: "\n").count == 1)
    }

    @Test(.onLinux("when a process started"))
    func `runtime metrics have the names of other programs`() throws {
        let server = try Server(["-runtime-metrics"])
        let metrics = try server.ask("GET", "/metrics")
        for name in [
            "cpu_seconds_total", "max_fds", "open_fds", "resident_memory_bytes",
            "start_time_seconds", "virtual_memory_bytes", "virtual_memory_max_bytes",
        ] {
            #expect(metrics.contains("\nprocess_\(name) "), "\(name)")
        }
    }

    @Test func `a link named toxiproxy-cli steers a server as that program does`() throws {
        let server = try Server(["--quiet"])
        let origin = try RunningProxy(["origin"])
        func cli(_ words: String...) throws -> String {
            let workspace = Workspace()
            let outcome = try Program(
                try Self.link("toxiproxy-cli", in: workspace),
                words,
                environment: ["TOXIPROXY_URL": "http://\(server.address)"],
                in: workspace
            ).wait()
            return outcome.code == 0 ? outcome.output : "\(outcome.code): \(outcome.errors)"
        }
        #expect(
            try cli("create", "db", "-l", "localhost:0", "-u", origin.address)
                == "Created new proxy db\n"
        )
        #expect(
            try cli("toxic", "add", "-t", "latency", "-a", "latency=5,jitter=1", "--tox=0.5", "db")
                == "Added downstream latency toxic 'latency_downstream' on proxy 'db'\n"
        )
        #expect(
            try cli("t", "u", "--toxicName", "latency_downstream", "-a", "latency=7", "db")
                == "Updated toxic 'latency_downstream' on proxy 'db'\n"
        )
        #expect(
            try cli("t", "a", "-u", "-n", "off", "--type=timeout", "db")
                == "Added upstream timeout toxic 'off' on proxy 'db'\n"
        )
        let inspected = try cli("inspect", "db")
        #expect(
            inspected.contains("latency_downstream: type=latency toxicity=0.5 latency=7 jitter=1")
        )
        #expect(inspected.contains("off: type=timeout toxicity=1 timeout=0"))
        #expect(
            try cli("toxic", "remove", "-n", "off", "db") == "Removed toxic 'off' on proxy 'db'\n"
        )
        #expect(try cli("toggle", "db") == "Proxy db is now disabled\n")
        let listed = try cli("ls").split(separator: " ", omittingEmptySubsequences: true)
        #expect(listed.count == 5 && listed[0] == "db" && listed[3] == "false")
        #expect(try cli("delete", "db") == "Deleted proxy db\n")
        #expect(try cli("inspect", "db") == "1: linkcond: error: proxy not found (404)\n")
        #expect(try cli("toxic", "add", "db").hasPrefix("64: linkcond: error: --type is missing"))
        #expect(try cli("creat", "db").contains("did you mean 'create'"))
        let nowhere = try Program.run(["toxiproxy", "cli", "-h", "localhost:1", "list"])
        #expect(nowhere.code == 69 && nowhere.errors.contains("no Toxiproxy answers"))
    }

    @Test func `a link named toxiproxy-server acts as that program`() throws {
        let workspace = Workspace()
        let program = try Program(
            try Self.link("toxiproxy-server", in: workspace),
            ["-host=0.0.0.0", "-port=0"],
            in: workspace
        )
        try program.waitFor("\"message\":\"Starting Toxiproxy HTTP server\"")
        program.signal(SIGTERM)
        #expect(try program.wait().code == 0)
    }

    /// Makes a link to linkcond.
    private static func link(_ name: String, in workspace: Workspace) throws -> String {
        let path = "\(workspace.path)/\(name)"
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: Program.linkcond
        )
        return path
    }

    @Test func `it says which version it is like`() throws {
        for word in ["-version", "--version"] {
            let outcome = try Program.run(["toxiproxy", word])
            #expect(outcome.code == 0)
            #expect(outcome.output.hasPrefix("toxiproxy-server version 2."))
        }
    }
}
