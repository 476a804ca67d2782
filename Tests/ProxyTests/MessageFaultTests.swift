import Faults
import Journal
import SystemIO
import Testing

@testable import Proxy

/// Faults in requests and responses, on real sockets: what the two sides get to see.
@Suite struct MessageFaultTests {
    /// A place, and how many bytes of head and content are before it.
    struct Place: Sendable, CustomTestStringConvertible {
        let text: String
        /// From the end of the head; negative within it, nil for no byte at all.
        var fromHeadEnd: Int?
        var testDescription: String { text }

        static let all: [Place] = [
            Place(text: "head+0"), Place(text: "head-1", fromHeadEnd: -1),
            Place(text: "head", fromHeadEnd: 0), Place(text: "body+1", fromHeadEnd: 1),
            Place(text: "body+65537", fromHeadEnd: 65_537),
            Place(text: "body~500", fromHeadEnd: 150_000),
            Place(text: "body-1", fromHeadEnd: 299_999), Place(text: "end", fromHeadEnd: 300_000),
        ]

        func count(_ head: String) -> Int { fromHeadEnd.map { head.utf8.count + $0 } ?? 0 }
    }

    @Test(arguments: Place.all, ["rst", "fin", "hole"])
    func `of a response the client gets exactly what is before its end`(
        place: Place,
        effect: String
    ) throws {
        let rig = try Rig(faults: ["c1/r1:resp.\(place.text)=\(effect)"])
        defer { rig.tearDown() }
        rig.answer(
            requestsOf: HTTPExchange.get.utf8.count,
            with: [HTTPExchange.answerHead + HTTPExchange.body]
        )
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        try rig.run("the fault acts") { !rig.faultReports.isEmpty }
        let count = place.count(HTTPExchange.answerHead)
        try rig.run("all before it arrives") { client.receivedCount == count }
        try check(client, effect, rig)
        let sent = HTTPExchange.answerHead + HTTPExchange.body
        #expect(client.received == Array(sent.utf8.prefix(count)))
        #expect(rig.faultReports.map(\.state) == [.fired])
        #expect(rig.faultReports.map(\.request) == [1])
        #expect(!rig.faultReports[0].isRacy)
    }

    @Test(arguments: Place.all, ["rst", "fin", "hole"])
    func `of a request the server gets exactly what is before its end`(
        place: Place,
        effect: String
    ) throws {
        let rig = try Rig(faults: ["PUT(/u/*)#1:req.\(place.text)=\(effect)"])
        defer { rig.tearDown() }
        rig.answer(requestsOf: 1, with: [HTTPExchange.progress])
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.putHead + HTTPExchange.body)
        try rig.run("the fault acts") { !rig.faultReports.isEmpty }
        let count = place.count(HTTPExchange.putHead)
        try rig.run("it arrives") { rig.served.first?.receivedCount == count }
        let server = try #require(rig.served.first)
        try check(server, effect, rig)
        let sent = HTTPExchange.putHead + HTTPExchange.body
        #expect(server.received == Array(sent.utf8.prefix(count)))
        #expect(rig.faultReports.map(\.state) == [.fired])
        if effect != "hole" { #expect(client.receivedCount == 0) }
    }

    @Test(arguments: [
        "c1/r2:req.head=status(503)", "c1/r3:req.head=status(503)", "c1/r2:req.head=early(413)",
        "c1/r2:req.head=status(503,close)", "c1/r2:interim(103)=rst", "c1/r1:resp.end=fin",
        "c1/r2:resp.end=rst", "c1/r1:idle=fin", "c1/r2:idle=rst", "c1/r1:idle=rst-on-next",
    ])
    func `a fault acts on pipelined requests as on requests one by one`(fault: String) throws {
        let spaced = try outcome(of: fault, isPipelined: false)
        #expect(try outcome(of: fault, isPipelined: true) == spaced)
    }

