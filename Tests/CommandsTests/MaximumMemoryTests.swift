import Basics
import Faults
import LinkProfile
import Proxy
import SystemIO
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

/// `--max-memory` reaches the queues of the loop.
@Suite struct MaximumMemoryTests {
    private let console = Console(refusesColour: true)

    private func parse(_ words: [String]) throws -> Invocation {
        try ArgumentParser.parse(words) { _ in nil }
    }

    private func proxyLimit(_ words: [String]) throws -> Int {
        let options = try ProxyOptions(parse(["proxy", "--upstream", "127.0.0.1:9"] + words))
        let listen = Endpoint.tcp(host: "127.0.0.1", port: 0)
        let run = try ProxyRun(
            options: options,
            description: RunDescription(
                profile: Profile(name: "none"),
                seed: 7,
                faults: [],
                routes: [.init(listen: listen, upstream: .tcp(host: "127.0.0.1", port: 9))],
                reproduction: ""
            ),
            console: console,
            catalog: ProfileCatalog(environment: { _ in nil }, currentDirectory: "/"),
            notifier: ServiceNotifier { _ in nil },
            isLive: false
        )
        defer { run.shutDown() }
        return run.loop.chunks.limit
    }

    private func runLimit(_ words: [String]) throws -> Int {
        let options = try RunOptions(
            parse(["run"] + words + ["--", "true"]),
            currentDirectory: "/"
        )
        let plan = RunPlan(
            options,
            profile: Profile(name: "none"),
            schedule: FaultSchedule(seed: 7, faults: []),
            environment: [],
            reproduction: ""
        )
        let folder = try TemporaryFolder()
        return try ClientRun(plan, console: console, temporaryFolder: folder.path).loop.chunks.limit
    }

    @Test func `it is that of the loop of a proxy and of a run`() throws {
        for limit in [proxyLimit, runLimit] {
            #expect(try limit([]) == 512 << 20)
            #expect(try limit(["--max-memory", "64MiB"]) == 64 << 20)
        }
    }

    @Test func `a replay and an exploration have it, too`() throws {
        for command in ["replay", "explore"] {
            let schedule = command == "replay" ? ["lc1;seed=7"] : []
            let words = [command, "--max-memory", "64MiB"] + schedule + ["--", "true"]
            #expect(try parse(words).maximumMemoryBytes() == 64 << 20)
        }
        #expect(try EventLoop.forRun(maximumMemoryBytes: 1 << 20).chunks.limit == 1 << 20)
    }
}
