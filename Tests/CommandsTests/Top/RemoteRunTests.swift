import Basics
import SystemIO
import Proxy
import Testing

@testable import Arguments
@testable import Commands

@Suite struct RemoteRunTests {
    private func object(_ text: String) throws -> JSONObject {
        guard case .object(let object) = try JSONParser.parse(Array(text.utf8)[...], .document)
        else {
            throw Failure(.internalError, "no object: \(text)")
        }
        return object
    }

    private func run() throws -> RemoteRun {
        try #require(
            RemoteRun(
                root: object(#"{"name":"linkcond","seed":7,"command":"linkcond --seed 7"}"#),
                proxies: object(
                    #"{"proxies":[{"listeners":[{"listen":"127.0.0.1:8123","upstream":"127.0.0.1:80"}]}]}"#
                ),
                profile: object(

                    #"{"name":"lte","yaml":"name: lte\nlink: {down: {rate: 50Mbit/s, delay: 50ms}}\n"}"#
                )
            )
        )
    }

    private func sample(_ milliseconds: Int, down: Int, _ more: String = "") throws -> JSONObject {
        try object(
            """
            {"elapsedMilliseconds":\(milliseconds),"profile":"lte","bytesDown":\(down),"bytesUp":0,
             "queuedBytesDown":18000,"queuedPacketsDown":12,"openConnections":1,
             "totalConnections":3\(more)}
            """
        )
    }

    private func screen(_ run: RemoteRun, columns: Int = 100) -> [String] {
        LiveFrame(
            state: run.state,
            description: run.description,
            size: TerminalSize(columns: columns, rows: 24),
            usesUnicode: true,
            status: nil
        ).lines().map { $0.rendered(limit: columns, style: TextStyle(isColoured: false)) }
    }

    @Test func `a time that goes back and forth by centuries is no crash`() throws {
        var run = try run()
        for _ in 0..<4 {
            for time in [0, Int(Duration.century.wholeMilliseconds)] {
                _ = try run.update(sample: sample(time, down: 0))
            }
        }
        #expect(run.observed == .century)
    }

    @Test func `times beyond any clock are shown, not a crash`() throws {
        var run = try run()
        #expect(try !run.update(sample: sample(1_000, down: 0)))
        run.update(
            connections: try object(
                """
                {"connections":[{"id":"c1","client":"127.0.0.1:50000","state":"open",
                 "bytesUp":0,"bytesDown":0,"ageMilliseconds":\(UInt64.max)}]}
                """
            )
        )
        #expect(try !run.update(sample: sample(.max, down: 1)))
        #expect(screen(run)[0].hasSuffix("876000:00:00"))
    }

    @Test func `what linkcond says is shown as in its own live view`() throws {
        var run = try run()
        // What moved before somebody looked is no rate.
        #expect(try !run.update(sample: sample(60_000, down: 900_000_000)))
        run.update(
            connections: try object(
                """
                {"connections":[{"id":"l2c3","client":"127.0.0.1:50000","state":"stalled",
                 "bytesUp":92,"bytesDown":5000,"ageMilliseconds":9000,
                 "latestRequest":"GET /file"}]}
                """
            )
        )
        #expect(try !run.update(sample: sample(61_000, down: 901_000_000)))
        let lines = screen(run)
        #expect(lines[0].hasPrefix("linkcond  lte  seed 7"))
        #expect(lines[0].hasSuffix("1 open, 3 total  1:01"))
        #expect(lines[1] == "127.0.0.1:8123 → 127.0.0.1:80")
        let down = try #require(lines.first { $0.hasPrefix("down") })
        // 1 MB in the second second; none in the first, which nobody saw.
        #expect(down.contains("4.00 Mbit/s"), "\(down)")
        #expect(down.contains("queue 18.0 kB") && down.contains("delay 52.9 ms"), "\(down)")
        let row = try #require(lines.first { $0.hasPrefix("l2/c3") })
        #expect(row.contains("GET /file") && row.contains("stalled"))
        // Its age goes on between two lists.
        #expect(row.hasSuffix("0:10"), "\(row)")
    }

