import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// Answers, and the order and form in which they go out.
@Suite struct HTTPServerTests {
    /// `/N`: N bytes; anything else as said.
    private static func answer(_ exchange: ServerExchange) {
        let name = exchange.head.target.dropFirst()
        func respond(_ head: ResponseHead, _ body: MessageBody) {
            #expect(throws: Never.self) { try exchange.respond(head, body) }
        }
        switch name {
        case _ where Int(name) != nil:
            respond(ResponseHead(200), .bytes(content(0..<(Int(name) ?? 0))))
        case "chunked":
            let body = MessageBody(
                [
                    .bytes([0x5B]), .generated(length: nil, contentSource(5, step: 3)),
                    .bytes([0x5D]),
                ]
            ) { ["X-End": "yes"] }
            respond(ResponseHead(200), body)
        case "made":
            respond(ResponseHead(200), .generated(length: 300_000, contentSource(300_000)))
        case "short":
            respond(ResponseHead(200), .generated(length: 10, contentSource(5)))
        case _ where name.hasPrefix("four/"):
            var body = MessageBody.text("four")
            body.framing = ContentFraming(rawValue: String(name.dropFirst(5))) ?? .length
            respond(ResponseHead(200, fields: ["Content-Length": "4"]), body)
        case "none": respond(ResponseHead(204), .bytes([1]))
        case "same": respond(ResponseHead(304, fields: ["Content-Length": "77"]), .none)
        default: respond(ResponseHead(404), .text("no"))
        }
    }

    /// What the server sends to `request` on a connection that the client ends.
    private func exchange(_ request: String, singly: Bool = false) throws -> String {
        let rig = try Rig(onRequest: Self.answer)
        let peer = try rig.connect()
        peer.sendsSingly = singly
        peer.send(request)
        rig.run { peer.unsentBytes == 0 }
        peer.finish()
        rig.run { peer.isOver }
        #expect(peer.failure == nil)
        return peer.text
    }

    @Test func `requests on one connection are answered in order`() throws {
        let three =
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n"
            + "GET /0 HTTP/1.1\r\nHost: a\r\n\r\n"
        let expected =
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\0"
            + "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"
            + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        #expect(try exchange(three) == expected)
        #expect(try exchange(three, singly: true) == expected)
    }

