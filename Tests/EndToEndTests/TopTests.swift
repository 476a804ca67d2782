import Foundation
import SystemIO
import Testing

/// A running proxy is watched and steered from another terminal.
@Suite struct TopTests {
    /// A proxy with control and a ready-file, and what it serves.
    private struct Watched {
        let proxy: RunningProxy
        let workspace: Workspace
        let control: String
        let url: String
        /// Empty for a socket file.
        let token: String

        init(_ arguments: [String] = [], control: String = "127.0.0.1:0") throws {
            workspace = Workspace()
            proxy = try RunningProxy(
                ["--control", control, "--ready-file", "r.json", "--seed", "7"] + arguments,
                in: workspace
            )
            let isReady = Program.poll(seconds: 10) { [workspace] in
                workspace.text("r.json").hasSuffix("\n")
            }
            try #require(isReady)
            let text = Data(workspace.text("r.json").utf8)
            let ready = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
            self.control = try #require(ready["control"] as? String)
            url = try #require(ready["url"] as? String)
            token = ready["token"] as? String ?? ""
        }

        func download(_ bytes: Int) throws -> Program {
            let words = ["-sS", "-m", "60", "-o", "body", "\(url)/bytes/\(bytes)"]
            return try Program("/usr/bin/curl", words, in: workspace)
        }

        /// `linkcond top` on a terminal of its own.
        func onTerminal() throws -> Program {
            try Program.onTerminal("\(Program.linkcond) top r.json", in: workspace)
        }

        func press(_ keys: String) throws { try Program.press(keys, in: workspace) }

        func shows(_ text: String) -> Bool {
            Program.poll(seconds: 15) { workspace.text("log").contains(text) }
        }

        /// Whether a text comes behind what the terminal has shown so far.
        func shows(_ text: String, after action: () throws -> Void) rethrows -> Bool {
            let length = workspace.text("log").utf8.count
            try action()
            return Program.poll(seconds: 15) {
                let later = workspace.text("log").utf8.dropFirst(length)
                return later.firstRange(of: text.utf8) != nil
            }
        }

        func request(_ method: String, _ path: String, _ body: String = "") throws -> String {
            try Program.curl(
                [
                    "-X", method, "-H", "Content-Type: application/json", "-H",
                    "Authorization: Bearer \(token)", control + path,
                ] + (body.isEmpty ? [] : ["-d", body])
            ).output
        }

        /// Makes a further proxy, which leads to nobody.
        func makeProxy(_ name: String) throws {
            let body = #"{"name":"\#(name)","upstream":"127.0.0.1:9","profile":"edge","seed":11}"#
            #expect(try request("POST", "/v1/proxies", body).contains(#""name":"\#(name)""#))
        }
    }

    /// A proxy's name in the header.
    private func name(_ name: String) -> String { "proxy \u{1B}[1m\(name)\u{1B}[0m" }

    @Test(arguments: ["127.0.0.1:0", "unix:control.sock"])
    func `one look shows rates and connections`(control: String) throws {
        let watched = try Watched(["--profile", "lte"], control: control)
        let download = try watched.download(60_000_000)
        defer { download.signal(SIGKILL) }
        let isOpen = Program.poll(seconds: 15) {
            let look = try? Program.run(["top", "--once", "r.json"], in: watched.workspace)
            return look?.output.contains("GET /bytes/60") == true
        }
        #expect(isOpen)
        let look = try Program.run(["top", "--once", "--json", "r.json"], in: watched.workspace)
        #expect(look.code == 0, "\(look.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(look.output.utf8))
        let document = try #require(object as? [String: Any])
        #expect(document["profile"] as? String == "lte" && document["seed"] as? Int == 7)
        #expect(document["openConnections"] as? Int == 1)
        #expect((document["bitsPerSecondDown"] as? Int ?? 0) > 1_000_000)
        let connections = try #require(document["connections"] as? [[String: Any]])
        #expect(connections.first?["id"] as? String == "c1")
    }

