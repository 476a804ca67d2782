import Basics
import ControlAPI
import HTTPWire
import LinkProfile
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

    @Test func `an outage takes the first path alone, unless all are asked for`() throws {
        var second = Profile(name: "second")
        second.path.interface = .cellular
        second.path.isExpensive = true
        let rig = try NativeRig(secondPath: second)
        _ = try rig.post("/v1/actions", #"{"action":"outage"}"#)
        var path = try rig.send("GET", "/v1/path")
        #expect(path["status"] == "satisfied" && path["interface"] == "cellular")
        let (client, server) = try rig.connect()
        client.send("12345")
        rig.run { server.text == "12345" }
        #expect(try rig.send("GET", "/v1/connections")["connections", "0", "path"] == "second")
        _ = try rig.post("/v1/actions", #"{"action":"restore"}"#)
        path = try rig.send("GET", "/v1/path")
        #expect(path["betterPath"] == .bool(true) && path["interface"] == "other")
        #expect(try rig.send("PUT", "/v1/path", path.body).status == 200)
        _ = try rig.send("PUT", "/v1/path", "{}")
        let meter = try rig.send("GET", "/v1/meter")
        #expect(meter["bytesByPath", "1", "class"] == "expensive")
        #expect(meter["bytesByPath", "1", "bytesUp"] == .integer(5))
        _ = try rig.post("/v1/actions", #"{"action":"outage","paths":"all"}"#)
        #expect(try rig.send("GET", "/v1/path")["status"] == "unsatisfied")
        for body in [#"{"action":"outage","paths":"second"}"#, #"{"action":"cut","paths":"all"}"#] {
            #expect(try rig.post("/v1/actions", body).status == 422)
        }
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
        // The record of the session has each change, and not what changes nothing.
        let manual = rig.server.manual
        let words = "a replay cannot change the path: it was"
        #expect(manual.recorder.remarks.count == 1)
        #expect(
            manual.recorder.remarks.first?.hasPrefix(
                "\(words) wifi, constrained, unsatisfied, without power from "
            ) == true
        )
        manual.clearRecorder()
        _ = try rig.send("PUT", "/v1/path", put.body)
        #expect(try rig.send("GET", "/v1/path")["seq"] == 2)
        #expect(manual.recorder.remarks == [])
        #expect(try rig.send("PUT", "/v1/path", "{}")["status"] == "satisfied")
        #expect(manual.recorder.remarks.count == 1)
        #expect(manual.recorder.remarks.first?.hasPrefix("\(words) other from ") == true)
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
