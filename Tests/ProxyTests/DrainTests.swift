import Journal
import LinkEngine
import Basics
import LinkProfile
import SystemIO
import Testing

@testable import Proxy

/// Draining ends within its limit whatever holds connections back, and sooner if nothing is left.
@Suite struct DrainTests {
    /// Milliseconds that draining took.
    private func drain(
        _ rig: Rig,
        limit: UInt64,
        closesIdle: Bool = false
    ) throws -> UInt64 {
        let start = rig.loop.now
        var isDrained = false
        rig.proxy.drain(limitMilliseconds: limit, closesIdle: closesIdle) { isDrained = true }
        try rig.run("draining ends", seconds: Double(limit) / 1_000 + 2) { isDrained }
        return UInt64((rig.loop.now - start).wholeMilliseconds)
    }

    @Test func `an idle connection is closed when nothing has moved between two looks`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(5)
        try rig.run("it arrives") { client.receivedCount == 5 }
        var isDrained = false
        rig.proxy.drain(limitMilliseconds: 60_000, closesIdle: true) { isDrained = true }
        #expect(rig.proxy.openConnections == 1)
        try rig.run("draining ends") { isDrained }
    }

    @Test(arguments: ["", "CONNECT 127.0.0.1:"])
    func `a client of a forward proxy that has named no server is closed`(words: String) throws {
        let rig = try Rig {
            $0.routes = [.init(listen: $0.routes[0].listen, forward: ForwardSettings())]
        }
        defer { rig.tearDown() }
        let client = try rig.connect()
        client.say(words)
        try rig.run("it is accepted") { rig.proxy.openConnections == 1 }
        var isDrained = false
        rig.proxy.drain(limitMilliseconds: 60_000, closesIdle: true) { isDrained = true }
        try rig.run("draining ends") { isDrained }
        #expect(rig.ends.map(\.by) == [.shutdown])
    }

    @Test(arguments: ["hole(both)", "rst,far=hole", "hole,far=rst"])
    func `connections on which nothing can pass any more are not waited for`(
        effect: String
    ) throws {
        let rig = try Rig(faults: ["c1:down+10=\(effect)"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(20)
        try rig.run("the fault acts") { !rig.faultReports.isEmpty }
        try rig.run(milliseconds: 20)
        #expect(try drain(rig, limit: 5_000) < 1_000)
        #expect(client.isOpen)
        try rig.runUntilIdle(1)
        #expect(rig.ends.first?.by == .fault)
    }

    @Test func `an upload beside a hole is waited for, the silence after it is not`() throws {
        let rig = try Rig(link: .slow(bitsPerSecond: 8_000_000), faults: ["c1:down+10=hole"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(20)
        client.send(500_000, then: .finish)
        let took = try drain(rig, limit: 8_000)
        #expect(took > 300 && took < 4_000)
        try rig.run("all bytes are there") { server.hasEnded }
        #expect(server.receivedCount == 500_000)
    }

    @Test(arguments: ["c1:down+10=stall(1h)", "c1:down+10=slow(8bit/s)", "c1:down+10=hole"])
    func `what a fault holds back for long is ended at the limit`(fault: String) throws {
        let rig = try Rig(faults: [fault])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(2_000, then: .finish)
        try rig.run("bytes before the fault arrive") { client.receivedCount >= 10 }
        let took = try drain(rig, limit: 200)
        #expect(took >= 190 && took < 1_200)
        try rig.run("the client is told") { client.isOver }
    }

    @Test(arguments: [DataBudget.AtHardLimit.stall, .refuse])
    func `what waits for a budget is ended at the limit`(action: DataBudget.AtHardLimit) throws {
        let rig = try Rig {
            var budget = DataBudget()
            budget.softLimitBytes = 1_000
            budget.rateAfterSoftLimit = BitRate(bitsPerSecond: 8)
            budget.hardLimitBytes = 100_000
            budget.atHardLimit = action
            $0.profile.budget = budget
        }
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(200_000, then: .finish)
        try rig.run("the budget is used") { client.receivedCount >= 1_000 }
        let took = try drain(rig, limit: 200)
        #expect(took >= 190 && took < 1_200)
        try rig.run("the client is told") { client.isOver }
    }

    @Test(arguments: [false, true])
    func `what a spent budget keeps silent is not waited for`(hasClientEnded: Bool) throws {
        let rig = try Rig {
            var budget = DataBudget()
            budget.hardLimitBytes = 1_000
            budget.atHardLimit = .stall
            $0.profile.budget = budget
        }
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(5_000, then: .finish)
        try rig.run("the budget is used") { client.receivedCount == 1_000 }
        if hasClientEnded { client.send(0, then: .finish) }
        try rig.run(milliseconds: 20)
        #expect(rig.proxy.openConnections == 1)
        #expect(try drain(rig, limit: 5_000) < 1_000)
        try rig.run("the client is told") { client.isOver }
        #expect(client.receivedCount == 1_000)
    }

    @Test(arguments: [false, true])
    func `idle connections are closed normally, at once if so asked`(isGated: Bool) throws {
        let rig = try Rig(faults: isGated ? ["c1:down+1000000=rst"] : [])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(10)
        server.send(20)
        try rig.run("both have what was sent") {
            client.receivedCount == 20 && server.receivedCount == 10
        }
        server.send(1)
        try rig.run("the answer is whole") { client.receivedCount == 21 }
        #expect(rig.proxy.busyConnections == 0)
        #expect(try drain(rig, limit: 5_000, closesIdle: true) < 2_000)
        try rig.run("the client sees the end") { client.hasEnded && rig.ends.count == 1 }
        #expect(client.failure == nil)
        #expect(rig.ends.last?.by == .shutdown && rig.ends.last?.how == .fin)
    }

    @Test(arguments: [false, true])
    func `a connection whose answer is due is not closed as idle`(isGated: Bool) throws {
        let rig = try Rig(faults: isGated ? ["c1:down+1000000=rst"] : [])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(10)
        try rig.run("the request arrives") { server.receivedCount == 10 }
        #expect(rig.proxy.busyConnections == 1)
        let took = try drain(rig, limit: 500, closesIdle: true)
        #expect(took >= 490)
        try rig.run("the client is told") { client.isOver }
    }

    @Test func `a client that waits for the name or the link's handshake is ended at the limit`()
        throws
    {
        var settings = LinkSettings()
        settings.up.loss = .bernoulli(.one)
        let rig = try Rig(link: settings) { $0.profile.nameLookupDelay = .seconds(3_600) }
        defer { rig.tearDown() }
        let client = try rig.connect()
        try rig.run("it is accepted") { rig.proxy.openConnections == 1 }
        #expect(try drain(rig, limit: 100) < 1_100)
        try rig.run("the client is told") { client.isOver }
    }
}
