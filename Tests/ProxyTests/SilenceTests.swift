import Journal
import LinkEngine
import SystemIO
import Testing

@testable import Proxy

/// What a fault silences stays silent; what it does not goes on to its end.
@Suite struct SilenceTests {
    @Test(arguments: [nil, 5] as [Int64?])
    func `a hole on the way down lets the upload and its end through`(delay: Int64?) throws {
        let link = delay.map { LinkSettings.fast(delayMilliseconds: $0) } ?? LinkSettings()
        let rig = try Rig(link: link, faults: ["c1:down+100=hole"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(200)
        try rig.run("bytes before the hole arrive") { client.receivedCount == 100 }
        client.send(3_000_000, then: .finish)
        try rig.run("the upload and its end arrive") { server.hasEnded }
        #expect(server.receivedCount == 3_000_000)
        #expect(server.digest.value == Content.of(1).digest(3_000_000))
        server.end(.close)
        try rig.run(milliseconds: 100)
        #expect(client.receivedCount == 100)
        #expect(!client.isOver)
        client.reset()
        try rig.runUntilIdle(1)
        #expect(rig.ends.first?.how == .hole)
        #expect(rig.ends.first?.down == .init(bytes: 100, isExact: true))
    }

    @Test(arguments: ["hole", "hole(both)"])
    func `an end that came before the hole does not end the silence`(effect: String) throws {
        let rig = try Rig(faults: ["c1:down+100=\(effect)"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(10, then: .finish)
        try rig.run("the request arrives") { server.hasEnded }
        server.send(200)
        try rig.run("bytes before the hole arrive") { client.receivedCount == 100 }
        try rig.run(milliseconds: 100)
        #expect(!client.isOver)
        #expect(rig.proxy.snapshot().connections.map(\.state) == [.silent])
        client.reset()
        try rig.runUntilIdle(1)
    }

    @Test func `a hole in both directions ends for both when the client is gone`() throws {
        let rig = try Rig(faults: ["c1:down+100=hole(both)"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(200)
        try rig.run("bytes before the hole arrive") { client.receivedCount == 100 }
        client.send(50)
        try rig.run(milliseconds: 50)
        #expect(!client.isOver && !server.isOver && server.receivedCount == 0)
        client.reset()
        try rig.run("the upstream is told") { server.isOver }
        #expect(server.failure == .connectionReset)
        try rig.runUntilIdle(1)
    }

    @Test func `a client's end in a hole for both directions is not the client's absence`() throws {
        let rig = try Rig(faults: ["c1:down+100=hole(both)"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(200)
        try rig.run("bytes before the hole arrive") { client.receivedCount == 100 }
        client.end(.finish)
        try rig.run(milliseconds: 50)
        #expect(!client.isOver && !server.isOver)
        server.reset()
        try rig.run(milliseconds: 50)
        #expect(!client.isOver)
    }

    @Test(arguments: ["hole", "hole(both)"])
    func `a client of a socket file is seen to be gone when it closes`(effect: String) throws {
        let rig = try Rig(faults: ["c1:down+100=\(effect)"], transport: .unix)
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(200)
        try rig.run("bytes before the hole arrive") { client.receivedCount == 100 }
        client.close()
        try rig.runUntilIdle(1)
        #expect(rig.ends.map(\.how) == [.hole])
    }

    @Test(arguments: ["rst", "fin"])
    func `a half-open upstream outlives the client until it closes itself`(effect: String) throws {
        let rig = try Rig(faults: ["c1:down+100=\(effect),far=hole"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(200)
        try rig.run("bytes before the fault arrive") { client.receivedCount == 100 }
        client.end(.close)
        try rig.run(milliseconds: 100)
        #expect(!server.isOver)
        #expect(rig.proxy.snapshot().connections.map(\.state) == [.silent])
        server.close()
        try rig.runUntilIdle(1)
    }

    @Test func `a hole on the way up swallows an end and lets the answer through`() throws {
        let rig = try Rig(faults: ["c1:up+10=hole"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(20, then: .finish)
        try rig.run("bytes before the hole arrive") { server.receivedCount == 10 }
        server.send(500_000, then: .finish)
        try rig.run("the answer and its end arrive") { client.hasEnded }
        #expect(client.receivedCount == 500_000)
        #expect(!server.isOver)
        // Both halves of the client's connection are shut: it is gone.
        try rig.runUntilIdle(1)
        #expect(rig.ends.first?.up == .init(bytes: 10, isExact: true))
    }

    /// Whether the kernel asks the peers of the proxy's ends of its clients' connections whether they
    /// are there: timer 2 in proc(5).
    private static func probes(_ rig: Rig) throws -> Bool {
        // Connections of an earlier listener on the port may still be there.
        let (port, peer) = (
            try suffix(rig.addresses[0].port), try suffix(rig.clients.first?.localPort)
        )
        let rows = String(
            decoding: try FileSystem.read("/proc/net/tcp", limit: 1 << 24),
            as: UTF8.self
        )
        .split(separator: "\n").map { $0.split(separator: " ") }
        .filter { $0[1].hasSuffix(port) && $0[2].hasSuffix(peer) && $0[3] == "01" }
        try #require(rows.count == 1)
        return rows[0][5].hasPrefix("02:")
    }

    /// A port as proc(5) ends an address with it.
    private static func suffix(_ port: UInt16?) throws -> String {
        let digits = String(try #require(port), radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test(arguments: ["down+100=hole", "down+100=hole(both)", "connect=silent(1)"])
    func `a client that is left in silence is asked whether it is there`(fault: String) throws {
        let rig = try Rig(faults: ["c1:\(fault)"])
        defer { rig.tearDown() }
        rig.onServe = { $0.send(200) }
        try rig.connect()
        try rig.run("the kernel asks") { (try? Self.probes(rig)) == true }
    }

    @Test func `a client to which the proxy may write is not asked`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(200)
        try rig.run("the bytes arrive") { client.receivedCount == 200 }
        #expect(try !Self.probes(rig))
    }

    @Test func `silent connections make room when the limit is reached`() throws {
        let rig = try Rig(faults: ["c1:down+0=hole(both)", "c2:down+0=hole(both)"]) {
            $0.limits.connections = 3
        }
        defer { rig.tearDown() }
        for count in 1...6 {
            let client = try rig.connect()
            try rig.run("client \(count) is served") { rig.served.count == count }
            if count > 4 { rig.clients[count - 3].reset() }
            #expect(client.failure == nil)
        }
        // The oldest silence went first.
        #expect(rig.clients[0].isOver && rig.clients[1].isOver)
    }
}