    @Test func `keys steer the proxy, and it goes on without the view`() throws {
        let watched = try Watched(["--profile", "lte", "--journal", "run.jsonl"])
        let download = try watched.download(300_000_000)
        let top = try watched.onTerminal()
        #expect(watched.shows("q quit"))
        #expect(watched.shows("c1 "))
        try watched.press(" ")
        #expect(watched.shows("changed by hand: pause, on c1"))
        try watched.press(" ")
        #expect(watched.shows("changed by hand: resume, on c1"))
        try watched.press("p")
        #expect(watched.shows("Profile"))
        try watched.press("wifi-ac\r")
        #expect(watched.shows("profile changed to wifi-ac"))
        try watched.press("m")
        #expect(watched.shows("changed by hand: mark"))
        try watched.press("c")
        #expect(watched.shows("changed by hand: cut, kind rst, on c1"))
        #expect(try download.wait().code == 56)
        try watched.press("q")
        _ = try top.wait()
        let log = watched.workspace.text("log")
        let left = try #require(log.range(of: "\u{1B}[?1049l"))
        #expect(log[..<left.lowerBound].contains("\u{1B}[?25h"))
        #expect(log[left.upperBound...].contains("code=0"))
        #expect(watched.proxy.program.isRunning)
        #expect(try watched.download(1_000).wait().code == 0)
        #expect(try watched.proxy.end().code == 143)
        for action in ["pause", "resume", "profile", "mark", "cut"] {
            #expect(watched.workspace.text("run.jsonl").contains(#""action":"\#(action)""#))
        }
    }

