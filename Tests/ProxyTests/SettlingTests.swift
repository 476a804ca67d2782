import Basics
import Faults
import Journal
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// What the client has of the server's answers when a byte of its own ends the connection.
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
