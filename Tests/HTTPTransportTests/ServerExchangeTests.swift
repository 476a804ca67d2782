import Basics
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// Content of requests, by pull, and the ways in which clients fail.
@Suite struct ServerExchangeTests {
    /// A rig that keeps its exchanges for the test to serve.
    private func rig(
        _ limits: HTTPServerLimits = HTTPServerLimits(),
        _ onRequest: @escaping (ServerExchange) -> Void
    ) throws -> Rig {
        try Rig(limits: limits, onRequest: onRequest)
    }

    private static let put = "PUT / HTTP/1.1\r\nHost: a\r\n"

    @Test(arguments: [1, 100, 65_536], [false, true])
    func `content comes by pull, whatever the framing and the sizes`(
        limit: Int,
        singly: Bool
    ) throws {
        let body = content(0..<(singly ? 500 : 100_000))
        var chunked: [UInt8] = []
        var place = 0
        for size in [1, 7, 0x123, body.count] where place < body.count {
            let piece = body[place..<min(place + size, body.count)]
            chunked += Array("\(String(piece.count, radix: 16));x=y\r\n".utf8) + piece + [13, 10]
            place += piece.count
        }
        chunked += Array("0\r\nChecksum: abc\r\n\r\n".utf8)
        var readers: [Reader] = []
        let rig = try rig { exchange in
            let reader = Reader(exchange, limit: limit)
            readers.append(reader)
            reader.onEnd = { _ in try? exchange.respond(ResponseHead(201)) }
            reader.goOn()
        }
        let peer = try rig.connect()
        peer.sendsSingly = singly
        peer.send(Self.put + "Content-Length: \(body.count)\r\n\r\n")
        peer.send(body)
        peer.send(Self.put + "Transfer-Encoding: chunked\r\n\r\n")
        peer.send(chunked)
        peer.send(Self.put + "Content-Length: 0\r\n\r\n")
        rig.run { rig.reports.count == 3 }
        #expect(readers.map { $0.bytes == body } == [true, true, false])
        #expect(readers.map(\.trailers) == [[:], ["Checksum": "abc"], [:]])
        #expect(rig.reports.map(\.receivedContentBytes) == [body.count, body.count, 0])
        #expect(rig.reports.allSatisfy { $0.isRequestComplete && $0.ending == .complete })
    }

    @Test func `nothing is read that nobody asks for`() throws {
        var readers: [Reader] = []
        let rig = try rig { readers.append(Reader($0)) }
        let peer = try rig.connect()
        peer.send(Self.put + "Content-Length: 50000000\r\n\r\n")
        peer.send([UInt8](repeating: 1, count: 50_000_000))
        rig.run(milliseconds: 100)
        let held = peer.unsentBytes
        #expect(held > 30_000_000)
        readers[0].goOn(once: true)
        rig.run { readers[0].bytes.count > 0 }
        rig.run(milliseconds: 50)
        #expect(readers[0].bytes.count <= 65_536)
        readers[0].onEnd = { try? $0.exchange.respond(ResponseHead(200)) }
        readers[0].goOn()
        rig.run { rig.reports.count == 1 }
        #expect(readers[0].bytes.count == 50_000_000)
    }