    /// What the client of three requests gets, and what is recorded of faults.
    private func outcome(of fault: String, isPipelined: Bool) throws -> [String] {
        let rig = try Rig(faults: [fault])
        defer { rig.tearDown() }
        let answers = (1...3).map { "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\($0)" }
        rig.answer(requestsOf: HTTPExchange.get.utf8.count, with: answers)
        let client = try rig.connectKeeping()
        if isPipelined { client.say(String(repeating: HTTPExchange.get, count: 3)) }
        for answered in 1...3 {
            if !isPipelined, !client.isOver { client.say(HTTPExchange.get) }
            try rig.run("answer \(answered)", seconds: 3) {
                client.isOver
                    || client.text.split(separator: "HTTP/1.1").count >= answered
            }
        }
        try rig.run(milliseconds: 20)
        return [client.text, "\(client.isOver)"]
            + rig.faultReports.map { "\($0.id) \($0.state) \($0.request ?? 0)" }
    }

    private func check(_ peer: TestPeer, _ effect: String, _ rig: Rig) throws {
        if effect == "hole" {
            try rig.run(milliseconds: 30)
            #expect(!peer.isOver)
        } else {
            try rig.run("the end arrives") { peer.isOver }
            #expect(peer.failure == (effect == "rst" ? .connectionReset : nil))
        }
    }

    @Test(arguments: [0, 1, 29_999, 30_000, 30_001, 150_000, 300_000])
    func `content in chunks is counted without their framing`(count: Int) throws {
        let rig = try Rig(faults: ["c1/r1:resp.body+\(count)=rst"])
        defer { rig.tearDown() }
        rig.answer(
            requestsOf: HTTPExchange.get.utf8.count,
            with: [HTTPExchange.chunkedHead + HTTPExchange.chunked]
        )
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        try rig.run("the reset arrives") { client.isOver }
        var rest = client.received.dropFirst(HTTPExchange.chunkedHead.utf8.count)
        var content = 0
        while !rest.isEmpty {
            rest = rest.dropFirst(6)
            content += min(rest.count, 30_000)
            rest = rest.dropFirst(30_002)
        }
        #expect(content == count)
        #expect(client.received.last.map { $0 >= 97 } ?? false || count == 0)
    }

