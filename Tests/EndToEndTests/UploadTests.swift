import Foundation
import Libuv
import Testing
import Transfer

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
