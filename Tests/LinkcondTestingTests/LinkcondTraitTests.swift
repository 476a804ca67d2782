import Foundation
import LinkcondTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct LinkcondTraitTests {
    private func get(_ path: String) async throws -> Data {
        let network = try #require(Linkcond.current)
        let url = try #require(URL(string: network.url + path))
        return try await URLSession(configuration: .ephemeral).data(from: url).0
    }

    @Test(.linkcond()) func `a test has a network and a server of its own`() async throws {
        let network = try #require(Linkcond.current)
        #expect(network.host == "127.0.0.1" && network.port > 0 && network.seed == 1)
        #expect(network.url == "http://127.0.0.1:\(network.port)")
        #expect(try await get("/bytes/1000").count == 1_000)
        #expect(FileManager.default.fileExists(atPath: network.folder))
    }

    @Test(.linkcond(faults: ["c1:down+500=rst"], seed: 7))
    func `a fault acts at its byte`() async throws {
        #expect(Linkcond.current?.schedule == "lc1;seed=7;c1:down+500=rst")
        await #expect(throws: URLError.self) { try await get("/bytes/100000") }
    }

    @Test(.linkcond(set: ["delay=40ms"])) func `the network is as slow as it is asked to be`()
        async throws
    {
        let begin = ContinuousClock.now
        _ = try await get("/bytes/10")
        // Opening and asking take a round trip each.
        #expect(ContinuousClock.now - begin > .milliseconds(160))
    }

    @Test(.linkcond(), arguments: 1...4)
    func `each case of a test has its own`(size: Int) async throws {
        #expect(try await get("/bytes/\(size)").count == size)
    }

    @Test func `outside there is none`() {
        #expect(Linkcond.current == nil)
    }
}

@Suite(.linkcond("lte", schedule: "lc1;seed=9")) struct SuiteTraitTests {
    @Test func `a suite's network holds for each of its tests`() async throws {
        let network = try #require(Linkcond.current)
        #expect(network.seed == 9)
        let url = try #require(URL(string: network.url + "/bytes/20"))
        #expect(try await URLSession.shared.data(from: url).0.count == 20)
    }
}

extension SuiteTraitTests {
    @Test(.linkcond("none", schedule: "lc1;seed=5"))
    func `a test's own network takes the place of the suite's`() async throws {
        let network = try #require(Linkcond.current)
        #expect(network.seed == 5)
        let url = try #require(URL(string: network.url + "/bytes/20"))
        #expect(try await URLSession.shared.data(from: url).0.count == 20)
    }

    // Equal to the suite's: still one network, or one of them would have no traffic.
    @Test(.linkcond("lte", schedule: "lc1;seed=9"))
    func `a network like the suite's is not doubled`() async throws {
        let network = try #require(Linkcond.current)
        let url = try #require(URL(string: network.url + "/bytes/20"))
        #expect(try await URLSession.shared.data(from: url).0.count == 20)
    }
}

/// Networks that no trait starts.
@Suite struct LinkcondSessionTests {
    private func get(_ session: LinkcondSession, _ path: String) async throws -> Int {
        let url = try #require(URL(string: session.network.url + path))
        return try await URLSession(configuration: .ephemeral).data(from: url).0.count
    }

    @Test func `a session reports what happened`() async throws {
        let session = try await LinkcondSession.start(seed: 3)
        #expect(Linkcond.current == nil && session.network.seed == 3)
        #expect(try await get(session, "/bytes/1000") == 1_000)
        let report = try #require(await session.stop())
        #expect(report.doubts.isEmpty)
        #expect(String(decoding: report.journal, as: UTF8.self).contains("/bytes/1000"))
    }

    @Test func `a fault that never fires is a doubt`() async throws {
        let session = try await LinkcondSession.start(faults: ["c1:down+50000=rst"])
        #expect(try await get(session, "/bytes/10") == 10)
        let report = try #require(await session.stop())
        #expect(report.doubts.contains { $0.contains("never fired") }, "\(report.doubts)")
        let lenient = try await LinkcondSession.start(
            faults: ["c1:down+50000=rst"],
            mustFire: false
        )
        #expect(try await get(lenient, "/bytes/10") == 10)
        #expect(await lenient.stop()?.doubts == [])
    }

    @Test func `a network that nobody uses proves nothing`() async throws {
        let session = try await LinkcondSession.start()
        let report = try #require(await session.stop(isSuccess: false))
        #expect(report.doubts.contains { $0.contains("nothing came through") })
    }

    @Test func `two networks at once do not share anything`() async throws {
        let one = try await LinkcondSession.start(seed: 1)
        let other = try await LinkcondSession.start(seed: 2)
        #expect(one.network.port != other.network.port)
        #expect(one.network.folder != other.network.folder)
        #expect(try await get(one, "/bytes/5") == 5)
        #expect(try await get(other, "/bytes/6") == 6)
        await one.stop()
        await other.stop()
    }

    @Test(
        arguments: [
            ("nosuch", [], [], "profile 'nosuch'"), ("none", ["dealy"], [], "write KEY=VALUE"),
            ("none", [], ["c1:down+x=rst"], "fault 'c1:down+x=rst'"),
        ] as [(String, [String], [String], String)]
    )
    func `a network that there cannot be is refused with the reason`(
        wrong: (profile: String, settings: [String], faults: [String], reason: String)
    ) async {
        let error = await #expect(throws: LinkcondError.self) {
            _ = try await LinkcondSession.start(
                wrong.profile,
                set: wrong.settings,
                faults: wrong.faults
            )
        }
        #expect(error?.description.contains(wrong.reason) == true, "\(String(describing: error))")
    }
}

@Suite struct LinkcondExplorationTests {
    /// A client of plain sockets would do; this one is URLSession, asked again once.
    private static func fetch(_ network: Linkcond, tries: Int) async throws {
        guard let url = URL(string: "\(network.url)/bytes/3000") else { return }
        for attempt in 1...tries {
            do {
                let configuration = URLSessionConfiguration.ephemeral
                configuration.timeoutIntervalForRequest = 4
                let session = URLSession(configuration: configuration)
                defer { session.finishTasksAndInvalidate() }
                let (data, answer) = try await session.data(from: url)
                guard (answer as? HTTPURLResponse)?.statusCode == 200 else {
                    throw URLError(.badServerResponse)
                }
                return try data.write(to: URL(fileURLWithPath: "\(network.folder)/got"))
            } catch  where attempt < tries {
                continue
            }
        }
    }

    private static func isRight(_ network: Linkcond) throws -> Bool {
        try Data(contentsOf: URL(fileURLWithPath: "\(network.folder)/got")).count == 3_000
    }

    @Test func `a client that never asks again is found out`() async throws {
        let exploration = try await Linkcond.explore(runs: 12, deadline: .seconds(60)) { network in
            try await Self.fetch(network, tries: 1)
        } check: {
            try Self.isRight($0)
        }
        #expect(exploration.points > 0)
        #expect(exploration.findings.contains { $0.kind == "giveup" }, "\(exploration)")
        #expect(exploration.findings.first?.schedule.hasPrefix("lc1;") == true)
    }

    @Test func `a client that does not use the network is told so`() async {
        await #expect(throws: LinkcondError.self) {
            try await Linkcond.explore(runs: 2) { _ in
            } check: { _ in
                true
            }
        }
    }
}