    @Test func `a key goes to the next proxy, and all keys act on that one`() throws {
        let watched = try Watched(["--profile", "lte"])
        try watched.makeProxy("api")
        let top = try watched.onTerminal()
        #expect(watched.shows("\(name("default"))  1 of 2"))
        let isNext = try watched.shows("\(name("api"))  2 of 2") { try watched.press("x ") }
        #expect(isNext)
        #expect(watched.shows("edge  seed 11"))
        // What is typed ahead is for the proxy that comes: pause it, and let it go on.
        #expect(watched.shows("changed by hand: pause, proxy api"))
        for (keys, text) in [
            ("xx ", "changed by hand: resume, proxy api"),
            ("o", "changed by hand: outage, proxy api"),
            ("r", "changed by hand: refuse, count 1, proxy api"),
            ("s", "changed by hand: stall, for 5s, proxy api"),
            ("m", "changed by hand: mark, text mark, proxy api"),
        ] {
            let isDone = try watched.shows(text) { try watched.press(keys) }
            #expect(isDone, "\(keys)")
        }
        #expect(try watched.shows("Profile") { try watched.press("p") })
        #expect(try watched.shows("wifi-ac  seed 11") { try watched.press("wifi-ac\r") })
        let own = try watched.request("GET", "/v1/proxies/default")
        #expect(own.contains(#""profile":"lte""#), "\(own)")
        #expect(own.contains(#""paused":false,"outage":false"#), "\(own)")
        let other = try watched.request("GET", "/v1/proxies/api")
        #expect(other.contains(#""paused":false,"outage":true"#), "\(other)")
        // It gets another name, and ends.
        _ = try watched.request("PATCH", "/v1/proxies/api", #"{"name":"renamed"}"#)
        #expect(watched.shows("\(name("renamed"))  2 of 2"))
        let isTold = try watched.shows("proxy 'renamed' has ended; this is 'default'") {
            _ = try watched.request("DELETE", "/v1/proxies/renamed")
        }
        #expect(isTold)
        // It is the latest event, of now; not one of before the first sample.
        let log = watched.workspace.text("log")
        #expect(!log.contains("0:00  \u{1B}[0mproxy 'renamed'"), "\(log.suffix(2_000))")
        #expect(try watched.shows("there is no other proxy") { try watched.press("x") })
        #expect(try watched.shows("changed by hand: cut, kind rst") { try watched.press("c") })
        try watched.press("q")
        _ = try top.wait()
        #expect(watched.workspace.text("log").contains("code=0"))
    }

    @Test func `the live view of the run itself chooses among its proxies, too`() throws {
        let workspace = Workspace()
        let linkcond = """
            \(Program.linkcond) --profile lte --seed 7 --control 127.0.0.1:0 --ready-file r.json
            """
        let view = try Program.onTerminal(linkcond, in: workspace)
        let controlled = try Controlled(reading: "r.json", in: workspace)
        func shows(_ text: String, after action: () throws -> Void) rethrows -> Bool {
            let length = workspace.text("log").utf8.count
            try action()
            return Program.poll(seconds: 15) {
                workspace.text("log").utf8.dropFirst(length).firstRange(of: text.utf8) != nil
            }
        }
        func press(_ keys: String) throws { try Program.press(keys, in: workspace) }
        #expect(try shows("there is no other proxy") { try press("x") })
        let made = try shows("\(name("default"))  1 of 2") {
            let body = #"{"name":"api","upstream":"127.0.0.1:9","profile":"edge","seed":11}"#
            _ = try controlled.send("POST", "/v1/proxies", body)
        }
        #expect(made)
        #expect(try shows("\(name("api"))  2 of 2") { try press("x") })
        #expect(try shows("changed by hand: pause, proxy api") { try press(" ") })
        #expect(try shows("wifi-ac  seed 11") { try press("pwifi-ac\r") })
        let own = try controlled.get("/v1/proxies/default")
        #expect(own.contains(#""profile":"lte""#) && own.contains(#""paused":false"#), "\(own)")
        let other = try controlled.get("/v1/proxies/api")
        #expect(other.contains(#""profile":"wifi-ac""#) && other.contains(#""paused":true"#))
        let ended = try shows("proxy 'api' has ended; this is 'default'") {
            _ = try controlled.curl(["-X", "DELETE", controlled.url + "/v1/proxies/api"])
        }
        #expect(ended)
        try press("q")
        _ = try view.wait()
        #expect(workspace.text("log").contains("code=0"))
    }

    @Test func `lines and objects are of the proxy that is named`() throws {
        let watched = try Watched(["--profile", "lte"])
        try watched.makeProxy("api")
        func look(_ arguments: [String]) throws -> Outcome {
            try Program.run(["top", "--once", "r.json"] + arguments, in: watched.workspace)
        }
        let hers = try look(["--json", "--proxy", "api"])
        #expect(hers.output.contains(#""proxy":"api""#), "\(hers.output)\(hers.errors)")
        #expect(hers.output.contains(#""profile":"edge""#) && hers.output.contains(#""seed":11"#))
        let all = try look(["--json"])
        #expect(!all.output.contains(#""proxy":"#) && all.output.contains(#""profile":"lte""#))
        #expect(try look(["--proxy", "api"]).output.contains("proxy api  2 of 2"))
        let unknown = try look(["--proxy", "apy"])
        #expect(unknown.code == 69 && unknown.errors.contains("Did you mean 'api'?"))
        let wrong = try look(["--proxy", "a b"])
        #expect(wrong.code == 64 && wrong.errors.contains("--proxy 'a b'"), "\(wrong.errors)")
        let lines = try Program(
            Program.linkcond,
            ["top", "--proxy", "api", "r.json"],
            in: watched.workspace
        )
        try lines.waitFor("following", inErrors: true)
        _ = try watched.request("DELETE", "/v1/proxies/api")
        let outcome = try lines.wait()
        #expect(outcome.code == 69 && outcome.errors.contains("proxy 'api' has ended"))
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func `the end of the proxy gives the terminal back and is told`(signal: Int32) throws {
        let watched = try Watched()
        let top = try watched.onTerminal()
        #expect(watched.shows("q quit"))
        _ = try watched.proxy.end(signal)
        _ = try top.wait()
        let log = watched.workspace.text("log")
        let left = try #require(log.range(of: "\u{1B}[?1049l"))
        let rest = log[left.upperBound...]
        #expect(rest.contains("code=69"), "\(rest)")
        #expect(rest.contains("ended"), "\(rest)")
    }

    @Test func `signals end the view and give the terminal back`() throws {
        for (signal, code) in [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] {
            let watched = try Watched()
            let top = try watched.onTerminal()
            #expect(watched.shows("q quit"))
            let words = ["-x", "-f", "\(Program.linkcond) top r.json"]
            let listing = try Program("/usr/bin/pgrep", words, in: watched.workspace).wait()
            let ours = try #require(
                listing.output.split(separator: "\n").compactMap { pid_t($0) }.first {
                    let folder = try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "/proc/\($0)/cwd"
                    )
                    return folder == watched.workspace.path
                }
            )
            kill(ours, signal)
            _ = try top.wait()
            let log = watched.workspace.text("log")
            let left = try #require(log.range(of: "\u{1B}[?1049l"))
            #expect(log[..<left.lowerBound].contains("\u{1B}[?25h"))
            #expect(log[left.upperBound...].contains("code=\(code)"))
            #expect(watched.proxy.program.isRunning)
        }
    }

