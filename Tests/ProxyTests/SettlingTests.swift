import Basics
import Faults
import Journal
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// How far the other direction has come when a byte ends the connection.
@Suite struct SettlingTests {
    /// A server that can be seen into.
    private final class Origin: OriginFaults {
        var hasDealt = false

        func objection(to fault: Fault) -> String? { nil }
        var isComingBack: Bool { false }
        func hasRead(from peer: SocketAddress?) -> Bool { true }
        func hasDealtWithAll(from peer: SocketAddress?) -> Bool? { hasDealt }
        func crash(losing loss: Effect.CrashLoss, done: @escaping (Bool) -> Void) { done(true) }
    }

    @Test(arguments: ["rst", "fin", "hole(both,20ms)"])
    func `all that a server says to the bytes before comes first`(effect: String) throws {
        let rig = try Rig(faults: ["c1:up+1000=\(effect)"])
        defer { rig.tearDown() }
        let origin = Origin()
        rig.proxy.faults.origin = origin
        let (client, server) = try rig.connectThrough()
        client.keepsReceived = true
        client.send(5_000)
        try rig.run("the bytes before arrive") { server.receivedCount == 1_000 }
        // It takes its time, and then says two things.
        try rig.run(milliseconds: 20)
        #expect(!client.isOver && rig.faultReports.isEmpty)
        server.say("one")
        try rig.run("the first") { client.text == "one" }
        server.say("two")
        origin.hasDealt = true
        try rig.run("the fault acts") { rig.faultReports.map(\.state) == [.fired] }
        #expect(client.text == "onetwo")
        #expect(rig.faultReports.allSatisfy { !$0.isRacy })
        try rig.run("the client sees it") { client.isOver || effect.hasPrefix("hole") }
        #expect(server.receivedCount == 1_000)
        client.close()
        server.close()
        try rig.runUntilIdle(1)
    }

    @Test func `of a server that cannot be seen into, the fault is marked`() throws {
        let rig = try Rig(faults: ["c1:up+1000=rst"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(5_000)
        try rig.run("the client sees it") { client.isOver }
        try rig.runUntilIdle(1)
        #expect(server.receivedCount == 1_000)
        #expect(rig.faultReports.map(\.isRacy) == [true])
    }

    /// Whether a fault at the server's first byte is marked, after a request of two bytes that says it
    /// has `length`.
    private func isMarked(_ effect: String, ofLength length: Int) throws -> Bool {
        let rig = try Rig(faults: ["c1:down+1=\(effect)"]) { $0.observesRequests = true }
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.keepsReceived = true
        client.say("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\nab")
        try rig.run("the server has it") { server.text.hasSuffix("ab") }
        server.say("HTTP")
        try rig.run("the fault acts") { rig.faultReports.map(\.state) == [.fired] }
        return rig.faultReports[0].isRacy
    }

    @Test(arguments: ["rst", "fin", "hole(both,20ms)", "corrupt"])
    func `a fault at a byte of the server's is marked if the client is sending`(
        effect: String
    ) throws {
        #expect(try isMarked(effect, ofLength: 3))
        #expect(try !isMarked(effect, ofLength: 2))
    }

    @Test(arguments: ["stall(1ms)", "slow(1Mbit/s)", "hole"])
    func `what leaves the client's stream alone is not marked`(effect: String) throws {
        #expect(try !isMarked(effect, ofLength: 3))
    }

    @Test func `bytes that the server has not taken count as being sent`() throws {
        let rig = try Rig(faults: ["c1:down+1=rst"])
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.isPaused = true
        client.send(50_000_000)
        try rig.run("the server's buffers are full") {
            rig.proxy.snapshot().connections[0].upBytes > 100_000
        }
        server.say("HTTP")
        try rig.run("the fault acts") { rig.faultReports.map(\.state) == [.fired] }
        #expect(rig.faultReports.map(\.isRacy) == [true])
    }

    @Test func `a client that goes first has the fault told as not delivered`() throws {
        let rig = try Rig(faults: ["c1:up+1000=rst"])
        defer { rig.tearDown() }
        let origin = Origin()
        defer { withExtendedLifetime(origin) {} }
        rig.proxy.faults.origin = origin
        let (client, server) = try rig.connectThrough()
        client.send(1_000)
        try rig.run("the bytes before arrive") { server.receivedCount == 1_000 }
        client.reset()
        try rig.runUntilIdle(1)
        #expect(rig.faultReports.map(\.state) == [.undelivered])
    }
}
