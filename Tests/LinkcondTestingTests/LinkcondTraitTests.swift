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
