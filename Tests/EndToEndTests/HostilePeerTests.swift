import Foundation
import Testing

/// Text that clients and servers send, in everything that is printed, served or written.
@Suite struct HostilePeerTests {
    /// Sends requests that no decent client sends, and waits for each answer.
    private static let client = """
        import socket, sys
        host, port = sys.argv[1].rsplit(":", 1)
        marks = "\\u202e\\u2066\\u009b::error::".encode()
        all = b"\\x1b[2J\\x07" + marks
        for head in [
            b"GET /" + marks + b"?" + marks + b" HTTP/1.1\\r\\nHost: " + marks,
            b"GET /" + all + b" HTTP/1.1\\r\\nHost: h",
            all + b" / HTTP/1.1\\r\\nHost: h",
            b"GET / HTTP/1.1\\r\\nHost: h\\r\\nUser-Agent: " + all,
            b"PUT /files/" + all + b" HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 0",
            b"GET /bytes/9?%1B%E2%80%AE%0A::error:: HTTP/1.1\\r\\nHost: h\\r\\nUser-Agent: " + marks,
            b"CONNECT " + all + b":443 HTTP/1.1\\r\\nHost: " + marks,
        ]:
            s = socket.create_connection((host, int(port)))
            s.settimeout(30)
            s.sendall(head + b"\\r\\n\\r\\n")
            s.recv(65536)
            s.close()
        """

