import Basics
import HTTP2
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// How streams end at the server, and the connection with them.
@Suite struct HTTP2EndingTests {
    private static let start = HTTP2Session.preface + FrameWriter.settings([])
    private static let goAway = FrameWriter.frame(
        .goAway,
        [],
        stream: 0,
        [UInt8](repeating: 0, count: 8)
    )

    private func block(
        _ stream: UInt32,
        _ path: String = "/",
        ends: Bool = true
    ) -> [UInt8] {
        let fields = [
            BlockField(":method", "PUT"), BlockField(":scheme", "http"),
            BlockField(":authority", "a"), BlockField(":path", path),
        ]
        return block(stream, fields, ends: ends)
    }

    private func block(_ stream: UInt32, _ fields: [BlockField], ends: Bool) -> [UInt8] {
        let fragment = FieldEncoder().encode(fields)
        return FrameWriter.block(
            FrameReader.Block(stream: stream, endsStream: ends, fragment: fragment)
        )
    }

    private static let text = Array("content".utf8)

    @Test func `a head says whether content follows`() throws {
        var heads: [RequestHead] = []
        let rig = try Rig(takesHTTP2: true) { heads.append($0.head) }
        let peer = try rig.connect()
        peer.send(Self.start + block(1) + block(3, ends: false))
        rig.run { heads.count == 2 }
        let alone = Set(heads.map(\.endsStream))
        #expect(alone == [true, false])
        peer.close()
    }

    @Test(arguments: [[], goAway])
    func `what is complete is read although the client has gone`(more: [UInt8]) throws {
        var reader: Reader?
        let rig = try Rig(takesHTTP2: true) { reader = Reader($0) }
        let peer = try rig.connect()
        let data = FrameWriter.data(Self.text, endsStream: true, stream: 1)
        let reset = FrameWriter.resetStream(.cancel, stream: 1)
        peer.send(Self.start + block(1, ends: false) + data + more + reset)
        rig.run { reader?.exchange.peerEnd == .reset }
        rig.run(milliseconds: 20)
        reader?.goOn()
        rig.run { rig.reports.count == 1 }
        #expect(reader?.bytes == Self.text && reader?.trailers != nil)
        #expect(rig.reports.map(\.ending) == [.aborted(.reset)])
        #expect(rig.reports.first?.isRequestComplete == true)
        peer.close()
    }

    @Test func `a response is over when the client can have it, whatever else is to be sent`()
        throws
    {
        let rig = try Rig(takesHTTP2: true) { exchange in
            let length = exchange.head.target == "/large" ? 100_000_000 : 10
            let body = MessageBody.generated(length: UInt64(length), contentSource(length))
            try? exchange.respond(ResponseHead(200), body)
        }
        let peer = try rig.connect()
        peer.isPaused = true
        let windows = [0, 1].flatMap { FrameWriter.windowUpdate(1 << 30, stream: $0) }
        peer.send(Self.start + block(1, "/large") + windows + block(3))
        rig.run { rig.reports.count == 1 }
        #expect(rig.reports.map(\.ending) == [.complete])
        // What has failed needs no time to be sent.
        peer.reset()
        rig.run { rig.reports.count == 2 && rig.server?.openConnections == 0 }
        #expect(rig.reports.last?.ending == .aborted(.reset))
    }

    @Test func `a connection is idle from its last request on`() throws {
        var limits = HTTPServerLimits()
        limits.idleTime = .milliseconds(800)
        let rig = try Rig(limits: limits, takesHTTP2: true) { try? $0.respond(ResponseHead(204)) }
        let peer = try rig.connect()
        peer.send(Self.start)
        var (longest, last) = (Duration.zero, rig.loop.now)
        for number in 0..<10 {
            rig.run(milliseconds: 150)
            peer.send(block(UInt32(number) * 2 + 1))
            longest = max(longest, rig.loop.now - last)
            last = rig.loop.now
        }
        // Nothing can be said if the machine stood still.
        if longest < .milliseconds(500) { rig.run { rig.reports.count == 10 } }
        rig.run { peer.isOver && rig.server?.openConnections == 0 }
        peer.close()
    }

    @Test func `trailers that are too large end their stream`() throws {
        let rig = try Rig(takesHTTP2: true) { Reader($0).goOn() }
        let peer = try rig.connect()
        let large = [BlockField("x-large", String(repeating: "v", count: 20_000))]
        let data = FrameWriter.data(Self.text, endsStream: false, stream: 1)
        peer.send(Self.start + block(1, ends: false) + data + block(1, large, ends: true))
        rig.run { rig.reports.count == 1 }
        #expect(rig.reports.first?.ending == .aborted(.malformed(.headTooLarge)))
        let reset = FrameWriter.resetStream(.protocolError, stream: 1)
        rig.run { peer.received.contains(reset) }
        peer.close()
    }

    @Test func `a server that finishes does not wait for a client that has said that it goes`()
        throws
    {
        var held: ServerExchange?
        let rig = try Rig(takesHTTP2: true) { held = $0 }
        let peer = try rig.connect()
        peer.closesAtEnd = true
        peer.send(Self.start + block(1) + Self.goAway)
        rig.run { held != nil }
        rig.run(milliseconds: 20)
        var isFinished = false
        rig.server?.finish { isFinished = true }
        try held?.respond(ResponseHead(200), .text("last"))
        rig.run { isFinished }
        #expect(peer.text.contains("last") && rig.reports.map(\.ending) == [.complete])
    }

    @Test func `content in the smallest frames is put together`() throws {
        var reader: Reader?
        let rig = try Rig(takesHTTP2: true) { reader = Reader($0, limit: 7_000) }
        let peer = try rig.connect()
        let bytes = content(0..<40_000)
        let frames = bytes.flatMap { FrameWriter.data([$0], endsStream: false, stream: 1) }
        peer.send(Self.start + block(1, ends: false) + frames)
        rig.run { reader != nil && peer.unsentBytes == 0 }
        reader?.goOn()
        rig.run { reader?.bytes.count == 40_000 }
        #expect(reader?.bytes == bytes)
        peer.send(FrameWriter.data([], endsStream: true, stream: 1))
        rig.run { reader?.trailers != nil }
        peer.close()
    }
}
