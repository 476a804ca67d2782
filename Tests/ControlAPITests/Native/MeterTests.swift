import Basics
import HTTPWire
import Proxy
import SystemIO
import Testing
import TestSupport

/// What the control API measures and tells of it.
@Suite struct MeterTests {
    private func number(_ value: JSONValue?) -> Int? {
        guard case .integer(let number)? = value else { return nil }
        return Int(number)
    }

    /// The value of a sample at `/metrics`.
    private func metric(_ name: String, _ rig: NativeRig) throws -> Double? {
        let answer = try rig.send("GET", "/metrics")
        for line in answer.body.split(separator: "\n") where line.hasPrefix("\(name) ") {
            return Double(line.dropFirst(name.count + 1))
        }
        return nil
    }

    @Test func `the link's delay is measured, for both directions`() throws {
        let rig = try NativeRig()
        let change = #"{"profile":"wifi","settings":{"delay":"30ms"}}"#
        #expect(try rig.send("PATCH", "/v1/proxies/default", change).status == 200)
        let (client, server) = try rig.connect()
        client.send("question")
        rig.run { server.text == "question" }
        server.send("answer")
        rig.run { client.text == "answer" }
        let name = "linkcond_added_delay_seconds"
        #expect(try metric("\(name)_count", rig) == 2)
        let first = try #require(try metric("\(name)_sum", rig))
        // The question waits for the handshake of the connection, too: 60 ms less what has passed.
        #expect(first > 0.06 && first < 0.13, "\(first)")
        client.send("question")
        rig.run { server.text == "questionquestion" }
        server.send("answer")
        rig.run { client.text == "answeranswer" }
        #expect(try metric("\(name)_count", rig) == 4)
        let sum = try #require(try metric("\(name)_sum", rig)) - first
        // 30 ms each, and what the rate of wifi makes of a few bytes.
        #expect(sum > 0.06 && sum < 0.062, "\(sum)")
        #expect(try metric(#"\#(name)_bucket{le="0.025"}"#, rig) == 0)
        #expect(try #require(try metric(#"\#(name)_bucket{le="0.05"}"#, rig)) >= 3)
        let error = try #require(try metric("linkcond_pacing_error_seconds_count", rig))
        #expect(error >= 2)
    }

    @Test func `more pieces than are measured change nothing of the others`() throws {
        let rig = try NativeRig()
        let change = #"{"profile":"wifi","settings":{"delay":"200ms"}}"#
        #expect(try rig.send("PATCH", "/v1/proxies/default", change).status == 200)
        let (client, server) = try rig.connect()
        for number in 0..<100 {
            client.send("x")
            rig.run { rig.server.receivedBytes(.up) > number }
        }
        rig.run { server.text.count == 100 }
        let count = try #require(try metric("linkcond_added_delay_seconds_count", rig))
        #expect(count > 0 && count <= 64, "\(count)")
        let sum = try #require(try metric("linkcond_added_delay_seconds_sum", rig))
        #expect(sum / count >= 0.2 && sum / count < 0.6, "\(sum) of \(count)")
    }

    @Test func `the loop's lag is observed while time passes`() throws {
        let rig = try NativeRig()
        var isOver = false
        _ = rig.alarms.set(after: .milliseconds(350)) { isOver = true }
        rig.run { isOver }
        let count = try #require(try metric("linkcond_loop_lag_seconds_count", rig))
        #expect(count >= 1 && count <= 4)
    }

    @Test func `bytes are metered by the path, requests by the path at their beginning`() throws {
        let rig = try NativeRig()
        let (client, server) = try rig.connect()
        client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        rig.run { server.text.hasSuffix("\r\n\r\n") }
        let constrained = #"{"isConstrained":true}"#
        #expect(try rig.send("PUT", "/v1/path", constrained).status == 200)
        let free = rig.server.deliveredBytes(.up)
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        rig.run { client.text.hasSuffix("hello") }
        client.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        rig.run { server.text.contains("GET /b") && server.text.hasSuffix("\r\n\r\n") }
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\ngoodbye")
        rig.run { client.text.hasSuffix("goodbye") }
        rig.server.flushRecords()
        let meter = try rig.send("GET", "/v1/meter")
        #expect(number(meter["startedWhileConstrained", "requests"]) == 1)
        #expect(number(meter["startedWhileConstrained", "bytes"]) == 7)
        #expect(number(meter["startedWhileExpensive", "requests"]) == 0)
        #expect(meter["bytesByPath", "0", "class"] == .string("free"))
        #expect(number(meter["bytesByPath", "0", "bytesUp"]) == Int(free))
        #expect(number(meter["bytesByPath", "2", "bytesUp"]) == Int(free))
        #expect(number(meter["bytesByPath", "2", "bytesDown"]) == client.text.utf8.count)
        #expect(meter["budget"] == .null)
        let all = Double(free) + Double(client.text.utf8.count)
        #expect(try metric(#"linkcond_metered_bytes_total{class="constrained"}"#, rig) == all)
        #expect(try metric(#"linkcond_metered_bytes_total{class="free"}"#, rig) == Double(free))
    }

    @Test func `a budget says how much of it is left`() throws {
        let rig = try NativeRig()
        let profile = """
            name: capped
            budget: {soft: 10B, then: 1Mbit/s, hard: 1MB}
            """
        let put = try rig.send(
            "PUT",
            "/v1/profiles/capped",
            profile,
            fields: ["Content-Type": "application/yaml"]
        )
        #expect(put.status == 201, "\(put.body)")
        let change = #"{"profile":"capped"}"#
        #expect(try rig.send("PATCH", "/v1/proxies/default", change).status == 200)
        #expect(try rig.send("GET", "/v1/meter")["budget", "state"] == .string("within"))
        let (client, server) = try rig.connect()
        server.send("0123456789abc")
        rig.run { client.text.count == 13 }
        let meter = try rig.send("GET", "/v1/meter")
        #expect(meter["budget", "state"] == .string("slowed"), "\(meter.body)")
        #expect(number(meter["budget", "usedBytes"]) == 13)
        #expect(number(meter["budget", "hardLimitBytes"]) == 1_000_000)
    }

    @Test(.onLinux("when a process started"))
    func `the process tells what it uses, and every kind of trouble is there`() throws {
        let rig = try NativeRig()
        #expect(try #require(try metric("process_resident_memory_bytes", rig)) > 1_000_000)
        #expect(try #require(try metric("process_open_fds", rig)) > 3)
        #expect(try #require(try metric("process_cpu_seconds_total", rig)) > 0)
        #expect(try #require(try metric("process_start_time_seconds", rig)) > 1_700_000_000)
        #expect(try metric(#"linkcond_internal_faults_total{kind="late-pacing"}"#, rig) == 0)
        #expect(try metric("linkcond_faults_unreached_total", rig) == 0)
        #expect(try metric(#"linkcond_resumes_total{proxy="default",kind="upload"}"#, rig) == 0)
    }
}
