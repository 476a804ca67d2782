import Foundation
import Origin
import SystemIO
import Testing

/// The built program stands in front of a server, in Python, that has no resumable uploads.
@Suite struct GatewayTests {
    private static let content = KnownContent(seed: 5).bytes(0..<400_000)

    /// Writes a line for each request that came whole: method, target, and digest of the body; and the
    /// type and body of the last one to `last`.
    ///
    /// It reads nothing while there is a file `deaf`. Before it answers, it kills the gateway whose
    /// process number stands in a file `kill`, and waits while there is a file `hold`.
    private static let server = """
        import hashlib, http.server, os, signal, time
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def take(self):
                while os.path.exists("deaf"): time.sleep(0.01)
                length = int(self.headers.get("Content-Length", 0))
                body = self.rfile.read(length)
                if len(body) == length:
                    digest = hashlib.sha256(body).hexdigest()
                    with open("requests", "a") as file:
                        file.write(f"{self.command} {self.path} {digest}\\n")
                    with open("last", "wb") as file:
                        file.write(self.headers.get("Content-Type", "").encode() + b"\\n" + body)
                if os.path.exists("kill"):
                    os.kill(int(open("kill").read()), signal.SIGKILL)
                    os.remove("kill")
                while os.path.exists("hold"): time.sleep(0.01)
                answer = b"taken\\n"
                self.send_response(int(self.headers.get("X-Wanted", 201)))
                self.send_header("Content-Length", str(len(answer)))
                self.send_header("X-Server", "plain")
                self.end_headers()
                self.wfile.write(answer)
            do_POST = do_PUT = do_GET = take
            def log_message(self, *arguments): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    /// A server, a gateway in front of it, and a folder for all.
    private final class Bench {
        let workspace = Workspace()
        let server: Program
        private(set) var gateway: RunningProxy
        let url: String

        init() throws {
            try Data(content).write(to: URL(fileURLWithPath: "\(workspace.path)/f"))
            try workspace.write("partial/.keep", "")
            server = try Program("/usr/bin/python3", ["-c", GatewayTests.server], in: workspace)
            try server.waitFor("\n")
            url = "http://127.0.0.1:\(server.output.split(separator: "\n")[0])"
            gateway = try RunningProxy(Self.words + ["--upload-to", url], in: workspace)
        }

        /// Starts the gateway again where it listened.
        func restart() throws {
            gateway.program.signal(SIGKILL)
            _ = try gateway.program.wait()
            gateway = try RunningProxy(
                Self.words + ["--upload-to", url, "--listen", gateway.address],
                in: workspace
            )
        }

        private static let words = ["origin", "partial", "--progress-bytes", "50kB"]

        /// What reached the server whole.
        var requests: [String] {
            workspace.text("requests").split(separator: "\n").map(String.init)
        }

        /// Of the one upload.
        var record: String {
            let folder = "partial/.linkcond/uploads"
            let names = FileSystem.names(in: "\(workspace.path)/\(folder)")
            return workspace.text("\(folder)/\(names.first { $0.hasSuffix(".record") } ?? "")")
        }

        /// The offset as the record says it: in one of two lines, the second word.
        var offset: Int {
            let lines = record.split(separator: "\n").prefix(2)
            return lines.compactMap { Int($0.split(separator: " ").dropFirst().first ?? "") }.max()
                ?? 0
        }
    }

    private static func line(_ method: String, _ target: String) -> String {
        "\(method) \(target) \(SHA256.hexadecimal(content))"
    }

    private static let protocols = [
        ["--interop", "3"], ["--interop", "5"], ["--interop", "6"], ["--interop", "8"],
        ["--protocol", "tus"],
    ]

    @Test(arguments: protocols)
    func `through three cuts the server gets one request with every byte`(
        options: [String]
    ) throws {
        let bench = try Bench()
        var link = ["proxy", "--upstream", bench.gateway.address]
        link += ["--set", "delay=3ms", "--set", "up.rate=2Mbit/s"]
        for number in 1...3 { link += ["--fault", "c\(number):up+\(50_000 + number * 9_973)=rst"] }
        let proxy = try RunningProxy(link)
        let outcome = try Program.run(
            ["upload", "f", "http://\(proxy.address)/api/items?x=1"] + options,
            in: bench.workspace
        )
        #expect(outcome.code == 0, "\(options) \(outcome.errors)")
        #expect(outcome.errors.components(separatedBy: "retrying in").count >= 4)
        #expect(bench.requests == [Self.line("POST", "/api/items?x=1")])
    }

    @Test(arguments: [[], ["--careful"]])
    func `a form that is cut reaches the server as the form that it was`(
        options: [String]
    ) throws {
        let bench = try Bench()
        var link = ["proxy", "--upstream", bench.gateway.address]
        link += ["--set", "delay=3ms", "--set", "up.rate=2Mbit/s", "--fault", "c1:up+60000=rst"]
        let proxy = try RunningProxy(link + ["--fault", "c2:up+60000=rst"])
        let outcome = try Program.run(
            ["upload", "f", "http://\(proxy.address)/api", "--form", "photo"]
                + ["--form-field", "title=a b", "--interop", "8"] + options,
            in: bench.workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("retrying in") && bench.requests.count == 1)
        let last = bench.workspace.bytes("last")
        let type = String(decoding: last.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let boundary = try #require(type.split(separator: "boundary=").last)
        #expect(type == "multipart/form-data; boundary=\(boundary)")
        let body = Array(last.dropFirst(type.utf8.count + 1))
        let head = [
            "--\(boundary)", "Content-Disposition: form-data; name=\"title\"", "", "a b",
            "--\(boundary)", "Content-Disposition: form-data; name=\"photo\"; filename=\"f\"",
            "Content-Type: application/octet-stream", "", "",
        ].joined(separator: "\r\n")
        let isWhole =
            body == Array(head.utf8) + Self.content + Array("\r\n--\(boundary)--\r\n".utf8)
        #expect(isWhole)
    }

    /// Version 3 has no progress to acknowledge before the end of a request.
    @Test(arguments: protocols.dropFirst())
    func `a gateway that is killed in the middle goes on where it was`(options: [String]) throws {
        let bench = try Bench()
        let link = ["proxy", "--upstream", bench.gateway.address, "--set", "up.rate=2Mbit/s"]
        let proxy = try RunningProxy(link)
        let client = try Program(
            Program.linkcond,
            ["upload", "f", "http://\(proxy.address)/api", "--append-size", "60kB"] + options,
            in: bench.workspace
        )
        #expect(Program.poll(seconds: 30) { bench.offset >= 50_000 })
        let offset = bench.offset
        #expect(offset < Self.content.count)
        try bench.restart()
        #expect(bench.offset >= offset && bench.requests.isEmpty)
        let outcome = try client.wait()
        #expect(outcome.code == 0, "\(options) \(outcome.errors)")
        #expect(bench.requests == [Self.line("POST", "/api")])
    }

    @Test func `a gateway that is killed before all left hands the upload on when it is back`()
        throws
    {
        let bench = try Bench()
        // More than the buffers of two sockets hold.
        let size = 24 << 20
        try Data(count: size).write(to: URL(fileURLWithPath: "\(bench.workspace.path)/f"))
        try bench.workspace.write("deaf", "")
        let curl = try Program(
            "/usr/bin/curl",
            ["-sS", "-m", "60", "--data-binary", "@f", "-H", "Upload-Draft-Interop-Version: 8"]
                + ["-H", "Upload-Complete: ?1", "http://\(bench.gateway.address)/api"],
            in: bench.workspace
        )
        #expect(Program.poll(seconds: 30) { bench.record.contains("finalising") })
        try bench.restart()
        _ = try curl.wait()
        #expect(bench.requests.isEmpty)
        try FileManager.default.removeItem(atPath: "\(bench.workspace.path)/deaf")
        #expect(Program.poll(seconds: 30) { !bench.requests.isEmpty })
        let digest = SHA256.hexadecimal([UInt8](repeating: 0, count: size))
        #expect(bench.requests == ["POST /api \(digest)"])
    }

    @Test(arguments: [("POST", 1), ("PUT", 2)])
    func `a gateway that is killed before the answer sends no POST twice`(
        method: String,
        requests: Int
    ) throws {
        let bench = try Bench()
        try bench.workspace.write("kill", "\(bench.gateway.program.identifier)")
        let client = try Program(
            Program.linkcond,
            ["upload", "f", "http://\(bench.gateway.address)/api", "--method", method],
            in: bench.workspace
        )
        #expect(Program.poll(seconds: 30) { !bench.gateway.program.isRunning })
        try bench.restart()
        let outcome = try client.wait(seconds: 120)
        // Whether a POST was taken is unknown, and that is what the client hears.
        #expect((outcome.code == 0) == (requests == 2), "\(outcome.errors)")
        if requests == 1 { #expect(outcome.errors.contains("502"), "\(outcome.errors)") }
        #expect(bench.requests == Array(repeating: Self.line(method, "/api"), count: requests))
    }

    @Test func `curl uploads through it, asks, and hears the server's answers`() throws {
        let bench = try Bench()
        let url = "http://\(bench.gateway.address)"
        let plain = try Program.curl(["-i", "-T", "f", "\(url)/plain"], in: bench.workspace)
        #expect(plain.output.contains("201 Created") && plain.output.contains("X-Server: plain"))
        #expect(plain.output.hasSuffix("taken\n"))
        let resumable = try Program.curl(
            ["-i", "--data-binary", "@f", "-H", "Upload-Draft-Interop-Version: 8"]
                + ["-H", "Upload-Complete: ?1", "-H", "X-Wanted: 418", "\(url)/resumable"],
            in: bench.workspace
        )
        #expect(resumable.output.contains("HTTP/1.1 104 Upload Resumption Supported"))
        #expect(resumable.output.contains("418") && resumable.output.hasSuffix("taken\n"))
        let asked = try Program.curl(["\(url)/asked"], in: bench.workspace)
        #expect(asked.output == "taken\n")
        #expect(
            bench.requests == [
                Self.line("PUT", "/plain"), Self.line("POST", "/resumable"),
                "GET /asked \(SHA256.hexadecimal([]))",
            ]
        )
    }

    @Test(arguments: [
        ("localhost:9000", "not an http or https URL; give the server's, such as"),
        ("ftp://h", "not an http or https URL"), ("http://", "invalid host or port"),
        ("http://h/api", "leave '/api' out"), ("http://h:0", "invalid host or port"),
    ])
    func `an address that is none is refused before anything starts`(
        url: String,
        text: String
    ) throws {
        let outcome = try Program.run(["origin", "--upload-to", url])
        #expect(outcome.code == 64 && outcome.errors.contains(text), "\(outcome.errors)")
        #expect(outcome.errors.contains("--upload-to '\(url)'"))
    }

    @Test func `Control-C waits for the answer of the server`() throws {
        let bench = try Bench()
        try bench.workspace.write("hold", "")
        let curl = try Program(
            "/usr/bin/curl",
            ["-sS", "-m", "30", "--data-binary", "@f", "-H", "Upload-Draft-Interop-Version: 8"]
                + ["-H", "Upload-Complete: ?1", "http://\(bench.gateway.address)/api"],
            in: bench.workspace
        )
        #expect(Program.poll(seconds: 30) { !bench.requests.isEmpty })
        bench.gateway.program.signal(SIGINT)
        try bench.gateway.program.waitFor("may finish", inErrors: true)
        try FileManager.default.removeItem(atPath: "\(bench.workspace.path)/hold")
        #expect(try curl.wait().output == "taken\n")
        #expect(try bench.gateway.program.wait().code == 130)
    }
}
