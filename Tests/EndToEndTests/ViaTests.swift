import Foundation
import Origin
import SystemIO
import Testing

/// linkcond behind another proxy, which is linkcond, too.
@Suite struct ViaTests {
    private static let login = "me:xyzzy"

    /// The next proxy, which wants a login.
    private static func next(in workspace: Workspace) throws -> RunningProxy {
        try workspace.write("login", "\(login)\n")
        return try RunningProxy(
            ["proxy", "--forward", "--socks", "--login", "login", "-v"],
            in: workspace
        )
    }

    @Test(
        arguments: ["http", "socks5"],
        [["-x", "{proxy}"], ["-p", "-x", "{proxy}"], ["-x", "{socks}"]]
    )
    func `a run goes through it, and faults act as without`(scheme: String, way: [String]) throws {
        let (workspace, origin) = try (Workspace(), RunningProxy(["origin"]))
        let next = try Self.next(in: workspace)
        let outcome = try Program.run(
            [
                "run", "--forward", "--upstream", origin.address, "--dir", "kept", "--journal", "j",
                "--via", "\(scheme)://\(Self.login)@\(next.address)",
                "--fault", "c1/r1:resp.body+1234=fin", "--", "curl", "-s",
            ] + way + ["-o", "{out}", "{url}/bytes/5000"],
            in: workspace
        )
        #expect(outcome.code == 18, "\(outcome.errors)")
        let isRight = workspace.bytes("kept/out") == KnownContent(seed: 0).bytes(0..<1_234)
        #expect(isRight)
        let shown = "--via \(scheme)://me:PASSWORD@\(next.address)"
        #expect(outcome.errors.contains(shown), "\(outcome.errors)")
        #expect(!(outcome.errors + outcome.output + workspace.text("j")).contains("xyzzy"))
        #expect(workspace.text("j").contains("\"via\":\"\(scheme)://\(next.address)\""))
        let errors = try next.end().errors
        #expect(errors.contains("c1 ") && !errors.contains("c2 "), "\(errors)")
    }

    @Test func `a plain upstream is reached through it`() throws {
        let (workspace, origin) = try (Workspace(), RunningProxy(["origin"]))
        let next = try Self.next(in: workspace)
        let proxy = try RunningProxy([
            "proxy", "--upstream", origin.address, "--via", "\(Self.login)@\(next.address)",
        ])
        let outcome = try Program.curl(
            ["-sS", "http://\(proxy.address)/bytes/700", "-o", "f"],
            in: workspace
        )
        #expect(outcome.code == 0 && workspace.bytes("f").count == 700, "\(outcome.errors)")
        #expect(try next.end().errors.contains("c1 "))
    }

    @Test func `the environment names it, and what is reached without it`() throws {
        let (workspace, origin) = try (Workspace(), RunningProxy(["origin"]))
        let next = try Self.next(in: workspace)
        // The second time it is not asked.
        for exception in ["other.test", "127.0.0.0/8"] {
            let proxy = try RunningProxy(
                ["proxy", "--forward", "--via", "env"],
                environment: [
                    "https_proxy": "", "HTTPS_PROXY": "http://\(Self.login)@\(next.address)",
                    "http_proxy": "http://127.0.0.1:1", "no_proxy": exception,
                ]
            )
            let outcome = try Program.curl([
                "-sS", "-x", "http://\(proxy.address)", "http://\(origin.address)/bytes/700",
                "-o", "/dev/null", "-w", "%{size_download}",
            ])
            #expect(outcome.output == "700", "\(outcome.errors)")
            let told = next.program.errors.split(separator: "\n").filter {
                $0.contains("opened by")
            }
            #expect(told.count == 1, "\(exception)")
        }
        let shown = try Program.run([
            "proxy", "--forward", "--via", "http://\(Self.login)@127.0.0.1:1", "--dry-run",
        ])
        #expect(
            shown.output.contains("http://me:PASSWORD@127.0.0.1:1")
                && !shown.output.contains("xyzzy")
        )
        let none = try Program.run(["proxy", "--forward", "--via", "env", "--dry-run"])
        #expect(none.code == 64 && none.errors.contains("none of https_proxy"))
    }

    @Test func `the servers of a run are reached without it`() throws {
        let outcome = try Program.run([
            "run", "--forward", "--via", "http://127.0.0.1:1", "--", "curl", "-sS", "-o",
            "/dev/null", "{url}/bytes/10",
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test func `a refusal is told to the client and in the log, and a file may name the proxy`()
        throws
    {
        let workspace = Workspace()
        let next = try Self.next(in: workspace)
        try workspace.write("linkcond.yaml", "proxy: {via: 'socks5://me:wrong@\(next.address)'}\n")
        let proxy = try RunningProxy(["proxy", "--forward"], in: workspace)
        let words = "the proxy socks5://\(next.address) does not take this user and password"
        let outcome = try Program.curl([
            "-s", "-x", "http://\(proxy.address)", "http://127.0.0.1:1/",
        ])
        #expect(outcome.output.contains("linkcond: \(words)"), "\(outcome.output)")
        let errors = try proxy.end().errors
        #expect(errors.contains("c1 upstream was not reached: \(words)"), "\(errors)")
        #expect(!errors.contains("wrong"))
    }
}
