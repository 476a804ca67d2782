import Basics
import ControlAPI
import HTTPWire
import Proxy
import SystemIO
import Testing
import TestSupport

@Suite struct PathKeeperTests {
    @Test func `the path follows profile and outages`() throws {
        let rig = try NativeRig()
        #expect(try rig.send("GET", "/v1/path")["interface"] == "other")
        _ = try rig.send("PATCH", "/v1/proxies/default", #"{"profile":"lte"}"#)
        let lte = try rig.send("GET", "/v1/path")
        #expect(lte["interface"] == "cellular")
        #expect(lte["status"] == "satisfied")
        #expect(lte["seq"] == 2)
        _ = try rig.post("/v1/actions", #"{"action":"outage","for":"30ms"}"#)
        #expect(try rig.send("GET", "/v1/path")["status"] == "unsatisfied")
        rig.run { !rig.server.link.outage.isPresent }
        rig.run { (try? rig.send("GET", "/v1/path")["seq"]) == 4 }
        #expect(try rig.send("GET", "/v1/path")["status"] == "satisfied")
    }

    @Test func `what is put is told instead, until something else is put`() throws {
        let rig = try NativeRig()
        let put = try rig.send(
            "PUT",
            "/v1/path",
            #"{"status":"unsatisfied","isConstrained":true,"interface":"wifi","power":false}"#
        )
        #expect(put.status == 200)
        #expect(
            put.body
                == #"{"status":"unsatisfied","isConstrained":true,"isExpensive":false,"#
                + #""interface":"wifi","power":false,"seq":2}"# + "\n"
        )
        _ = try rig.send("PUT", "/v1/path", put.body)
        #expect(try rig.send("GET", "/v1/path")["seq"] == 2)
        #expect(try rig.send("PUT", "/v1/path", "{}")["status"] == "satisfied")
        for body in [#"{"status":"x"}"#, #"{"isConstrained":1}"#, #"{"interface":"lte"}"#, "[]"] {
            #expect(try rig.send("PUT", "/v1/path", body).status == 422)
        }
    }

    @Test func `a stream tells the state of now and each change`() throws {
        let rig = try NativeRig()
        let control = try ControlServer(
            loop: rig.loop,
            address: .loopback(port: 0),
            policy: AccessPolicy(token: nil)
        ) { rig.api.answer($0) }
        let peer = try RawPeer.connect(to: control.address, on: rig.loop)
        defer {
            control.stop()
            peer.close()
        }
        let port = control.address.port ?? 0
        peer.send("GET /v1/path/stream HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        rig.run { peer.text.contains("id: 1\nevent: path\ndata: {\"status\":\"satisfied\"") }
        _ = try rig.send("PUT", "/v1/path", #"{"isExpensive":true}"#)
        rig.run { peer.text.contains("id: 2\nevent: path\n") }
        #expect(peer.text.contains(#""isExpensive":true"#))
    }
}
