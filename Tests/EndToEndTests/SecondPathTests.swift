import Foundation
import Testing

/// A network with a second path, as a user has it.
@Suite struct SecondPathTests {
    /// Wi-Fi that is out of reach for as long as any test lasts.
    private static let lostWiFi = """
        name: lost
        extends: wifi
        link: {outages: [{at: 0s, for: 1h}]}

        """

    @Test func `a run takes the second path while the first is down, and says so`() throws {
        let workspace = Workspace()
        try workspace.write("lost.yaml", Self.lostWiFi)
        let outcome = try Program.run(
            [
                "run", "--profile", "./lost.yaml", "--second-path", "lte", "--seed", "3",
                "--max-metered", "10B", "--journal", "run.jsonl", "--",
                "curl", "-s", "-o", "/dev/null", "{url}/bytes/2000",
            ],
            in: workspace
        )
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("through lost, second path lte, seed 3"))
        #expect(outcome.errors.contains("path         wifi; second path cellular, expensive"))
        #expect(outcome.errors.contains("2.00 kB requested while the path was expensive"))
        #expect(outcome.errors.contains("--profile ./lost.yaml --second-path lte"))
        let journal = workspace.text("run.jsonl")
        #expect(journal.contains(#""t":"path","c":1,"interface":"cellular","expensive":true"#))
        let judging = ["report", "run.jsonl", "--max-metered", "10B"]
        let report = try Program.run(judging, in: workspace)
        #expect(report.code == 1, "\(report.output)")
    }

    @Test func `a transfer moves to the better path and continues there`() throws {
        let workspace = Workspace()
        let size = 3_000_000
        try workspace.write("slow.yaml", "name: slow\nlink: {rate: 4Mbit/s}\n")
        let control = try Controlled(
            ["--second-path", "./slow.yaml", "--path-socket", "path"],
            in: workspace
        )
        _ = try control.send("POST", "/v1/actions", #"{"action":"outage"}"#)
        let download = try Program(
            Program.linkcond,
            [
                "download", "http://\(control.address)/bytes/\(size)", "-o", "f",
                "--path", "path", "--move-to-better-path", "--json",
            ],
            in: workspace
        )
        try control.waitForBytes(100_000)
        _ = try control.send("POST", "/v1/actions", #"{"action":"restore"}"#)
        let outcome = try download.wait()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(workspace.bytes("f").count == size)
        #expect(
            outcome.output.contains(#""requests":2,"attempts":2,"retries":0"#),
            "\(outcome.output)"
        )
    }

    @Test(arguments: [
        (["--second-path", "ltee"], "--second-path: 'ltee': unknown profile 'ltee'"),
        (["--second-path", "flaky"], "name a profile without, and give faults as --fault"),
    ])
    func `a second path that cannot be is refused`(options: [String], words: String) throws {
        let outcome = try Program.run(["proxy"] + options + ["--dry-run"])
        #expect(outcome.code != 0 && outcome.errors.contains(words), "\(outcome.errors)")
    }
}
