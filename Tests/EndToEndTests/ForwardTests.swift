import Foundation
import Origin
import SystemIO
import Testing

/// linkcond as a forward proxy, with the clients that people use.
@Suite struct ForwardTests {
    private static let python = """
        import sys, urllib.request
        open(sys.argv[1], "wb").write(urllib.request.urlopen(sys.argv[2]).read())
        """

    @Test(arguments: [
        ["curl", "-sS", "-o", "{out}", "{url}/bytes/100000"],
        ["curl", "-sS", "-p", "-x", "{proxy}", "-o", "{out}", "{url}/bytes/100000"],
        ["curl", "-sS", "-x", "{socks}", "-o", "{out}", "{url}/bytes/100000"],
        ["wget", "-q", "-O", "{out}", "{url}/bytes/100000"],
        ["python3", "-c", python, "{out}", "{url}/bytes/100000"],
    ])
    func `a command that is told of the proxy goes through it`(client: [String]) throws {
        let outcome = try Program.run(
            [
                "run", "--forward", "--profile", "wifi", "--fault", "c1:down+60000=stall(50ms)",
                "--fetch-check", "{out}=/bytes/100000", "--",
            ] + client
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("stall(50ms): fired once"), "\(outcome.errors)")
    }

    @Test(arguments: [[], ["-p", "-x", "{proxy}"], ["-x", "{socks}"]])
    func `a fault acts at the byte of the server's own stream`(way: [String]) throws {
        let workspace = Workspace()
        let outcome = try Program.run(
            [
                "run", "--forward", "--fault", "c1/r1:resp.body+1234=fin", "--dir", "kept", "--",
                "curl", "-s",
            ]
                + way + ["-o", "{out}", "{url}/bytes/5000"],
            in: workspace
        )
        #expect(outcome.code == 18)
        let isRight = workspace.bytes("kept/out") == KnownContent(seed: 0).bytes(0..<1_234)
        #expect(isRight)
    }

    @Test func `requests are found by their paths, and equal seeds give equal digests`() throws {
        let workspace = Workspace()
        var digests: Set<String> = []
        for place in 1...3 {
            let outcome = try Program.run(
                [
                    "run", "-q", "--forward", "--seed", "3", "--journal", "\(place).jsonl",
                    "--fault",
                    "GET(/bytes/*)#1:resp.body+1..4999=rst", "--", Program.linkcond, "download",
                    "-q",
                    "-o", "{out}", "{url}/bytes/5000",
                ],
                in: workspace
            )
            #expect(!outcome.errors.contains("did not fire"), "\(outcome.errors)")
            digests.insert(
                try Program.run(["journal", "digest", "\(place).jsonl"], in: workspace).output
            )
        }
        #expect(digests.count == 1)
    }

    private func proxy(_ options: [String] = []) throws -> RunningProxy {
        try RunningProxy(["proxy", "--forward", "--socks"] + options)
    }

    @Test func `one client fetches from several servers`() throws {
        let (one, other, proxy) = try (
            RunningProxy(["origin"]), RunningProxy(["origin"]), self.proxy()
        )
        let workspace = Workspace()
        let files = try Program.curl(
            [
                "-sS", "-x", "http://\(proxy.address)", "-o", "one",
                "http://\(one.address)/bytes/700",
                "-o", "other", "http://\(other.address)/bytes/900", "-o", "again",
                "http://\(one.address)/bytes/300",
            ],
            in: workspace
        )
        #expect(files.code == 0, "\(files.errors)")
        #expect(["one", "other", "again"].map { workspace.bytes($0).count } == [700, 900, 300])
    }

