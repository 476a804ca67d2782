import Foundation
import Testing

/// Configuration files as a user has them.
@Suite struct ConfigurationFileTests {
    private func dryRun(
        _ arguments: [String] = [],
        in workspace: Workspace,
        folder: String = "."
    ) throws -> Outcome {
        let command =
            "cd \(folder) && exec \(Program.linkcond) -n \(arguments.joined(separator: " "))"
        return try Program(
            "/bin/sh",
            ["-c", command],
            environment: ["XDG_CONFIG_HOME": "\(workspace.path)/user"],
            in: workspace
        ).wait()
    }

    private func origin(_ name: String, _ outcome: Outcome) -> String? {
        let line = outcome.outputLines.first { $0.hasPrefix("\(name) ") }
        return line?.split(separator: "(").last.map { String($0.dropLast()) }
    }

    @Test func `the nearest file up to the root of the repository is read, then the user's`() throws
    {
        let workspace = Workspace()
        try workspace.write("user/linkcond/config.yaml", "seed: 5\nduration: 3s\n")
        try workspace.write("linkcond.yaml", "profile: wifi\n")
        try workspace.write("project/.git/HEAD", "")
        try workspace.write("project/a/b/c", "")
        // Beyond the root of the repository, or outside of one, what lies above does not count.
        let outside = try dryRun(in: workspace, folder: "project/a/b")
        #expect(origin("profile", outside) == "built in")
        try workspace.write("project/linkcond.yaml", "profile: lte\nset: {delay: 80ms}\nseed: 4\n")
        let inside = try dryRun(["--set", "loss=1%"], in: workspace, folder: "project/a/b")
        #expect(inside.code == 0, "\(inside.errors)")
        #expect(origin("profile", inside)?.hasSuffix("project/linkcond.yaml:1:10") == true)
        #expect(origin("delay", inside)?.hasSuffix("project/linkcond.yaml:2:14") == true)
        #expect(origin("seed", inside)?.hasSuffix("project/linkcond.yaml:3:7") == true)
        #expect(origin("loss", inside) == "--set")
        #expect(origin("duration", inside)?.hasSuffix("user/linkcond/config.yaml:2:11") == true)
        #expect(origin("down.rate", inside) == "profile lte")
        #expect(inside.output.contains("--allow-remote") && origin("allow-remote", inside) == nil)
    }

    @Test func `no-config reads nothing, not even mistakes`() throws {
        let workspace = Workspace()
        try workspace.write("linkcond.yaml", "profil: lte\n")
        let wrong = try dryRun(in: workspace)
        #expect(wrong.code == 78)
        #expect(
            wrong.errors
                == "linkcond.yaml:1:1: error: unknown option 'profil'; did you mean 'profile'?\n"
        )
        #expect(try dryRun(["--no-config"], in: workspace).code == 0)
        // Commands that take no configuration do not fail for it.
        #expect(try Program.run(["profiles"], in: workspace).code == 0)
        #expect(try Program.run(["--help"], in: workspace).code == 0)
    }

    @Test func `a proxy and a plan do what the file says`() throws {
        let workspace = Workspace()
        try workspace.write("linkcond.yaml", "profile: 3g\nseed: 9\nplan: {bytes: 20kB}\n")
        let proxy = try RunningProxy(["proxy"], in: workspace)
        #expect(proxy.firstLine.suffix(4) == ["profile", "3g", "seed", "9"])
        _ = try proxy.end()
        let plan = try Program.run(["plan"], in: workspace)
        #expect(plan.output.hasPrefix("plan 3g, seed 9: 20.0 kB down"))
    }
}
