import Journal
import LinkEngine
import Libuv
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
        try rig.run("they are gone") { rig.proxy.openConnections == 1 }
        #expect(rig.ends.map(\.how) == [.hole, .rst])
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
}