    @Test func `without a terminal there are lines, or objects`() throws {
        let watched = try Watched()
        let objects = try Program(
            Program.linkcond,
            ["top", "--json", "r.json"],
            in: watched.workspace
        )
        let lines = try Program(Program.linkcond, ["top", "r.json"], in: watched.workspace)
        try lines.waitFor("following", inErrors: true)
        let isSeen = Program.poll(seconds: 15) {
            objects.output.split(separator: "\n").count >= 2
        }
        #expect(isSeen, "\(objects.output)")
        let mark = [
            "-H", "Content-Type: application/json", "-H", "Authorization: Bearer \(watched.token)",
            "-d", #"{"action":"mark"}"#, "\(watched.control)/v1/actions",
        ]
        #expect(try Program.curl(mark).code == 0)
        try lines.waitFor("changed by hand: mark")
        objects.signal(SIGTERM)
        lines.signal(SIGINT)
        #expect(try objects.wait().code == 143)
        #expect(try lines.wait().code == 130)
        for line in objects.output.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            #expect((object as? [String: Any])?["event"] as? String == "sample")
        }
    }

    @Test func `what cannot be watched says what to do`() throws {
        let watched = try Watched()
        func failure(_ arguments: [String], _ token: String = "") throws -> Outcome {
            try Program.run(
                ["top"] + arguments,
                environment: ["LINKCOND_CONTROL_TOKEN": token],
                in: watched.workspace
            )
        }
        let cases: [([String], Int32, String)] = [
            (["127.0.0.1:1"], 69, "nothing listens at 127.0.0.1:1"),
            (["unix:none.sock"], 69, "there is no socket"),
            ([watched.control], 69, "LINKCOND_CONTROL_TOKEN"),
            ([watched.url], 69, "is not the control of a linkcond"),
            (["none.json"], 66, "cannot read ready-file"),
            ([], 64, "CONTROL is missing"),
        ]
        for (arguments, code, text) in cases {
            let outcome = try failure(arguments)
            #expect(outcome.code == code, "\(arguments): \(outcome.errors)")
            #expect(outcome.errors.contains(text), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        #expect(try failure([watched.control], "0123456789abcdef").code == 69)
    }
}

extension Program {
    /// A command on a terminal of its own, what it writes in `log`; a file called `key-…` in the
    /// folder types what is in it.
    static func onTerminal(
        _ command: String,
        in workspace: Workspace
    ) throws -> Program {
        let command = "stty cols 80 rows 24; \(command); echo code=$?"
        let typing = """
            until [ -e over ]; do
                for file in key-*; do
                    [ -e "$file" ] && cat "$file" && rm "$file"
                done
                sleep 0.05
            done
            """
        let shell = """
            { \(typing); } | TERM=xterm script -qfc '\(command); touch over' log
            """
        return try Program("/bin/sh", ["-c", shell], in: workspace)
    }

    static func press(_ keys: String, in workspace: Workspace) throws {
        try workspace.write("typed", keys)
        try FileManager.default.moveItem(
            atPath: "\(workspace.path)/typed",
            toPath: "\(workspace.path)/key-\(UUID().uuidString)"
        )
    }
}
