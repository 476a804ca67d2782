import Foundation
import Testing

/// A session by hand, saved, replays to the same journal.
@Suite struct SteeringTests {
    private static let size = 200_000
    private static let network = [
        "--profile", "wifi", "--set", "down.rate=4Mbit/s", "--seed", "7",
    ]

    /// Downloads one after the other; with a hand that does something in the course of each.
    private func download(
        _ address: String,
        _ hands: [() throws -> Void],
        in workspace: Workspace
    ) throws -> [Int32] {
        let url = "http://\(address)/bytes/\(Self.size)"
        return try hands.map { hand in
            let client = try Program("/usr/bin/curl", ["-sS", "-o", "body", url], in: workspace)
            try hand()
            let code = try client.wait().code
            // Of a connection that is reset at once curl says 7 or 56, whichever it sees first.
            return code == 7 ? 56 : code
        }
    }

    private func digest(_ name: String, in workspace: Workspace) throws -> String {
        try Program.run(["journal", "digest", name], in: workspace).output
    }

    /// Runs the command that the session was saved as, with another journal.
    private func replay(
        _ command: String,
        downloads: Int,
        in workspace: Workspace
    ) throws -> [Int32] {
        let words = command.split(separator: " ", maxSplits: 1)
        let program = try Program(
            "/bin/sh",
            ["-c", "exec \(Program.linkcond) --journal replay.jsonl \(words[1])"],
            in: workspace
        )
        try program.waitFor("\n")
        let address = program.output.split(separator: " ")[1]
        let codes = try download(
            String(address),
            Array(repeating: {}, count: downloads),
            in: workspace
        )
        program.signal(SIGTERM)
        #expect(try program.wait().code == 143)
        return codes
    }

