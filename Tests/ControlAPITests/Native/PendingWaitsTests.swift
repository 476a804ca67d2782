import Basics
import ControlAPI
import HTTPWire
import Proxy
import SystemIO
import Testing
import TestSupport

@Suite struct PendingWaitsTests {
    /// A rig whose API is reached over a socket, and a client there.
    private func waiting(
        _ query: String
    ) throws -> (rig: NativeRig, control: ControlServer, peer: RawPeer) {
        let rig = try NativeRig()
        let control = try ControlServer(
            loop: rig.loop,
            address: .loopback(port: 0),
            policy: AccessPolicy(token: nil)
        ) { rig.api.answer($0) }
        let peer = try RawPeer.connect(to: control.address, on: rig.loop)
        let port = control.address.port ?? 0
        peer.send("GET /v1/wait?\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        rig.run { control.openStreams == 1 }
        return (rig, control, peer)
    }

    @Test func `the answer comes with the connection that was waited for`() throws {
        let (rig, control, peer) = try waiting("for=connections&count=2")
        defer {
            control.stop()
            peer.close()
        }
        try rig.connect()
        #expect(peer.text.isEmpty)
        try rig.connect()
        rig.run { peer.text.contains(#""reached":true,"value":2"#) }
        #expect(peer.text.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `the answer comes when a fault has acted and bytes have arrived`() throws {
        let (rig, control, peer) = try waiting("for=bytesDown&count=10")
        defer {
            control.stop()
            peer.close()
        }
        let (_, server) = try rig.connect()
        server.send("0123456789")
        rig.run { peer.text.contains(#""reached":true"#) }
        _ = try rig.post("/v1/faults", #"{"fault":"c1:down+12=rst"}"#)
        peer.clear()
        let port = control.address.port ?? 0
        peer.send("GET /v1/wait?for=fault&fault=f1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        rig.run { control.openStreams == 1 }
        server.send("0123456789")
        rig.run { peer.text.contains(#""reached":true,"value":1"#) }
        #expect(try rig.send("GET", "/v1/wait?for=fault&count=1")["reached"] == true)
        #expect(try rig.send("GET", "/v1/wait?for=idle&limit=10min").status == 200)
    }

    @Test func `the time is limited, and a client that goes is not waited for`() throws {
        let (rig, control, peer) = try waiting("for=connections&limit=30ms")
        defer { control.stop() }
        rig.run { peer.text.hasPrefix("HTTP/1.1 504 ") }
        peer.clear()
        let port = control.address.port ?? 0
        peer.send("GET /v1/wait?for=connections HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        rig.run { control.openStreams == 1 }
        peer.close()
        rig.run { control.openStreams == 0 }
    }

    @Test(arguments: [
        "", "for=x", "for=fault&fault=f9", "for=idle&fault=f1", "for=idle&limit=5",
        "for=idle&limit=11min", "for=connections&count=0",
    ])
    func `what cannot be waited for is refused`(query: String) throws {
        let rig = try NativeRig()
        let status = try rig.send("GET", "/v1/wait?\(query)").status
        #expect([400, 404].contains(status), "\(status)")
    }
}
