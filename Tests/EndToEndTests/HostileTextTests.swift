import Basics
import Foundation
import Journal
import Testing

/// Text from journals, profiles, servers, clients and file names, in everything that is printed.
@Suite struct HostileTextTests {
    /// Clears the screen, turns the text round, and begins a line that a CI runner obeys.
    private static let hostile = "\u{1B}[2J\u{202E}\u{9B}1m\u{2028}"
    private static let name = "::error::\u{1B}[2J\u{202E}x"

    private func expectHarmless(_ outcome: Outcome, _ what: [String]) {
        for text in [outcome.output, outcome.errors] {
            for line in text.split(separator: "\n") {
                let isActive = line.unicodeScalars.contains(where: PrintableText.isActive)
                #expect(!isActive && !line.hasPrefix("::"), "\(what): \(line.debugDescription)")
            }
        }
    }

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
            Self.name,
            text.replacing("MARK", with: escaped)
                .replacing(#""profile":"none""#, with: #""profile":"none\#(escaped)""#)
                .replacing(#""tool":"linkcond"#, with: #""tool":"\#(escaped)"#)
        )
    }

    @Test func `a foreign journal`() throws {
        let workspace = Workspace()
        try journal(in: workspace)
        for arguments in [
            ["journal", "digest", Self.name], ["journal", "show", Self.name],
            ["journal", "diff", Self.name, "plain"], ["journal", "diff", "plain", Self.name],
            ["report", Self.name], ["report", "--json", Self.name],
            ["report", "--junit", "-", Self.name], ["report", "--har", "-", Self.name],
            ["report", "--html", "-", Self.name],
            ["replay", "--from-journal", Self.name, "--", "true"],
            ["replay", "--json", "--from-journal", Self.name, "--", "true"],
        ] {
            let outcome = try Program.run(arguments, in: workspace)
            #expect(!(outcome.output + outcome.errors).isEmpty, "\(arguments)")
            expectHarmless(outcome, arguments)
        }
    }

    @Test func `file names and arguments`() throws {
        let workspace = Workspace()
        try workspace.write(Self.name, "name: [\(Self.hostile)")
        for arguments in [
            ["journal", "digest", Self.name], ["profiles", "check", Self.name],
            ["profiles", "show", "./\(Self.name)"], ["--profile", "./\(Self.name)", "--dry-run"],
            ["download", "http://127.0.0.1:1/\(Self.name)", "--max-failures", "1"],
            ["download", "--resume", Self.name], ["upload", Self.name, "http://127.0.0.1:1/"],
            ["transfers", "attach", Self.name], ["transfers", "resume", Self.name],
            ["top", Self.name], ["plan", "--packets", "/nonexistent/\(Self.name)"],
            ["report", "merge", Self.name], ["origin", "/nonexistent/\(Self.name)"],
            ["help", Self.name], ["--fault", Self.name], ["run", "--", Self.name],
            ["explore", "--", Self.name], ["completions", Self.name], [Self.name],
        ] {
            let outcome = try Program.run(arguments, in: workspace)
            #expect(outcome.code != 0, "\(arguments)")
            #expect(!(outcome.output + outcome.errors).isEmpty, "\(arguments)")
            expectHarmless(outcome, arguments)
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
            expectHarmless(outcome, arguments)
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
            expectHarmless(outcome, arguments)
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
            expectHarmless(listing, [accept])
        }
        _ = try origin.end()
    }
}