    @Test(arguments: [["-p", "-x"], ["-x"], ["--socks5-hostname"]])
    func `faults count the connections to a host by themselves`(way: [String]) throws {
        let (one, other) = try (RunningProxy(["origin"]), RunningProxy(["origin"]))
        let workspace = Workspace()
        let journal = "\(workspace.path)/j"
        let faults = [
            "host(\(other.address))/c1:down+400=rst", "host(\(one.address))/c2:connect=refuse",
        ]
        let proxy = try self.proxy(
            ["--journal", journal] + faults.flatMap { ["--fault", $0] }
        )
        let address = (way.last == "-x" ? "http://" : "") + proxy.address
        var codes: [Int32] = []
        for server in [one, one, other, other, one] {
            let outcome = try Program.curl(
                ["-sS", "-o", "f"] + way + [address, "http://\(server.address)/bytes/5000"],
                in: workspace
            )
            codes.append(outcome.code)
        }
        // A server that refuses is an answer of the proxy, unless the protocol can say it.
        let refused: Int32 = way == ["-x"] ? 0 : way == ["-p", "-x"] ? 56 : 97
        #expect(codes == [0, refused, 56, 0, 0])
        let records = FileManager.default.contents(atPath: journal).map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(try #require(records).contains("host(\(other.address))/c1:down+400=rst"))
    }

    @Test func `a host has a network of its own`() throws {
        let server = try RunningProxy(["origin"])
        let port = try #require(server.address.split(separator: ":").last)
        let workspace = Workspace()
        try workspace.write("far.yaml", "name: far\nlink: {delay: 300ms}\n")
        try workspace.write("linkcond.yaml", "proxy: {route: ['localhost:*x=lte']}\n")
        let wrong = try Program.run(["proxy", "--forward", "--dry-run"], in: workspace)
        #expect(wrong.errors.contains("linkcond.yaml:1:17: error: route: 'localhost:*x=lte': "))
        try workspace.write(
            "linkcond.yaml",
            "proxy: {route: ['localhost=far.yaml', 'localhost:1=lte']}\n"
        )
        let proxy = try RunningProxy(["proxy", "--forward"], in: workspace)
        let times = try ["localhost", "127.0.0.1"].map { host in
            let outcome = try Program.curl([
                "-s", "-o", "/dev/null", "-w", "%{time_total}", "-x", "http://\(proxy.address)",
                "http://\(host):\(port)/bytes/10",
            ])
            return try #require(Double(outcome.output))
        }
        #expect(times[0] >= 0.6 && times[1] < 0.5, "\(times)")
        #expect(try proxy.end().errors.contains("  localhost=far: "))
    }

    @Test func `a run says which networks there are, and how to have them again`() throws {
        let outcome = try Program.run([
            "run", "--forward", "--seed", "3", "--route", "*.test=lte", "--route", "localhost=wifi",
            "--", "curl", "-s", "-o", "/dev/null", "{url}/bytes/10",
        ])
        #expect(outcome.errors.contains("through none, *.test=lte, localhost=wifi, seed 3"))
        #expect(outcome.errors.contains("--route '*.test=lte' --route localhost=wifi"))
    }

    @Test func `requests are chosen by host and path`() throws {
        let (one, other) = try (RunningProxy(["origin"]), RunningProxy(["origin"]))
        let proxy = try self.proxy(
            ["--fault", "GET(//\(other.address)/bytes/*)#2:resp.body+10=fin"]
        )
        let codes = try [one, other, one, other].map { server in
            try Program.curl([
                "-s", "-o", "/dev/null", "-x", "http://\(proxy.address)",
                "http://\(server.address)/bytes/500",
            ]).code
        }
        #expect(codes == [0, 0, 0, 18])
    }

    @Test func `an exploration names the hosts where there are several`() throws {
        let (one, other) = try (RunningProxy(["origin"]), RunningProxy(["origin"]))
        let port = other.address.split(separator: ":").last ?? ""
        let outcome = try Program.run([
            "explore", "--forward", "--upstream", one.address, "--effects", "rst", "--runs", "12",
            "-q", "--forget", "--", "sh", "-c",
            "curl -sf $0/bytes/10 -o {out} && curl -sf http://localhost:\(port)/bytes/10 -o {out}",
            "{url}",
        ])
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("giveup: gives up although the failure was temporary"))
        #expect(outcome.output.contains("GET //localhost/bytes/10 re"), "\(outcome.output)")
        #expect(outcome.output.contains("GET //127.0.0.1/bytes/10"), "\(outcome.output)")
    }

    @Test func `an upload goes through as it is`() throws {
        let (origin, proxy) = try (RunningProxy(["origin"]), self.proxy())
        let workspace = Workspace()
        let content = KnownContent(seed: 2).bytes(0..<300_000)
        try Data(content).write(to: URL(fileURLWithPath: "\(workspace.path)/f"))
        let outcome = try Program.curl(
            [
                "-sS", "-x", "http://\(proxy.address)", "-T", "f", "-H",
                "Transfer-Encoding: chunked",
                "-o", "/dev/null", "-w", "%{http_code}", "http://\(origin.address)/files/f",
            ],
            in: workspace
        )
        #expect(outcome.output == "201", "\(outcome.errors)")
        let state = try Program.curl(["-s", "http://\(origin.address)/.linkcond/state"])
        #expect(state.output.contains(SHA256.hexadecimal(content)))
    }

