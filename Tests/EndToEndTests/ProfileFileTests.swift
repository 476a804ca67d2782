import Foundation
import Testing

/// Where profiles are looked for.
@Suite struct ProfileFileTests {
    private func profile(_ delay: String) -> String {
        "name: mine\nsummary: Mine\nlink:\n  down: {delay: \(delay)}\n"
    }

    private func delay(
        _ arguments: [String],
        _ environment: [String: String],
        in workspace: Workspace
    ) throws -> Substring? {
        let outcome = try Program.run(
            ["profiles", "show", "--json"] + arguments,
            environment: environment,
            in: workspace
        )
        guard let range = outcome.output.range(of: "\"delay\":\"") else { return nil }
        return outcome.output[range.upperBound...].prefix { $0 != "\"" }
    }

    @Test func `the nearest profile of a name is taken`() throws {
        let workspace = Workspace()
        let environment = ["XDG_CONFIG_HOME": workspace.path + "/config"]
        #expect(try delay(["mine"], environment, in: workspace) == nil)
        try workspace.write("config/linkcond/profiles/mine.yaml", profile("10ms"))
        #expect(try delay(["mine"], environment, in: workspace) == "10ms")
        try workspace.write("linkcond.yaml", "")
        try workspace.write("profiles/mine.yaml", profile("20ms"))
        #expect(try delay(["mine"], environment, in: workspace) == "20ms")
        try workspace.write("mine.yaml", profile("30ms"))
        #expect(try delay(["mine"], environment, in: workspace) == "30ms")
        #expect(try delay(["./profiles/mine.yaml"], environment, in: workspace) == "20ms")
    }

    @Test func `a byte order mark before a profile says nothing`() throws {
        let workspace = Workspace()
        try workspace.write("mine.yaml", "\u{FEFF}" + profile("30ms"))
        #expect(try Program.run(["profiles", "check", "mine.yaml"], in: workspace).code == 0)
        #expect(try delay(["./mine.yaml"], [:], in: workspace) == "30ms")
    }

    @Test func `a listed profile is marked, and names are for completion`() throws {
        let workspace = Workspace()
        try workspace.write("linkcond.yaml", "")
        try workspace.write("profiles/mine.yaml", profile("20ms"))
        let list = try Program.run(["profiles"], in: workspace)
        #expect(list.code == 0)
        #expect(list.outputLines.contains { $0.hasPrefix("  mine ") })
        // A file or pipe gets the table whole, a terminal what fits.
        #expect(list.outputLines.contains { $0.hasSuffix("where one connection in four breaks") })
        #expect(!list.output.contains("…"))
        let names = try Program.run(["profiles", "list", "--names"], in: workspace).outputLines
        #expect(names.contains("lte") && names.contains("mine"))
    }

    @Test func `what show prints is a profile`() throws {
        let workspace = Workspace()
        for arguments in [["lte"], ["lossy", "--set", "loss=3%"]] {
            let shown = try Program.run(["profiles", "show"] + arguments)
            #expect(shown.code == 0)
            let checked = try Program.run(
                ["profiles", "check", "-"],
                in: workspace,
                input: shown.output
            )
            #expect(checked.code == 0, "\(checked.errors)")
        }
    }

    @Test func `every built-in profile can be planned`() throws {
        let names = try Program.run(["profiles", "list", "--names"]).output
            .split(separator: "\n").map(String.init)
        #expect(names.count > 30)
        for name in names {
            let outcome = try Program.run(["plan", "--profile", name, "--bytes", "20kB", "--json"])
            #expect(outcome.code == 0, "\(name): \(outcome.errors)")
        }
    }

    @Test func `a packet log is the same bytes every time`() throws {
        let arguments = [
            "plan", "--profile", "bursty", "--bytes", "200kB", "--seed", "5", "--packets", "-",
        ]
        let first = try Program.run(arguments)
        #expect(first.outputLines.count > 140)
        for _ in 0..<5 { #expect(try Program.run(arguments).output == first.output) }
        #expect(try Program.run(arguments + ["--set", "down.delay=51ms"]).output != first.output)
    }
}