    @Test func `a client that waits for a word gets it when content is wanted, and not before`()
        throws
    {
        var readers: [Reader] = []
        let rig = try rig { readers.append(Reader($0)) }
        let peer = try rig.connect()
        peer.send(Self.put + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        rig.run { readers.count == 1 }
        rig.run(milliseconds: 30)
        #expect(peer.text.isEmpty)
        readers[0].goOn()
        rig.run { peer.text == "HTTP/1.1 100 Continue\r\n\r\n" }
        peer.send("abc")
        rig.run { readers[0].trailers != nil }
        try readers[0].exchange.respond(ResponseHead(200))
        rig.run { peer.text.hasSuffix("200 OK\r\nContent-Length: 0\r\n\r\n") }
        #expect(rig.reports.first?.interimResponses == 1)
    }

    @Test func `a client that waits for a word may get the answer instead`() throws {
        let rig = try rig { try? $0.respond(ResponseHead(413), .text("no")) }
        let peer = try rig.connect()
        peer.send(Self.put + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        rig.run { peer.hasEnded }
        #expect(peer.text.hasPrefix("HTTP/1.1 413 "))
        #expect(peer.text.contains("Connection: close"))
    }

    @Test func `interim responses go out at once and in order, and not to HTTP 1.0`() throws {
        var exchanges: [ServerExchange] = []
        let rig = try rig { exchanges.append($0) }
        let peer = try rig.connect()
        peer.send(Self.put + "Content-Length: 3\r\n\r\n")
        rig.run { exchanges.count == 1 }
        let exchange = exchanges[0]
        #expect(try exchange.sendInterim(ResponseHead(104, fields: ["Location": "/u"])))
        rig.run { peer.text.hasSuffix("Location: /u\r\n\r\n") }
        for number in 0..<1_000 {
            #expect(try exchange.sendInterim(ResponseHead(103, fields: ["X": "\(number)"])))
        }
        peer.send("abc")
        let reader = Reader(exchange)
        reader.goOn()
        rig.run { reader.trailers != nil }
        try exchange.respond(ResponseHead(201))
        #expect(try !exchange.sendInterim(ResponseHead(104)))
        rig.run { peer.text.hasSuffix("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n") }
        let numbers = peer.text.split(separator: "\r\n").filter { $0.hasPrefix("X: ") }
        #expect(numbers == (0..<1_000).map { "X: \($0)" })
        #expect(rig.reports.first?.interimResponses == 1_001)

        let old = try rig.connect()
        old.send("PUT / HTTP/1.0\r\nContent-Length: 0\r\n\r\n")
        rig.run { exchanges.count == 2 }
        #expect(try !exchanges[1].sendInterim(ResponseHead(104)))
    }

    @Test func `interim responses for a client that does not read are left out at the limit`()
        throws
    {
        var limits = HTTPServerLimits()
        limits.waitingInterimBytes = 10_000
        var exchanges: [ServerExchange] = []
        let rig = try rig(limits) { exchanges.append($0) }
        let peer = try rig.connect()
        peer.isPaused = true
        peer.send(Self.put + "Content-Length: 3\r\n\r\n")
        rig.run { exchanges.count == 1 }
        let interim = ResponseHead(103, fields: ["X": String(repeating: "x", count: 5_000)])
        var sent = 0
        while try exchanges[0].sendInterim(interim), sent < 100_000 { sent += 1 }
        #expect(sent < 100_000)
        try exchanges[0].respond(ResponseHead(200), .text("end"))
        peer.isPaused = false
        rig.run { peer.text.hasSuffix("\r\n\r\nend") }
    }

    @Test func `an answer that comes early reaches a client that still sends`() throws {
        let rig = try rig { try? $0.respond(ResponseHead(403), .text("early")) }
        let peer = try rig.connect()
        peer.send(Self.put + "Content-Length: 1000000\r\n\r\n")
        rig.run { peer.text.hasSuffix("early") }
        peer.send([UInt8](repeating: 0, count: 900_000))
        rig.run { peer.isOver && peer.unsentBytes == 0 }
        rig.run(milliseconds: 50)
        #expect(peer.failure == nil && peer.text.contains("Connection: close"))
        let report = try #require(rig.reports.first)
        #expect(report.ending == .complete && !report.isRequestComplete)
    }

    @Test func `a client that goes on and on is cut off behind the answer`() throws {
        var limits = HTTPServerLimits()
        limits.drainTime = .milliseconds(300)
        let rig = try rig(limits) { try? $0.respond(ResponseHead(403), .text("early")) }
        let (greedy, silent) = (try rig.connect(), try rig.connect())
        silent.send(Self.put + "Content-Length: 1000000\r\n\r\n")
        greedy.send(Self.put + "Content-Length: 100000000\r\n\r\n")
        greedy.send([UInt8](repeating: 0, count: 100_000_000))
        rig.run { rig.server?.openConnections == 0 }
        #expect(greedy.unsentBytes > 0)
    }

    @Test func `small content that nobody wants does not end the connection`() throws {
        let rig = try rig { try? $0.respond(ResponseHead(404)) }
        let peer = try rig.connect()
        peer.send(Self.put + "Content-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run { rig.reports.count == 2 }
        #expect(rig.reports.map(\.isRequestComplete) == [true, true])
        #expect(!peer.text.contains("close"))
    }

    @Test func `an end within the content keeps what came before it`() throws {
        var (readers, reasons): ([Reader], [AbortReason]) = ([], [])
        let rig = try rig { exchange in
            readers.append(Reader(exchange, limit: 1_000))
            exchange.onAbort = { reasons.append($0) }
            readers[0].goOn()
        }
        let peer = try rig.connect()
        peer.send(Self.put + "Content-Length: 100000\r\n\r\n")
        peer.send(content(0..<70_000))
        rig.run { readers.first?.bytes.count == 70_000 }
        peer.finish()
        rig.run { !reasons.isEmpty }
        #expect(reasons == [.truncatedRequest] && readers[0].bytes == content(0..<70_000))
        #expect(rig.reports.first?.ending == .aborted(.truncatedRequest))
        #expect(readers[0].exchange.isOver)
    }

    @Test func `a reset is noticed while nobody reads, and what came before can still be read`()
        throws
    {
        var (readers, reasons): ([Reader], [AbortReason]) = ([], [])
        var ends: [ServerExchange.PeerEnd] = []
        let rig = try rig { exchange in
            readers.append(Reader(exchange, limit: 1_000))
            exchange.onAbort = { reasons.append($0) }
            exchange.onPeerEnd = { ends.append($0) }
        }
        let peer = try rig.connect()
        peer.send(Self.put + "Content-Length: 100000\r\n\r\n")
        peer.send(content(0..<40_000))
        rig.run { readers.count == 1 && peer.unacknowledgedBytes == 0 }
        peer.reset()
        rig.run { ends == [.reset] }
        rig.run(milliseconds: 20)
        #expect(reasons.isEmpty && !readers[0].exchange.isOver)
        readers[0].goOn()
        rig.run { !reasons.isEmpty }
        #expect(reasons == [.reset] && readers[0].bytes == content(0..<40_000))
    }

    @Test func `a reset behind whole content lets the content be completed`() throws {
        var (readers, reasons): ([Reader], [AbortReason]) = ([], [])
        let rig = try rig { exchange in
            readers.append(Reader(exchange))
            exchange.onAbort = { reasons.append($0) }
        }
        let peer = try rig.connect()
        peer.send(Self.put + "Content-Length: 40000\r\n\r\n")
        peer.send(content(0..<40_000))
        rig.run { readers.count == 1 && peer.unacknowledgedBytes == 0 }
        peer.reset()
        rig.run(milliseconds: 20)
        readers[0].goOn()
        rig.run { !reasons.isEmpty }
        #expect(readers[0].bytes.count == 40_000 && readers[0].trailers == [:])
        #expect(rig.reports.first?.isRequestComplete == true)
    }

    @Test func `a reset ends an exchange that waits or writes at once`() throws {
        var reasons: [AbortReason] = []
        let rig = try rig { exchange in
            exchange.onAbort = { reasons.append($0) }
            guard exchange.head.target == "/write" else { return }
            let body = MessageBody.generated(length: 1 << 40, contentSource(1 << 40))
            try? exchange.respond(ResponseHead(200), body)
        }
        for target in ["/wait", "/write"] {
            reasons = []
            let peer = try rig.connect()
            peer.isPaused = true
            peer.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            rig.run { rig.server?.statistics.requests == (target == "/wait" ? 1 : 2) }
            rig.run(milliseconds: 20)
            #expect(reasons.isEmpty)
            peer.reset()
            rig.run { reasons == [.reset] }
        }
        #expect(rig.server?.openConnections == 0)
    }

    @Test func `a client that has only ended its side gets its answer`() throws {
        var ends: [ServerExchange.PeerEnd] = []
        var exchanges: [ServerExchange] = []
        let rig = try rig { exchange in
            exchange.onPeerEnd = { ends.append($0) }
            exchanges.append(exchange)
        }
        let peer = try rig.connect()
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        peer.finish()
        rig.run { ends == [.finished] }
        try exchanges[0].respond(ResponseHead(200), .text("answer"))
        rig.run { peer.hasEnded }
        #expect(peer.text.hasSuffix("answer"))
    }

    @Test func `another exchange can end this one at once, and nothing more comes from it`() throws
    {
        var readers: [Reader] = []
        var reasons: [AbortReason] = []
        var order: [String] = []
        let rig = try rig { exchange in
            guard exchange.head.method == "HEAD" else {
                let reader = Reader(exchange)
                exchange.onAbort = {
                    reasons.append($0)
                    order.append("abort")
                }
                exchange.onEnd = { _ in order.append("end") }
                reader.goOn()
                return readers.append(reader)
            }
            readers[0].exchange.reset()
            order.append("taken")
            let offset = "\(readers[0].bytes.count)"
            try? exchange.respond(ResponseHead(204, fields: ["Upload-Offset": offset]))
        }
        let (old, new) = (try rig.connect(), try rig.connect())
        old.send(Self.put + "Content-Length: 100000\r\n\r\n0123456789")
        rig.run { readers.first?.bytes.count == 10 }
        new.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        old.send("more that may not count")
        rig.run { new.text.hasSuffix("\r\n\r\n") && old.isOver }
        let offset = readers[0].bytes.count
        rig.run(milliseconds: 20)
        #expect(new.text.contains("Upload-Offset: \(offset)\r\n"))
        #expect(readers[0].bytes.count == offset && old.failure == .connectionReset)
        #expect(reasons == [.takenOver] && order == ["abort", "end", "taken"])
    }

    @Test func `content that is no chunk is refused`() throws {
        var reasons: [AbortReason] = []
        let rig = try rig { exchange in
            exchange.onAbort = { reasons.append($0) }
            Reader(exchange).goOn()
        }
        let peer = try rig.connect()
        peer.send(Self.put + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n")
        rig.run { peer.hasEnded }
        #expect(peer.text.hasPrefix("HTTP/1.1 400 "))
        #expect(rig.reports.first?.receivedContentBytes == 3)
        guard case .malformed = reasons.first else {
            Issue.record("\(reasons)")
            return
        }
    }

    @Test func `small content is collected, large content is not`() throws {
        var results: [CollectedBody] = []
        let rig = try rig { exchange in
            exchange.collect(limit: 20_000) {
                results.append($0)
                try? exchange.respond(ResponseHead(200))
            }
        }
        let body = content(0..<20_000)
        for (count, isChunked) in [
            (20_000, false), (20_001, false), (20_000, true), (20_001, true),
        ] {
            let peer = try rig.connect()
            let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(count)"
            peer.send(Self.put + length + "\r\n\r\n")
            if isChunked { peer.send(String(count, radix: 16) + "\r\n") }
            peer.send(count == 20_000 ? body : body + [0])
            if isChunked { peer.send("\r\n0\r\n\r\n") }
            rig.run { peer.text.contains("200 OK") }
        }
        #expect(
            results == [
                .complete(body, trailers: [:]), .tooLarge, .complete(body, trailers: [:]),
                .tooLarge,
            ]
        )
    }
}
