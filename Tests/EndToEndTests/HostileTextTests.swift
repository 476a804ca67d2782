import Foundation
import Testing

/// Text from journals, profiles, servers, clients and file names, in everything that is printed.
@Suite struct HostileTextTests {
    /// The journal of a run, with hostile text for what its client asked and what it ran.
    private func journal(in workspace: Workspace) throws {
        let outcome = try Program.run(
            ["run", "--journal", "plain", "--", "curl", "-s", "{url}/bytes/10?MARK"],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        let text = workspace.text("plain")
        #expect(text.components(separatedBy: "MARK").count > 2)
        let escaped = #"\u001b[2J\u202e\u009b1m\u2028\n::error::x"#
        try workspace.write(
            HostileText.name,
            text.replacing("MARK", with: escaped)
                .replacing(#""profile":"none""#, with: #""profile":"none\#(escaped)""#)
                .replacing(#""tool":"linkcond"#, with: #""tool":"\#(escaped)"#)
        )
    }

    @Test func `a foreign journal`() throws {
        let workspace = Workspace()
        try journal(in: workspace)
        for arguments in [
            ["journal", "digest", HostileText.name], ["journal", "show", HostileText.name],
            ["journal", "diff", HostileText.name, "plain"],
            ["journal", "diff", "plain", HostileText.name],
            ["report", HostileText.name], ["report", "--json", HostileText.name],
            ["report", "--junit", "-", HostileText.name],
            ["report", "--har", "-", HostileText.name],
            ["report", "--html", "-", HostileText.name],
            ["replay", "--from-journal", HostileText.name, "--", "true"],
            ["replay", "--json", "--from-journal", HostileText.name, "--", "true"],
        ] {
            let outcome = try Program.run(arguments, in: workspace)
            #expect(!(outcome.output + outcome.errors).isEmpty, "\(arguments)")
            outcome.expectHarmless(arguments)
        }
    }

    @Test func `file names and arguments`() throws {
        let workspace = Workspace()
        try workspace.write(HostileText.name, "name: [\(HostileText.text)")
        for arguments in [
            ["journal", "digest", HostileText.name], ["profiles", "check", HostileText.name],
            ["profiles", "show", "./\(HostileText.name)"],
            ["--profile", "./\(HostileText.name)", "--dry-run"],
            ["download", "http://127.0.0.1:1/\(HostileText.name)", "--max-failures", "1"],
            ["download", "--resume", HostileText.name],
            ["upload", HostileText.name, "http://127.0.0.1:1/"],
            ["transfers", "attach", HostileText.name], ["transfers", "resume", HostileText.name],
            ["top", HostileText.name], ["plan", "--packets", "/nonexistent/\(HostileText.name)"],
            ["report", "merge", HostileText.name], ["origin", "/nonexistent/\(HostileText.name)"],
            ["help", HostileText.name], ["--fault", HostileText.name],
            ["run", "--", HostileText.name],
            ["explore", "--", HostileText.name], ["completions", HostileText.name],
            [HostileText.name],
        ] {
            let outcome = try Program.run(arguments, in: workspace)
            #expect(outcome.code != 0, "\(arguments)")
            #expect(!(outcome.output + outcome.errors).isEmpty, "\(arguments)")
            outcome.expectHarmless(arguments)
        }
    }

    @Test(arguments: [["--duration", "50ms"], ["origin", "--duration", "50ms"]])
    func `where a server listens`(arguments: [String]) throws {
        for options in [[], ["--json"]] {
            let workspace = Workspace()
            let place = ["--listen", "unix:a\u{202E}\u{1B}[2J.sock", "--ready-file", "ready"]
            let outcome = try Program.run(arguments + options + place, in: workspace)
            #expect(outcome.code == 0 && outcome.output.contains(#"a\u202e\u001b[2J.sock"#))
            outcome.expectHarmless(arguments + options)
            Outcome(code: 0, output: workspace.text("ready"), errors: "").expectHarmless(["ready"])
        }
    }

    @Test func `a profile`() throws {
        let workspace = Workspace()
        try workspace.write(
            "p.yaml",
            "name: p\nsummary: \"a\\e[2J\\u202e\\u2028::error::\"\n# \u{202E}\nlink: {delay: 1ms}\n"
        )
        for arguments in [
            ["profiles", "show", "./p.yaml"], ["profiles", "show", "./p.yaml", "--json"],
            ["profiles", "check", "p.yaml"], ["--profile", "./p.yaml", "--dry-run"],
            ["plan", "--profile", "./p.yaml"], ["plan", "--json", "--profile", "./p.yaml"],
            ["--profile", "./p.yaml", "--duration", "50ms"],
        ] {
            let outcome = try Program.run(arguments, in: workspace)
            #expect(outcome.code == 0, "\(arguments) \(outcome.errors)")
            outcome.expectHarmless(arguments)
        }
    }

    @Test func `a server`() throws {
        let workspace = Workspace()
        let script = """
            import socket
            s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
            open("port.part", "w").write(str(s.getsockname()[1]))
            import os; os.rename("port.part", "port")
            answer = ("HTTP/1.1 503 a\\u202eb\\r\\nETag: \\"\\u202e::error::\\"\\r\\n"
                      "Retry-After: 0\\r\\nContent-Length: 0\\r\\n\\r\\n").encode()
            while True:
                c, _ = s.accept(); c.recv(65536); c.sendall(answer); c.close()
            """
        let server = try Program("/usr/bin/python3", ["-c", script], in: workspace)
        #expect(Program.poll(seconds: 20) { !workspace.bytes("port").isEmpty })
        let url = "http://127.0.0.1:\(workspace.text("port"))/x"
        for options in [["--explain", "--interim"], ["--progress", "jsonl"], ["--json"]] {
            let arguments = ["download", url, "-o", "f", "--max-failures", "2"] + options
            let outcome = try Program.run(arguments, in: workspace)
            #expect(outcome.code == 1 && !outcome.errors.isEmpty, "\(outcome.errors)")
            outcome.expectHarmless(arguments)
        }
        server.signal(SIGKILL)
    }

    @Test func `a folder that the origin lists`() throws {
        let workspace = Workspace()
        try workspace.write("site/a\u{202E}\u{1B}[2Jfdp.exe", "x")
        let origin = try RunningProxy(["origin", "site"], in: workspace)
        for accept in ["text/html", "application/json"] {
            let listing = try Program.curl(
                ["-s", "-H", "Accept: \(accept)", "http://\(origin.address)/"],
                in: workspace
            )
            #expect(listing.output.contains(#"a\u202e\u001b[2Jfdp.exe"#), "\(listing.output)")
            listing.expectHarmless([accept])
        }
        _ = try origin.end()
    }
}