    @Test func `conditions and another profile are noticed`() throws {
        var run = try run()
        #expect(try run.update(sample: object(#"{"profile":"wifi","paused":true,"outage":true}"#)))
        #expect(run.isPaused && run.isOut)
        run.update(profile: try object(#"{"name":"wifi","yaml":"nonsense: ["}"#))
        #expect(screen(run, columns: 40)[0].hasPrefix("linkcond  wifi  seed 7  paused  outage"))
    }

    @Test func `records become the lines of a log`() throws {
        var run = try run()
        let change = try object(
            """
            {"v":1,"n":4,"at_ns":2000000000,"t":"change","by":"control","action":"profile",
             "detail":{"name":"wifi"}}
            """
        )
        let taken = run.add(record: change)
        #expect(taken.line == "profile changed to wifi" && taken.changesProfile)
        #expect(run.state.events.first?.at == .seconds(2))
        for text in [#"{"v":1,"t":"of a later version"}"#, #"{"v":9,"t":"change"}"#, "{}"] {
            #expect(run.add(record: try object(text)).line == nil)
        }
        #expect(run.state.events.count == 1)
    }

    @Test func `a key that is pressed twice undoes itself, before any sample`() throws {
        var run = try run()
        run.changed("pause")
        run.changed("outage")
        #expect(run.isPaused && run.isOut)
        run.changed("mark")
        run.changed("resume")
        run.changed("restore")
        #expect(!run.isPaused && !run.isOut)
        let pause = #"{"v":1,"n":1,"at_ns":1,"t":"change","by":"key","action":"pause"}"#
        run.add(record: try object(pause))
        #expect(run.isPaused)
        run.changed("reset")
        #expect(!run.isPaused)
    }

    @Test func `one proxy of several is shown with its own address, seed and state`() throws {
        let proxies = """
            {"proxies":[
             {"name":"default","enabled":true,"seed":7,
              "listeners":[{"listen":"127.0.0.1:8123","upstream":"127.0.0.1:80"}]},
             {"name":"api","enabled":true,"seed":11,
              "listeners":[{"listen":"127.0.0.1:8124","upstream":"127.0.0.1:81"}]}]}
            """
        let root = try object(#"{"name":"linkcond","seed":7,"command":"linkcond --seed 7"}"#)
        let profile = try object(#"{"name":"lte","yaml":"name: lte\nlink: {}\n"}"#)
        func run(_ name: String?) throws -> RemoteRun? {
            RemoteRun(root: root, proxies: try object(proxies), profile: profile, of: name)
        }
        var api = try #require(try run("api"))
        #expect(api.shown == ShownProxy("api", among: ["default", "api"]))
        #expect(api.description.seed == 11)
        #expect(api.description.routes.map(\.listen.description) == ["127.0.0.1:8124"])
        #expect(try run(nil)?.shown == nil && run(nil)?.description.routes.count == 2)
        #expect(try run("gone") == nil)
        // It is renamed; then it listens no more; then it is alone.
        _ = api.update(sample: try object(#"{"proxy":"b","profile":"lte"}"#))
        let off = proxies.replacing(#""api","enabled":true"#, with: #""b","enabled":false"#)
        api.update(proxies: try object(off))
        #expect(api.shown == ShownProxy("b", among: ["default", "b"], isEnabled: false))
        api.update(proxies: try object(#"{"proxies":[{"name":"default"}]}"#))
        #expect(api.shown == nil && api.description.routes.count == 1)
    }

    @Test func `documents of something else are refused`() throws {
        let empty = JSONObject()
        #expect(RemoteRun(root: empty, proxies: empty, profile: empty) == nil)
        let other: JSONObject = ["name": "other", "seed": 7]
        #expect(RemoteRun(root: other, proxies: empty, profile: empty) == nil)
    }
}