    @Test func `with see the client has the interim response when the server is cut off`() throws {
        let rig = try Rig(faults: ["PUT(*)#1:req.body+70000=rst,see=104"])
        defer { rig.tearDown() }
        rig.answer(requestsOf: 1, with: [HTTPExchange.progress])
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.putHead + HTTPExchange.body)
        try rig.run("both are reset") { client.isOver && rig.served.first?.isOver == true }
        #expect(client.text == HTTPExchange.progress)
        #expect(
            rig.served[0].receivedCount == HTTPExchange.putHead.utf8.count + 70_000
        )
    }

    @Test(arguments: ["none", "head", "half"], ["rst", "fin"])
    func `a lost answer was given in full`(keep: String, end: String) throws {
        let rig = try Rig(faults: ["c1/r1:req.end=swallow(keep=\(keep),end=\(end))"])
        defer { rig.tearDown() }
        let answer = HTTPExchange.answerHead + HTTPExchange.body
        rig.answer(requestsOf: HTTPExchange.get.utf8.count, with: [answer])
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        try rig.run("the client's end") { client.isOver }
        #expect(client.failure == (end == "rst" ? .connectionReset : nil))
        #expect(rig.served[0].hasSentAll)
        let kept = ["head": HTTPExchange.answerHead.utf8.count, "none": 0]
        #expect(
            client.receivedCount
                == kept[keep] ?? HTTPExchange.answerHead.utf8.count + 150_000
        )
        #expect(rig.faultReports.map(\.state) == [.fired])
    }

    @Test func `an injected status is all that happens, and the connection lives on`() throws {
        let rig = try Rig(faults: ["PUT(*)#1:req.end=status(503,retry-after=4)"])
        defer { rig.tearDown() }
        rig.answer(
            requestsOf: HTTPExchange.get.utf8.count,
            with: ["HTTP/1.1 204 No Content\r\n\r\n"]
        )
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.putHead + HTTPExchange.body + HTTPExchange.get)
        try rig.run("both answers") { client.text.hasSuffix("204 No Content\r\n\r\n") }
        #expect(client.text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\nretry-after: 4\r\n"))
        #expect(rig.served[0].text == HTTPExchange.get)
        #expect(rig.faultReports.map(\.state) == [.fired])
    }

    @Test func `an early answer comes while the content is still being sent`() throws {
        let rig = try Rig(faults: ["PUT(*)#1:req.head=early(413)"])
        defer { rig.tearDown() }
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.putHead + HTTPExchange.body.prefix(1_000))
        try rig.run("the answer and the end") { client.hasEnded }
        #expect(client.text.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        #expect(client.failure == nil)
        client.say(String(HTTPExchange.body.prefix(100_000)), then: .finish)
        try rig.runUntilIdle(1)
        #expect(client.failure == nil)
        #expect(rig.served.first?.receivedCount ?? 0 == 0)
    }

    @Test func `what comes late reaches the server on the old connection after the event`() throws {
        let rig = try Rig(
            faults: ["PUT(*)#1:req.body+1000=late(500,until=GET(*)#1:req.end)"]
        )
        defer { rig.tearDown() }
        rig.answer(requestsOf: HTTPExchange.get.utf8.count, with: [])
        let first = try rig.connectKeeping()
        first.say(HTTPExchange.putHead + HTTPExchange.body.prefix(2_000))
        try rig.run("the client is reset") { first.isOver }
        #expect(first.failure == .connectionReset)
        let head = HTTPExchange.putHead.utf8.count
        try rig.run("the first part") { rig.served[0].receivedCount == head + 1_000 }
        let second = try rig.connectKeeping()
        second.say(HTTPExchange.get)
        try rig.run("the late part") { rig.served[0].receivedCount == head + 1_500 }
        #expect(rig.served[1].text == HTTPExchange.get)
        try rig.run(milliseconds: 30)
        #expect(!rig.served[0].isOver)
        #expect(
            rig.served[0].text == HTTPExchange.putHead + HTTPExchange.body.prefix(1_500)
        )
    }

    @Test func `only interim responses change, and later ones stay in order`() throws {
        for (fault, expected) in [
            ("interim(104)=withhold", HTTPExchange.progress),
            ("interim(104#2)=dup", HTTPExchange.progress * 3),
        ] {
            let rig = try Rig(faults: ["c1/r1:\(fault)"])
            defer { rig.tearDown() }
            rig.answer(
                requestsOf: HTTPExchange.get.utf8.count,
                with: [HTTPExchange.progress * 2 + HTTPExchange.created]
            )
            let client = try rig.connectKeeping()
            client.say(HTTPExchange.get)
            try rig.run("the answer") { client.text.hasSuffix(HTTPExchange.created) }
            #expect(client.text == expected + HTTPExchange.created)
        }
    }

    @Test func `a middlebox that buffers keeps the request until it is whole`() throws {
        let rig = try Rig(faults: ["c*=buffer(req)"])
        defer { rig.tearDown() }
        rig.answer(
            requestsOf: HTTPExchange.putHead.utf8.count + HTTPExchange.bodySize,
            with: [HTTPExchange.created]
        )
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.putHead + HTTPExchange.body.dropLast())
        try rig.run("it is taken") { client.hasSentAll }
        try rig.run(milliseconds: 30)
        #expect(rig.served.first?.receivedCount ?? 0 == 0)
        client.say(String(HTTPExchange.body.suffix(1)))
        try rig.run("the answer") { client.text == HTTPExchange.created }
    }

    @Test func `a whole request is kept on a link, too, however long it is`() throws {
        let rig = try Rig(link: .slow(bitsPerSecond: 200_000_000), faults: ["c*=buffer(req)"])
        defer { rig.tearDown() }
        let body = String(repeating: HTTPExchange.body, count: 6)
        let head = "PUT /u HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        rig.answer(
            requestsOf: head.utf8.count + body.utf8.count,
            with: [HTTPExchange.created]
        )
        let client = try rig.connectKeeping()
        client.say(head + body)
        try rig.run("the answer") { client.text == HTTPExchange.created }
        #expect(rig.served[0].received == Array((head + body).utf8))
    }

    @Test func `a request that is too long to be kept goes on as it comes`() throws {
        let rig = try Rig(faults: ["c*=buffer(req)"]) { $0.limits.keptMessageBytes = 100_000 }
        defer { rig.tearDown() }
        let size = HTTPExchange.putHead.utf8.count + HTTPExchange.bodySize
        rig.answer(requestsOf: size, with: [HTTPExchange.created])
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.putHead + HTTPExchange.body, then: .finish)
        try rig.run("the answer") { client.text == HTTPExchange.created }
        rig.served[0].end(.finish)
        try rig.runUntilIdle(1)
        #expect(rig.faultReports.map(\.state) == [.unreached(reason: "message too long")])
    }

    @Test func `a kept connection is reset when it is used again`() throws {
        let rig = try Rig(faults: ["c1/r1:idle=rst-on-next"])
        defer { rig.tearDown() }
        rig.answer(requestsOf: HTTPExchange.get.utf8.count, with: [HTTPExchange.created])
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        try rig.run("the answer") { client.text == HTTPExchange.created }
        try rig.run(milliseconds: 20)
        #expect(!client.isOver)
        client.say(HTTPExchange.get)
        try rig.run("the reset") { client.isOver }
        #expect(client.failure == .connectionReset)
        #expect(rig.served[0].text == HTTPExchange.get)
    }

    @Test func `requests are counted over all connections of the run`() throws {
        let rig = try Rig(faults: ["GET(/big*)#2:resp.body+10=fin"])
        defer { rig.tearDown() }
        rig.answer(
            requestsOf: HTTPExchange.get.utf8.count,
            with: [HTTPExchange.answerHead + HTTPExchange.body]
        )
        let sizes = [HTTPExchange.bodySize, 10, HTTPExchange.bodySize]
        for size in sizes {
            let client = try rig.connectKeeping()
            client.say(HTTPExchange.get)
            let count = HTTPExchange.answerHead.utf8.count + size
            try rig.run("its answer") { client.receivedCount == count }
            if size == 10 { try rig.run("its end") { client.hasEnded } }
            client.close()
        }
        #expect(rig.faultReports.count == 1)
    }

    @Test func `a stall ends when what it waits for has passed`() throws {
        let rig = try Rig(faults: ["c1/r1:resp.body+10=stall(until=c2/r1:req.head)"])
        defer { rig.tearDown() }
        rig.answer(
            requestsOf: HTTPExchange.get.utf8.count,
            with: [HTTPExchange.answerHead + HTTPExchange.body]
        )
        let first = try rig.connectKeeping()
        first.say(HTTPExchange.get)
        let head = HTTPExchange.answerHead.utf8.count
        try rig.run("ten bytes") { first.receivedCount == head + 10 }
        try rig.run(milliseconds: 30)
        #expect(first.receivedCount == head + 10)
        try rig.connectKeeping().say(HTTPExchange.get)
        try rig.run("the rest") { first.receivedCount == head + HTTPExchange.bodySize }
    }

    @Test func `traffic without faults keeps to the shortest way`() throws {
        let rig = try Rig(faults: ["c2/r1:resp.body=rst"])
        defer { rig.tearDown() }
        _ = try rig.connectThrough()
        _ = try rig.connectThrough()
        let forms = rig.proxy.connections.inOrder.map { $0 is SplicedConnection }
        #expect(forms == [true, false])
    }

    @Test func `two requests in one go are answered one after the other`() throws {
        let rig = try Rig(faults: ["c1/r2:resp.body+5=rst"])
        defer { rig.tearDown() }
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"
        rig.answer(
            requestsOf: HTTPExchange.get.utf8.count,
            with: [answer + "abcdef", answer + "ghijkl"]
        )
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get * 2)
        try rig.run("the reset") { client.isOver }
        #expect(client.text == answer + "abcdef" + answer + "ghijk")
    }

    /// A server that waits for the content before it says anything, and a fault that wants an
    /// interim response first.
    @Test func `a gate that nothing opens gives way after five seconds`() throws {
        let rig = try Rig(faults: ["c1/r1:interim(104)+0=rst"])
        defer { rig.tearDown() }
        let size = HTTPExchange.putHead.utf8.count + HTTPExchange.bodySize
        rig.answer(requestsOf: size, with: [HTTPExchange.created])
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.putHead + HTTPExchange.body)
        try rig.run("the answer") { client.text == HTTPExchange.created }
        client.close()
        rig.served[0].end(.finish)
        try rig.runUntilIdle(1)
        #expect(rig.faultReports.map(\.state) == [.unreached(reason: "answer not seen")])
    }
}