    @Test(arguments: [
        ("GET /chunked HTTP/1.1\r\nHost: a\r\n\r\n", "chunked\r\n\r\n1\r\n[\r\n3\r\n\0\u{1F}>\r\n"),
        ("GET /chunked HTTP/1.0\r\n\r\n", "Connection: close\r\n\r\n[\0\u{1F}>"),
        (
            "HEAD /chunked HTTP/1.1\r\nHost: a\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        ("HEAD /300 HTTP/1.1\r\nHost: a\r\n\r\n", "200 OK\r\nContent-Length: 300\r\n\r\n"),
        ("GET /none HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n"),
        ("GET /same HTTP/1.1\r\nHost: a\r\n\r\n", "Content-Length: 77\r\n\r\n"),
        ("GET /0 HTTP/1.0\r\n\r\n", "Content-Length: 0\r\nConnection: close\r\n\r\n"),
        (
            "GET /0 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n"
        ),
        (
            "GET /0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /1 HTTP/1.1\r\n\r\n",
            "Content-Length: 0\r\nConnection: close\r\n\r\n"
        ),
        ("nonsense\r\n\r\n", "HTTP/1.1 400 Bad Request"),
        ("GET / HTTP/3.0\r\n\r\n", "HTTP/1.1 505 "),
        (
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n",
            " 431 "
        ),
    ])
    func `each answer is framed as the request allows`(request: String, part: String) throws {
        let text = try exchange(request)
        #expect(text.contains(part), "\(text)")
    }

    @Test(arguments: [
        ("chunked", "1.1", "Transfer-Encoding: chunked", "4\r\nfour\r\n0\r\n\r\n", 2),
        ("close", "1.1", "Connection: close", "four", 1),
        ("chunked", "1.0", "Connection: close", "four", 1),
        ("close", "1.0", "Connection: close", "four", 1),
        ("length", "1.1", "Content-Length: 4", "four", 2),
        ("length", "1.0", "Content-Length: 4\r\nConnection: close", "four", 1),
    ])
    func `content is framed as it asks for, and HEAD tells the same`(
        framing: String,
        version: String,
        field: String,
        content: String,
        answers: Int
    ) throws {
        let head = "HTTP/1.1 200 OK\r\n\(field)\r\n\r\n"
        for (method, content) in [("GET", content), ("HEAD", "")] {
            let request = "\(method) /four/\(framing) HTTP/\(version)\r\nHost: a\r\n\r\n"
            let expected = String(repeating: head + content, count: answers)
            #expect(try exchange(request + request) == expected)
        }
    }

    @Test func `chunks end with trailers`() throws {
        let text = try exchange("GET /chunked HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(text.hasSuffix("1\r\n]\r\n0\r\nX-End: yes\r\n\r\n"))
    }

    @Test(arguments: [0, 1, 16_000, 20_000, 5_000_000])
    func `content of every size arrives whole, also at a slow reader`(count: Int) throws {
        let rig = try Rig(onRequest: Self.answer)
        let peer = try rig.connect()
        peer.isPaused = true
        peer.send("GET /\(count) HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run(milliseconds: 20)
        peer.isPaused = false
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n".utf8)
        rig.run { peer.received.count >= head.count + count }
        #expect(peer.received == head + content(0..<count))
        let report = try #require(rig.reports.first)
        #expect(report.sentBytes == head.count + count)
        #expect((report.connection, report.request, report.status) == (1, 1, 200))
        #expect(report.ending == .complete && report.isRequestComplete)
        #expect(report.head?.target == "/\(count)")
    }

    @Test func `a file, made bytes and other bytes go out as one message`() throws {
        let temporary = try TemporaryFolder()
        let folder = try Folder(temporary.path)
        try folder.replace("f", with: content(0..<3_000_000), durably: false)
        let rig = try Rig { exchange in
            #expect(throws: Never.self) {
                let file = try folder.file("f", for: .reading)
                let body = MessageBody([
                    .bytes([1]), .file(file, 5..<2_900_000), .bytes(content(0..<50_000)),
                    .generated(length: 200_000, contentSource(200_000, step: 7_777)),
                    .file(file, 0..<0), .file(file, 7..<9),
                ])
                try exchange.respond(ResponseHead(200), body)
            }
        }
        let peer = try rig.connect()
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let expected =
            [1] + content(5..<2_900_000) + content(0..<50_000) + content(0..<200_000)
            + content(7..<9)
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(expected.count)\r\n\r\n".utf8)
        rig.run { peer.received.count >= head.count + expected.count }
        #expect(peer.received == head + expected)
    }

    @Test func `a source that has nothing yet is asked again when it says so`() throws {
        var waiting: [Int] = []
        var exchanges: [ServerExchange] = []
        let rig = try Rig { exchange in
            exchanges.append(exchange)
            let body = MessageBody.generated(length: nil) { buffer, room in
                guard let next = waiting.first else { return .later }
                waiting.removeFirst()
                guard next >= 0 else { return .end }
                buffer.store([UInt8(next)], at: room.lowerBound)
                return .stored(1)
            }
            #expect(throws: Never.self) { try exchange.respond(ResponseHead(200), body) }
        }
        let peer = try rig.connect()
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        // The head does not wait for the first byte.
        rig.run { peer.text.hasSuffix("chunked\r\n\r\n") }
        waiting = [65]
        exchanges[0].resume()
        rig.run { peer.text.hasSuffix("1\r\nA\r\n") }
        waiting = [66, -1]
        exchanges[0].resume()
        rig.run { peer.text.hasSuffix("1\r\nB\r\n0\r\n\r\n") }
        #expect(rig.reports.count == 1)
    }

    @Test func `content that cannot be had cuts the connection`() throws {
        let rig = try Rig(onRequest: Self.answer)
        let peer = try rig.connect()
        peer.send("GET /short HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run { peer.isOver }
        #expect(peer.failure == .connectionReset)
        #expect(rig.reports.first?.ending == .aborted(.sourceFailed))
    }

    @Test func `a field that would split the response is refused`() throws {
        var errors: [MessageWriteError] = []
        let rig = try Rig { exchange in
            do throws(MessageWriteError) {
                try exchange.respond(ResponseHead(200, fields: ["X": "a\r\nY: b"]), .text("x"))
            } catch {
                errors.append(error)
                try? exchange.respond(ResponseHead(500))
            }
        }
        let peer = try rig.connect()
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run { peer.text == "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n" }
        #expect(errors == [.fieldValue("X")])
    }

    @Test func `responses have a date unless they must not`() throws {
        let rig = try Rig(onRequest: Self.answer)
        rig.server?.sendsDate = true
        let peer = try rig.connect()
        peer.send("GET /0 HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run { peer.text.hasSuffix("\r\n\r\n") }
        let line = peer.text.split(separator: "\r\n").first { $0.hasPrefix("Date: ") }
        let date = HTTPDate(
            String(try #require(line).dropFirst(6)),
            now: HTTPDate(secondsSince1970: 0)
        )
        let age = Int(WallClock.secondsSince1970) - (try #require(date)).secondsSince1970
        #expect((0...60).contains(age))
    }

    @Test func `a Unix socket and IPv6 serve too`() throws {
        let temporary = try TemporaryFolder()
        let rig = try Rig(onRequest: Self.answer)
        let path = SocketAddress.unix("\(temporary.path)/s")
        let ipv6 = try #require(SocketAddress(numericHost: "::1", port: 0))
        for address in [path, ipv6] {
            let bound = try #require(try rig.server?.listen(on: address))
            let peer = try RawPeer.connect(to: bound, on: rig.loop)
            peer.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
            rig.run { peer.text.hasSuffix("\r\n\r\n\0") }
            peer.close()
        }
        rig.server?.stop()
        #expect(try SocketFile.state(at: "\(temporary.path)/s") == .absent)
    }

    @Test func `a socket that listens already is served`() throws {
        let rig = try Rig(onRequest: Self.answer)
        let bound = try rig.server?.listen(on: try ListeningSocket(on: .loopback(port: 0)))
        let peer = try RawPeer.connect(to: try #require(bound ?? nil), on: rig.loop)
        peer.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run { peer.text.hasSuffix("\r\n\r\n\0") }
    }

    @Test func `an orderly end closes idle connections and lets busy ones finish`() throws {
        var waiting: [ServerExchange] = []
        let rig = try Rig { waiting.append($0) }
        let (idle, busy) = (try rig.connect(), try rig.connect())
        busy.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run { waiting.count == 1 && rig.server?.openConnections == 2 }
        var isFinished = false
        rig.server?.finish { isFinished = true }
        rig.run { idle.hasEnded }
        #expect(!isFinished)
        try waiting[0].respond(ResponseHead(200), .text("last"))
        rig.run { busy.hasEnded }
        #expect(busy.text.hasSuffix("Connection: close\r\n\r\nlast"))
        busy.close()
        rig.run { isFinished }
    }

    @Test func `a thousand connections are served, each in its order`() throws {
        _ = DescriptorLimit.raise()
        let rig = try Rig(onRequest: Self.answer)
        let peers = try (0..<1_000).map { _ in try rig.connect() }
        for (number, peer) in peers.enumerated() {
            for count in [number, 1] { peer.send("GET /\(count) HTTP/1.1\r\nHost: a\r\n\r\n") }
        }
        rig.run { rig.reports.count == 2_000 }
        rig.run(milliseconds: 50)
        for (number, peer) in peers.enumerated() {
            let heads = [number, 1].map { "HTTP/1.1 200 OK\r\nContent-Length: \($0)\r\n\r\n" }
            let all = Array(heads[0].utf8) + content(0..<number) + Array(heads[1].utf8) + [0]
            #expect(peer.received == all, "\(number)")
        }
        #expect(rig.server?.statistics.connections == 1_000)
        #expect(Set(rig.reports.map(\.connection)).count == 1_000)
        for peer in peers { peer.close() }
        rig.run { rig.server?.openConnections == 0 }
    }
}
