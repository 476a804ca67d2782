import Foundation
import Origin
import SystemIO
import Testing

/// The built program uploads.
@Suite struct UploadTests {
    private static let content = KnownContent(seed: 5).bytes(0..<400_000)

    /// A server that stores the body of each POST, in Python.
    private static let plainServer = """
        import http.server, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                open("received", "wb").write(body)
                self.send_response(201)
                self.send_header("Content-Length", "5")
                self.end_headers()
                self.wfile.write(b"taken")
            def log_message(self, *arguments): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    /// How many times the counts of ordinary runs.
    private static let scale =
        ProcessInfo.processInfo.environment["LINKCOND_TEST_SCALE"].flatMap { Int($0) } ?? 1

    /// The server's own account of the one upload that there is.
    private static func account(_ proxy: RunningProxy) throws -> [String: Any] {
        let outcome = try Program.curl(["http://\(proxy.address)/.linkcond/state"])
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        )
        let uploads = try #require(object["uploads"] as? [[String: Any]])
        #expect(uploads.count == 1)
        return try #require(uploads.first)
    }

    private static var digest: String { SHA256.hexadecimal(content) }

    @Test(arguments: [
        ["--interop", "3"], ["--interop", "5"], ["--interop", "6"], ["--interop", "8"],
        ["--protocol", "tus"], ["--protocol", "auto"],
        ["--interop", "6", "--careful", "--append-size", "150kB"],
        ["--protocol", "tus", "--append-size", "150kB", "--digest-appends"],
        ["--interop", "8", "--digest", "--digest-appends", "--append-size", "150kB"],
    ])
    func `S6 S8 through three cuts there is one creation, one completion and every byte`(
        options: [String]
    ) throws {
        for run in 0..<Self.scale {
            let workspace = Workspace()
            try Data(Self.content).write(to: URL(fileURLWithPath: "\(workspace.path)/f"))
            // With some delay, as everywhere: the 104 overtakes the cut.
            var link = ["proxy", "--set", "delay=3ms", "--set", "up.rate=2Mbit/s"]
            for (number, effect) in ["rst", "fin", "rst"].enumerated() {
                let offset = 60_000 + (run * 7_919 + number * 31_337) % 60_000
                link += ["--fault", "c\(number + 1):up+\(offset)=\(effect)"]
            }
            let proxy = try RunningProxy(link)
            let outcome = try Program.run(
                ["upload", "f", "http://\(proxy.address)/files/", "--seed", "\(run)"] + options,
                in: workspace
            )
            #expect(outcome.code == 0, "\(options) \(outcome.errors)")
            // The cuts were met and gone past; `auto` has a connection of its own for its question.
            #expect(outcome.errors.components(separatedBy: "retrying in").count >= 3)
            let upload = try Self.account(proxy)
            #expect(upload["sha256"] as? String == Self.digest)
            #expect(upload["creations"] as? Int == 1 && upload["completions"] as? Int == 1)
            #expect(workspace.bytes("f.resume").isEmpty)
        }
    }

    @Test(arguments: [
        ["--interop", "3"], ["--interop", "5"], ["--interop", "6"], ["--interop", "8"],
        ["--protocol", "tus"], ["--interop", "6", "--careful", "--append-size", "150kB"],
    ])
    func `S8 half-open connections are left, and the origin goes on with the next one`(
        options: [String]
    ) throws {
        for run in 0..<Self.scale {
            let workspace = Workspace()
            try Data(Self.content).write(to: URL(fileURLWithPath: "\(workspace.path)/f"))
            var link = ["proxy", "--set", "delay=3ms", "--set", "up.rate=4Mbit/s"]
            // Upwards bytes vanish and the client is told nothing; downwards it loses the answers to
            // what arrives. The second and third connections begin by the question how much is there.
            let offset = 60_000 + run * 7_919 % 60_000
            for (number, effect) in ["up+\(offset)=hole", "up+\(offset / 2)=hole(both)"]
                .enumerated()
            {
                link += ["--fault", "c\(number + 1):\(effect)"]
            }
            link += ["--fault", "c3:down+20=hole"]
            let proxy = try RunningProxy(link)
            let outcome = try Program.run(
                ["upload", "f", "http://\(proxy.address)/files/", "--seed", "\(run)"]
                    + ["--idle-timeout", "500ms"] + options,
                in: workspace
            )
            #expect(outcome.code == 0, "\(options) \(outcome.errors)")
            #expect(outcome.errors.components(separatedBy: "retrying in").count >= 3)
            let upload = try Self.account(proxy)
            #expect(upload["sha256"] as? String == Self.digest)
            #expect(upload["creations"] as? Int == 1 && upload["completions"] as? Int == 1)
        }
    }

    @Test func `S4 Control-C keeps the upload, and the same command sends the rest`() throws {
        let workspace = Workspace()
        try Data(Self.content).write(to: URL(fileURLWithPath: "\(workspace.path)/f"))
        let proxy = try RunningProxy(["proxy", "--set", "up.rate=2Mbit/s"])
        let arguments = ["upload", "f", "http://\(proxy.address)/files/", "--explain"]
        let first = try Program(Program.linkcond, arguments, in: workspace)
        #expect(
            Program.poll(seconds: 20) {
                workspace.text("f.resume").contains(#""protocol":"ietf-6""#)
            }
        )
        first.signal(SIGINT)
        let outcome = try first.wait()
        #expect(outcome.code == 130)
        #expect(outcome.errors.contains("linkcond upload --resume f.resume"))
        #expect(workspace.text("f.resume").contains(#""source":"f""#))
        let explain = ["transfers", "resume", "--explain", "f.resume"]
        let told = try Program.run(explain, in: workspace)
        #expect(told.code == 0 && told.outputLines.first == "upload of      f", "\(told.output)")
        try FileManager.default.moveItem(
            atPath: "\(workspace.path)/f",
            toPath: "\(workspace.path)/away"
        )
        let refused = try Program.run(explain, in: workspace)
        #expect(refused.code == 1 && refused.output.contains("begins at zero: 'f' is gone"))
        try FileManager.default.moveItem(
            atPath: "\(workspace.path)/away",
            toPath: "\(workspace.path)/f"
        )
        let second = try Program.run(arguments, in: workspace)
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.errors.contains("PATCH"))
        let upload = try Self.account(proxy)
        #expect(upload["sha256"] as? String == Self.digest)
        #expect(upload["creations"] as? Int == 1 && upload["completions"] as? Int == 1)
    }

    @Test func `S7 where there is no support the request is a plain upload`() throws {
        let workspace = Workspace()
        try Data(Self.content).write(to: URL(fileURLWithPath: "\(workspace.path)/f"))
        let origin = try Program(
            Program.linkcond,
            ["origin", "--ietf-versions", "off", "--tus", "off"],
            in: workspace
        )
        try origin.waitFor("\n")
        let address = origin.output.split(separator: " ")[1]
        let outcome = try Program.run(
            ["upload", "f", "http://\(address)/files/a", "--explain"],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.components(separatedBy: "POST ").count == 2)
        #expect(!outcome.errors.contains("HEAD "))
        origin.signal(SIGTERM)
        _ = try origin.wait()
    }

    @Test func `S7 standard input goes to a plain server in one request`() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
        let workspace = Workspace()
        try workspace.write("server.py", Self.plainServer)
        let server = try Program("/usr/bin/python3", ["server.py"], in: workspace)
        try server.waitFor("\n")
        let port = server.output.split(separator: "\n")[0]
        let text = String(repeating: "all of it\n", count: 30_000)
        let outcome = try Program(
            Program.linkcond,
            ["upload", "-", "http://127.0.0.1:\(port)/", "--response", "-", "-q"],
            in: workspace,
            input: text
        ).wait()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output == "taken")
        #expect(workspace.text("received") == text)
        server.signal(SIGKILL)
        _ = try server.wait()
    }
}
