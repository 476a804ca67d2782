import Foundation
import SystemIO
import TestSupport
import Testing

/// Whom servers and clients are shown, beyond what curl needs.
@Suite struct TrustTests {
    private let workspace = Workspace()

    /// A server that takes no client without a certificate, and answers with the subject of that.
    private static let server = """
        import http.server, ssl, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.connection.getpeercert()["subject"][0][0][1].encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *words): pass
        key, certificate, authority = sys.argv[1:4]
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        settings.load_cert_chain(certificate, key)
        settings.load_verify_locations(authority)
        settings.verify_mode = ssl.CERT_REQUIRED
        server.socket = settings.wrap_socket(server.socket, server_side=True)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    @Test func `a server that asks for a certificate gets one, and the client is asked, too`()
        throws
    {
        let files = try TestCertificates()
        let both = "\(workspace.path)/both.pem"
        let pieces = try [files.certificate, files.key].map {
            try FileSystem.read($0, limit: 65_536)
        }
        try Data(pieces.joined()).write(to: URL(fileURLWithPath: both))
        let server = try Program(
            "python3",
            ["-c", Self.server, files.key, files.certificate, files.authority],
            in: workspace
        )
        defer { server.signal(SIGTERM) }
        try server.waitFor("\n")
        let port = server.output.trimmingCharacters(in: .newlines)
        func ask(_ options: [String]) throws -> Outcome {
            try Program.run(
                [
                    "run", "--https", "--upstream", "https://localhost:\(port)", "--upstream-ca",
                    files.authority,
                ] + options + ["--", "curl", "-sSv", "{url}/"],
                in: workspace
            )
        }
        let shown = try ask(["--client-cert", both])
        #expect(shown.output == "server", "\(shown.errors)")
        #expect(shown.errors.contains("Request CERT"), "\(shown.errors)")
        let none = try ask([])
        #expect(none.code != 0 && none.errors.contains("certificate required"), "\(none.errors)")
    }

    @Test(arguments: [
        (["--client-cert", "x"], 125, "--client-cert needs an upstream that is reached by TLS"),
        (
            ["--upstream", "https://localhost:1", "--client-cert", "/nonexistent"], 125,
            "/nonexistent"
        ),
    ])
    func `a certificate that cannot be shown is said`(
        options: [String],
        code: Int32,
        words: String
    ) throws {
        let outcome = try Program.run(
            ["run", "--https"] + options + ["--", "true"],
            in: workspace
        )
        #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome.errors)")
    }

    private static let fetch = """
        import java.net.URI;
        import java.net.http.*;
        public class Fetch {
            public static void main(String[] words) throws Exception {
                var request = HttpRequest.newBuilder(URI.create(words[0])).build();
                var handler = HttpResponse.BodyHandlers.ofByteArray();
                System.out.println(HttpClient.newHttpClient().send(request, handler).body().length);
            }
        }
        """

    @Test(.enabled(if: FileSystem.isFile("/usr/bin/java")))
    func `Java trusts the run's authority`() throws {
        try workspace.write("Fetch.java", Self.fetch)
        let outcome = try Program.run(
            ["run", "--https", "--", "java", "\(workspace.path)/Fetch.java", "{url}/bytes/1000"],
            in: workspace
        )
        #expect(outcome.output == "1000\n", "\(outcome.errors)")
    }
}
