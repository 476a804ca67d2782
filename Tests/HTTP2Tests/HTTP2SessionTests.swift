import HTTP2
import Testing

/// A client's session against a server's, in memory.
@Suite struct HTTP2SessionTests {
    private static let request = [
        BlockField(":method", "PUT"), BlockField(":scheme", "https"),
        BlockField(":authority", "a"), BlockField(":path", "/x"), BlockField("x-a", "1"),
    ]
    private static let response = [BlockField(":status", "200"), BlockField("etag", "\"e\"")]

    /// Both ends, and what each has seen.
    private final class Pair {
        let client = HTTP2Session(isServer: false)
        let server: HTTP2Session
        /// Bytes that each receiver gets at once.
        let step: Int
        var atClient: [SessionEvent] = []
        var atServer: [SessionEvent] = []
        var givesBack = true

        init(step: Int = .max, _ limits: SessionLimits = SessionLimits()) {
            self.step = step
            server = HTTP2Session(isServer: true, limits)
        }

        /// Carries bytes until none is left.
        func run() {
            while carry(client, server, &atServer) || carry(server, client, &atClient) {}
        }

        private func carry(
            _ from: HTTP2Session,
            _ to: HTTP2Session,
            _ events: inout [SessionEvent]
        ) -> Bool {
            let bytes = from.send(atLeast: .max)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(step))
                rest = rest.dropFirst(piece.count)
                to.receive(piece.span)
            }
            let new = to.takeEvents()
            for case .data(let stream, let bytes) in new where givesBack {
                to.giveBack(bytes.count, on: stream)
            }
            events += new
            return !bytes.isEmpty
        }
    }

    private static func head(
        _ stream: Int32,
        _ fields: [BlockField],
        endsStream: Bool = false
    ) -> SessionEvent {
        .fields(stream: stream, fields, isTooLarge: false, endsStream: endsStream)
    }

    /// Events with the pieces of content in a row put together.
    private static func joined(_ events: [SessionEvent]) -> [SessionEvent] {
        var joined: [SessionEvent] = []
        for event in events {
            if case .data(let stream, let bytes) = event,
                case .data(let last, let before)? = joined.last, last == stream
            {
                joined[joined.count - 1] = .data(stream: stream, before + bytes)
            } else {
                joined.append(event)
            }
        }
        return joined
    }

    /// Content of `count` bytes, in pieces as large as there is room for.
    private static func source(_ count: Int) -> (Int32, Int) -> SessionContent {
        var left = count
        return { _, room in
            let piece = [UInt8](repeating: UInt8(left & 255), count: min(left, room))
            left -= piece.count
            return left > 0
                ? .bytes(piece) : .last(piece, trailers: [BlockField("x-trailer", "t")])
        }
    }

    /// What both ends see of a request with content, an interim response and a final one.
    private static func exchange(step: Int) -> [[SessionEvent]] {
        let pair = Pair(step: step)
        pair.client.source = source(150_000)
        pair.server.source = source(70_000)
        let stream = pair.client.request(request, hasContent: true)
        #expect(stream == 1)
        pair.run()
        pair.server.inform([BlockField(":status", "104")], on: 1)
        pair.server.respond(response, hasContent: true, on: 1)
        pair.run()
        return [joined(pair.atClient), joined(pair.atServer)]
    }

    @Test func `an exchange is the same however its bytes are cut`() {
        let whole = Self.exchange(step: .max)
        guard case .fields(1, let interim, _, _)? = whole[0].first else {
            Issue.record("\(whole[0].prefix(1))")
            return
        }
        #expect(interim == [BlockField(":status", "104")])
        #expect(whole[0].count == 6 && whole[0].last == .closed(stream: 1, .none))
        let sizes = whole.map { events in
            events.reduce(0) { sum, event in
                if case .data(_, let bytes) = event { sum + bytes.count } else { sum }
            }
        }
        #expect(sizes == [70_000, 150_000])
        #expect(whole[1].first == Self.head(1, Self.request))
        for step in [1, 2, 3, 7, 9, 10, 1_000, 16_393] {
            #expect(Self.exchange(step: step) == whole)
        }
    }

    @Test func `content that is not given back stops at the window`() {
        let pair = Pair()
        pair.givesBack = false
        pair.client.source = Self.source(1_000_000)
        _ = pair.client.request(Self.request, hasContent: true)
        pair.run()
        let received = { pair.atServer.reduce(0) { $0 + $1.contentCount } }
        #expect(received() == 65_535)
        pair.server.giveBack(40_000, on: 1)
        pair.run()
        #expect(received() == 105_535)
        pair.server.widen(1, to: 200_000)
        pair.run()
        #expect(received() > 200_000 && received() < 300_000)
    }

    @Test func `a source that has nothing is asked again once it says so`() {
        let pair = Pair()
        var answers: [SessionContent] = [.later, .bytes([1, 2]), .later, .last([3], trailers: [])]
        pair.client.source = { _, _ in answers.removeFirst() }
        _ = pair.client.request(Self.request, hasContent: true)
        for left in [3, 1] {
            pair.run()
            #expect(answers.count == left)
            pair.client.resume(1)
        }
        pair.run()
        #expect(answers.isEmpty && pair.atServer.reduce(0) { $0 + $1.contentCount } == 3)
        #expect(pair.client.takeWritten()[1]?.isLast == true)
    }

    @Test func `a source that fails, and a reset, end one stream alone`() {
        let pair = Pair()
        pair.client.source = { stream, room in
            stream == 1 ? .failed : .last([UInt8](repeating: 0, count: min(5, room)), trailers: [])
        }
        for _ in 0..<3 { _ = pair.client.request(Self.request, hasContent: true) }
        pair.client.reset(5, .cancel)
        pair.run()
        #expect(pair.atServer.contains(.closed(stream: 1, .internalError)))
        #expect(pair.atServer.contains(.end(stream: 3)))
        pair.server.respond(Self.response, hasContent: false, on: 3)
        pair.run()
        #expect(pair.atClient.contains(Self.head(3, Self.response, endsStream: true)))
        #expect(!pair.server.isOver && !pair.client.isOver)
    }

    @Test func `a block that is too large is reported, and costs no more than the limit`() {
        var limits = SessionLimits()
        limits.listSize = 1_000
        let pair = Pair(limits)
        let large = Self.request + [BlockField("x", String(repeating: "v", count: 3_000))]
        _ = pair.client.request(large, hasContent: false)
        _ = pair.client.request(Self.request, hasContent: false)
        pair.run()
        let heads = pair.atServer.filter { if case .fields = $0 { true } else { false } }
        let cut = SessionEvent.fields(
            stream: 1,
            Self.request,
            isTooLarge: true,
            endsStream: true
        )
        #expect(heads.first == cut)
        #expect(heads.last == Self.head(3, Self.request, endsStream: true))
    }

    @Test func `a block with more fields than the limit is too large`() {
        var limits = SessionLimits()
        limits.fields = 8
        let pair = Pair(limits)
        for count in [8, 9] {
            let further = (Self.request.count..<count).map { BlockField("x-\($0)", "") }
            _ = pair.client.request(Self.request + further, hasContent: false)
        }
        pair.run()
        let areTooLarge = pair.atServer.compactMap { event in
            if case .fields(_, _, let isTooLarge, _) = event { isTooLarge } else { nil }
        }
        #expect(areTooLarge == [false, true])
    }

    @Test func `streams above the last one of a GOAWAY were not processed`() {
        let pair = Pair()
        _ = pair.client.request(Self.request, hasContent: false)
        pair.run()
        pair.server.goAway()
        _ = pair.client.request(Self.request, hasContent: false)
        // Both are on their way at the same time.
        pair.run()
        #expect(pair.atClient.contains(.goAway(.none)))
        #expect(pair.atClient.contains(.closed(stream: 3, .refusedStream)))
        #expect(!pair.client.takesRequests)
        pair.server.respond(Self.response, hasContent: false, on: 1)
        pair.run()
        #expect(pair.atClient.contains(.end(stream: 1)) && pair.server.isOver)
    }

    /// Frames that a client may send once or twice; thousands of them are a flood.
    private static let floods: [(String, [UInt8])] = [
        ("PING", FrameWriter.frame(.ping, [], stream: 0, [UInt8](repeating: 0, count: 8))),
        ("SETTINGS", FrameWriter.settings([])),
        ("PRIORITY", FrameWriter.frame(.priority, [], stream: 3, [0, 0, 0, 0, 1])),
        ("empty DATA", FrameWriter.data([], endsStream: false, stream: 1)),
    ]

    @Test(arguments: floods.indices)
    func `a flood is answered by GOAWAY`(index: Int) {
        let pair = Pair()
        pair.client.source = { _, _ in .later }
        _ = pair.client.request(Self.request, hasContent: true)
        pair.run()
        let flood = Self.floods[index].1
        let some = [[UInt8]](repeating: flood, count: 500).flatMap { $0 }
        pair.server.receive(some.span)
        _ = pair.server.send(atLeast: .max)
        #expect(!pair.server.isOver)
        pair.server.calm()
        pair.server.receive(some.span)
        _ = pair.server.send(atLeast: .max)
        #expect(!pair.server.isOver)
        for _ in 0..<4 { pair.server.receive(some.span) }
        #expect(pair.server.send(atLeast: .max).suffix(4) == ErrorCode.enhanceYourCalm.bytes[...])
        #expect(pair.server.isOver)
    }

    @Test func `streams that are opened and reset at once are a flood`() {
        let pair = Pair()
        pair.run()
        let encoder = FieldEncoder()
        var next: UInt32 = 10_001
        for _ in 0..<1_200 {
            let block = FrameReader.Block(
                stream: next,
                endsStream: true,
                fragment: encoder.encode(Self.request)
            )
            let bytes = FrameWriter.block(block) + FrameWriter.resetStream(.cancel, stream: next)
            pair.server.receive(bytes.span)
            next += 2
        }
        pair.run()
        #expect(pair.server.isOver && pair.atClient.contains(.goAway(.enhanceYourCalm)))
    }

    @Test func `CONTINUATION without an end is a flood`() {
        let pair = Pair()
        pair.run()
        let head = FrameWriter.frame(.headers, [], stream: 1, [0x82])
        let more = FrameWriter.frame(.continuation, [], stream: 1, [0x84])
        pair.server.receive((head + [[UInt8]](repeating: more, count: 100).flatMap { $0 }).span)
        pair.run()
        #expect(pair.server.isOver && pair.atClient.contains(.goAway(.enhanceYourCalm)))
    }

    @Test(arguments: [1, 5, .max])
    func `a block in nine frames comes, however they are cut`(step: Int) {
        let server = HTTP2Session(isServer: true)
        let fragment = FieldEncoder().encode(Self.request)
        var bytes = HTTP2Session.preface + FrameWriter.settings([])
        bytes += FrameWriter.frame(.headers, .endStream, stream: 1, fragment)
        for _ in 0..<7 { bytes += FrameWriter.frame(.continuation, [], stream: 1, []) }
        bytes += FrameWriter.frame(.continuation, .endHeaders, stream: 1, [])
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(step))
            rest = rest.dropFirst(piece.count)
            server.receive(piece.span)
        }
        #expect(server.takeEvents().first == Self.head(1, Self.request, endsStream: true))
    }

    @Test func `a block that is not allowed is over, and so is one whose stream is`() {
        let server = HTTP2Session(isServer: true)
        let encoder = FieldEncoder()
        func receive(_ bytes: [UInt8]) {
            server.receive(bytes.span)
            _ = server.send(atLeast: .max)
        }
        func block(_ stream: UInt32, _ fields: [BlockField], ends: Bool) -> [UInt8] {
            let fragment = encoder.encode(fields)
            return FrameWriter.block(
                FrameReader.Block(stream: stream, endsStream: ends, fragment: fragment)
            )
        }
        receive(HTTP2Session.preface + FrameWriter.settings([]))
        receive(block(1, Self.request + [BlockField("connection", "close")], ends: true))
        #expect(!server.isWithinBlock)
        receive(block(3, Self.request, ends: false))
        receive(FrameWriter.frame(.headers, .endStream, stream: 3, [0x0F]))
        #expect(server.isWithinBlock)
        server.reset(3, .cancel)
        _ = server.send(atLeast: .max)
        #expect(!server.isWithinBlock && !server.hasGivenUp && !server.isOver)
    }

    @Test func `small content makes up for nothing`() {
        let pair = Pair()
        pair.client.source = { _, _ in .later }
        _ = pair.client.request(Self.request, hasContent: true)
        pair.run()
        let ping = FrameWriter.frame(.ping, [], stream: 0, [UInt8](repeating: 0, count: 8))
        func receive(_ count: Int, withContentOf size: Int) {
            let content = [UInt8](repeating: 0, count: size)
            let bytes = ping + FrameWriter.data(content, endsStream: false, stream: 1)
            for _ in 0..<count {
                pair.server.receive(bytes.span)
                _ = pair.server.send(atLeast: .max)
            }
        }
        receive(3_000, withContentOf: 16)
        #expect(!pair.server.isOver)
        receive(1_100, withContentOf: 1)
        #expect(pair.server.isOver && pair.server.hasGivenUp)
    }

    @Test func `what is no HTTP2 ends the session`() {
        let server = HTTP2Session(isServer: true)
        server.receive(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8).span)
        #expect(!server.send(atLeast: .max).isEmpty && server.isOver)
    }
}

extension ErrorCode {
    fileprivate var bytes: [UInt8] { rawValue.networkBytes }
}

extension SessionEvent {
    fileprivate var contentCount: Int {
        if case .data(_, let bytes) = self { bytes.count } else { 0 }
    }
}