    private func sendRequests(to address: String) throws {
        let outcome = try Program("/usr/bin/python3", ["-c", Self.client, address]).wait()
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    private func expectHarmless(_ text: String, _ what: String) {
        #expect(!text.isEmpty, "\(what)")
        Outcome(code: 0, output: text, errors: "").expectHarmless([what])
    }

    private static func json(_ text: String) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: [text]), as: UTF8.self)
            .trimmingCharacters(in: ["[", "]"])
    }

    /// The action that has a hostile text in the log.
    private static func mark() throws -> String {
        #"{"action":"mark","text":\#(try json(HostileText.lines))}"#
    }

    private static let shownMark = #"mark, text \u202e\u001b[2J\u009b1m\u2066\u000d\u000a::error::"#

    @Test(arguments: [[], ["--json"], ["--forward"]])
    func `a client of the proxy, in its log, its journal and its API`(options: [String]) throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(
            ["-v", "--journal", "run.jsonl", "--control", "127.0.0.1:0", "--ready-file", "ready"]
                + options,
            in: workspace
        )
        let control = try Controlled(reading: "ready", in: workspace)
        try sendRequests(to: control.address)
        _ = try control.act(try Self.mark())
        for path in ["/v1", "/v1/connections", "/v1/events", "/v1/proxies", "/metrics"] {
            expectHarmless(try control.get(path), path)
        }
        for form in [[], ["--json"]] {
            let look = try Program.run(["top", "--once", "ready"] + form, in: workspace)
            #expect(look.code == 0, "\(look.errors)")
            look.expectHarmless(["top"] + form)
        }
        let outcome = try proxy.end()
        #expect(outcome.errors.contains("c7 closed normally"), "\(outcome.errors)")
        #expect(outcome.errors.contains(Self.shownMark), "\(outcome.errors)")
        outcome.expectHarmless(options)
        expectHarmless(workspace.text("run.jsonl"), "journal")
    }

    @Test(arguments: [true, false])
    func `what is told on a terminal, in the live view and in top`(isLive: Bool) throws {
        let workspace = Workspace()
        let options = ["--control", "127.0.0.1:0", "--ready-file", "ready"]
        let proxy = isLive ? nil : try RunningProxy(options, in: workspace)
        let command = isLive ? options : ["top", "ready"]
        let view = try Program.onTerminal(
            "\(Program.linkcond) \(command.joined(separator: " "))",
            in: workspace
        )
        let control = try Controlled(reading: "ready", in: workspace)
        #expect(Program.poll(seconds: 30) { workspace.text("log").contains("q quit") })
        try sendRequests(to: control.address)
        _ = try control.act(try Self.mark())
        let shown = #"\u202e\u001b[2J\u009b1m\u2066\u000d\u000a::error::"#
        #expect(Program.poll(seconds: 30) { workspace.text("log").contains(shown) })
        try Program.press("q", in: workspace)
        _ = try view.wait()
        // The screen has escape sequences and line ends of its own.
        let hostile = workspace.text("log").unicodeScalars.filter {
            ["\u{202E}", "\u{2066}", "\u{9B}", "\u{2028}"].contains($0)
        }
        #expect(hostile.isEmpty)
        #expect(!workspace.text("log").contains("\u{1B}[2J\\u009b"))
        _ = try proxy?.end()
    }

    @Test func `a client of the origin, in its log, its access log and its state`() throws {
        let workspace = Workspace()
        let origin = try RunningProxy(
            ["origin", "-v", "--access-log", "access", "--state", "state"],
            in: workspace
        )
        try sendRequests(to: origin.address)
        let outcome = try origin.end()
        #expect(outcome.errors.contains("summary origin: 7 requests"), "\(outcome.errors)")
        outcome.expectHarmless(["origin"])
        let log = workspace.text("access")
        #expect(log.split(separator: "\n").count == 7 && log.contains("%1B%E2%80%AE%0A::error::"))
        expectHarmless(log, "access log")
        expectHarmless(workspace.text("state"), "state")
    }

    @Test(arguments: [[], ["--json"]])
    func `a client of the name server`(options: [String]) throws {
        let workspace = Workspace()
        let server = try RunningProxy(
            ["dns", "--journal", "run.jsonl", "--ready-file", "ready"] + options,
            in: workspace
        )
        let script = """
            import json, socket
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.settimeout(30)
            label = "\\u202e\\x1b[2J\\x9b\\u2066\\r\\n::error::".encode()
            query = b"\\0\\7\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + bytes([len(label)]) + label
            s.sendto(query + b"\\4test\\0\\0\\1\\0\\1", ("127.0.0.1", json.load(open("ready"))["port"]))
            s.recv(600)
            """
        let client = try Program("/usr/bin/python3", ["-c", script], in: workspace).wait()
        #expect(client.code == 0, "\(client.errors)")
        let outcome = try server.end()
        #expect((outcome.output + outcome.errors).contains("::error::.test"), "\(outcome.errors)")
        outcome.expectHarmless(options)
        expectHarmless(workspace.text("run.jsonl"), "journal")
    }

    @Test func `names of Toxiproxy, in its answers, metrics and log, and in its client`() throws {
        let workspace = Workspace()
        let server = try RunningProxy(
            ["toxiproxy", "-port", "0", "-proxy-metrics", "--journal", "run.jsonl"],
            in: workspace
        )
        let found = try #require(
            server.program.output.firstMatch(of: #/"address":"([^"]+)"/#)
        )
        let url = "http://\(found.1)"
        let name = HostileText.lines
        let body =
            #"{"name":\#(try Self.json(name)),"upstream":\#(try Self.json("\u{202E}\u{1B}:1"))}"#
        let made = try Program.curl(["-d", body, "\(url)/proxies"])
        made.expectHarmless(["create"])
        #expect(made.output.contains(#""listen":"127.0.0.1:"#), "\(made.output)")
        for words in [
            ["toxic", "add", "-t", "latency", "-n", name, "-a", "latency=1", name], ["list"],
            ["inspect", name], ["toxic", "update", "-n", name, "-a", "latency=2", name],
            ["toggle", name], ["toggle", name],
        ] {
            let outcome = try Program.run(["toxiproxy", "cli", "-h", url] + words)
            #expect(outcome.code == 0, "\(words): \(outcome.errors)")
            #expect(outcome.output.contains(#"\u202e"#), "\(words): \(outcome.output)")
            outcome.expectHarmless(words)
        }
        for path in ["/proxies", "/metrics"] {
            let answer = try Program.curl([url + path])
            #expect(answer.output.contains(#"\u202e"#), "\(path)")
            answer.expectHarmless([path])
        }
        for words in [
            ["toxic", "add", "-t", name, name], ["inspect", name + "x"], [name],
            ["create", "-l", "127.0.0.1:0", "-u", name, name],
        ] {
            let outcome = try Program.run(["toxiproxy", "cli", "-h", url] + words)
            #expect(outcome.code != 0, "\(words)")
            outcome.expectHarmless(words)
        }
        let delete = try Program.run(["toxiproxy", "cli", "-h", url, "delete", name])
        #expect(delete.output.contains(#"Deleted proxy \u202e"#), "\(delete.errors)")
        delete.expectHarmless(["delete"])
        let outcome = try server.end()
        #expect(outcome.output.contains(#"\u202e"#))
        outcome.expectHarmless(["toxiproxy"])
        expectHarmless(workspace.text("run.jsonl"), "journal")
    }

    @Test(arguments: [[], ["--json"]])
    func `a command that is explored, in the findings and their files`(options: [String]) throws {
        let workspace = Workspace()
        // The words are those of HostileText.lines.
        let client = """
            printf '\\342\\200\\256\\033[2J\\302\\233\\342\\201\\246\\r\\n::error::x\\n' >&2
            curl -sf -o {out} {url}/bytes/9 # \u{202E}\u{1B}[2J
            """
        let outcome = try Program.run(
            ["explore", "--runs", "4", "--effects", "rst", "--forget", "--html", "page"]
                + ["--junit", "cases"] + options + ["--", "sh", "-c", client],
            in: workspace
        )
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("::error::x"))
        outcome.expectHarmless(options)
        for file in ["page", "cases"] { expectHarmless(workspace.text(file), file) }
    }

    /// A server whose answers are right and whose fields are hostile.
    private func server(in workspace: Workspace) throws -> (program: Program, url: String) {
        let script = """
            import os, socket, threading
            s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(100)
            open("port.part", "w").write(str(s.getsockname()[1]))
            os.rename("port.part", "port")
            mark = "\\u202e\\u2066\\u0085::error::"
            answer = ("HTTP/1.1 200 %s\\r\\nETag: \\"%s\\"\\r\\nServer: %s\\r\\nContent-Type: %s\\r\\n"
                      "Location: /%s\\r\\nContent-Length: 5\\r\\nConnection: close\\r\\n\\r\\nhello")
            answer = answer.replace("%s", mark).encode()
            def serve(c):
                try: c.recv(65536); c.sendall(answer); c.close()
                except OSError: pass
            while True: threading.Thread(target=serve, args=(s.accept()[0],)).start()
            """
        let program = try Program("/usr/bin/python3", ["-c", script], in: workspace)
        #expect(Program.poll(seconds: 30) { !workspace.bytes("port").isEmpty })
        return (program, "http://127.0.0.1:\(workspace.text("port"))/x")
    }

    @Test func `a server that is probed`() throws {
        let workspace = Workspace()
        let (program, url) = try server(in: workspace)
        for (options, code) in [([], 1), (["--json"], 1), (["--upload"], 2)] as [([String], Int32)]
        {
            let files = ["--junit", "cases", "--html", "page"]
            let outcome = try Program.run(["probe", url] + options + files, in: workspace)
            #expect(outcome.code == code, "\(options): \(outcome.output)\(outcome.errors)")
            outcome.expectHarmless(options)
            guard code == 1 else { continue }
            for file in ["page", "cases"] { expectHarmless(workspace.text(file), file) }
        }
        program.signal(SIGKILL)
    }

    @Test func `a transfer in the background, in the list of transfers`() throws {
        let workspace = Workspace()
        let (program, url) = try server(in: workspace)
        let environment = ["XDG_STATE_HOME": "\(workspace.path)/state"]
        func run(_ words: [String]) throws -> Outcome {
            let outcome = try Program.run(words, environment: environment, in: workspace)
            outcome.expectHarmless(words)
            return outcome
        }
        let file = "\u{202E}\u{1B}[2J\u{9B}x"
        let started = try run(["download", url, "-o", file, "--background", "--id", "night"])
        #expect(started.code == 0, "\(started.errors)")
        _ = try run(["transfers", "attach", "night"])
        #expect(workspace.text(file) == "hello")
        for form in [[], ["--json"]] {
            let list = try run(["transfers"] + form)
            #expect(list.output.contains(#"\u202e\u001b[2J\u009bx"#), "\(list.output)")
        }
        program.signal(SIGKILL)
    }
}
