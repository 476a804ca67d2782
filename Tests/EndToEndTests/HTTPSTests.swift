import Foundation
import Testing

/// TLS that is opened, with the clients that people use.
@Suite struct HTTPSTests {
    private func run(_ arguments: [String], in workspace: Workspace = Workspace()) throws -> Outcome
    {
        try Program.run(
            arguments,
            environment: ["XDG_STATE_HOME": "\(workspace.path)/state"],
            in: workspace
        )
    }

    @Test(arguments: [
        ["curl", "-sS", "-o", "{out}", "{url}/bytes/100000"],
        ["wget", "-q", "-O", "{out}", "{url}/bytes/100000"],
        [
            "python3", "-c",
            """
            import sys, urllib.request
            open(sys.argv[1], "wb").write(urllib.request.urlopen(sys.argv[2]).read())
            """,
            "{out}", "{url}/bytes/100000",
        ],
        [Program.linkcond, "download", "-q", "-o", "{out}", "{url}/bytes/100000"],
    ])
    func `a command trusts the run's authority, and gets every byte`(client: [String]) throws {
        let outcome = try run(
            ["run", "--https", "--profile", "wifi", "--fetch-check", "{out}=/bytes/100000", "--"]
                + client
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test func `a file that says where to connect has the URL of the command`() throws {
        let workspace = Workspace()
        let outcome = try run(
            ["run", "-q", "--https", "--ready-file", "ready", "--", "cat", "ready"],
            in: workspace
        )
        #expect(outcome.output.contains("\"url\":\"https://"), "\(outcome.output)")
    }

    @Test(arguments: [[], ["--rtt", "20ms"]], [false, true])
    func `a server that speaks first and closes at once is heard`(
        link: [String],
        isLate: Bool
    ) throws {
        let server = """
            import socket, sys
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            while True:
                client = listener.accept()[0]
                client.sendall(b"welcome\\n")
                client.close()
                open("spoken", "w")
            """
        // A late client begins TLS only when the server has closed.
        let client = """
            import os, socket, ssl, sys, time
            host, port, authority, late = sys.argv[1:]
            context = ssl.create_default_context(cafile=authority)
            connection = socket.create_connection((host, int(port)), timeout=20)
            while late == "true" and not os.path.exists("spoken"): time.sleep(0.001)
            secured = context.wrap_socket(connection, server_hostname=host)
            print(secured.recv(100).decode(), end="")
            """
        let workspace = Workspace()
        for (name, text) in [("server.py", server), ("client.py", client)] {
            try text.write(toFile: "\(workspace.path)/\(name)", atomically: true, encoding: .utf8)
        }
        let outcome = try run(
            ["run", "--https"] + link + [
                "--origin-cmd", "exec python3 server.py {port}", "--", "python3", "client.py",
                "{host}", "{port}", "{ca}", "\(isLate)",
            ],
            in: workspace
        )
        #expect(outcome.output == "welcome\n", "\(outcome.errors)")
    }

    @Test func `a request under TLS is cut at the byte that a fault names`() throws {
        let outcome = try run([
            "run", "--https", "--fault", "GET(/*)#1:resp.body+70000=fin", "--expect", "pass", "--",
            Program.linkcond, "download", "-q", "-o", "{out}", "{url}/bytes/100000",
        ])
        #expect(outcome.errors.contains("fired on c1 at byte 70,000"), "\(outcome.errors)")
        #expect(outcome.errors.contains("connections  2:"), "\(outcome.errors)")
    }

    @Test func `equal seeds give equal digests, whatever the keys`() throws {
        let workspace = Workspace()
        var digests: Set<String> = []
        for place in 1...5 {
            let journal = "\(workspace.path)/\(place).jsonl"
            _ = try run(
                [
                    "run", "-q", "--https", "--seed", "3", "--journal", journal, "--fault",
                    "c1/r1:resp.body+1..90000=rst", "--", Program.linkcond, "download", "-q", "-o",
                    "{out}", "{url}/bytes/100000",
                ],
                in: workspace
            )
            digests.insert(try run(["journal", "digest", journal], in: workspace).output)
        }
        #expect(digests.count == 1)
    }

    @Test func `a search finds what a client under TLS does wrong`() throws {
        let outcome = try run([
            "explore", "-q", "--https", "--effects", "fin", "--", "sh", "-c",
            "curl -sS -o {out} {url}/bytes/300; true",
        ])
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(outcome.output.contains("resp.body+1"), "\(outcome.output)")
        #expect(outcome.output.contains(" --https -- sh -c"), "\(outcome.output)")
    }

    @Test func `an authority is made when asked for, and kept from others`() throws {
        let workspace = Workspace()
        let none = try run(["ca", "path"], in: workspace)
        #expect(none.code == 66 && none.errors.contains("make one with 'linkcond ca create'"))
        let made = try run(["ca", "create"], in: workspace)
        let path = "\(workspace.path)/state/linkcond/tls/authority.crt"
        #expect(made.output == "\(path)\n")
        #expect(try run(["ca", "path"], in: workspace).output == "\(path)\n")
        let printed = try run(["ca", "print"], in: workspace).output
        #expect(printed.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        let key = "\(workspace.path)/state/linkcond/tls/authority.pem"
        let attributes = try FileManager.default.attributesOfItem(atPath: key)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let again = try run(["ca", "create"], in: workspace)
        #expect(again.code == 64 && again.errors.contains("--force replaces it"))
        #expect(try run(["ca", "create", "--force"], in: workspace).code == 0)
        let variables = try run(["ca", "env"], in: workspace).output
        #expect(variables.contains("export SSL_CERT_FILE=\(workspace.path)/state/linkcond/tls"))
        let hints = try run(["ca", "install-hints"], in: workspace).output
        #expect(hints.contains("curl --cacert \(path) URL"))
    }

    @Test(arguments: [["--profile", "none"], ["--profile", "wifi"], ["--journal", "/dev/null"]])
    func `a client that speaks TLS with a server that does not is told of`(
        options: [String]
    ) throws {
        let proxy = try RunningProxy(options)
        let client = try Program.curl(["-k", "https://\(proxy.address)/"])
        #expect(client.code == 35, "\(client.errors)")
        let errors = try proxy.end().errors
        #expect(
            errors.contains("the client speaks TLS, the server does not; use an http:// URL"),
            "\(errors)"
        )
    }

    @Test func `TLS that a server understands is passed on without a word`() throws {
        let server = try secureServer()
        let proxy = try RunningProxy(["--upstream", server.address])
        let client = try Program.curl(["-k", "https://\(proxy.address)/bytes/5"])
        #expect(client.code == 0, "\(client.errors)")
        let errors = try proxy.end().errors
        #expect(!errors.contains("TLS"), "\(errors)")
        _ = try server.end()
    }

    @Test func `a client that does not speak TLS with a server that does is told of`() throws {
        let server = try secureServer()
        let proxy = try RunningProxy(["--upstream", server.address])
        #expect(try Program.curl(["http://\(proxy.address)/"]).code != 0)
        let errors = try proxy.end().errors
        #expect(
            errors.contains("if it speaks TLS, write --upstream https://\(server.address)"),
            "\(errors)"
        )
        _ = try server.end()
    }

    private func secureServer() throws -> RunningProxy {
        let workspace = Workspace()
        return try RunningProxy(
            ["--tls", "terminate"],
            environment: ["XDG_STATE_HOME": "\(workspace.path)/state"],
            in: workspace
        )
    }

    @Test(arguments: [
        (["--tls-cert", "x"], "--tls-cert needs --tls-key, too"),
        (["--tls", "yes"], "--tls"),
        (["--upstream-ca", "x", "--upstream", "a:1"], "needs an upstream that is reached by TLS"),
        (["--upstream", "https://a:1/path"], "names more than a server"),
        (["--tls", "passthrough", "--upstream", "https://a:1"], "exclude each other"),
    ])
    func `what does not go together is said`(options: [String], words: String) throws {
        let outcome = try run(options + ["--dry-run"])
        #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test(arguments: [
        ["--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"],
        ["--upstream", "https://127.0.0.1:1", "--upstream-ca", "/nonexistent"],
    ])
    func `a file that cannot be used is named`(options: [String]) throws {
        let outcome = try run(options)
        #expect(outcome.code == 64 && outcome.errors.contains("/nonexistent"), "\(outcome.errors)")
    }
}