extension MessageFaultTests {
    // Faults that come while the connection is open.

    @Test func `a fault that comes late acts on the next request of an open connection`() throws {
        let rig = try Rig(configure: { $0.observesRequests = true })
        defer { rig.tearDown() }
        let whole = HTTPExchange.answerHead + HTTPExchange.body
        rig.answer(requestsOf: HTTPExchange.get.utf8.count, with: [whole, whole])
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        // In the middle of the first answer, or behind it.
        try rig.run("some of it arrives") { client.receivedCount > 0 }
        let first = ConnectionID(ordinal: 1)
        let (_, armed) = try rig.proxy.faults.add(try Fault(parsing: "c1/r2:resp.body+65537=rst"))
        #expect(armed == [first])
        let (_, late) = try rig.proxy.faults.add(try Fault(parsing: "c1/r1:resp.body+9=rst"))
        #expect(late == [])
        try rig.run("the first arrives") { client.receivedCount == whole.utf8.count }
        client.say(HTTPExchange.get)
        try rig.run("the second is cut") { client.isOver }
        #expect(
            client.receivedCount
                == whole.utf8.count + HTTPExchange.answerHead.utf8.count + 65_537
        )
        #expect(rig.faultReports.map(\.request) == [1, 2])
        #expect(rig.faultReports.map(\.state) == [.unreached(reason: "added late"), .fired])
        // Only the one whose place was passed makes a replay do something else.
        #expect(rig.proxy.manual.recorder.differences.count == 1)
        #expect(rig.proxy.manual.recorder.differences[0].contains("c1/r1:"))
    }

    @Test func `a fault in requests that is taken back does not act on the next one`() throws {
        let rig = try Rig(faults: ["c1/r2:resp.head=rst"])
        defer { rig.tearDown() }
        let short = "HTTP/1.1 204 No Content\r\n\r\n"
        rig.answer(requestsOf: HTTPExchange.get.utf8.count, with: [short, short])
        let client = try rig.connectKeeping()
        client.say(HTTPExchange.get)
        try rig.run("the first arrives") { client.receivedCount == short.utf8.count }
        #expect(rig.proxy.faults.remove("c1/r2:resp.head=rst"))
        client.say(HTTPExchange.get)
        try rig.run("the second arrives") { client.receivedCount == 2 * short.utf8.count }
        #expect(rig.faultReports.isEmpty)
    }
}

extension String {
    fileprivate static func * (text: String, count: Int) -> String {
        String(repeating: text, count: count)
    }
}
