import Faults
import Journal
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// What a client of a forward proxy says before there is a connection for it.
@Suite struct EarlyBytesTests {
    /// A client that asks for a tunnel right after another request, and already speaks in it.
    private final class Scene {
        let rig: Rig
        let client: TestPeer

        init(_ fault: String) throws {
            rig = try Rig(faults: [fault]) {
                $0.routes = [.init(listen: $0.routes[0].listen, forward: ForwardSettings())]
            }
            guard case .ipv4(_, let port)? = rig.upstreamAddress else { throw CancellationError() }
            client = try rig.connect()
            client.say(
                """
                GET http://127.0.0.1:\(port)/ HTTP/1.1\r\nHost: x\r\n\r
                CONNECT 127.0.0.1:\(port) HTTP/1.1\r\nHost: x\r\n\r\nhello
                """
            )
            try rig.run("the request is there") { (rig.served.first?.receivedCount ?? 0) > 0 }
            rig.served[0].say("HTTP/1.1 204 No Content\r\n\r\n")
        }

        var passed: UInt64? { rig.ends.first { $0.connection.ordinal == 2 }?.up.bytes }
    }

    @Test(arguments: ["rst", "fin"])
    func `a fault before the first answer lets none of it pass`(effect: String) throws {
        let scene = try Scene("c2:down+0=\(effect)")
        defer { scene.rig.tearDown() }
        try scene.rig.run("it ends") { scene.passed != nil }
        #expect(scene.passed == 0)
        #expect(scene.rig.faultReports.map(\.state) == [.fired])
    }

    @Test func `a fault at a byte of it lets what is before it pass`() throws {
        let scene = try Scene("c2:up+3=rst")
        defer { scene.rig.tearDown() }
        try scene.rig.run("it ends") { scene.passed != nil }
        #expect(scene.passed == 3)
    }

    @Test func `a fault after it lets all of it pass`() throws {
        let scene = try Scene("c2:down+1=rst")
        defer { scene.rig.tearDown() }
        try scene.rig.run("it is there") { scene.rig.served.last?.receivedCount == 5 }
        scene.rig.served[1].say("x")
        try scene.rig.run("it ends") { scene.passed != nil }
        #expect(scene.passed == 5)
    }
}
