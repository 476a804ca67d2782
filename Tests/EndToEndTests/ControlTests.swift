import Foundation
import SystemIO
import Testing

/// A running proxy is controlled with curl, as a person or a script does it.
@Suite struct ControlTests {
    @Test func `a download is paused, resumed, seen and cut`() throws {
        let workspace = Workspace()
        let control = try Controlled(
            ["--profile", "wifi", "--seed", "7", "--journal", "run.jsonl"],
            in: workspace
        )
        #expect(try control.get("/v1").contains(#""seed":7"#))
        let url = "http://\(control.address)/bytes/30000000"
        let download = try Program("/usr/bin/curl", ["-sS", "-o", "body", url], in: workspace)
        #expect(
            Program.poll(seconds: 10) {
                ((try? control.get("/v1/connections/c1")) ?? "").contains("latestStatus\":200")
            }
        )
        #expect(try control.act(#"{"action":"pause"}"#).contains(#""affected":1"#))
        #expect(try control.get("/v1/connections").contains(#""state":"paused""#))
        let resumed = try control.act(#"{"action":"resume"}"#)
        #expect(resumed.contains(#"=stall("#))
        let cut = try control.curl(["-X", "DELETE", control.url + "/v1/connections/c1"])
        #expect(cut.contains("=rst"))
        let outcome = try download.wait()
        #expect(outcome.code == 56, "\(outcome.errors)")
        let count = workspace.bytes("body").count
        #expect(count > 0 && count < 30_000_000)
        #expect(try control.get("/v1/schedule").contains("lc1;seed=7;c1:down+"))
        #expect(try control.get("/metrics").contains("linkcond_changes_total"))
        let events = try control.get("/v1/events")
        #expect(try control.proxy.end(SIGTERM).code == 143)
        // What the journal holds is what was told.
        #expect(workspace.text("run.jsonl").hasPrefix(events))
        for action in ["pause", "resume", "cut"] {
            #expect(events.contains(#""action":"\#(action)""#))
        }
        #expect(!workspace.text("run.jsonl").contains(control.token))
    }

    @Test func `a profile is switched while the proxy runs`() throws {
        let control = try Controlled(["--profile", "wifi"])
        let answer = try control.send(
            "PATCH",
            "/v1/proxies/default",
            #"{"profile":"lte","settings":{"delay":"5ms"}}"#
        )
        #expect(answer.contains(#""profile":"lte""#))
        let wrong = try control.send("PATCH", "/v1/proxies/default", #"{"profile":"ltee"}"#)
        #expect(wrong.contains("did you mean 'lte'?"))
        #expect(wrong.contains(#""pointer":"/profile""#))
        _ = try control.proxy.end()
    }

    @Test func `without the token nothing is told or done`() throws {
        let control = try Controlled()
        let bare = try Program.curl(["-i", control.url + "/v1"])
        #expect(bare.output.hasPrefix("HTTP/1.1 401 "))
        #expect(!bare.output.contains("seed"))
        let rebound = try control.curl(["-i", "-H", "Host: evil.example", control.url + "/v1"])
        #expect(rebound.hasPrefix("HTTP/1.1 421 "))
        let page = try control.curl([
            "-i", "-H", "Origin: http://evil.example", "-H", "Content-Type: application/json", "-d",
            #"{"action":"pause"}"#, control.url + "/v1/actions",
        ])
        #expect(page.hasPrefix("HTTP/1.1 403 "))
        let form = try control.curl(["-i", "-d", "action=pause", control.url + "/v1/actions"])
        #expect(form.hasPrefix("HTTP/1.1 415 "))
        #expect(try control.get("/v1/proxies/default").contains(#""paused":false"#))
        #expect(try Program.curl([control.url + "/healthz"]).output == "ok\n")
        _ = try control.proxy.end()
    }

    @Test func `control is not reached through the proxy's own ports`() throws {
        let free = try #require(try ListeningSocket(on: .loopback(port: 0)).address)
        let outcome = try Program.run([
            "--control", "\(free)", "--upstream", "\(free)", "--duration", "1s",
        ])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("give the server's address"))
    }

    @Test func `a Unix socket needs no token and goes with the run`() throws {
        let workspace = Workspace()
        let path = "\(workspace.path)/control.sock"
        let proxy = try RunningProxy(
            ["--control", "unix:\(path)", "--ready-file", "r"],
            in: workspace
        )
        try proxy.program.waitFor("control unix:\(path)\n")
        let answer = try Program.curl(["--unix-socket", path, "http://localhost/v1"])
        #expect(answer.output.contains(#""name":"linkcond""#))
        #expect(
            Program.poll(seconds: 10) {
                workspace.text("r").contains(#""control":"unix:\#(path)""#)
            }
        )
        _ = try proxy.end()
        #expect(try SocketFile.state(at: path) == .absent)
    }

    @Test func `the ready file tells where and with which token, to its owner alone`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(
            ["--control", "127.0.0.1:0", "--ready-file", "ready.json", "--json"],
            environment: ["LINKCOND_CONTROL_TOKEN": "chosen-before-0123456789"],
            in: workspace
        )
        // It is written after the first line.
        #expect(Program.poll(seconds: 10) { !workspace.text("ready.json").isEmpty })
        let ready = workspace.text("ready.json")
        #expect(ready.contains(#""token":"chosen-before-0123456789""#))
        #expect(ready.contains(#""control":"http://127.0.0.1:"#))
        let file = "\(workspace.path)/ready.json"
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        _ = try proxy.end()
    }

    @Test(arguments: [
        (["--control", "0.0.0.0:0"], "other machines could reach it"),
        (["--control", "localhost:0"], "numeric address"), (["--control", "x"], "no port"),
    ])
    func `a place for control that will not do is refused`(
        arguments: [String],
        words: String
    ) throws {
        let outcome = try Program.run(arguments + ["--duration", "1s"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `a token that is too short to be one is refused`() throws {
        let outcome = try Program.run(
            ["--control", "127.0.0.1:0", "--duration", "1s"],
            environment: ["LINKCOND_CONTROL_TOKEN": "short"]
        )
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("LINKCOND_CONTROL_TOKEN"))
    }

    @Test func `what is said of the path reaches who listens at the path socket`() throws {
        let workspace = Workspace()
        let control = try Controlled(["--path-socket", "path"], in: workspace)
        let script = """
            import socket
            s = socket.socket(socket.AF_UNIX); s.connect("path")
            for line in s.makefile(): print(line, end="", flush=True)
            """
        let listener = try Program("/usr/bin/python3", ["-c", script], in: workspace)
        try listener.waitFor("\n")
        #expect(!listener.output.contains(#""isConstrained":true"#))
        let path = #"{"isConstrained":true,"interface":"cellular"}"#
        #expect(try control.send("PUT", "/v1/path", path).contains(#""isConstrained":true"#))
        try listener.waitFor(#""isConstrained":true"#)
        #expect(listener.output.contains(#""interface":"cellular""#))
        #expect(try control.proxy.end().code == 143)
        #expect(try listener.wait().code == 0)
    }
}
