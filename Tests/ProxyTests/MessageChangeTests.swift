import Journal
import SystemIO
import Testing

@testable import Proxy

/// Messages that faults cut short, add, take away and rewrite, on real sockets: the client's bytes to
/// the last one, and what the journal says of them.
@Suite struct MessageChangeTests {
    private static let hints = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n"
    private static let answer = HTTPExchange.answerHead + HTTPExchange.body
    /// Without a length: its end is the connection's.
    private static let openHead = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\n\r\n"

    private func observed(_ faults: [String]) throws -> Rig {
        try Rig(faults: faults) { $0.observesRequests = true }
    }

    private func answers(_ rig: Rig) -> [ResponseReport] {
        rig.records.compactMap { if case .response(let report) = $0 { report } else { nil } }
    }

    private func content(_ rig: Rig) throws -> BodyReport {
        let bodies = rig.records.compactMap { record in
            if case .body(let report) = record, report.side == .response { report } else { nil }
        }
        #expect(bodies.count == 1)
        return try #require(bodies.first)
    }

    private func digest(_ text: some StringProtocol) -> String {
        SHA256.digest(Array(text.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// Sends requests of one kind, and waits for the answers' last bytes.
    private func exchange(
        _ rig: Rig,
        _ request: String = HTTPExchange.get,
        times: Int = 1,
        answers: [String],
        endsWith end: String
    ) throws -> TestPeer {
        rig.answer(requestsOf: request.utf8.count, with: answers)
        let client = try rig.connectKeeping()
        client.say(String(repeating: request, count: times))
        try rig.run("the answers") { client.text.hasSuffix(end) }
        return client
    }

    /// Ends the connection from both sides.
    private func end(_ rig: Rig) throws {
        for peer in rig.clients + rig.served { peer.end(.finish) }
        try rig.runUntilIdle(1)
    }

    // MARK: truncate

    @Test(arguments: [1, 29_999, 30_000, 45_000, 299_999])
    func `truncated chunks end without the last one, in good order`(count: Int) throws {
        let rig = try observed(["c1/r1:resp.body+\(count)=truncate"])
        defer { rig.tearDown() }
        rig.answer(
            requestsOf: HTTPExchange.get.utf8.count,
            with: [HTTPExchange.chunkedHead + HTTPExchange.chunked]
        )
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        try rig.run("the end") { client.isOver }
        #expect(client.failure == nil)
        // Of each chunk six bytes of size stand before 30,000 of content and two more.
        let framing = 6 + (count - 1) / 30_000 * 8
        let sent = HTTPExchange.chunkedHead + HTTPExchange.chunked
        let expected = sent.utf8.prefix(HTTPExchange.chunkedHead.utf8.count + framing + count)
        #expect(client.received == Array(expected))
        try rig.runUntilIdle(1)
        let body = try content(rig)
        #expect(body.bytes == UInt64(count) && !body.isComplete && body.isExact)
        #expect(body.digest == digest(HTTPExchange.body.prefix(count)))
        #expect(rig.faultReports.map(\.state) == [.fired])
        #expect(rig.faultReports.map(\.offset) == [UInt64(count)])
    }

    @Test func `content that the connection's end ends seems complete when it is truncated`() throws
    {
        let rig = try observed(["c1/r1:resp.body+100000=truncate"])
        defer { rig.tearDown() }
        rig.onServe = { peer in
            peer.onReceive = { peer, _ in
                peer.onReceive = { _, _ in }
                peer.say(Self.openHead + HTTPExchange.body, then: .finish)
            }
        }
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        try rig.run("the end") { client.isOver }
        #expect(client.failure == nil)
        #expect(client.text == Self.openHead + HTTPExchange.body.prefix(100_000))
        try rig.runUntilIdle(1)
        #expect(try content(rig).bytes == 100_000)
        #expect(rig.faultReports.map(\.state) == [.fired])
    }

    @Test func `what has a declared length is not truncated, and says so`() throws {
        let rig = try observed(["c1/r1:resp.body+100000=truncate"])
        defer { rig.tearDown() }
        let client = try exchange(rig, answers: [Self.answer], endsWith: Self.answer)
        #expect(client.text == Self.answer)
        try end(rig)
        #expect(try content(rig).isComplete)
        #expect(rig.faultReports.map(\.state) == [.unreached(reason: "length declared")])
    }

    // MARK: inject

    @Test(arguments: ["head", "body+1000", "end"])
    func `an added interim response stands alone before the server's answer`(
        place: String
    ) throws {
        let rig = try observed(["c1/r1:req.\(place)=inject(103,link=%3C/a.css%3E)"])
        defer { rig.tearDown() }
        let client = try exchange(
            rig,
            HTTPExchange.putHead + HTTPExchange.body,
            answers: [Self.answer],
            endsWith: Self.answer
        )
        #expect(client.text == Self.hints + Self.answer)
        #expect(rig.served[0].text == HTTPExchange.putHead + HTTPExchange.body)
        try rig.run("its records") { answers(rig).count == 2 }
        #expect(answers(rig).map(\.status) == [103, 200])
        #expect(answers(rig).map(\.isByFault) == [true, false])
        #expect(answers(rig).map(\.headBytes).first == UInt64(Self.hints.utf8.count))
        #expect(rig.faultReports.map(\.state) == [.fired])
    }

    @Test func `the declared length is true of each answer behind an added response`() throws {
        let rig = try observed(["c1/r*:req.head=inject(103,link=%3C/a.css%3E),times=all"])
        defer { rig.tearDown() }
        let client = try exchange(
            rig,
            times: 3,
            answers: Array(repeating: Self.answer, count: 3),
            endsWith: Self.answer
        )
        let whole = String(repeating: Self.hints + Self.answer, count: 3)
        try rig.run("all three") { client.receivedCount >= whole.utf8.count }
        #expect(client.text == whole)
        try end(rig)
        let bodies = rig.records.compactMap { record in
            if case .body(let report) = record, report.side == .response { report } else { nil }
        }
        #expect(bodies.map(\.bytes) == Array(repeating: 300_000, count: 3))
        #expect(bodies.allSatisfy { $0.isComplete && $0.digest == digest(HTTPExchange.body) })
    }

    // MARK: strip

    @Test func `stripped responses are gone, the final one is as it was`() throws {
        let rig = try observed(["c*=strip(1xx)"])
        defer { rig.tearDown() }
        let interims = HTTPExchange.progress + Self.hints + HTTPExchange.progress
        let client = try exchange(rig, answers: [interims + Self.answer], endsWith: Self.answer)
        #expect(client.text == Self.answer)
        try end(rig)
        // What the client did not get was no answer to it.
        #expect(answers(rig).map(\.status) == [200])
        #expect(try content(rig).digest == digest(HTTPExchange.body))
        #expect(rig.faultReports.map(\.state) == [.fired, .fired, .fired])
    }

    @Test func `an upgrade is not stripped`() throws {
        let rig = try observed(["c*=strip(1xx)"])
        defer { rig.tearDown() }
        let switching =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
        let client = try exchange(
            rig,
            "GET / HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
            answers: [switching + "behind it"],
            endsWith: "behind it"
        )
        #expect(client.text == switching + "behind it")
    }

    // MARK: edit

    @Test(arguments: [
        ("location=/elsewhere/and/longer", "location: /elsewhere/and/longer\r\n"),
        ("location=", ""),
        ("location=/v,upload-offset=7", "location: /v\r\nupload-offset: 7\r\n"),
    ])
    func `an edited interim response has other fields, what follows is as it was`(
        fields: String,
        expected: String
    ) throws {
        let rig = try observed(["c1/r1:interim(104#2)=edit(\(fields))"])
        defer { rig.tearDown() }
        let twice = HTTPExchange.progress + HTTPExchange.progress
        let client = try exchange(rig, answers: [twice + Self.answer], endsWith: Self.answer)
        let edited = "HTTP/1.1 104 Upload Resumption Supported\r\n\(expected)\r\n"
        #expect(client.text == HTTPExchange.progress + edited + Self.answer)
        try end(rig)
        #expect(answers(rig).map(\.status) == [104, 104, 200])
        #expect(answers(rig).map(\.isByFault) == [false, true, false])
        #expect(answers(rig)[1].headBytes == UInt64(edited.utf8.count))
        #expect(try content(rig).bytes == 300_000 && content(rig).isComplete)
        #expect(rig.faultReports.map(\.state) == [.fired])
    }

    @Test func `an edited final response has other fields, its content is as it was`() throws {
        let rig = try observed(["c1/r1:resp.head=edit(x-cache=hit)"])
        defer { rig.tearDown() }
        let client = try exchange(rig, answers: [Self.answer], endsWith: HTTPExchange.body)
        let edited = HTTPExchange.answerHead.dropLast() + "x-cache: hit\r\n\r\n"
        #expect(client.text == edited + HTTPExchange.body)
        try end(rig)
        #expect(answers(rig).map(\.isByFault) == [true])
        #expect(answers(rig)[0].headBytes == UInt64(edited.utf8.count))
        #expect(try content(rig).bytes == 300_000 && content(rig).isComplete)
        #expect(rig.faultReports.map(\.state) == [.fired])
        #expect(rig.faultReports.map(\.effect) == ["edit(x-cache=hit)"])
    }
}
