import HTTPWire
import SystemIO
import Testing
import TestSupport

@testable import Origin

/// `/ws` and `/ws/N`.
@Suite struct WebSocketFeedTests {
    private static let fields = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]
    /// With the accept value of RFC 6455 §1.3.
    private static let answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    private func origin(
        _ change: (inout OriginConfiguration) -> Void = { _ in }
    ) throws -> LiveOrigin { try LiveOrigin(folder: OriginFolder(), change) }

    /// Opens a WebSocket and sends bytes together with the request.
    private func open(_ target: String, _ origin: LiveOrigin, _ bytes: [UInt8] = []) throws
        -> RawPeer
    {
        let address = try #require(origin.server.addresses.first)
        let peer = try RawPeer.connect(to: address, on: origin.loop)
        let lines =
            ["GET \(target) HTTP/1.1", "Host: localhost"]
            + Self.fields.map { "\($0.0): \($0.1)" }
        peer.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes)
        #expect(origin.run { peer.received.count >= Self.answer.utf8.count })
        #expect(peer.text.hasPrefix(Self.answer))
        return peer
    }

    /// What came after the answer.
    private func events(_ peer: RawPeer) -> [WebSocketReceiver.Event] {
        var receiver = WebSocketReceiver(isMasked: false, maximumMessage: 1 << 20)
        var events: [WebSocketReceiver.Event] = []
        let bytes = Array(peer.received.dropFirst(Self.answer.utf8.count))
        receiver.read(bytes.span, into: &events)
        return events
    }

    private func message(_ number: Int) -> WebSocketReceiver.Event {
        .message(Array(#"{"id":\#(number),"data":"event \#(number)"}"#.utf8), isText: true)
    }

    private static let close = WebSocketFrame.close(1_000, isMasked: true)

    @Test(arguments: [("", 1...4), ("?after=0", 1...4), ("?after=3", 4...4)])
    func `messages come with numbers, after the last one that is named`(
        query: String,
        numbers: ClosedRange<Int>
    ) throws {
        let origin = try origin()
        let peer = try open("/ws/4\(query)", origin)
        let expected = numbers.map(message) + [.close(code: 1_000)]
        #expect(origin.run { events(peer) == expected })
        #expect(!peer.hasEnded)
        peer.send(Self.close)
        #expect(origin.run { peer.hasEnded && origin.records.count == 1 })
        let record = try #require(origin.records.first)
        #expect(record.status == 101 && record.outcome == .answered && record.bytesIn == 8)
    }

    @Test(arguments: ["/ws/0", "/ws/4?after=4", "/ws/4?after=18446744073709551615"])
    func `after the last one there is only the end`(target: String) throws {
        let origin = try origin()
        let peer = try open(target, origin)
        #expect(origin.run { events(peer) == [.close(code: 1_000)] })
    }

    @Test func `ten thousand messages come whole to a client that reads slowly`() throws {
        let origin = try origin()
        let peer = try open("/ws/10000", origin)
        peer.isPaused = true
        for _ in 0..<10 { origin.loop.runOnce() }
        peer.isPaused = false
        let expected = (1...10_000).map(message) + [.close(code: 1_000)]
        #expect(origin.run { peer.received.suffix(4).elementsEqual([0x88, 2, 3, 0xE8]) })
        #expect(events(peer) == expected)
    }

    @Test(arguments: [false, true])
    func `an echo sends back messages and pings, also those that came with the request`(
        singly: Bool
    ) throws {
        let origin = try origin()
        let first = WebSocketFrame.message(Array("one".utf8), isMasked: true)
        let peer = try open("/ws", origin, first)
        peer.sendsSingly = singly
        peer.send([0x02, 0x81, 1, 2, 3, 4, 5, 0x89, 0x81, 0, 0, 0, 0, 7, 0x80, 0x80, 0, 0, 0, 0])
        peer.send(WebSocketFrame.control(.pong, isMasked: true) + Self.close)
        #expect(origin.run { peer.hasEnded })
        let expected: [WebSocketReceiver.Event] = [
            .message(Array("one".utf8), isText: true), .ping([7]),
            .message([4], isText: false), .close(code: 1_000),
        ]
        #expect(
            events(peer)
                == expected.map { if case .ping(let content) = $0 { .pong(content) } else { $0 } }
        )
    }

    @Test(
        arguments: [
            ([0x81, 0], 1_002), ([0xC1, 0x80, 0, 0, 0, 0], 1_002),
            ([0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0], 1_009),
            ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1_007), ([0x88, 0x80, 0, 0, 0, 0], nil),
        ] as [([UInt8], UInt16?)]
    )
    func `a client that breaks the rules is told so, and the connection ends`(
        bytes: [UInt8],
        code: UInt16?
    ) throws {
        let origin = try origin()
        let peer = try open("/ws", origin, bytes)
        #expect(origin.run { peer.hasEnded })
        #expect(events(peer) == [.close(code: code)])
    }

    @Test func `a client that sends nothing for too long gets a close frame`() throws {
        let origin = try origin { $0.limits.idleSeconds = 1 }
        let peer = try open("/ws", origin)
        #expect(origin.run { events(peer) == [.close(code: 1_001)] })
    }

    @Test func `a server that ends says so`() throws {
        let origin = try origin()
        let peer = try open("/ws", origin)
        var isFinished = false
        origin.server.finish { isFinished = true }
        #expect(origin.run { events(peer) == [.close(code: 1_001)] })
        #expect(!isFinished)
        peer.send(Self.close)
        #expect(origin.run { peer.hasEnded })
        peer.close()
        #expect(origin.run { isFinished })
    }

    @Test func `a client that only ends its side ends the connection`() throws {
        let origin = try origin()
        let peer = try open("/ws", origin)
        peer.finish()
        #expect(origin.run { peer.hasEnded && origin.records.count == 1 })
    }

    @Test func `a file comes before messages`() throws {
        let folder = try OriginFolder()
        try folder.folder.makeFolder("ws").replace("3", with: Array("mine".utf8), durably: false)
        let origin = try LiveOrigin(folder: folder)
        #expect(try origin.ask("GET", "/ws/3", Self.fields).text == "mine")
    }

    @Test func `what is no WebSocket is told what is needed`() throws {
        let origin = try origin()
        let plain = try origin.ask("GET", "/ws")
        #expect(plain.status == 426 && plain["Upgrade"] == "websocket")
        #expect(plain["Connection"] == "upgrade" && plain["Sec-WebSocket-Version"] == "13")
        let other = Self.fields.filter { $0.0 != "Sec-WebSocket-Version" }
        #expect(
            try origin.ask("GET", "/ws", other + [("Sec-WebSocket-Version", "8")]).status == 426
        )
    }

    @Test(arguments: [
        ("/ws?after=1", 400), ("/ws/3?after=x", 400), ("/ws/3?seed=1", 400), ("/ws/x", 404),
        ("/ws/10001", 404), ("/ws/", 404),
    ])
    func `what is no stream of messages is refused`(target: String, status: Int) throws {
        #expect(try origin().ask("GET", target, Self.fields).status == status)
    }

    @Test func `a handshake with a wrong key, or with content, is refused`() throws {
        let others = Self.fields.dropLast()
        let origin = try origin()
        let wrong = try origin.ask("GET", "/ws", others + [("Sec-WebSocket-Key", "x")])
        #expect(wrong.status == 400)
        let target = try origin.client()
        try target.send("GET", "/ws", Self.fields + [("Content-Length", "1")])
        #expect(try target.response().status == 400)
    }
}
