import Foundation
import SystemIO
import Testing

/// `--ui`, with curl in the place of a browser.
@Suite struct PageTests {
    @Test func `the page comes without a token, and its cookie does what the token does`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(["--ui", "--fault", "c1:down+5000=rst"], in: workspace)
        try proxy.program.waitFor("ui http")
        let line = proxy.program.output.split(separator: "\n").last { $0.hasPrefix("ui ") } ?? ""
        let address = try #require(line.wholeMatch(of: #/ui (http://127\.0\.0\.1:\d+/)#t=(\w+)/#))
        let (url, token) = (String(address.1), String(address.2))
        func curl(_ arguments: [String]) throws -> String {
            try Program.curl(arguments, in: workspace).output
        }
        #expect(try curl([url]).contains("<title>linkcond</title>"))
        #expect(try curl(["-o", "/dev/null", "-w", "%{http_code}", "\(url)v1/transfers"]) == "401")
        func login(_ token: String) throws -> String {
            try curl([
                "-o", "/dev/null", "-w", "%{http_code}", "-c", "jar", "-H",
                "Content-Type: application/json", "-d", #"{"token":"\#(token)"}"#,
                "\(url)v1/login",
            ])
        }
        #expect(try login("0" + token.dropFirst() + "0") == "401")
        #expect(try login(token) == "204")
        _ = try curl(["-o", "/dev/null", "http://\(proxy.address)/bytes/9000"])
        let transfers = try curl(["-b", "jar", "\(url)v1/transfers"])
        #expect(transfers.contains(#""target":"/bytes/9000","bytes":9000,"complete":false"#))
        #expect(transfers.contains(#""failure":"a cut (rst)""#))
        let foreign = [
            "-o", "/dev/null", "-w", "%{http_code}", "-b", "jar", "-H", "Origin: http://evil.test",
            "-H", "Content-Type: application/json", "-d", #"{"action":"cut"}"#,
            "\(url)v1/actions",
        ]
        #expect(try curl(foreign) == "403")
        #expect(try proxy.end(SIGTERM).code == 143)
    }

    @Test func `who follows the events hears of every record up to the end of the run`() throws {
        let workspace = Workspace()
        let arguments = ["--journal", "run.jsonl", "--set", "down.rate=1Mbit/s"]
        let controlled = try Controlled(arguments, in: workspace)
        let stream = try Program(
            "/usr/bin/curl",
            [
                "-sN", "-o", "stream", "-H", "Authorization: Bearer \(controlled.token)",
                "-H", "Accept: text/event-stream", "\(controlled.url)/v1/events?after=0",
            ],
            in: workspace
        )
        #expect(Program.poll(seconds: 10) { workspace.text("stream").contains("event: sample") })
        let slow = try Program(
            "/usr/bin/curl",
            ["-s", "-o", "/dev/null", "http://\(controlled.address)/bytes/90000000"],
            in: workspace
        )
        try controlled.waitForBytes(100_000)
        let proxy = try controlled.proxy
        proxy.program.signal(SIGINT)
        proxy.program.signal(SIGINT)
        #expect(try proxy.program.wait().code == 130)
        _ = try slow.wait()
        _ = try stream.wait()
        let told = workspace.text("stream")
        let lines = workspace.text("run.jsonl").split(separator: "\n").dropFirst()
        #expect(lines.last?.contains(#""t":"end""#) == true)
        #expect(lines.contains { $0.contains(#""bytes_approx":"#) })
        for line in lines { #expect(told.contains(line), "not told: \(line)") }
        #expect(told.hasSuffix("event: ended\ndata: {}\n\n"))
    }

    @Test func `a socket file is no place for a page`() throws {
        let outcome = try Program.run(["--ui", "--control", "unix:control.sock"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("no browser reaches a socket file"))
    }
}
