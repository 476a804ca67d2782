import Foundation
import Testing

extension Workspace {
    /// The process of a background transfer whose state is below `state`.
    func worker(_ name: String) throws -> pid_t {
        let text = text("state/linkcond/transfers/\(name)/worker.json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        )
        return pid_t(try #require(object["pid"] as? Int))
    }
}

/// Discretionary transfers in processes of their own, which take turns.
@Suite struct BackgroundTurnTests {
    /// A proxy with a journal, a state folder, and a path that its transfers may not begin on yet.
    private final class Bench {
        let workspace = Workspace()
        let proxy: RunningProxy

        init(_ options: [String] = []) throws {
            proxy = try RunningProxy(["proxy", "--journal", "j"] + options, in: workspace)
            try workspace.write("path", #"{"status":"satisfied","isConstrained":true}"# + "\n")
        }

        deinit {
            for name in ["large", "middle", "small"] {
                _ = try? run(["transfers", "pause", name])
            }
        }

        func run(_ arguments: [String]) throws -> Outcome {
            try Program.run(
                arguments,
                environment: ["XDG_STATE_HOME": "\(workspace.path)/state"],
                in: workspace
            )
        }

        /// Begins a download for each name, in this order, and waits until all wait for the path.
        func start(_ sizes: KeyValuePairs<String, Int>) throws {
            for (name, size) in sizes {
                let started = try run([
                    "download", "http://\(proxy.address)/bytes/\(size)", "-o", name, "--background",
                    "--id", name, "--discretionary", "--path", "path", "--expect-receive",
                    "\(size)B",
                ])
                try #require(started.code == 0, "\(started.errors)")
            }
            for (name, _) in sizes { try wait(for: #""reason":"discretionary""#, of: name) }
        }

        func improvePath() throws { try workspace.write("path", #"{"status":"satisfied"}"# + "\n") }

        func events(_ name: String) -> String {
            workspace.text("state/linkcond/transfers/\(name)/events.jsonl")
        }

        func wait(for text: String, of name: String) throws {
            try #require(
                Program.poll(seconds: 30) { events(name).contains(text) },
                "\(name): \(text)\n\(events(name))"
            )
        }

        func hasAsked(_ name: String) -> Bool { events(name).contains(#""t":"request""#) }

        func list() throws -> [Substring] { try run(["transfers"]).output.split(separator: "\n") }
    }

    @Test func `S16: those that waited for the path run one after another, the smallest first`()
        throws
    {
        let bench = try Bench()
        try bench.start(["large": 300_000, "small": 1_000, "middle": 20_000])
        try bench.improvePath()
        for name in ["small", "middle", "large"] {
            try bench.wait(for: "all-events-delivered", of: name)
        }
        _ = try bench.proxy.end()
        // Of each exchange its request and the end of the answer, in the order of the journal.
        let records = bench.workspace.text("j").split(separator: "\n").compactMap { line in
            try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }
        let order = records.compactMap { record -> String? in
            switch record["t"] as? String {
            case "req": record["target"] as? String
            case "body" where record["dir"] as? String == "resp": "end"
            default: nil
            }
        }
        #expect(
            order == ["/bytes/1000", "end", "/bytes/20000", "end", "/bytes/300000", "end"]
        )
    }

    @Test func `a nudged one goes ahead, and one that is killed in its turn gives it to the next`()
        throws
    {
        let bench = try Bench(["--set", "down.rate=10kbit/s"])
        try bench.start(["large": 3_000_000, "middle": 2_000_000, "small": 1_000_000])
        try bench.improvePath()
        try bench.wait(for: #""t":"request""#, of: "small")
        for name in ["large", "middle"] { try bench.wait(for: #""reason":"turn""#, of: name) }
        #expect(try bench.list().filter { $0.contains("waiting (turn)") }.count == 2)
        #expect(try bench.run(["transfers", "resume", "--now", "large"]).code == 0)
        try bench.wait(for: #""t":"request""#, of: "large")
        #expect(!bench.hasAsked("middle") && !bench.events("small").contains("all-events"))
        let worker = try bench.workspace.worker("small")
        kill(worker, SIGKILL)
        try bench.wait(for: #""t":"request""#, of: "middle")
    }
}
