import Foundation
import Testing

/// `linkcond probe` of servers that it starts, kills and starts again.
@Suite struct ProbeCrashTests {
    private static let origin = "exec \(Program.linkcond) origin"
    private static let listen = "--listen 127.0.0.1:{port}"

    private func probe(
        _ command: String,
        _ options: [String],
        in workspace: Workspace = Workspace()
    ) throws -> Outcome {
        try Program.run(["probe", "--origin-cmd", command] + options, in: workspace)
    }

    /// The names of checks with a result.
    private static func names(_ outcome: Outcome, _ word: String) -> [String] {
        outcome.output.split(separator: "\n").filter { $0.contains(" \(word) ") }
            .map { String($0.split(separator: " ")[0]) }
    }

    // MARK: Servers that keep what they have

    @Test func `the test server keeps all uploads over a crash`() throws {
        let outcome = try probe(
            "\(Self.origin) {dir} \(Self.listen)",
            ["--upload", "--strict", "--content", "/files/{id}", "/files/"]
        )
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasSuffix("\n169 rules: 156 kept, 13 not applicable\n"))
        #expect(outcome.output.hasPrefix("{url}/files/: uploads, tus 1.0.0, IETF interop"))
    }

    @Test func `the test server ends uploads when it has announced`() throws {
        let outcome = try probe(
            "\(Self.origin) {dir} --expire 2s --ietf-versions 8 \(Self.listen)",
            ["--upload", "--strict", "--only", "T27,T28,T29,T30,T31,V8.25,V8.26,V8.27", "/files/"]
        )
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasSuffix("\n8 rules: 8 kept\n"))
    }

    @Test func `a gateway keeps all uploads over a crash`() throws {
        let server = try RunningProxy(["origin"])
        let outcome = try probe(
            "\(Self.origin) {dir} --upload-to http://\(server.address) \(Self.listen)",
            ["--upload", "--strict", "/files/"]
        )
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasSuffix("\n169 rules: 156 kept, 13 not applicable\n"))
    }

    @Test func `objects of the test server are the same after a crash`() throws {
        let workspace = Workspace()
        try workspace.write("site/big.iso", String(repeating: "linkcond", count: 1_000))
        let outcome = try probe(
            "\(Self.origin) site \(Self.listen)",
            ["--strict", "/big.iso"],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(Self.names(outcome, "ok").suffix(3) == ["D50", "D51", "D52"])
    }

    // MARK: Servers that do not

    /// What is lost, by options of the server and of `probe`, and the checks that have to tell.
    private static let losses: [(server: String, options: [String], checks: [String])] = [
        // Without a folder all goes with the process.
        ("", [], ["V8.40", "V8.45", "V8.46", "V8.48"]),
        (
            "{dir}", ["--origin-crash-cmd", "rm -f {dir}/.linkcond/uploads/*"],
            ["V8.40", "V8.45", "V8.46"]
        ),
        (
            "{dir}",
            ["--origin-crash-cmd", "for f in {dir}/files/*; do echo changed > $f; done"],
            ["V8.48"]
        ),
    ]

    @Test(arguments: losses.indices)
    func `what a server loses in a crash is told by its checks, and by no others`(
        index: Int
    ) throws {
        let (server, options, checks) = Self.losses[index]
        let outcome = try probe(
            "\(Self.origin) \(server) --ietf-versions 8 --tus off \(Self.listen)",
            options + ["--upload", "/files/"]
        )
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(Self.names(outcome, "FAIL") == checks, "\(outcome.output)")
    }

    /// Serves one object; what names the process is another after a crash.
    private static func server(tag: String, content: String) -> String {
        """
        import http.server, os
        process = str(os.getpid())
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = (\(content) * 999).encode()
                self.send_response(200)
                self.send_header("ETag", '"' + \(tag) + '"')
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *words): pass
        port = int(os.environ["LINKCOND_PORT"])
        http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
        """
    }

    @Test(arguments: [
        ("process", "'same'", "warn", "D51"), ("'same'", "process", "FAIL", "D50"),
    ])
    func `an object that is another after a crash is told`(
        tag: String,
        content: String,
        word: String,
        check: String
    ) throws {
        let workspace = Workspace()
        try workspace.write("server.py", Self.server(tag: tag, content: content))
        let outcome = try probe(
            "exec python3 server.py # {port}",
            ["--only", "D50,D51,D52", "/x"],
            in: workspace
        )
        #expect(Self.names(outcome, word) == [check], "\(outcome.output)\(outcome.errors)")
    }

    @Test func `the line that is printed repeats a check, with its server`() throws {
        let first = try probe(
            "\(Self.origin) --ietf-versions 8 --tus off \(Self.listen)",
            ["--upload", "--only", "V8.40", "/files/"]
        )
        let line = try #require(
            first.output.split(separator: "\n").first { $0.contains("again: ") }
        )
        #expect(!first.output.contains("curl"))
        let command = line.trimmingPrefix(while: { $0 == " " }).dropFirst("again: linkcond ".count)
        let again = try Program("/bin/sh", ["-c", "exec \(Program.linkcond) \(command)"]).wait()
        #expect(again.code == 1 && again.output.contains("1 rule: 1 broken"), "\(again.errors)")
    }

    @Test func `a server that does not come back breaks the rule that asked for it`() throws {
        let outcome = try probe(
            "[ -e {dir}/files ] && exit 3; \(Self.origin) {dir} --tus off --ietf-versions 8"
                + " \(Self.listen)",
            ["--upload", "--only", "V8.1,V8.40,V8.45", "/files/"]
        )
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(
            outcome.output.contains("the server did not come back from a crash: the server ended")
        )
        #expect(outcome.output.contains("exit code 3"))
        #expect(outcome.output.contains("the server is not there any more"))
        #expect(outcome.output.hasSuffix("\n3 rules: 1 kept, 1 broken, 1 not applicable\n"))
    }

    @Test func `a server that ends by itself is not judged any further`() throws {
        let script = """
            import http.server as h, os
            s = h.HTTPServer(('127.0.0.1', int(os.environ['LINKCOND_PORT'])), h.SimpleHTTPRequestHandler)
            for _ in range(3): s.handle_request()
            """
        let workspace = Workspace()
        try workspace.write("server.py", script)
        let outcome = try probe("exec python3 server.py # {port}", ["/server.py"], in: workspace)
        #expect(outcome.code == 69, "\(outcome.output)")
        // Whether it has ended already when that is noticed is a matter of milliseconds.
        let words = [
            "the server ended by itself: exit code 0", "the server does not listen on port",
        ]
        #expect(words.contains { outcome.errors.contains($0) }, "\(outcome.errors)")
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal ends the server, too, and its folder goes`(signal: Int32, code: Int32) throws {
        let workspace = Workspace()
        // It listens, and answers nothing.
        let script = """
            import os, socket, time
            s = socket.create_server(('127.0.0.1', int(os.environ['LINKCOND_PORT'])))
            open('ready', 'w').write(f"{os.getpid()} {os.environ['LINKCOND_DIR']}\\n")
            c, _ = s.accept()
            open('asked', 'w').write('x')
            time.sleep(600)
            """
        try workspace.write("server.py", script)
        let program = try Program(
            Program.linkcond,
            ["probe", "--origin-cmd", "python3 server.py # {port}", "/x"],
            in: workspace
        )
        #expect(Program.poll(seconds: 30) { !workspace.bytes("asked").isEmpty })
        program.signal(signal)
        #expect(try program.wait().code == code)
        let words = workspace.text("ready").split(whereSeparator: { $0 == " " || $0 == "\n" })
        let number = try #require(words.first.flatMap { Int32($0) })
        #expect(Program.poll(seconds: 10) { !Self.runs(number) })
        #expect(!FileManager.default.fileExists(atPath: String(words[1])))
    }

    /// A zombie that nobody waits for runs no more.
    private static func runs(_ number: Int32) -> Bool {
        let path = "/proc/\(number)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
        return !text.contains(") Z ")
    }

    // MARK: Bad input

    @Test(arguments: [
        (["--origin-cmd", "s", "/x"], "does not say where to listen; write {port}"),
        (["--origin-cmd", "s {port}", "http://h/x"], "'http://h/x' must be a path on it"),
        (["--origin-crash-cmd", "s", "http://h/x"], "with the server of --origin-cmd only"),
        (["/x"], "'/x' names no server; give --origin-cmd"),
        (["--content", "/y", "http://h/x"], "--content is of uploads; give --upload"),
        (["--insecure", "--origin-cmd", "s {port}", "/x"], "--insecure is for https"),
    ])
    func `what makes no sense is said before anything starts`(
        words: [String],
        text: String
    ) throws {
        let outcome = try Program.run(["probe"] + words)
        #expect(outcome.code == 64 && outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test func `a server that does not start is unavailable`() throws {
        let outcome = try probe("echo no such data >&2; exit 3 # {port}", ["/x"])
        #expect(outcome.code == 69, "\(outcome.output)")
        #expect(outcome.errors.contains("exit code 3: no such data"), "\(outcome.errors)")
    }
}