    @Test(arguments: [
        ("http://example.com/", "example.com:80 is not allowed. Start linkcond with --allow"),
        ("http://127.0.0.1:1/", "127.0.0.1:1 refused the connection"),
        ("http://no-such-host.localhost.invalid/", "is not allowed"),
    ])
    func `what cannot be had is answered with what to do`(url: String, words: String) throws {
        let proxy = try proxy()
        let outcome = try Program.curl(["-s", "-x", "http://\(proxy.address)", url])
        #expect(outcome.output.contains(words))
        let tunnel = try Program.curl(
            [
                "-s", "-p", "-o", "/dev/null", "-w", "%{http_connect}", "-x",
                "http://\(proxy.address)", url,
            ]
        )
        #expect(["403", "502"].contains(tunnel.output))
    }

    @Test func `what was not allowed is told at the end, too`() throws {
        let outcome = try Program.run([
            "run", "--forward", "--", "curl", "-s", "-o", "{out}", "http://example.com/",
        ])
        #expect(outcome.errors.contains("as a forward proxy; {url} is a test server"))
        #expect(
            outcome.errors.contains(
                "trouble      example.com:80 is not allowed; allow it with --allow example.com:80"
            ),
            "\(outcome.errors)"
        )
    }

    @Test func `the proxy does not connect to itself`() throws {
        let proxy = try proxy()
        let outcome = try Program.curl([
            "-s", "-x", "http://\(proxy.address)", "http://\(proxy.address)/x",
        ])
        #expect(outcome.output.contains("refused the connection"))
    }

    @Test func `browsers are told how to use it`() throws {
        let proxy = try proxy()
        let outcome = try Program.curl(["-s", "http://\(proxy.address)/proxy.pac"])
        #expect(outcome.output.contains("return \"PROXY \(proxy.address)\""))
    }

    /// Says its requests, at once or each after the answer before, and prints the answers' statuses and
    /// whether all came over one connection.
    private static let speaker = """
        import socket, sys
        host, port = sys.argv[1].rsplit(":", 1)
        s = socket.create_connection((host, int(port)))
        file = s.makefile("rb")
        requests = [r.replace("~", "\\r\\n").encode() for r in sys.argv[3:]]
        def answer():
            status = file.readline().split()[1].decode()
            length = 0
            while (line := file.readline().strip()):
                if line.lower().startswith(b"content-length:"): length = int(line.split()[1])
            return status + " " + str(len(file.read(length)))
        if sys.argv[2] == "at once": s.sendall(b"".join(requests))
        for request in requests:
            if sys.argv[2] != "at once": s.sendall(request)
            print(answer(), flush=True)
        """

    @Test(arguments: ["at once", "in turn"], [true, false])
    func `a client's connection changes from one server to another and back`(
        way: String,
        isJournalled: Bool
    ) throws {
        let (one, other) = try (RunningProxy(["origin"]), RunningProxy(["origin"]))
        let workspace = Workspace()
        // Without a journal no one looks at messages, and what was answered is known otherwise.
        let proxy = try self.proxy(isJournalled ? ["--journal", "\(workspace.path)/j"] : ["-q"])
        let (a, b) = ("http://\(one.address)", "http://\(other.address)")
        let outcome = try Program(
            "/usr/bin/python3",
            [
                "-c", Self.speaker, proxy.address, way, "GET \(a)/bytes/10 HTTP/1.1~Host: x~~",
                "POST \(a)/u HTTP/1.1~Host: x~Content-Length: 3~~abc",
                "GET \(b)/bytes/20 HTTP/1.1~Host: x~~", "GET \(b)/bytes/30 HTTP/1.1~Host: x~~",
                "GET \(a)/bytes/40 HTTP/1.1~Host: x~~", "GET /x HTTP/1.1~Host: x~~",
            ]
        )
        .wait(seconds: 20)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 6, "\(outcome.errors)")
        #expect(
            lines.first == "200 10"
                && lines.dropFirst(2).prefix(3) == ["200 20", "200 30", "200 40"]
        )
        #expect(lines.last?.hasPrefix("400 ") == true, "origin form is not for a proxy")
        guard isJournalled else { return }
        let summary = try proxy.end().output
        #expect(summary.contains("connections  4: 4 closed normally"), "\(summary)")
        let records = String(
            decoding: try #require(FileManager.default.contents(atPath: "\(workspace.path)/j")),
            as: UTF8.self
        )
        let requests = records.matches(of: /"t":"req","c":(\d),"r":(\d)/).map { "\($0.1)/\($0.2)" }
        #expect(requests == ["1/1", "1/2", "2/1", "2/2", "3/1"])
    }

    @Test(arguments: [
        ("GET http://example.com/ HTTP/1.1~Host: 127.0.0.1", "403"),
        ("GET http://169.254.169.254/ HTTP/1.1~Host: 127.0.0.1", "403"),
        ("GET http://2130706433/ HTTP/1.1~Host: 127.0.0.1", "403"),
        ("GET https://localhost/ HTTP/1.1~Host: localhost", "400"),
        ("GET http://127.0.0.1:1/ HTTP/1.1~Host: x", "502"),
        ("GET / HTTP/1.1~Host: x", "400"), ("CONNECT example.com:443 HTTP/1.1~Host: x", "403"),
        ("GET http://[ HTTP/1.1~Host: x", "400"), ("nonsense", "400"),
        (
            "POST http://127.0.0.1/ HTTP/1.1~Host: x~Content-Length: 1~Transfer-Encoding: chunked",
            "400"
        ),
    ])
    func `later requests of a connection are judged as the first one is`(
        request: String,
        status: String
    ) throws {
        let server = try RunningProxy(["origin"])
        let proxy = try self.proxy()
        let outcome = try Program(
            "/usr/bin/python3",
            [
                "-c", Self.speaker, proxy.address, "in turn",
                "GET http://\(server.address)/bytes/10 HTTP/1.1~Host: x~~", "\(request)~~",
            ]
        )
        .wait(seconds: 20)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "200 10" && lines.count == 2, "\(outcome)")
        #expect(lines.last?.hasPrefix("\(status) ") == true, "\(outcome)")
    }

    @Test func `a tunnel can follow requests on one connection`() throws {
        let (one, other) = try (RunningProxy(["origin"]), RunningProxy(["origin"]))
        let proxy = try self.proxy()
        let outcome = try Program(
            "/usr/bin/python3",
            [
                "-c", Self.speaker, proxy.address, "at once",
                "GET http://\(one.address)/bytes/10 HTTP/1.1~Host: x~~",
                "CONNECT \(other.address) HTTP/1.1~Host: x~~",
                "GET /bytes/20 HTTP/1.1~Host: x~~", "GET /bytes/30 HTTP/1.1~Host: x~~",
            ]
        )
        .wait(seconds: 20)
        #expect(outcome.output == "200 10\n200 0\n200 20\n200 30\n", "\(outcome.errors)")
    }

    @Test(arguments: [
        (["--forward", "--upstream", "localhost:80"], "exclude each other"),
        (["--forward", "--allow", "*"], "add --allow-all-hosts"),
        (["--allow", "x"], "is for a forward proxy"),
        (["--forward", "--allow", "a b"], "write HOST"),
        (["--forward", "--login", "/nonexistent"], "--login '/nonexistent'"),
        (["--route", "a.test=lte"], "--route is for a forward proxy"),
        (["--via", "http://h:1"], "--via: the test server is reached directly"),
        (["--forward", "--via", "https://me:secret@h:1"], "--via: a proxy that is itself reached"),
        (["--upstream", "udp://h:1", "--via", "http://h:1"], "carries no datagrams"),
        (["--upstream", "unix:/h", "--via", "http://h:1"], "no proxy leads to unix:/h"),
        (["--forward", "--route", "lte"], "--route: 'lte': write HOST=PROFILE"),
        (["--forward", "--route", "a.test=ltee"], "'a.test=ltee': unknown profile 'ltee'"),
        (["--forward", "--route", "a=lte", "--route", "A=3g"], "a has a profile already"),
        (["--forward", "--route", "a=flaky"], "give faults as --fault 'host(HOST)/...'"),
    ])
    func `options that make no sense are refused`(options: [String], words: String) throws {
        let outcome = try Program.run(["proxy"] + options + ["--dry-run"])
        #expect(
            [64, 66].contains(outcome.code) && outcome.errors.contains(words),
            "\(outcome.errors)"
        )
    }
}
