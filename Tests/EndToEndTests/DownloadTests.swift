import Foundation
import Origin
import Testing

/// The built program downloads through the built proxy, which cuts.
@Suite struct DownloadTests {
    private static let size: UInt64 = 600_000
    private static let content = KnownContent(seed: 0).bytes(0..<size)

    /// How many times the counts of ordinary runs.
    private static let scale =
        ProcessInfo.processInfo.environment["LINKCOND_TEST_SCALE"].flatMap { Int($0) } ?? 1

    private static func url(_ proxy: RunningProxy) -> String {
        "http://\(proxy.address)/bytes/\(size)"
    }

    /// Offsets that a seed fixes.
    private static func offsets(_ count: Int, seed: UInt64) -> [UInt64] {
        let bytes = KnownContent(seed: seed).bytes(0..<UInt64(count) * 8)
        return (0..<count).map { index in
            let word = bytes[index * 8..<index * 8 + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return word % (size - 2) + 1
        }
    }

    /// Cuts three connections of one download; each byte of the object moves once but for what was
    /// on its way.
    @Test(arguments: ["rst", "fin"])
    func `S2 S8 after each cut the file is the same to the byte`(effect: String) throws {
        for (run, offset) in Self.offsets(2 * Self.scale, seed: 11).enumerated() {
            let workspace = Workspace()
            let proxy = try RunningProxy(
                ["proxy"]
                    + [1, 2, 3].flatMap { ["--fault", "c\($0):down+\(offset / 3 + 1)=\(effect)"] }
            )
            let outcome = try Program.run(
                ["download", Self.url(proxy), "-o", "f", "--seed", "\(run)", "--json", "-q"],
                in: workspace
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(workspace.bytes("f") == Self.content, "offset \(offset)")
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            )
            #expect(report["t"] as? String == "finished")
            #expect(report["bytesTwice"] as? Int == 0)
            #expect(report["bytesMoved"] as? Int == Int(Self.size))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: workspace.path)
                    .allSatisfy { !$0.hasSuffix(".part") && !$0.hasSuffix(".resume") }
            )
        }
    }

    @Test func `a connection that falls silent is left after the idle timeout`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(["proxy", "--fault", "c1:down+200000=hole"])
        let outcome = try Program.run(
            ["download", Self.url(proxy), "-o", "f", "--idle-timeout", "400ms"],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(workspace.bytes("f") == Self.content)
        #expect(outcome.errors.contains("nothing moved on the connection for too long"))
    }