    @Test func `a session by the API, saved, replays to the same journal`() throws {
        let workspace = Workspace()
        let control = try Controlled(
            Self.network + ["--fault", "c1:down+5000=stall(3ms)", "--journal", "run.jsonl"],
            in: workspace
        )
        var before = 0
        /// Waits for bytes of the download that goes on, then does something.
        func at(_ bytes: Int, _ actions: [String]) -> () throws -> Void {
            {
                try control.waitForBytes(before + bytes)
                for action in actions {
                    let answer = try control.act(action)
                    #expect(answer.contains(#""record":"#), "\(answer)")
                    if action.contains("pause") { try control.waitForRecord(in: answer) }
                }
            }
        }
        let hands: [() throws -> Void] = [
            {
                // Twice at one place of what goes up, and before a fault that is to come.
                for bytes in [20_000, 60_000] {
                    try at(bytes, [#"{"action":"stall","for":"120ms"}"#])()
                }
                try at(80_000, [#"{"action":"mark","text":"now"}"#])()
            },
            at(30_000, [#"{"action":"pause"}"#, #"{"action":"resume"}"#]),
            at(40_000, [#"{"action":"cut"}"#]),
            at(
                50_000,
                [#"{"action":"pause","connection":"c4"}"#, #"{"action":"cut","kind":"fin"}"#]
            ),
            at(10_000, [#"{"action":"outage","for":"150ms"}"#, #"{"action":"refuse"}"#]),
            {},
            {
                try control.waitForBytes(before + 10_000)
                let fault = #"{"fault":"c9:down+77777=rst"}"#
                #expect(try control.send("POST", "/v1/faults", fault).contains("c9:down+77777"))
                let profile = #"{"profile":"lte","settings":{"down.rate":"8Mbit/s"}}"#
                let answer = try control.send("PATCH", "/v1/proxies/default", profile)
                #expect(answer.contains(#""profile":"lte""#))
            },
            at(1_000, [#"{"action":"reset"}"#]),
            at(10_000, [#"{"action":"stall","for":"30ms"}"#]),
        ]
        var codes: [Int32] = []
        for hand in hands {
            try control.waitForIdle()
            before = try control.member("bytesDown", of: "/v1/proxies/default", as: Int.self)
            codes += try download(control.address, [hand], in: workspace)
        }
        let differences = try control.member(
            "differences",
            of: "/v1/schedule",
            as: [String].self
        )
        #expect(differences == [])
        let remarks = try control.member("remarks", of: "/v1/schedule", as: [String].self)
        #expect(remarks.contains { $0.contains("lte") })
        #expect(remarks.contains { $0.contains("150ms") })
        let command = try control.member("command", of: "/v1/schedule", as: String.self)
        let profile = try control.get("/v1/schedule?as=profile")
        #expect(try control.proxy.end().code == 143)

        // curl: 0 all is well, 18 too few bytes, 56 reset.
        #expect(codes == [0, 0, 56, 18, 0, 56, 0, 0, 56])
        #expect(try replay(command, downloads: hands.count, in: workspace) == codes, "\(command)")
        let difference = try Program.run(
            ["journal", "diff", "run.jsonl", "replay.jsonl"],
            in: workspace
        )
        #expect(difference.code == 0, "\(command)\n\(difference.output)")
        let digests = try ["run.jsonl", "replay.jsonl"].map { try digest($0, in: workspace) }
        #expect(digests[0] == digests[1] && digests[0].count == 65)
        try workspace.write("session.yaml", profile)
        let shown = try Program.run(["profiles", "show", "./session.yaml"], in: workspace)
        #expect(shown.code == 0, "\(shown.errors)\n\(profile)")
        #expect(shown.output.contains("c9:down+77777=rst"))
        #expect(shown.output.contains("outages: {windows: [{at: "))
    }

    @Test func `keys of the live view are written down as requests are`() throws {
        let workspace = Workspace()
        let command =
            "\(Program.linkcond) \(Self.network.joined(separator: " ")) --live --control 127.0.0.1:0"
            + " --ready-file ready.json --journal run.jsonl"
        // What `script` reads is typed on the terminal that it makes.
        let shell = """
            press() { until [ -e $1 ]; do sleep 0.02; done; printf "$2"; }
            { press cut c; press refuse r; press pause ' '; press go ' '; press mark m; press quit q; \
                until [ -e over ]; do sleep 0.05; done; } |
                TERM=xterm script -qfc 'stty cols 80 rows 24; \(command); touch over' log
            """
        let program = try Program("/bin/sh", ["-c", shell], in: workspace)
        let control = try Controlled(reading: "ready.json", in: workspace)
        func events(_ text: String) -> Bool {
            Program.poll(seconds: 10) { workspace.text("run.jsonl").contains(text) }
        }
        let codes = try download(
            control.address,
            [
                {
                    try control.waitForBytes(20_000)
                    try workspace.write("cut", "")
                },
                {},
            ],
            in: workspace
        )
        #expect(codes == [56, 0])
        try workspace.write("refuse", "")
        #expect(events(#""action":"refuse""#))
        #expect(try download(control.address, [{}], in: workspace) == [56])
        let held = try download(
            control.address,
            [
                {
                    try control.waitForBytes(240_000)
                    try workspace.write("pause", "")
                    #expect(events(#""action":"pause""#))
                    try workspace.write("go", "")
                }
            ],
            in: workspace
        )
        #expect(held == [0])
        try workspace.write("mark", "")
        #expect(events(#""action":"mark","by":"key""#))
        let schedule = try control.member("schedule", of: "/v1/schedule", as: String.self)
        for text in [
            "lc1;seed=7;c1:down+", "=rst;", ";c3:connect=refuse;", ";c4:down+", "c4:up+", "=stall(",
        ] {
            #expect(schedule.contains(text), "\(text) in \(schedule)")
        }
        let line = try control.member("command", of: "/v1/schedule", as: String.self)
        try workspace.write("quit", "")
        _ = try program.wait()
        #expect(try replay(line, downloads: 4, in: workspace) == [56, 0, 56, 0])
        let difference = try Program.run(
            ["journal", "diff", "run.jsonl", "replay.jsonl"],
            in: workspace
        )
        #expect(difference.code == 0, "\(line)\n\(difference.output)")
    }

    @Test func `a proxy made by hand works until the run ends, and the journal tells of it`()
        throws
    {
        let workspace = Workspace()
        let control = try Controlled(Self.network + ["--journal", "run.jsonl"], in: workspace)
        let origin = try control.route(of: "default", "testServer")
        let body = #"{"name":"api","upstream":"\#(origin)","seed":3,"faults":["c2:down+5=rst"]}"#
        #expect(try control.send("POST", "/v1/proxies", body).contains(#""listener":2"#))
        let listen = try control.route(of: "api", "listen")
        #expect(try download(listen, [{}, {}], in: workspace) == [0, 56])
        #expect(try control.send("POST", "/v1/proxies", body).contains(#""status":409"#))
        let itself = #"{"name":"loop","upstream":"\#(listen)"}"#
        #expect(try control.send("POST", "/v1/proxies", itself).contains("linkcond's own"))
        let differences = try control.get("/v1/schedule")
        #expect(differences.contains("proxy 'api' had connections"))
        let outcome = try control.proxy.end()
        #expect(outcome.code == 143)
        #expect(outcome.output.contains("connections  2: "), "\(outcome.output)")
        let journal = workspace.text("run.jsonl")
        #expect(journal.contains(#""action":"create-proxy""#))
        let digest = try Program.run(["journal", "digest", "run.jsonl"], in: workspace)
        #expect(digest.code == 0, "\(digest.output)")
    }
}
