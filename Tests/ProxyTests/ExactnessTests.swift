import Basics
import Journal
import LinkEngine
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// "Exactly N bytes arrive, then ..." is meant literally.
@Suite struct ExactnessTests {
    private static let size = 1_500_000
    static let offsets = [0, 1, 1_447, 1_448, 65_536, 1_048_576, size - 1, size]

    @Test(arguments: offsets, ["up", "down"])
    func `exactly so many bytes arrive before a reset`(offset: Int, direction: String) throws {
        for _ in 0..<5 * testScale { try cut(direction, offset, "rst") }
    }

    @Test(arguments: offsets, ["up", "down"])
    func `exactly so many bytes arrive before an end`(offset: Int, direction: String) throws {
        for _ in 0..<5 * testScale { try cut(direction, offset, "fin") }
    }

    @Test(arguments: [0, 1, 65_536, 1_048_576], ["up", "down"])
    func `exactly so many bytes arrive over a link too`(offset: Int, direction: String) throws {
        for effect in ["rst", "fin"] {
            try cut(direction, offset, effect, link: .fast(delayMilliseconds: 1))
        }
    }

    @Test func `a reader that is slow and has small buffers gets every byte before a reset`() throws
    {
        let rig = try Rig(faults: ["c1:down+300000=rst"])
        defer { rig.tearDown() }
        rig.onServe = { $0.send(400_000) }
        let client = try rig.connect()
        client.isPaused = true
        try rig.run(milliseconds: 300)
        client.isPaused = false
        try rig.run("the reset arrives") { client.isOver }
        #expect(client.receivedCount == 300_000)
        #expect(client.failure == .connectionReset)
    }

    @Test(arguments: ["rst", "fin"])
    func `a receiver that takes a little at a time gets every byte before the cut`(
        effect: String
    ) throws {
        let rig = try Rig(faults: ["c1:down+8000000=\(effect)"]) {
            // Far less than what the kernels hold takes to be read.
            $0.limits.deliveryTimeoutMilliseconds = 300
        }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(9_000_000) }
        let client = try rig.connect()
        client.onReceive = { client, _ in
            client.isPaused = true
            // A socket that was closed would answer this with a reset.
            if effect == "fin" { client.send(10) }
        }
        let start = rig.loop.now
        while !client.isOver {
            client.isPaused = false
            try rig.run(milliseconds: 12)
        }
        #expect(rig.loop.now - start > .seconds(1))
        #expect(client.receivedCount == 8_000_000)
        #expect(client.digest.value == Content.of(2).digest(8_000_000))
        #expect(effect == "fin" ? client.hasEnded : client.failure == .connectionReset)
        client.end(.close)
        rig.served.first?.end(.close)
        try rig.runUntilIdle(1)
        #expect(rig.faultReports.map(\.state) == [.fired])
        #expect(rig.ends.first?.down == .init(bytes: 8_000_000, isExact: true))
    }

    @Test(arguments: ["rst", "fin", "hole", "hole(both)"], [false, true])
    func `only the direction of a fault is exact, whether the other one had ended or not`(
        effect: String,
        endsFirst: Bool
    ) throws {
        let rig = try Rig(faults: ["c1:down+100=\(effect)"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(10, then: endsFirst ? .finish : .nothing)
        try rig.run("the request arrives") {
            server.receivedCount == 10 && server.hasEnded == endsFirst
        }
        server.send(200)
        try rig.run("the fault acts") { !rig.faultReports.isEmpty && client.receivedCount == 100 }
        client.reset()
        server.close()
        try rig.runUntilIdle(1)
        #expect(rig.ends.first?.down == .init(bytes: 100, isExact: true))
        #expect(rig.ends.first?.up == .init(bytes: 10, isExact: false))
    }

    @Test func `a reset without proof of delivery is told as undelivered`() throws {
        let rig = try Rig(faults: ["c1:down+8000000=rst"]) {
            $0.limits.deliveryTimeoutMilliseconds = 100
        }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(9_000_000) }
        let client = try rig.connect()
        // Takes all but the last bytes, and acknowledges no more than its buffer holds.
        client.onReceive = { client, _ in client.isPaused = client.receivedCount > 1_000_000 }
        try rig.run("the kernel is full") { client.isPaused }
        try rig.run(milliseconds: 100)
        client.close()
        try rig.runUntilIdle(1)
        let report = try #require(rig.faultReports.first)
        #expect(report.state != .fired)
    }

    private func cut(
        _ direction: String,
        _ offset: Int,
        _ effect: String,
        link: LinkSettings = LinkSettings()
    ) throws {
        let rig = try Rig(link: link, faults: ["c1:\(direction)+\(offset)=\(effect)"])
        defer { rig.tearDown() }
        rig.onServe = { if direction == "down" { $0.send(Self.size, then: .nothing) } }
        let client = try rig.connect()
        if direction == "up" { client.send(Self.size) }
        let receiver = { direction == "down" ? client : rig.served.first }
        try rig.run("the cut arrives") { receiver()?.isOver == true }
        let peer = try #require(receiver())
        #expect(peer.receivedCount == offset)
        if effect == "fin" {
            #expect(peer.hasEnded)
        } else {
            #expect(peer.failure == .connectionReset)
        }
        let content = Content.of(direction == "down" ? 2 : 1)
        #expect(peer.digest.value == content.digest(offset))
        client.end(.close)
        rig.served.first?.end(.close)
        try rig.runUntilIdle(1)
        try check(rig, direction, offset, effect)
    }

    private func check(_ rig: Rig, _ direction: String, _ offset: Int, _ effect: String) throws {
        #expect(rig.faultReports.map(\.state) == [.fired])
        let end = try #require(rig.ends.first)
        let delivered = direction == "down" ? end.down : end.up
        #expect(end.by == .fault)
        #expect(delivered.isExact)
        #expect(delivered.bytes == UInt64(offset))
    }
}