    @Test func `S4 Control-C leaves resume data, and the same command goes on`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(["proxy", "--set", "down.rate=4Mbit/s"])
        let arguments = ["download", Self.url(proxy), "-o", "f", "--explain"]
        let first = try Program(Program.linkcond, arguments, in: workspace)
        #expect(Program.poll(seconds: 20) { workspace.bytes("f.part").count > 100_000 })
        first.signal(SIGINT)
        let outcome = try first.wait()
        #expect(outcome.code == 130)
        #expect(outcome.errors.contains("linkcond download --resume f.resume"))
        #expect(workspace.bytes("f").isEmpty)
        let stored = workspace.bytes("f.part").count
        #expect(workspace.text("f.resume").contains("\"stored\":\(stored)"))
        let second = try Program.run(arguments, in: workspace)
        #expect(second.code == 0)
        #expect(second.errors.contains("bytes=\(stored)-"))
        #expect(workspace.bytes("f") == Self.content)
        #expect(workspace.bytes("f.resume").isEmpty)
    }

    @Test func `S4 after SIGKILL --resume goes on with what was stored`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(["proxy", "--set", "down.rate=4Mbit/s"])
        let first = try Program(
            Program.linkcond,
            ["download", Self.url(proxy), "-o", "f"],
            in: workspace
        )
        #expect(Program.poll(seconds: 20) { workspace.bytes("f.part").count > 100_000 })
        first.signal(SIGKILL)
        _ = try first.wait()
        let stored = workspace.bytes("f.part").count
        let told = try Program.run(["transfers", "resume", "--explain", "f.resume"], in: workspace)
        #expect(told.code == 0 && told.output.contains("Range: bytes=\(stored)-"))
        #expect(told.output.contains("can be resumed") && workspace.bytes("f").isEmpty)
        let second = try Program.run(
            ["download", "--resume", "f.resume", "--explain"],
            in: workspace
        )
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.errors.contains("bytes=\(stored)-"))
        #expect(workspace.bytes("f") == Self.content)
    }

    @Test func `S5 a server that stays away ends it with 75 and resume data`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(
            ["proxy", "--fault", "c1:down+200000=rst"]
                + ["--fault", "c2:connect=refuse", "--fault", "c3:connect=refuse"]
        )
        let outcome = try Program.run(
            ["download", Self.url(proxy), "-o", "f", "--max-failures", "2", "--progress", "jsonl"],
            in: workspace
        )
        #expect(outcome.code == 75, "\(outcome.errors)")
        #expect(outcome.errors.contains("\"t\":\"failed\""))
        #expect(outcome.errors.contains("\"resumeData\":{"))
    }

    @Test func `who is not there is told apart, with 69`() throws {
        for (url, text) in [
            ("http://127.0.0.1:1/x", "the server refuses connections"),
            ("http://no-such-host.invalid/x", "there is no host of this name"),
        ] {
            let outcome = try Program.run(["download", url, "--max-failures", "1"])
            #expect(outcome.code == 69 && outcome.errors.contains(text), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [
        ("nowhere/x", "nowhere/x.part': no such file or directory", Int32(73)),
        ("/dev/full", "is no regular file", 73),
        ("served/x", "served/x.part': not a directory", 73),
    ])
    func `a file that cannot be created ends with 73`(
        file: String,
        text: String,
        code: Int32
    ) throws {
        let workspace = Workspace()
        try workspace.write("served", "")
        let origin = try RunningProxy(["origin"])
        let url = "http://\(origin.address)/bytes/10"
        let outcome = try Program.run(["download", url, "-o", file], in: workspace)
        #expect(outcome.code == code && outcome.errors.contains(text), "\(outcome.errors)")
        _ = try origin.end()
    }

    @Test func `a path that says nothing is an error at once, or at the deadline`() throws {
        let workspace = Workspace()
        try workspace.write("empty", "")
        let wait = ["download", "http://127.0.0.1:1/x", "--no-expensive", "--path"]
        for (path, code) in [("none-there", 66), ("empty", 78)] as [(String, Int32)] {
            let outcome = try Program.run(wait + [path], in: workspace)
            #expect(
                outcome.code == code && outcome.errors.contains("--path: "),
                "\(outcome.errors)"
            )
        }
        let script = """
            import socket, time
            s = socket.socket(socket.AF_UNIX); s.bind("mute"); s.listen()
            open("listening", "w").close(); time.sleep(60)
            """
        let mute = try Program("/usr/bin/python3", ["-c", script], in: workspace)
        #expect(
            Program.poll(seconds: 20) {
                FileManager.default.fileExists(atPath: "\(workspace.path)/listening")
            }
        )
        let outcome = try Program.run(wait + ["mute", "--deadline", "300ms"], in: workspace)
        #expect(outcome.code == 1 && outcome.errors.contains("the deadline has passed"))
        mute.signal(SIGKILL)
    }

    @Test func `S11 every record is an object, the last one tells the end`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(["proxy", "--fault", "c1:down+300000=rst"])
        let outcome = try Program.run(
            ["download", Self.url(proxy), "-o", "f", "--progress", "jsonl"],
            in: workspace
        )
        let records = try outcome.errors.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                "\(line)"
            )
        }
        #expect(records.first?["t"] as? String == "started")
        #expect(records.last?["t"] as? String == "finished")
        let received = records.filter { $0["t"] as? String == "progress" }
            .compactMap { $0["received"] as? Int }
        #expect(received == received.sorted() && received.last == Int(Self.size))
    }

    @Test func `several URLs, standard output, IPv6 and a Unix socket`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(
            ["proxy", "--listen", "[::1]:0", "--listen", "unix:\(workspace.path)/s"],
            in: workspace
        )
        let url = "http://\(proxy.address)/bytes"
        let both = try Program.run(
            ["download", "\(url)/1000", "\(url)/2000", "-j", "2", "-q"],
            in: workspace
        )
        #expect(both.code == 0, "\(both.errors)")
        #expect(workspace.bytes("1000").count == 1_000 && workspace.bytes("2000").count == 2_000)
        let piped = try Program.run(
            [
                "download", "http://localhost/bytes/3000", "-o", "out.bin", "--unix-socket",
                "\(workspace.path)/s",
            ],
            in: workspace
        )
        #expect(piped.code == 0, "\(piped.errors)")
        #expect(workspace.bytes("out.bin") == KnownContent(seed: 0).bytes(0..<3_000))
    }

    @Test func `S15 S16 one that must wait says so and lets the next go ahead`() throws {
        let workspace = Workspace()
        try workspace.write("path", #"{"status":"satisfied","isExpensive":true}"# + "\n")
        let proxy = try RunningProxy(["proxy"])
        let url = "http://\(proxy.address)/bytes"
        let program = try Program(
            Program.linkcond,
            [
                "download", "\(url)/1000", "\(url)/2000", "--path", "path", "--no-expensive",
                "--progress", "jsonl",
            ],
            in: workspace
        )
        #expect(
            Program.poll(seconds: 20) {
                program.errors.components(separatedBy: #""reason":"expensive""#).count == 3
            }
        )
        #expect(!program.errors.contains(#""t":"request""#))
        try workspace.write("path", #"{"status":"satisfied"}"# + "\n")
        let outcome = try program.wait()
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains(#""t":"resumed""#))
        #expect(workspace.bytes("1000").count == 1_000 && workspace.bytes("2000").count == 2_000)
    }

    @Test func `S16 those that waited for the path begin one by one, the smallest first`() throws {
        let workspace = Workspace()
        try workspace.write("path", #"{"status":"satisfied","isConstrained":true}"# + "\n")
        let proxy = try RunningProxy(["proxy"])
        let sizes = [3_000, 1_000, 2_000]
        let program = try Program(
            Program.linkcond,
            ["download", "--path", "path", "--discretionary", "--progress", "jsonl"]
                + sizes.flatMap {
                    ["http://\(proxy.address)/bytes/\($0)", "--expect-receive", "\($0)B"]
                },
            in: workspace
        )
        #expect(
            Program.poll(seconds: 20) {
                program.errors.components(separatedBy: #""reason":"discretionary""#).count == 4
            }
        )
        try workspace.write("path", #"{"status":"satisfied"}"# + "\n")
        let outcome = try program.wait()
        #expect(outcome.code == 0)
        let kinds = ["request", "finished"].map { "\"t\":\"\($0)\"" }
        let lines = outcome.errors.split(separator: "\n").filter { line in
            kinds.contains { line.contains($0) }
        }
        let order = sizes.sorted().flatMap { size in kinds.map { ($0, "/bytes/\(size)\"") } }
        #expect(lines.count == order.count)
        for (line, wanted) in zip(lines, order) {
            #expect(line.contains(wanted.0) && line.contains(wanted.1), "\(line)")
        }
    }

    @Test func `without a path the wait is told at once, and the request is sent anew after it`()
        throws
    {
        let workspace = Workspace()
        let control = try Controlled(["--path-socket", "path"], in: workspace)
        _ = try control.act(#"{"action":"outage"}"#)
        let download = try Program(
            Program.linkcond,
            // The timeout would tell of the wait, too, but only after this test.
            [
                "download", "http://\(control.address)/bytes/\(Self.size)", "-o", "f", "--path",
                "path",
                "--wait-for-connectivity", "--idle-timeout", "1h", "--progress", "jsonl",
            ],
            in: workspace
        )
        try download.waitFor(#""t":"waiting""#, inErrors: true)
        #expect(download.errors.contains(#""reason":"unsatisfied""#))
        _ = try control.act(#"{"action":"restore"}"#)
        let outcome = try download.wait()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(workspace.bytes("f") == Self.content)
        let kinds = ["waiting", "request", "resumed", "retrying", "finished"]
        let told = outcome.errors.split(separator: "\n").compactMap { line in
            kinds.first { line.contains("\"t\":\"\($0)\"") }
        }
        #expect(
            told == ["waiting", "request", "resumed", "request", "finished"],
            "\(outcome.errors)"
        )
    }

    @Test func `nginx serves the client, and a cut is resumed`() throws {
        guard
            let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx"].first(where: {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        else { return }
        let workspace = Workspace()
        try FileManager.default.createDirectory(
            atPath: "\(workspace.path)/www",
            withIntermediateDirectories: true
        )
        try Data(Self.content).write(to: URL(fileURLWithPath: "\(workspace.path)/www/f.bin"))
        // Last-Modified has to be older than Date for a strong validator; nginx sends ETag, too.
        try workspace.write(
            "nginx.conf",
            """
            daemon off; pid \(workspace.path)/nginx.pid; error_log stderr;
            events {}
            http {
              access_log off;
              server { listen unix:\(workspace.path)/nginx; root \(workspace.path)/www; }
            }
            """
        )
        let server = try Program(
            nginx,
            ["-p", workspace.path, "-c", "\(workspace.path)/nginx.conf"],
            in: workspace
        )
        #expect(
            Program.poll(seconds: 10) {
                FileManager.default.fileExists(atPath: "\(workspace.path)/nginx")
            }
        )
        let proxy = try RunningProxy(
            [
                "proxy", "--upstream", "unix:\(workspace.path)/nginx", "--fault",
                "c1:down+300000=rst",
            ]
        )
        let outcome = try Program.run(
            ["download", "http://\(proxy.address)/f.bin", "--explain"],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(workspace.bytes("f.bin") == Self.content)
        #expect(outcome.errors.contains("answer 206"))
        server.signal(SIGTERM)
        _ = try server.wait()
    }

    /// A certificate for localhost and a server behind it, by OpenSSL and Python.
    private static let secureServer = """
        import http.server, ssl
        server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("server.pem", "server.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    @Test func `https trusts who is vouched for, and others only if told so`() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
        let workspace = Workspace()
        let certificate = try Program(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "9", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost", "-keyout", "server.key", "-out", "server.pem",
            ],
            in: workspace
        ).wait()
        try #require(certificate.code == 0, "\(certificate.errors)")
        try workspace.write("server.py", Self.secureServer)
        try Data(Self.content).write(to: URL(fileURLWithPath: "\(workspace.path)/f.bin"))
        let server = try Program("/usr/bin/python3", ["server.py"], in: workspace)
        try server.waitFor("\n")
        let url = "https://localhost:\(server.output.split(separator: "\n")[0])/f.bin"
        let refused = try Program.run(["download", url, "-o", "a"], in: workspace)
        #expect(refused.code == 1 && refused.errors.contains("certificate"), "\(refused.errors)")
        #expect(workspace.bytes("a").isEmpty)
        let trusted = try Program.run(
            ["download", url, "-o", "b", "--cacert", "server.pem"],
            in: workspace
        )
        #expect(trusted.code == 0, "\(trusted.errors)")
        #expect(workspace.bytes("b") == Self.content)
        let blind = try Program.run(["download", url, "-o", "c", "--insecure"], in: workspace)
        #expect(blind.code == 0 && blind.errors.contains("--insecure"))
        #expect(workspace.bytes("c") == Self.content)
        server.signal(SIGKILL)
        _ = try server.wait()
    }
}
