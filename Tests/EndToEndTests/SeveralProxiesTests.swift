import Foundation
import Testing

@Suite struct SeveralProxiesTests {
    @Test func `proxies of a configuration file have profiles of their own from the start`() throws
    {
        let workspace = Workspace()
        try workspace.write(
            "linkcond.yaml",
            """
            profile: wifi
            proxies:
              api: {upstream: 127.0.0.1:9, profile: edge, set: {down.delay: 5ms}}
              cdn: {upstream: 127.0.0.1:9, profile: satellite, fault: ['c1/r1:req.head=status(503,retry-after=4)']}
            """
        )
        let outcome = try Program.run(
            ["proxy", "--duration", "200ms", "--journal", "j.jsonl"],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        let lines = outcome.outputLines
        #expect(lines.first?.hasPrefix("listening 127.0.0.1:") == true)
        for (name, profile) in [("api", "edge"), ("cdn", "satellite")] {
            let line = lines.first { $0.hasPrefix("proxy \(name) listening 127.0.0.1:") }
            #expect(line?.hasSuffix("profile \(profile)") == true, "\(lines)")
        }
        let journal = workspace.text("j.jsonl").split(separator: "\n")
        #expect(journal.first?.contains("\"t\":\"start\"") == true)
        #expect(journal.count { $0.contains("create-proxy") } == 2)
        #expect(journal.contains { $0.contains("status(503,retry-after=4)") })
    }

    @Test func `a mistake in one is told with its place`() throws {
        let workspace = Workspace()
        try workspace.write(
            "linkcond.yaml",
            "proxies:\n  api: {upstream: 127.0.0.1:9, profile: edgy}\n"
        )
        for options in [["--duration", "200ms"], ["--dry-run"]] {
            let outcome = try Program.run(["proxy"] + options, in: workspace)
            #expect(outcome.code == 78, "\(options)")
            #expect(outcome.errors.contains("linkcond.yaml:2:"), "\(outcome.errors)")
            #expect(outcome.errors.contains("did you mean 'edge'?"), "\(outcome.errors)")
        }
    }
}
