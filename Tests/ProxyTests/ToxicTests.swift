import Journal
import Basics
import LinkProfile
import SystemIO
import TestSupport
import Testing
import Toxics

@testable import Proxy

extension Toxic {
    static func on(
        _ direction: Basics.Direction,
        _ action: ToxicAction,
        serial: UInt64 = 1,
        chance: Probability = .one
    ) -> Toxic {
        Toxic(
            serial: serial,
            name: "t\(serial)",
            direction: direction,
            action: action,
            chance: chance
        )
    }
}

/// Toxics on real connections.
@Suite(.serialized) struct ToxicTests {
    /// Who receives a direction, and who sends in it.
    private static func ends(
        _ direction: Basics.Direction,
        _ pair: (client: TestPeer, server: TestPeer)
    ) -> (from: TestPeer, to: TestPeer) {
        direction == .up ? (pair.client, pair.server) : (pair.server, pair.client)
    }

    private static func milliseconds(_ rig: Rig, since start: Instant) -> Double {
        Double((rig.loop.now - start).nanoseconds) / 1_000_000
    }

    // MARK: Each toxic, both ways, before and during a connection

    @Test(arguments: Basics.Direction.allCases, [false, true])
    func `latency delays one direction alone`(
        direction: Basics.Direction,
        isLate: Bool
    ) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let toxic = Toxic.on(direction, .latency(milliseconds: 300, jitterMilliseconds: 0))
        if !isLate { rig.proxy.apply([toxic]) }
        let pair = try rig.connectThrough()
        if isLate { rig.proxy.apply([toxic]) }
        let (from, to) = Self.ends(direction, pair)
        var start = rig.loop.now
        from.send(100)
        try rig.run("delayed bytes arrive") { to.receivedCount == 100 }
        // Never early; late only on a busy machine.
        #expect((300..<1_000).contains(Self.milliseconds(rig, since: start)))
        start = rig.loop.now
        to.send(100)
        try rig.run("other bytes arrive") { from.receivedCount == 100 }
        #expect(Self.milliseconds(rig, since: start) < 250)
        rig.proxy.apply([])
        start = rig.loop.now
        from.send(100)
        try rig.run("bytes arrive at once") { to.receivedCount == 200 }
        #expect(Self.milliseconds(rig, since: start) < 250)
    }

    @Test(arguments: Basics.Direction.allCases)
    func `what waits for latency leaves at once when it is removed`(
        direction: Basics.Direction
    ) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.apply([.on(direction, .latency(milliseconds: 60_000, jitterMilliseconds: 0))])
        let (from, to) = Self.ends(direction, try rig.connectThrough())
        from.send(300_000, then: .finish)
        try rig.run(milliseconds: 30)
        #expect(to.receivedCount == 0)
        rig.proxy.apply([])
        try rig.run("all bytes and the end arrive", seconds: 2) { to.isOver }
        #expect(to.receivedCount == 300_000 && to.hasEnded)
        #expect(to.digest.value == Content.of(direction == .up ? 1 : 2).digest(300_000))
    }

    @Test(arguments: Basics.Direction.allCases)
    func `bandwidth holds its rate`(direction: Basics.Direction) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.apply([.on(direction, .bandwidth(kilobytesPerSecond: 1_000))])
        let (from, to) = Self.ends(direction, try rig.connectThrough())
        let start = rig.loop.now
        from.send(400_000, then: .finish)
        try rig.run("all bytes arrive") { to.isOver }
        #expect(to.receivedCount == 400_000)
        // 400 ms; late wake-ups are made up for.
        #expect((395..<750).contains(Self.milliseconds(rig, since: start)))
    }

    @Test(arguments: Basics.Direction.allCases)
    func `slow close delays the end`(direction: Basics.Direction) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.apply([.on(direction, .slowClose(delayMilliseconds: 300))])
        let (from, to) = Self.ends(direction, try rig.connectThrough())
        let start = rig.loop.now
        from.send(10, then: .finish)
        try rig.run("the bytes arrive") { to.receivedCount == 10 }
        #expect(Self.milliseconds(rig, since: start) < 250)
        try rig.run("the end arrives") { to.isOver }
        #expect((300..<1_000).contains(Self.milliseconds(rig, since: start)))
    }

    @Test(arguments: Basics.Direction.allCases)
    func `timeout drops bytes and ends both sides in order`(
        direction: Basics.Direction
    ) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.apply([.on(direction, .timeout(milliseconds: 80))])
        let (from, to) = Self.ends(direction, try rig.connectThrough())
        from.send(100)
        try rig.run("both sides end") { from.isOver && to.isOver }
        #expect(to.receivedCount == 0)
        #expect(from.hasEnded && to.hasEnded)
        for peer in [from, to] { peer.close() }
        try rig.runUntilIdle(1)
        #expect(rig.ends.map(\.by) == [.fault] && rig.ends.map(\.how) == [.fin])
    }

    @Test func `removing a timeout ends what it hit and nothing else`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        for chance in [Probability.zero, .one] {
            rig.proxy.apply([.on(.down, .timeout(milliseconds: 0), chance: chance)])
            let (client, server) = try rig.connectThrough()
            server.send(10)
            if chance == .zero {
                try rig.run("the bytes arrive") { client.receivedCount == 10 }
            } else {
                try rig.run(milliseconds: 20)
                #expect(client.receivedCount == 0)
            }
            rig.proxy.apply([])
            if chance == .one {
                try rig.run("both sides end") { client.hasEnded && server.hasEnded }
            } else {
                try rig.run(milliseconds: 20)
                #expect(!client.isOver && !server.isOver)
            }
        }
    }

    @Test(arguments: Basics.Direction.allCases, [false, true])
    func `reset peer resets both sides, whenever it was added`(
        direction: Basics.Direction,
        isLate: Bool
    ) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let toxic = Toxic.on(direction, .resetPeer(afterMilliseconds: 30))
        if !isLate { rig.proxy.apply([toxic]) }
        let pair = try rig.connectThrough()
        if isLate { rig.proxy.apply([toxic]) }
        let (from, to) = Self.ends(direction, pair)
        from.send(1)
        try rig.run("both sides are reset") { from.isOver && to.isOver }
        #expect(from.failure == .connectionReset && to.failure == .connectionReset)
        #expect(to.receivedCount == 0)
        #expect(rig.proxy.openConnections == 0)
    }

    @Test func `a toxic that hits nobody changes nothing`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.apply(
            Basics.Direction.allCases.map {
                .on(
                    $0,
                    .resetPeer(afterMilliseconds: 0),
                    serial: UInt64($0.rawValue),
                    chance: .zero
                )
            }
        )
        for _ in 0..<200 * testScale {
            let (client, server) = try rig.connectThrough()
            client.send(1_000, then: .finish)
            server.send(40_000, then: .finish)
            try rig.run("both sides end") { client.isOver && server.isOver }
            #expect(client.receivedCount == 40_000 && client.hasEnded)
            #expect(server.receivedCount == 1_000 && server.hasEnded)
        }
    }

    @Test(arguments: Basics.Direction.allCases)
    func `slicer cuts and pauses`(direction: Basics.Direction) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.apply([
            .on(
                direction,
                .slicer(averageBytes: 100, variationBytes: 20, delayMicroseconds: 5_000)
            )
        ])
        let (from, to) = Self.ends(direction, try rig.connectThrough())
        var pieces = 0
        to.onReceive = { _, _ in pieces += 1 }
        let start = rig.loop.now
        from.send(1_000, then: .finish)
        try rig.run("all bytes arrive") { to.isOver }
        #expect(to.receivedCount == 1_000)
        // At least nine slices of 120 bytes at most, 5 ms apart; late wake-ups bring some at once.
        #expect(Self.milliseconds(rig, since: start) >= 40 && pieces > 1)
    }

    @Test(arguments: Basics.Direction.allCases, [0, 1, 16_384, 65_536, 100_001])
    func `limit data passes exactly so many bytes and ends both sides`(
        direction: Basics.Direction,
        limit: Int
    ) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.apply([.on(direction, .limitData(bytes: Int64(limit)))])
        let pair = try rig.connectThrough()
        let (from, to) = Self.ends(direction, pair)
        to.send(5_000)
        from.send(200_000)
        try rig.run("both sides end") { to.isOver }
        #expect(to.receivedCount == limit && to.hasEnded)
        pair.client.close()
        pair.server.close()
        try rig.runUntilIdle(1)
        let end = try #require(rig.ends.first)
        let delivered = direction == .up ? end.up : end.down
        #expect(end.by == .fault && end.how == .fin)
        #expect(delivered.bytes == UInt64(limit) && delivered.isExact)
    }

    // MARK: Together with the rest

    @Test(arguments: [nil, 5_000] as [Int64?])
    func `an end of one direction leaves the other open`(latency: Int64?) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        if let latency {
            rig.proxy.apply(
                Basics.Direction.allCases.map {
                    .on(
                        $0,
                        .latency(milliseconds: latency / 100, jitterMilliseconds: 0),
                        serial: UInt64($0.rawValue)
                    )
                }
            )
        }
        let (client, server) = try rig.connectThrough()
        client.send(1_000, then: .finish)
        try rig.run("the request and its end arrive") { server.hasEnded }
        server.send(10_000)
        try rig.run(milliseconds: 200)
        server.send(10_000, then: .finish)
        try rig.run("the response and its end arrive") { client.isOver }
        #expect(client.receivedCount == 20_000 && client.hasEnded)
    }

    @Test func `toxics act in front of the link`() throws {
        let rig = try Rig(link: .fast(delayMilliseconds: 40))
        defer { rig.tearDown() }
        rig.proxy.apply([
            .on(.down, .latency(milliseconds: 50, jitterMilliseconds: 0)),
            .on(.down, .limitData(bytes: 150_000), serial: 2),
        ])
        let (client, server) = try rig.connectThrough()
        let start = rig.loop.now
        server.send(1_000_000)
        try rig.run("both sides end") { client.isOver }
        #expect(client.receivedCount == 150_000 && client.hasEnded)
        #expect(Self.milliseconds(rig, since: start) >= 90)
    }

    @Test(arguments: ["c2:down+70000=rst", "c2:down+70000=fin", "c2:down+70000=stall(50ms)"])
    func `a fault acts at its byte behind toxics`(fault: String) throws {
        let rig = try Rig(faults: [fault])
        defer { rig.tearDown() }
        rig.proxy.apply([
            .on(.down, .latency(milliseconds: 20, jitterMilliseconds: 5)),
            .on(
                .down,
                .slicer(averageBytes: 3_000, variationBytes: 500, delayMicroseconds: 100),
                serial: 2
            ),
        ])
        for _ in 0..<3 {
            let (client, server) = try rig.connectThrough()
            server.send(200_000, then: .finish)
            client.end(.finish)
            try rig.run("the client's side ends") { client.isOver }
            let isHit = rig.clients.count == 2 && !fault.contains("stall")
            #expect(client.receivedCount == (isHit ? 70_000 : 200_000))
            #expect(client.hasEnded != (isHit && fault.hasSuffix("rst")))
        }
        let fired = rig.faultReports.filter { $0.id == fault && $0.state == .fired }
        #expect(fired.map(\.offset) == [70_000])
    }

    @Test func `a large transfer comes through changing toxics whole`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(60_000_000, then: .finish)
        client.send(60_000_000, then: .finish)
        var round: UInt64 = 0
        while !client.isOver || !server.isOver {
            round += 1
            let toxics: [[Toxic]] = [
                [.on(.down, .latency(milliseconds: 5, jitterMilliseconds: 3), serial: round)],
                [],
                [
                    .on(.up, .bandwidth(kilobytesPerSecond: 900_000), serial: round),
                    .on(
                        .down,
                        .slicer(averageBytes: 5_000, variationBytes: 900, delayMicroseconds: 5),
                        serial: round + 1_000
                    ),
                ],
            ]
            rig.proxy.apply(toxics[Int(round % 3)])
            try rig.run(milliseconds: 3)
            try #require(round < 20_000)
        }
        #expect(client.receivedCount == 60_000_000 && server.receivedCount == 60_000_000)
        #expect(client.digest.value == Content.of(2).digest(60_000_000))
        #expect(server.digest.value == Content.of(1).digest(60_000_000))
    }

    @Test func `a receiver that does not read holds up the sender behind toxics`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.apply([.on(.down, .latency(milliseconds: 1, jitterMilliseconds: 0))])
        let (client, server) = try rig.connectThrough()
        client.isPaused = true
        server.send(200_000_000)
        try rig.run(milliseconds: 500)
        // 8 MiB wait with us, the rest in the kernel's buffers.
        #expect(server.sentCount < 40_000_000)
        client.isPaused = false
        try rig.run("all bytes arrive", seconds: 30) { client.receivedCount == 200_000_000 }
        #expect(rig.proxy.toxicMemory.usedBytes == 0)
    }

    @Test func `what toxics hold together is bounded`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.toxicMemory = ToxicMemory(
            totalBytes: 1_000_000,
            mostBytes: 400_000,
            leastBytes: 10_000
        )
        rig.proxy.apply([.on(.down, .latency(milliseconds: 60_000, jitterMilliseconds: 0))])
        for _ in 0..<20 {
            let (_, server) = try rig.connectThrough()
            server.send(10_000_000)
        }
        try rig.run(milliseconds: 200)
        // The last to come below the total may take as much as one may hold.
        #expect(rig.proxy.toxicMemory.usedBytes <= 1_000_000 + 400_000 + 20 * 10_000)
        rig.proxy.apply([])
        #expect(rig.proxy.toxicMemory.usedBytes < 1_000_000)
    }

    @Test func `what receivers do not read counts, though toxics have let it go`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.toxicMemory = ToxicMemory(
            totalBytes: 1_000_000,
            mostBytes: 1_000_000,
            leastBytes: 10_000
        )
        rig.proxy.apply([.on(.down, .latency(milliseconds: 0, jitterMilliseconds: 0))])
        for _ in 0..<10 {
            let (client, server) = try rig.connectThrough()
            client.isPaused = true
            server.send(20_000_000)
        }
        var (before, sent) = (-1, 0)
        while sent != before {
            try rig.run(milliseconds: 100)
            (before, sent) = (sent, rig.served.reduce(0) { $0 + $1.sentCount })
        }
        // What comes after the toxics is bounded as it is without them.
        let mostAfter = InspectedConnection.queueLimit + 65_536
        #expect(rig.loop.chunks.usedBytes <= 2_000_000 + 10 * (10_000 + mostAfter))
        #expect(rig.loop.chunks.usedBytes > 1_000_000)
        for client in rig.clients { client.isPaused = false }
        try rig.run("all bytes arrive", seconds: 30) {
            rig.clients.allSatisfy { $0.receivedCount == 20_000_000 }
        }
        #expect(rig.loop.chunks.usedBytes == 0 && rig.proxy.toxicMemory.usedBytes == 0)
    }

    @Test func `counters count while a connection is open`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.apply([.on(.down, .bandwidth(kilobytesPerSecond: 100))])
        let (client, server) = try rig.connectThrough()
        server.send(60_000)
        client.send(500)
        try rig.run("half arrives") { client.receivedCount >= 20_000 }
        #expect(rig.proxy.receivedBytes(.down) == 60_000)
        #expect((20_000...60_000).contains(rig.proxy.deliveredBytes(.down)))
        #expect(rig.proxy.receivedBytes(.up) == 500 && rig.proxy.deliveredBytes(.up) == 500)
        client.reset()
        try rig.runUntilIdle(1)
        #expect(rig.proxy.receivedBytes(.down) == 60_000)
    }

    @Test func `records tell which toxic hit which connection`() throws {
        let rig = try Rig(seed: 5)
        defer { rig.tearDown() }
        let half = try #require(Probability(1, outOf: 2))
        rig.proxy.apply([.on(.down, .limitData(bytes: 100), chance: half)])
        var hit: [Bool] = []
        for _ in 0..<100 {
            let (client, server) = try rig.connectThrough()
            client.send(10, then: .finish)
            server.send(1_000, then: .finish)
            try rig.run("the client's side ends") { client.isOver }
            hit.append(client.receivedCount == 100)
            client.close()
            server.close()
        }
        try rig.runUntilIdle(100)
        let told = (1...100 as ClosedRange<UInt32>).map { ordinal in
            rig.faultReports.contains {
                $0.connection?.ordinal == ordinal && $0.id == "toxic t1" && $0.state == .fired
            }
        }
        #expect(told == hit)
        #expect(Set(hit).count == 2)
        let ended = rig.faultReports.filter { $0.id == "toxic t1 end" }
        #expect(ended.count == hit.count { $0 } && ended.allSatisfy { $0.offset == 100 })
    }
}
