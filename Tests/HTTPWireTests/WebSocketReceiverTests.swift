import HTTPWire
import Testing

/// What one end of a WebSocket receives, however the bytes are cut.
@Suite struct WebSocketReceiverTests {
    private typealias Event = WebSocketReceiver.Event

    private func events(
        _ bytes: [UInt8],
        slice: Int = .max,
        isMasked: Bool = false
    ) -> [Event] {
        var receiver = WebSocketReceiver(isMasked: isMasked, maximumMessage: 70_000)
        var events: [Event] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(slice))
            receiver.read(part.span, into: &events)
            rest = rest.dropFirst(part.count)
        }
        return events
    }

    private func masked(_ first: UInt8, _ content: [UInt8]) -> [UInt8] {
        let mask: [UInt8] = [1, 2, 3, 0xFF]
        return [first, 0x80 | UInt8(content.count)] + mask
            + content.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    @Test(arguments: [1, 2, 3, 7, .max])
    func `messages, fragments and control frames come with their content`(slice: Int) {
        let bytes =
            masked(0x01, Array("grü".utf8).dropLast()) + masked(0x89, [1, 2, 3, 4, 5])
            + masked(0x80, Array("ü".utf8).suffix(1) + Array("n".utf8)) + masked(0x82, [0xFF])
            + masked(0x8A, []) + masked(0x81, []) + masked(0x88, [0x0F, 0xA0, 0x61])
            + masked(0x81, [1])
        let expected: [Event] = [
            .ping([1, 2, 3, 4, 5]), .message(Array("grün".utf8), isText: true),
            .message([0xFF], isText: false), .pong([]), .message([], isText: true),
            .close(code: 4_000),
        ]
        #expect(events(bytes, slice: slice, isMasked: true) == expected)
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, 70_000])
    func `a written frame of every length reads back`(count: Int) {
        let content = [UInt8](repeating: 9, count: count)
        for isMasked in [false, true] {
            let bytes = WebSocketFrame.message(content, isText: false, isMasked: isMasked)
            #expect(events(bytes, isMasked: isMasked) == [.message(content, isText: false)])
        }
    }

    @Test(
        arguments: [
            ([0xC1, 0], 1_002), ([0x83, 0], 1_002), ([0x8B, 0], 1_002), ([0x80, 0], 1_002),
            ([0x01, 0, 0x81, 0], 1_002), ([0x09, 0], 1_002), ([0x89, 126, 0, 126], 1_002),
            ([0x81, 0x80], 1_002), ([0x88, 1, 3], 1_002), ([0x88, 2, 3, 0xED], 1_002),
            ([0x88, 2, 0, 1], 1_002), ([0x88, 2, 0x0B, 0xB7], 1_002),
            ([0x88, 3, 3, 0xE8, 0xFF], 1_007),
            ([0x81, 1, 0xC3], 1_007), ([0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x71], 1_009),
            ([0x82, 127, 0xFF, 0, 0, 0, 0, 0, 0, 0], 1_002),
        ] as [([UInt8], UInt16)]
    )
    func `what may not come ends it with a code`(bytes: [UInt8], code: UInt16) {
        for slice in [1, .max] {
            #expect(events(bytes + [0x81, 0], slice: slice).last == .failed(code: code))
        }
    }

    @Test func `the fragments of a message count together`() {
        let part = [UInt8](repeating: 0, count: 60_000)
        let first = WebSocketFrame.message(part, isText: false, isMasked: false)
        let second = [0x80, 126, 0xEA, 0x60] + part
        #expect(events([0x02] + first.dropFirst() + second) == [.failed(code: 1_009)])
    }

    @Test func `a server takes no frame without a mask`() {
        #expect(events([0x81, 0], isMasked: true) == [.failed(code: 1_002)])
    }

    @Test func `a close frame may have no code`() {
        #expect(events([0x88, 0, 0x81, 0]) == [.close(code: nil)])
    }
}

/// The opening handshake (RFC 6455 §4.2).
@Suite struct WebSocketHandshakeTests {
    private static let fields: HeaderFields = [
        "Host": "a", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade",
        "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]

    private func problem(
        _ method: String = "GET",
        _ change: (inout RequestHead) -> Void = { _ in }
    ) -> WebSocketHandshake.Problem? {
        var head = RequestHead(method, "/ws", fields: Self.fields)
        change(&head)
        do throws(WebSocketHandshake.Problem) {
            _ = try WebSocketHandshake(head)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a request as browsers send it opens a WebSocket`() { #expect(problem() == nil) }

    @Test func `another request or version is told what is needed`() {
        #expect(problem("POST") == .upgradeRequired)
        #expect(problem { $0.version = .http10 } == .upgradeRequired)
        #expect(problem { $0.fields["Upgrade"] = "h2c" } == .upgradeRequired)
        #expect(problem { $0.fields["Sec-WebSocket-Version"] = "8" } == .upgradeRequired)
        #expect(WebSocketHandshake.Problem.upgradeRequired.status == 426)
    }

    @Test(arguments: ["", "x", "dGhlIHNhbXBsZSBub25j", "dGhlIHNhbXBsZSBub25jZQ"])
    func `a key is 16 bytes`(key: String) {
        #expect(problem { $0.fields["Sec-WebSocket-Key"] = key }?.status == 400)
    }

    @Test func `the connection has to name the upgrade`() {
        #expect(problem { $0.fields["Connection"] = "close" }?.status == 400)
    }
}
