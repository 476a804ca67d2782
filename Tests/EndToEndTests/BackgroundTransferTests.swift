import Foundation
import Origin
import Testing

/// Transfers in processes of their own, and the commands that follow and steer them.
@Suite struct BackgroundTransferTests {
    private static let size: UInt64 = 1_000_000
    private static let content = KnownContent(seed: 0).bytes(0..<size)

    /// A proxy, and a state folder.
    private final class Bench {
        let workspace = Workspace()
        let proxy: RunningProxy

        init(_ options: [String]) throws {
            proxy = try RunningProxy(["proxy"] + options, in: workspace)
        }

        var url: String { "http://\(proxy.address)/bytes/\(BackgroundTransferTests.size)" }

        func run(_ arguments: [String]) throws -> Outcome {
            try Program.run(
                arguments,
                environment: ["XDG_STATE_HOME": "\(workspace.path)/state"],
                in: workspace
            )
        }

        func state(_ name: String) throws -> String? {
            let lines = try run(["transfers", "--json"]).output.split(separator: "\n")
            for line in lines {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                guard let row = object as? [String: Any], row["id"] as? String == name else {
                    continue
                }
                return row["state"] as? String
            }
            return nil
        }
    }

    @Test func `S12 a killed worker leaves what it stored, and resume goes on`() throws {
        let bench = try Bench(["--set", "down.rate=8Mbit/s"])
        let started = try bench.run(
            ["download", bench.url, "-o", "f", "--background", "--id", "night"]
        )
        #expect(started.code == 0, "\(started.errors)")
        #expect(started.output.hasPrefix("night runs in process "))
        let worker = try bench.workspace.worker("night")
        // A session of its own: the end of ours is not its end.
        #expect(getsid(worker) == worker)
        #expect(Program.poll(seconds: 20) { bench.workspace.bytes("f.part").count > 200_000 })
        kill(worker, SIGKILL)
        #expect(Program.poll(seconds: 10) { (try? bench.state("night")) == "interrupted" })
        let stored = bench.workspace.bytes("f.part").count
        let attached = try bench.run(["transfers", "attach", "night"])
        #expect(attached.code == 75)
        #expect(attached.errors.contains("linkcond transfers resume night"))
        #expect(try bench.run(["transfers", "resume", "night"]).code == 0)
        let second = try bench.run(["transfers", "attach", "night"])
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.output.contains("bytes=\(stored)-"))
        let last = second.output.split(separator: "\n").last
        #expect(last?.contains("all-events-delivered") == true)
        #expect(bench.workspace.bytes("f") == Self.content)
        #expect(try bench.state("night") == "finished")
        #expect(try bench.run(["transfers", "remove", "night"]).code == 0)
        #expect(try bench.state("night") == nil)
    }

    @Test func `pause keeps it and resume goes on; what was shown once is not shown again`() throws
    {
        let bench = try Bench(["--set", "down.rate=8Mbit/s"])
        _ = try bench.run(["download", bench.url, "-o", "f", "--background", "--id", "one"])
        #expect(Program.poll(seconds: 20) { bench.workspace.bytes("f.part").count > 200_000 })
        let paused = try bench.run(["transfers", "pause", "one"])
        #expect(paused.code == 0 && paused.output.contains("one.resume"), "\(paused.errors)")
        #expect(try bench.state("one") == "paused")
        let first = try bench.run(["transfers", "attach", "one"])
        #expect(first.code == 75 && first.output.contains("\"t\":\"paused\""))
        #expect(try bench.run(["transfers", "attach", "one"]).output.isEmpty)
        #expect(
            try bench.run(["transfers", "attach", "one", "--from-start"]).output == first.output
        )
        #expect(try bench.run(["transfers", "resume", "one"]).code == 0)
        #expect(try bench.run(["transfers", "attach", "one"]).code == 0)
        #expect(bench.workspace.bytes("f") == Self.content)
    }

    @Test func `a partial file that is purged during the pause is downloaded from zero`() throws {
        let bench = try Bench(["--fault", "c1:down+300000=hole"])
        _ = try bench.run(["download", bench.url, "-o", "f", "--background", "--id", "one"])
        #expect(Program.poll(seconds: 20) { bench.workspace.bytes("f.part").count > 200_000 })
        #expect(try bench.run(["transfers", "pause", "one"]).code == 0)
        try FileManager.default.removeItem(atPath: "\(bench.workspace.path)/f.part")
        let told = try bench.run(["transfers", "resume", "--explain", "one"])
        #expect(told.code == 1 && told.output.contains("begins at zero: "), "\(told.output)")
        #expect(try bench.run(["transfers", "resume", "one"]).code == 0)
        let attached = try bench.run(["transfers", "attach", "one"])
        #expect(attached.code == 0 && attached.output.contains(#""startsOver":"#))
        #expect(bench.workspace.bytes("f") == Self.content)
    }

    @Test func `S13 in the background an upload comes from a file only`() throws {
        let bench = try Bench([])
        let outcome = try bench.run(["upload", "-", bench.url, "--background"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("a file, not standard input"))
        #expect(try bench.run(["download", bench.url, "-o", "-", "--background"]).code == 64)
    }

    @Test func `a background transfer that cannot begin has failed, and says so`() throws {
        let bench = try Bench([])
        unsafe #expect(mkfifo(bench.workspace.path + "/pipe", 0o600) == 0)
        for (name, arguments) in [
            ("nowhere", ["download", bench.url, "-o", "nosuchdir/x"]),
            ("pipe", ["upload", "pipe", bench.url]),
        ] {
            let started = try bench.run(arguments + ["--background", "--id", name])
            #expect(started.code == 1, "\(name): \(started.output)\(started.errors)")
            #expect(started.errors.contains("'\(name)' failed: cannot "), "\(started.errors)")
            #expect(try bench.state(name) == "failed")
            #expect(try bench.run(["transfers", "attach", name]).code == 1)
            #expect(try bench.run(["transfers", "pause", name]).code == 69)
        }
    }

    @Test func `a name in use and an unknown one are refused`() throws {
        let bench = try Bench(["--set", "down.rate=1Mbit/s"])
        let arguments = ["download", bench.url, "-o", "f", "--background", "--id", "one"]
        #expect(try bench.run(arguments).code == 0)
        let again = try bench.run(arguments)
        #expect(again.code == 64 && again.errors.contains("linkcond transfers attach one"))
        #expect(try bench.run(["transfers", "remove", "one"]).code == 64)
        #expect(try bench.run(["transfers", "pause", "one"]).code == 0)
        #expect(try bench.run(["transfers", "pause", "one"]).code == 69)
        #expect(try bench.run(arguments).errors.contains("linkcond transfers resume one"))
        for verb in ["pause", "resume", "attach", "remove"] {
            let outcome = try bench.run(["transfers", verb, "two"])
            #expect(outcome.code == 66, "\(verb)")
            #expect(outcome.errors.contains("there is no transfer 'two'"))
        }
    }

    @Test func `S17 S18 S19 S20 a path that turns expensive stops it, resume --now continues it`()
        throws
    {
        let workspace = Workspace()
        let socket = "/tmp/linkcond-path-\(UUID().uuidString.prefix(8))"
        func profile(isExpensive: Bool) -> String {
            """
            name: phone
            link: {rate: 8Mbit/s, delay: 5ms}
            path: {interface: cellular, expensive: \(isExpensive ? "yes" : "no")}
            """
        }
        try workspace.write("phone.yaml", profile(isExpensive: true))
        let proxy = try RunningProxy(
            ["proxy", "--profile", "./phone.yaml", "--path-socket", socket],
            in: workspace
        )
        let url = "http://\(proxy.address)/bytes/\(Self.size)"
        func run(_ arguments: [String]) throws -> Outcome {
            try Program.run(
                arguments,
                environment: ["XDG_STATE_HOME": "\(workspace.path)/state"],
                in: workspace
            )
        }
        let started = try run([
            "download", url, "-o", "f", "--background", "--id", "p", "--path", socket,
            "--no-expensive",
        ])
        #expect(started.code == 0, "\(started.errors)")
        func events() -> String { workspace.text("state/linkcond/transfers/p/events.jsonl") }
        #expect(
            Program.poll(seconds: 10) { events().contains(#""t":"waiting","ms":"#) },
            "\(events())"
        )
        #expect(events().contains(#""reason":"expensive""#))
        #expect(!events().contains(#""t":"request""#))
        try workspace.write("phone.yaml", profile(isExpensive: false))
        proxy.program.signal(SIGHUP)
        #expect(Program.poll(seconds: 10) { workspace.bytes("f.part").count > 100_000 })
        try workspace.write("phone.yaml", profile(isExpensive: true))
        proxy.program.signal(SIGHUP)
        #expect(
            Program.poll(seconds: 10) {
                events().components(separatedBy: #""t":"waiting""#).count == 3
            }
        )
        let stored = workspace.bytes("f.part").count
        #expect(stored < Int(Self.size))
        #expect(try run(["transfers", "resume", "p", "--now"]).code == 0)
        #expect(try run(["transfers", "attach", "p"]).code == 0)
        #expect(events().contains("bytes=\(stored)-"))
        #expect(workspace.bytes("f") == Self.content)
    }
}
