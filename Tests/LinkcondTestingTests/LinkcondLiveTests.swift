import Foundation
import LinkcondTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a test does to its network while it runs.
@Suite struct LinkcondLiveTests {
    private func get(_ path: String) async throws -> Data {
        let network = try #require(Linkcond.current)
        let url = try #require(URL(string: network.url + path))
        return try await URLSession(configuration: .ephemeral).data(from: url).0
    }

    @Test(.linkcond(set: ["rate=8Mbit/s"]))
    func `connections are cut once enough has arrived, and what happened can be read`() async throws
    {
        let network = try #require(Linkcond.current)
        async let body = get("/bytes/50000000")
        let reached = try await network.wait { $0.bytesDown >= 20_000 }
        #expect(reached.connections == 1 && reached.openConnections == 1)
        #expect(reached.requests == ["GET /bytes/50000000"] && reached.statuses == [200])
        #expect(try await network.cut() == 1)
        do {
            _ = try await body
            Issue.record("it was cut")
        } catch {}
        try await network.wait { $0.openConnections == 0 }
        #expect(try await network.cut() == 0)
        let journal = String(decoding: try await network.journal(), as: UTF8.self)
        #expect(journal.contains("\"action\":\"cut\"") && journal.contains("/bytes/50000000"))
    }

    @Test(.linkcond()) func `what is paused arrives after it is resumed`() async throws {
        let network = try #require(Linkcond.current)
        try await network.pause()
        async let body = get("/bytes/100")
        try await network.wait { $0.connections == 1 }
        #expect(try await network.progress().bytesDown == 0)
        try await network.resume()
        #expect(try await body.count == 100)
        #expect(try await network.progress().bytesDown > 100)
    }

    @Test(.linkcond()) func `connections are refused, so many and no more`() async throws {
        let network = try #require(Linkcond.current)
        try await network.refuseNext()
        await #expect(throws: URLError.self) { try await get("/bytes/100") }
        #expect(try await get("/bytes/100").count == 100)
        await #expect(throws: LinkcondError.self) { try await network.refuseNext(0) }
        await #expect(throws: LinkcondError.self) { try await network.cut(connection: 0) }
    }

    @Test(.linkcond()) func `the network becomes another one, and its path with it`() async throws {
        let network = try #require(Linkcond.current)
        #expect(try await network.path() == LinkcondPath())
        try await network.change(to: "lte", set: ["delay=40ms"])
        #expect(try await network.path() == LinkcondPath(isExpensive: true))
        let begin = ContinuousClock.now
        #expect(try await get("/bytes/10").count == 10)
        // Opening and asking take a round trip each.
        #expect(ContinuousClock.now - begin > .milliseconds(160))
        let error = await #expect(throws: LinkcondError.self) {
            try await network.change(to: "nosuch")
        }
        #expect(error?.description.contains("profile 'nosuch'") == true)
        let journal = String(decoding: try await network.journal(), as: UTF8.self)
        #expect(journal.contains("\"action\":\"profile\"") && journal.contains("\"expensive\""))
    }

    @Test(.linkcond()) func `without a path nothing arrives, and the path's attributes stay`()
        async throws
    {
        let network = try #require(Linkcond.current)
        let lost = LinkcondPath(isSatisfied: false, isConstrained: true)
        try await network.setPath(lost)
        #expect(try await network.path() == lost)
        async let body = get("/bytes/100")
        let error = await #expect(throws: LinkcondError.self) {
            try await network.wait(atMost: .milliseconds(50)) { $0.bytesDown > 0 }
        }
        #expect(error?.description.contains("did not happen within") == true)
        try await network.setPath(LinkcondPath(isConstrained: true))
        #expect(try await body.count == 100)
        #expect(try await network.path() == LinkcondPath(isConstrained: true))
        let journal = String(decoding: try await network.journal(), as: UTF8.self)
        #expect(journal.ranges(of: #""action":"path""#).count == 2)
        #expect(journal.contains(#""status":"unsatisfied","isConstrained":true"#))
    }

    @Test func `a network that is over cannot be changed`() async throws {
        let session = try await LinkcondSession.start(mustFire: false)
        await session.stop()
        let error = await #expect(throws: LinkcondError.self) { try await session.network.cut() }
        #expect(error?.description.contains("is over") == true)
    }
}
