import Basics
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// What the server does at each of its limits.
@Suite struct HTTPServerLimitsTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func rig(
        _ change: (inout HTTPServerLimits) -> Void,
        _ onRequest: @escaping (ServerExchange) -> Void = { try? $0.respond(ResponseHead(200)) }
    ) throws -> Rig {
        var limits = HTTPServerLimits()
        change(&limits)
        return try Rig(limits: limits, onRequest: onRequest)
    }

    @Test func `a head that takes too long is answered by 408`() throws {
        let rig = try rig { $0.headTime = .milliseconds(200) }
        let peer = try rig.connect()
        peer.send("GET / HT")
        let begin = rig.loop.now
        while !peer.hasEnded, rig.loop.now - begin < .seconds(10) {
            rig.run(milliseconds: 20)
            // Drop by drop does not help.
            if !peer.isOver && peer.text.isEmpty { peer.send("T") }
        }
        #expect(rig.loop.now - begin >= .milliseconds(200))
        #expect(peer.text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(rig.reports.first?.ending == .refused && rig.reports.first?.status == 408)
    }

    @Test func `a connection that waits for a request too long is closed without a word`() throws {
        let rig = try rig { $0.idleTime = .milliseconds(100) }
        let (fresh, used) = (try rig.connect(), try rig.connect())
        used.send(Self.get)
        rig.run { fresh.hasEnded && used.hasEnded }
        #expect(fresh.received.isEmpty && used.text.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `content that stops coming is answered by 408`() throws {
        var reasons: [AbortReason] = []
        let rig = try rig({ $0.bodyProgressTime = .milliseconds(150) }) { exchange in
            exchange.onAbort = { reasons.append($0) }
            Reader(exchange).goOn()
        }
        let peer = try rig.connect()
        peer.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
        for _ in 0..<4 {
            rig.run(milliseconds: 75)
            peer.send("x")
        }
        #expect(reasons.isEmpty)
        rig.run { peer.hasEnded }
        #expect(peer.text.hasPrefix("HTTP/1.1 408 ") && reasons == [.requestTimeout])
        #expect(rig.reports.first?.receivedContentBytes == 7)
    }

    @Test func `a client that does not read is reset in the end, a slow one is not`() throws {
        let rig = try rig({ $0.sendProgressTime = .seconds(1) }) { exchange in
            let body = MessageBody.generated(length: 1 << 40, contentSource(1 << 40))
            try? exchange.respond(ResponseHead(200), body)
        }
        let (slow, stuck) = (try rig.connect(), try rig.connect())
        (slow.isPaused, stuck.isPaused) = (true, true)
        slow.send(Self.get)
        stuck.send(Self.get)
        for _ in 0..<300 where rig.reports.isEmpty {
            rig.run(milliseconds: 50)
            slow.isPaused = false
            slow.isPaused = true
            slow.clear()
        }
        #expect(rig.reports.map(\.ending) == [.aborted(.responseTimeout)])
        #expect(rig.reports.first?.connection == 2)
    }

    @Test func `at the limit of connections idle ones make room, and busy ones do not`() throws {
        var waiting: [ServerExchange] = []
        let rig = try rig({ $0.openConnections = 3 }) { waiting.append($0) }
        let idle = try rig.connect()
        rig.run { rig.server?.openConnections == 1 }
        let busy = try (0..<3).map { _ in
            let peer = try rig.connect()
            peer.send(Self.get)
            return peer
        }
        rig.run { waiting.count == 3 && idle.hasEnded }
        let late = try rig.connect()
        late.send(Self.get)
        rig.run(milliseconds: 50)
        #expect(waiting.count == 3 && rig.server?.openConnections == 3)
        try waiting[0].respond(ResponseHead(200, fields: ["Connection": "close"]))
        busy[0].close()
        rig.run { waiting.count == 4 }
        #expect(rig.server?.statistics.idleClosed == 1)
    }

    @Test func `without descriptors new connections wait, and all are served in the end`() async {
        await #expect(processExitsWith: .success) {
            var served = 0
            let rig = try Rig { exchange in
                try? exchange.respond(ResponseHead(200, fields: ["Connection": "close"]))
                served += 1
            }
            let peers = try (0..<40).map { _ in try rig.connect() }
            try Descriptors.limit(toOpenAnd: 10)
            for peer in peers {
                peer.closesAtEnd = true
                peer.send(HTTPServerLimitsTests.get)
            }
            rig.run { served == 40 && peers.allSatisfy(\.hasEnded) }
            try #require(served == 40)
            try #require((rig.server?.statistics.exhaustions ?? 0) > 0)
        }
    }
}
