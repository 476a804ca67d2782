import Basics
import HTTP2
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// What clients that begin with HTTP/2, and curl, get from the server.
@Suite struct HTTP2ServerTests {
    private func rig(limits: HTTPServerLimits = HTTPServerLimits()) throws -> Rig {
        try Rig(limits: limits, takesHTTP2: true) { exchange in
            let reader = Reader(exchange)
            reader.onEnd = { reader in
                let cookie = exchange.head.fields["Cookie"] ?? ""
                try? exchange.respond(ResponseHead(200), .text("\(reader.bytes.count) \(cookie)"))
            }
            reader.goOn()
        }
    }

    private func curl(_ rig: Rig, _ options: String) throws -> String {
        let temporary = try TemporaryFolder()
        let url = "http://127.0.0.1:\(rig.address.port ?? 0)/"
        var settings = ChildProcess.Settings(
            "/bin/sh",
            ["-c", "curl -sS -m 20 \(options) -w ' %{http_version}' \(url)"]
        )
        (settings.input, settings.output) = (.none, .file("\(temporary.path)/out"))
        settings.error = settings.output
        let child = try ChildProcess(settings, on: rig.loop)
        rig.run { !child.isRunning }
        child.close()
        let output = try FileSystem.read("\(temporary.path)/out", limit: 1 << 20)
        return String(decoding: output, as: UTF8.self)
    }

    private static let get = [
        BlockField(":method", "GET"), BlockField(":scheme", "http"),
        BlockField(":authority", "a"), BlockField(":path", "/"),
        BlockField("cookie", "a=1"), BlockField("cookie", "b=2"),
    ]

    private func head(_ stream: UInt32, _ fields: [BlockField] = get) -> [UInt8] {
        let encoder = FieldEncoder()
        let fragment = encoder.encode(fields)
        return FrameWriter.block(
            FrameReader.Block(stream: stream, endsStream: true, fragment: fragment)
        )
    }

    private static let start = HTTP2Session.preface + FrameWriter.settings([])

    @Test func `curl speaks HTTP2 by prior knowledge, and others HTTP1`() throws {
        let rig = try rig()
        #expect(try curl(rig, "--http2-prior-knowledge -d abc") == "3  2")
        #expect(try curl(rig, "-d abc") == "3  1.1")
        #expect(try curl(rig, "-X PRO -d abc") == "3  1.1")
    }

    @Test(arguments: [1, 5, 1_000])
    func `the preface may come in pieces, and crumbs of cookies are joined`(step: Int) throws {
        let rig = try rig()
        let peer = try rig.connect()
        var rest = (Self.start + head(1))[...]
        while !rest.isEmpty {
            peer.send(Array(rest.prefix(step)))
            rest = rest.dropFirst(step)
            rig.run(milliseconds: 1)
        }
        rig.run { peer.text.contains("0 a=1; b=2") }
        #expect(rig.reports.map(\.ending) == [.complete])
        peer.close()
    }

    @Test func `a malformed request ends its stream alone`() throws {
        let rig = try rig()
        let peer = try rig.connect()
        let bad = Self.get + [BlockField("connection", "close")]
        peer.send(Self.start + head(1, bad) + head(3))
        rig.run { peer.text.contains("0 a=1; b=2") }
        let reset = FrameWriter.resetStream(.protocolError, stream: 1)
        #expect(peer.received.contains(reset))
        #expect(rig.reports.count == 1 && !peer.isOver)
        peer.close()
    }

    @Test func `a flood ends the connection`() throws {
        let rig = try rig()
        let peer = try rig.connect()
        let ping = FrameWriter.frame(.ping, [], stream: 0, [UInt8](repeating: 1, count: 8))
        peer.send(Self.start + [[UInt8]](repeating: ping, count: 5_000).flatMap { $0 })
        rig.run { peer.isOver && rig.server?.openConnections == 0 }
        #expect(peer.received.count < 200_000)
    }

    @Test func `streams that are opened and reset without an end are a flood`() throws {
        let rig = try rig()
        let peer = try rig.connect()
        var bytes = Self.start
        for number in 0..<10_000 {
            let stream = UInt32(number) * 2 + 1
            bytes += head(stream) + FrameWriter.resetStream(.cancel, stream: stream)
        }
        peer.send(bytes)
        rig.run { peer.isOver && rig.server?.openConnections == 0 }
        #expect(rig.reports.count < 3_000)
    }

    @Test func `a head that does not end, and a client without a request, are given up`() throws {
        var limits = HTTPServerLimits()
        limits.headTime = .milliseconds(150)
        let rig = try rig(limits: limits)
        let slow = try rig.connect()
        slow.send(Self.start + FrameWriter.frame(.headers, [], stream: 1, [0x82]))
        let half = try rig.connect()
        half.send(Array(HTTP2Session.preface.prefix(10)))
        rig.run { slow.isOver && half.isOver && rig.server?.openConnections == 0 }
        limits.idleTime = .milliseconds(150)
        let other = try self.rig(limits: limits)
        let idle = try other.connect()
        idle.send(Self.start)
        other.run { idle.isOver && other.server?.openConnections == 0 }
        #expect(rig.reports.isEmpty && other.reports.isEmpty)
    }

    @Test func `no more streams are open than are allowed`() throws {
        let rig = try Rig(takesHTTP2: true) { _ in }
        let peer = try rig.connect()
        peer.send(Self.start + (0..<101).flatMap { head(UInt32($0) * 2 + 1) })
        let refused = FrameWriter.resetStream(.refusedStream, stream: 201)
        rig.run { peer.received.contains(refused) || peer.isOver }
        #expect(rig.server?.statistics.requests == 100)
        peer.close()
    }
}
