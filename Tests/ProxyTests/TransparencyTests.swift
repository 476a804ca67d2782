import Basics
import Journal
import LinkEngine
import LinkProfile
import SystemIO
import TestSupport
import Testing

@testable import Proxy

@Suite struct TransparencyTests {
    @Test(arguments: Rig.Transport.allCases)
    func `bytes pass both ways unchanged whatever the sizes of the writes`(
        transport: Rig.Transport
    ) throws {
        let rig = try Rig(transport: transport)
        defer { rig.tearDown() }
        try exchange(rig, bytes: 3_000_000 * testScale, connections: 3)
    }

    @Test(arguments: [1, 16, 256])
    func `bytes pass unchanged through many connections at once`(connections: Int) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        try exchange(rig, bytes: 4_000_000 * testScale / connections, connections: connections)
    }

    @Test func `bytes pass unchanged without splice`() throws {
        let rig = try Rig { $0.limits.usesSplice = false }
        defer { rig.tearDown() }
        try exchange(rig, bytes: 2_000_000, connections: 3)
    }

    @Test func `bytes pass unchanged over a link`() throws {
        let rig = try Rig(link: .fast(delayMilliseconds: 1))
        defer { rig.tearDown() }
        try exchange(rig, bytes: 1_000_000, connections: 3)
    }

    @Test func `bytes pass unchanged before a fault that is far away`() throws {
        let rig = try Rig(faults: ["c*:down+1000000000=rst"])
        defer { rig.tearDown() }
        try exchange(rig, bytes: 2_000_000, connections: 2)
    }

    @Test(arguments: [[], ["c1:up+1000000000=rst"]])
    func `bytes pass in their order to a reader that pauses, watched or not`(
        faults: [String]
    ) throws {
        let rig = try Rig(faults: faults) { $0.observesRequests = true }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(3_000_000, then: .finish) }
        let client = try rig.connect()
        client.onReceive = { client, _ in client.isPaused = true }
        while !client.isOver {
            client.isPaused = false
            try rig.run(milliseconds: 1)
        }
        #expect(client.receivedCount == 3_000_000)
        #expect(client.digest.value == Content.of(2).digest(3_000_000))
    }

    @Test func `bytes that come one at a time pass at once`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.writeSize = { 1 }
        server.writeSize = { 1 }
        for count in 1...200 {
            client.send(1)
            try rig.run("byte \(count) arrives") { server.receivedCount == count }
            server.send(1)
            try rig.run("byte \(count) comes back") { client.receivedCount == count }
        }
        #expect(server.head == Content.of(1).bytes(from: 0, count: 64))
    }

    @Test(arguments: [Side.client, Side.upstream], [false, true])
    func `a side that ends first still gets what the other one sends`(
        first: Side,
        isShaped: Bool
    ) throws {
        let rig = try Rig(link: isShaped ? .fast(delayMilliseconds: 1) : .init())
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        let (early, late) = first == .client ? (client, server) : (server, client)
        early.send(100_000, then: .finish)
        try rig.run("the first end arrives") { late.hasEnded }
        #expect(late.receivedCount == 100_000)
        #expect(!early.hasEnded)
        late.send(1_000_000, then: .finish)
        try rig.run("the second end arrives") { early.hasEnded }
        #expect(early.receivedCount == 1_000_000)
        try rig.runUntilIdle(1)
        let end = try #require(rig.ends.first)
        #expect(end.how == .fin)
        #expect(end.by == first.party)
        #expect(end.up.isExact && end.down.isExact)
    }

    @Test func `bytes of connections that have ended stay counted, each way`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(1_000, then: .finish)
        server.send(10, then: .finish)
        try rig.runUntilIdle(1)
        #expect(rig.proxy.receivedBytes(.up) == 1_000 && rig.proxy.receivedBytes(.down) == 10)
        #expect(rig.proxy.deliveredBytes(.up) == 1_000 && rig.proxy.deliveredBytes(.down) == 10)
    }

    @Test func `an open connection goes on when the profile changes`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(3_000_000)
        server.send(3_000_000)
        try rig.run("some of it arrives") { server.receivedCount > 500_000 }
        try rig.proxy.link.apply(.fast(delayMilliseconds: 2))
        try rig.run("the rest arrives") {
            server.receivedCount == 3_000_000 && client.receivedCount == 3_000_000
        }
        #expect(server.digest.value == Content.of(1).digest(3_000_000))
        #expect(client.digest.value == Content.of(2).digest(3_000_000))
    }

    /// Sends `bytes` each way over several connections at once, in pieces of all sizes.
    private func exchange(_ rig: Rig, bytes: Int, connections: Int) throws {
        var random = SeededRandom.fresh()
        rig.onServe = { server in
            server.writeSize = { Int.random(in: 1...40_000, using: &random) }
            server.send(bytes, then: .finish)
        }
        for _ in 0..<connections {
            let client = try rig.connect()
            client.writeSize = { Int.random(in: 1...40_000, using: &random) }
            client.send(bytes, then: .finish)
        }
        try rig.run("all bytes arrive", seconds: 10 + Double(testScale)) {
            rig.served.count == connections
                && (rig.clients + rig.served).allSatisfy { $0.isOver }
        }
        let sent = (up: Content.of(1).digest(bytes), down: Content.of(2).digest(bytes))
        for client in rig.clients {
            #expect(client.failure == nil)
            #expect(client.receivedCount == bytes)
            #expect(client.digest.value == sent.down)
        }
        for server in rig.served {
            #expect(server.failure == nil)
            #expect(server.receivedCount == bytes)
            #expect(server.digest.value == sent.up)
        }
        try rig.runUntilIdle(connections)
        let snapshot = rig.proxy.snapshot()
        #expect(snapshot.up.bytes == UInt64(bytes * connections))
        #expect(snapshot.down.bytes == UInt64(bytes * connections))
    }
}
