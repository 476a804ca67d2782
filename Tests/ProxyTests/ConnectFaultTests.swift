import Basics
import Journal
import SystemIO
import Testing

@testable import Proxy

/// Connections that are refused, not answered or not possible.
@Suite struct ConnectFaultTests {
    @Test func `silent connections are accepted and hear nothing`() throws {
        let rig = try Rig(faults: ["c1:connect=silent(2)"])
        defer { rig.tearDown() }
        let clients = [try rig.connect(), try rig.connect()]
        for client in clients { client.send(1_000) }
        try rig.run("both are known") { rig.faultReports.count == 2 }
        try rig.run(milliseconds: 30)
        #expect(clients.allSatisfy { $0.hasSentAll && !$0.isOver })
        #expect(rig.served.isEmpty)
        #expect(rig.proxy.snapshot().connections.map(\.state) == [.silent, .silent])
        _ = try rig.connectThrough()
        clients[0].end(.finish)
        clients[1].reset()
        try rig.run("one is gone") { rig.proxy.openConnections == 2 }
        try rig.run(milliseconds: 30)
        // It may wait for an answer, which an end would be.
        #expect(!clients[0].isOver && rig.proxy.openConnections == 2)
        clients[0].reset()
        try rig.run("both are gone") { rig.proxy.openConnections == 1 }
        #expect(rig.ends.map(\.how) == [.rst, .hole])
    }

    @Test func `a client of a Unix socket that hears nothing and goes is noticed at once`() throws {
        let rig = try Rig(faults: ["c1:connect=silent"], transport: .unix)
        defer { rig.tearDown() }
        try rig.connect().end(.close)
        try rig.run("it is gone", seconds: 2) { rig.ends.count == 1 }
        #expect(rig.ends.map(\.how) == [.hole])
    }

    @Test func `an end of the run does not wait for clients that hear nothing`() throws {
        let rig = try Rig(faults: ["c*:connect=silent"])
        defer { rig.tearDown() }
        let clients = [try rig.connect(), try rig.connect()]
        clients[1].end(.finish)
        try rig.run("both are known") { rig.faultReports.count == 2 }
        try rig.run(milliseconds: 30)
        var isDrained = false
        rig.proxy.drain(limitMilliseconds: 60_000) { isDrained = true }
        try rig.run("it is over", seconds: 2) { isDrained && rig.ends.count == 2 }
        #expect(rig.ends.map(\.how) == [.rst, .hole])
    }

    @Test func `clients that have ended make room for others`() throws {
        let rig = try Rig(faults: ["c*/1:connect=silent"]) { $0.limits.connections = 2 }
        defer { rig.tearDown() }
        let clients = try (0..<4).map { _ in
            let client = try rig.connect()
            client.end(.finish)
            return client
        }
        try rig.run("all were accepted", seconds: 2) { rig.faultReports.count == 4 }
        #expect(rig.proxy.openConnections <= 2)
        try rig.run("the first ones end") { clients[0].isOver && clients[1].isOver }
    }

    @Test(arguments: ["c1:connect=refuse", "c1:down+0=rst"])
    func `a client that is refused sees first that it is connected`(fault: String) throws {
        let rig = try Rig(faults: [fault]) { $0.limits.connectPatienceMilliseconds = 60_000 }
        defer { rig.tearDown() }
        let client = try rig.connect()
        try rig.run("it is refused") { rig.ends.count == 1 }
        try rig.run(milliseconds: 20)
        #expect(!client.isOver)
        client.send(10)
        try rig.run("the reset arrives") { client.isOver }
        #expect(client.failure == .connectionReset && client.hasSentAll)
    }

    @Test func `who has heard a byte knows that it is connected`() throws {
        let rig = try Rig(faults: ["c1:down+5=rst"]) {
            $0.limits.connectPatienceMilliseconds = 60_000
        }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(10) }
        let client = try rig.connect()
        try rig.run("the reset arrives") { client.isOver }
        #expect(client.failure == .connectionReset && client.receivedCount == 5)
    }

    @Test func `a client that says nothing is refused after a while`() throws {
        let rig = try Rig(faults: ["c1:connect=refuse"]) {
            $0.limits.connectPatienceMilliseconds = 30
        }
        defer { rig.tearDown() }
        let begin = rig.loop.now
        let client = try rig.connect()
        try rig.run("the reset arrives") { client.isOver }
        #expect(client.failure == .connectionReset)
        #expect(rig.loop.now - begin >= .milliseconds(30))
    }

    @Test func `the end of the run resets clients that wait for it`() throws {
        let rig = try Rig(faults: ["c1:connect=refuse"]) {
            $0.limits.connectPatienceMilliseconds = 60_000
        }
        defer { rig.tearDown() }
        let client = try rig.connect()
        try rig.run("it is refused") { rig.ends.count == 1 }
        rig.proxy.stop()
        try rig.run("the reset arrives") { client.isOver }
        #expect(client.failure == .connectionReset)
    }

    @Test(arguments: Rig.Transport.allCases)
    func `a listener that is down refuses until what it waits for has passed`(
        transport: Rig.Transport
    ) throws {
        let rig = try Rig(
            faults: ["c2:connect=down(until=c1:up+1000)"],
            transport: transport
        )
        defer { rig.tearDown() }
        let (first, _) = try rig.connectThrough()
        #expect(throws: (any Error).self) {
            let second = try rig.connect()
            try rig.run("it is refused") { second.isOver }
            if let failure = second.failure { throw failure }
        }
        #expect(rig.faultReports.map(\.connection) == [ConnectionID(ordinal: 2)])
        first.send(1_000)
        try rig.run("the bytes arrive") { rig.served[0].receivedCount == 1_000 }
        try rig.run(milliseconds: 20)
        let (third, server) = try rig.connectThrough()
        third.send(10)
        try rig.run("it is open") { server.receivedCount == 10 }
        #expect(rig.proxy.snapshot().connections.map(\.id.ordinal).contains(2))
    }

    @Test func `a listener can be down for a time, from the beginning`() throws {
        let rig = try Rig(faults: ["c1:connect=down(200ms)"])
        defer { rig.tearDown() }
        let early = try rig.connect()
        try rig.run("it is refused") { early.isOver }
        #expect(early.failure == .connectionRefused)
        try rig.run(milliseconds: 300)
        _ = try rig.connectThrough()
    }

    @Test func `a byte fault waits for an event, too`() throws {
        let rig = try Rig(faults: ["c1:down+10=stall(until=c2:connect)"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(20)
        try rig.run("ten bytes") { client.receivedCount == 10 }
        try rig.run(milliseconds: 20)
        #expect(client.receivedCount == 10)
        _ = try rig.connectThrough()
        try rig.run("the rest") { client.receivedCount == 20 }
    }

    @Test func `what waits for something that has happened already goes on at once`() throws {
        let rig = try Rig(faults: ["c2:down+5=stall(until=c1:down+1)"])
        defer { rig.tearDown() }
        for number in 1...2 {
            let (client, server) = try rig.connectThrough()
            server.send(10)
            try rig.run("connection \(number) gets all") { client.receivedCount == 10 }
        }
        #expect(rig.faultReports.count == 1)
    }
}
