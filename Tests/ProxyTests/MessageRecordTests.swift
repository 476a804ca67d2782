import Journal
import SystemIO
import Testing

@testable import Proxy

/// What the journal is told of requests and responses.
@Suite struct MessageRecordTests {
    private func observed(_ faults: [String] = []) throws -> Rig {
        try Rig(faults: faults) { $0.observesRequests = true }
    }

    private func bodies(_ rig: Rig) -> [BodyReport] {
        rig.records.compactMap { if case .body(let report) = $0 { report } else { nil } }
    }

    private func digest(_ text: some StringProtocol) -> String {
        SHA256.digest(Array(text.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    @Test(arguments: [[], ["c1/r9:resp.body=rst"], ["c1:up+1000000000=rst"]])
    func `an exchange is told with its sizes and digests`(faults: [String]) throws {
        let rig = try observed(faults)
        defer { rig.tearDown() }
        let size = HTTPExchange.putHead.utf8.count + HTTPExchange.bodySize
        rig.answer(
            requestsOf: size,
            with: [HTTPExchange.progress + HTTPExchange.chunkedHead + HTTPExchange.chunked]
        )
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.putHead + HTTPExchange.body)
        try rig.run("the answer") { client.text.hasSuffix("0\r\n\r\n") }
        try rig.run("its records") { bodies(rig).count == 2 }
        let requests = rig.records.compactMap {
            if case .request(let report) = $0 { report } else { nil }
        }
        #expect(requests.map(\.method) == ["PUT"] && requests.map(\.target) == ["/u/1"])
        #expect(requests[0].framing == .length(300_000))
        #expect(requests[0].headBytes == UInt64(HTTPExchange.putHead.utf8.count))
        let answers = rig.records.compactMap {
            if case .response(let report) = $0 { report } else { nil }
        }
        #expect(answers.map(\.status) == [104, 200])
        #expect(answers.map(\.interimOrdinal) == [1, nil])
        #expect(answers[1].framing == .chunked)
        let whole = digest(HTTPExchange.body)
        #expect(bodies(rig).map(\.bytes) == [300_000, 300_000])
        #expect(bodies(rig).map(\.digest) == [whole, whole])
        #expect(bodies(rig)[0].prefixDigest == digest(HTTPExchange.body.prefix(65_536)))
        #expect(bodies(rig)[1].chunkEdges == (1...10).map { $0 * 30_000 })
        #expect(bodies(rig).allSatisfy { $0.isComplete && $0.isExact })
    }

    @Test(arguments: ["down+0=fin", "up+0=fin", "down+0=rst", "up+0=rst", "up+0=hole(both)"])
    func `what acts before any byte does so whether or not bytes have come`(
        fault: String
    ) throws {
        let rig = try observed(["c1:\(fault)"])
        defer { rig.tearDown() }
        let client = try rig.connectKeeping()
        // It is there before the proxy has accepted anybody.
        client.say(HTTPExchange.get)
        try rig.run("the fault") { !rig.faultReports.isEmpty }
        try rig.run(milliseconds: 20)
        let requests = rig.records.filter { if case .request = $0 { true } else { false } }
        #expect(requests.isEmpty && rig.served.allSatisfy { $0.receivedCount == 0 })
    }

    @Test func `content that a fault cut off is told with what was delivered`() throws {
        let rig = try observed(["GET(/big*)#1:resp.body+70000=rst"])
        defer { rig.tearDown() }
        rig.answer(
            requestsOf: HTTPExchange.get.utf8.count,
            with: [HTTPExchange.answerHead + HTTPExchange.body]
        )
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        try rig.runUntilIdle(1)
        let body = try #require(bodies(rig).first)
        #expect(body.bytes == 70_000 && !body.isComplete && body.isExact)
        #expect(body.digest == digest(HTTPExchange.body.prefix(70_000)))
        #expect(rig.faultReports.map(\.offset) == [70_000])
        #expect(rig.faultReports.map(\.address) == ["r1:resp.body+70000"])
        let request = rig.records.compactMap {
            if case .request(let report) = $0 { report } else { nil }
        }
        #expect(request.map(\.target) == ["/big.bin?{q1}"])
    }

    @Test func `what a fault made up is told as such`() throws {
        let rig = try observed(["PUT(*)#1:req.end=status(503)"])
        defer { rig.tearDown() }
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.putHead + HTTPExchange.body)
        try rig.run("the answer") { client.text.hasPrefix("HTTP/1.1 503") }
        try rig.run("its records") { bodies(rig).count == 2 }
        let answers = rig.records.compactMap {
            if case .response(let report) = $0 { report } else { nil }
        }
        #expect(answers.map(\.isByFault) == [true])
        let body = try #require(bodies(rig).first { $0.side == .request })
        #expect(body.bytes == 300_000 && body.digest == digest(HTTPExchange.body))
    }

    @Test func `traffic that is no HTTP is told once for each direction`() throws {
        let rig = try observed()
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(100_000, then: .finish)
        server.send(100_000, then: .finish)
        try rig.run("both ends") { client.hasEnded && server.hasEnded }
        try rig.runUntilIdle(1)
        #expect(client.receivedCount == 100_000 && server.receivedCount == 100_000)
        let opaque = rig.records.filter { if case .opaque = $0 { true } else { false } }
        #expect(opaque.count == 2)
    }

    @Test func `nobody is told unless it is asked for`() throws {
        let rig = try Rig(faults: ["c1/r1:resp.body+10=fin"])
        defer { rig.tearDown() }
        rig.answer(
            requestsOf: HTTPExchange.get.utf8.count,
            with: [HTTPExchange.answerHead + HTTPExchange.body]
        )
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        try rig.run("the end") { client.hasEnded }
        #expect(bodies(rig).isEmpty)
        #expect(rig.faultReports.count == 1)
    }
}
