import Basics
import Journal
import SystemIO
import Testing

@testable import Proxy

@Suite struct FaultTests {
    @Test func `a stall holds the bytes behind it for its time, then lets them go`() throws {
        let rig = try Rig(faults: ["c1:down+1000=stall(150ms)"])
        defer { rig.tearDown() }
        rig.onServe = { $0.send(5_000, then: .finish) }
        let start = rig.loop.now
        let client = try rig.connect()
        try rig.run("bytes before the stall arrive") { client.receivedCount >= 1_000 }
        #expect(client.receivedCount == 1_000)
        try rig.run("the rest arrives") { client.hasEnded }
        #expect(client.receivedCount == 5_000)
        #expect(rig.loop.now - start >= .milliseconds(150))
        #expect(client.digest.value == Content.of(2).digest(5_000))
        #expect(rig.faultReports.map(\.state) == [.fired])
    }

    @Test func `a corruption flips one bit of its byte and no other`() throws {
        let rig = try Rig(faults: ["c1:down+40=corrupt"])
        defer { rig.tearDown() }
        rig.onServe = { $0.send(64, then: .finish) }
        let client = try rig.connect()
        try rig.run("all arrives") { client.hasEnded }
        let sent = Content.of(2).bytes(from: 0, count: 64)
        let differing = zip(sent, client.head).enumerated().filter { $0.element.0 != $0.element.1 }
        #expect(differing.map(\.offset) == [40])
        #expect((sent[40] ^ client.head[40]).nonzeroBitCount == 1)
    }

    @Test func `a slow stream keeps its rate and loses nothing`() throws {
        let rig = try Rig(faults: ["c1:down+100000=slow(8Mbit/s)"])
        defer { rig.tearDown() }
        rig.onServe = { $0.send(400_000, then: .finish) }
        let start = rig.loop.now
        let client = try rig.connect()
        try rig.run("all arrives") { client.hasEnded }
        // 300,000 bytes at 1,000,000 a second, but for a burst at the end.
        #expect(rig.loop.now - start > .milliseconds(290))
        #expect(client.digest.value == Content.of(2).digest(400_000))
    }

    @Test func `a hole swallows one direction and lets the other one live`() throws {
        let rig = try Rig(faults: ["c1:down+100=hole"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(200, then: .finish)
        try rig.run("bytes before the hole arrive") { client.receivedCount == 100 }
        client.send(1_000)
        try rig.run("the other direction lives") { server.receivedCount == 1_000 }
        try rig.run(milliseconds: 100)
        #expect(client.receivedCount == 100)
        #expect(!client.isOver)
        client.reset()
        try rig.runUntilIdle(1)
        #expect(rig.ends.first?.how == .hole)
        #expect(rig.ends.first?.down == .init(bytes: 100, isExact: true))
    }

    @Test func `a hole for a time ends in resets of both sides`() throws {
        let rig = try Rig(faults: ["c1:up+10=hole(both,100ms)"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(20)
        try rig.run("both are reset") { client.isOver && server.isOver }
        #expect(client.failure == .connectionReset && server.failure == .connectionReset)
        #expect(server.receivedCount == 10)
    }

    @Test func `a reset can leave the far side half open`() throws {
        let rig = try Rig(faults: ["c1:down+10=rst,far=hole"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(20)
        try rig.run("the client is reset") { client.isOver }
        try rig.run(milliseconds: 50)
        #expect(!server.isOver)
        #expect(rig.proxy.snapshot().connections.map(\.state) == [.silent])
        server.close()
        try rig.runUntilIdle(1)
    }

    @Test func `a reset can look like an end on the far side`() throws {
        let rig = try Rig(faults: ["c1:down+10=rst,far=fin"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(20)
        try rig.run("both are over") { client.isOver && server.isOver }
        #expect(client.failure == .connectionReset)
        #expect(server.hasEnded)
        server.close()
        try rig.runUntilIdle(1)
    }

    @Test func `a refusal resets its connections before anything else`() throws {
        let rig = try Rig(faults: ["c2:connect=refuse(2)"])
        defer { rig.tearDown() }
        _ = try rig.connectThrough()
        for _ in 2...3 {
            let client = try rig.connect()
            try rig.run("it is refused") { client.isOver }
            #expect(client.failure == .connectionReset)
        }
        _ = try rig.connectThrough()
        #expect(rig.ends.map(\.how) == [.refused, .refused])
    }

    @Test func `an end by a fault lets both sides end in order`() throws {
        let rig = try Rig(faults: ["c1:up+100=fin"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(500)
        try rig.run("both see an end") { client.hasEnded && server.hasEnded }
        #expect(server.receivedCount == 100)
        client.end(.close)
        server.end(.close)
        try rig.runUntilIdle(1)
        #expect(rig.ends.first?.how == .fin)
        #expect(rig.ends.first?.by == .fault)
    }

    @Test func `a fault that never came to its byte is told with its reason`() throws {
        let rig = try Rig(faults: ["c1:down+1000=rst", "c7:up+0=rst"])
        rig.onServe = { $0.send(10, then: .close) }
        let client = try rig.connect()
        try rig.run("the end arrives") { client.hasEnded }
        client.end(.close)
        try rig.runUntilIdle(1)
        rig.tearDown()
        #expect(
            rig.faultReports.map(\.state) == [
                .unreached(reason: "stream ended at 10"), .unreached(reason: "no connection"),
            ]
        )
    }

    @Test func `the same work with the same seed writes the same journal`() throws {
        let digests = try (0..<6).map {
            try self.journal(seed: 7, writeSize: [1, 1_024, 65_536][$0 % 3])
        }
        #expect(Set(digests).count == 1)
        #expect(try journal(seed: 8, writeSize: 1_024) != digests[0])
    }

    /// A client that sends 20,000 bytes on each of six connections and takes what comes.
    private func journal(seed: UInt64, writeSize: Int) throws -> String {
        let rig = try Rig(
            faults: ["c*?50%:up+100..15000=rst", "c*/2:down+2000..9000=fin", "c3:down+5=corrupt"],
            seed: seed
        )
        rig.onServe = { server in
            server.writeSize = { writeSize }
            server.onReceive = { server, count in server.send(count) }
            server.onEnd = { $0.end(.close) }
        }
        for ordinal in 1...6 {
            let client = try rig.connect()
            client.writeSize = { writeSize }
            client.onEnd = { $0.end(.close) }
            client.onReceive = { client, _ in
                if client.receivedCount == 20_000 { client.end(.close) }
            }
            client.send(20_000)
            try rig.runUntilIdle(ordinal)
        }
        rig.tearDown()
        var journal = CanonicalJournal()
        for record in rig.records { journal.add(record) }
        return journal.digest { SHA256.digest($0) }
    }
}
