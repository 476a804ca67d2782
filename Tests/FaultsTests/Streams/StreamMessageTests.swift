import Basics
import Faults
import HTTP2
import HTTPWire
import Testing

/// Faults at messages inside streams of HTTP/2: gRPC, WebSockets and server-sent events.
@Suite struct StreamMessageTests {
    /// How many bytes of content one DATA frame has, and how many are read at a time.
    private struct Cut: CustomTestStringConvertible {
        let frame: Int
        let slice: Int

        var testDescription: String { "frames of \(frame), slices of \(slice)" }

        static let all = [1, 3, 8, Int.max].flatMap { frame in
            [1, 7, Int.max].map { Cut(frame: frame, slice: $0) }
        }
    }

    // gRPC.

    private static func message(_ text: String, flag: UInt8 = 0) -> [UInt8] {
        [flag, 0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }

    /// Of 8, 5 and 10 bytes.
    private static let messages = message("one") + message("") + message("three", flag: 1)

    private static let callFields = [
        BlockField(":method", "POST"), BlockField(":scheme", "http"),
        BlockField(":authority", "x"), BlockField(":path", "/x.Greeter/Hello"),
        BlockField("content-type", "application/grpc+proto"), BlockField("te", "trailers"),
    ]
    private static let answerFields = [
        BlockField(":status", "200"), BlockField("content-type", "application/grpc"),
    ]

    private static func send(
        _ content: [UInt8],
        _ direction: Direction,
        _ cut: Cut,
        endsStream: Bool = false,
        on wire: inout StreamWire
    ) {
        var rest = content[...]
        repeat {
            let part = rest.prefix(cut.frame)
            rest = rest.dropFirst(part.count)
            let isLast = endsStream && rest.isEmpty
            wire.send(FrameWriter.data(Array(part), endsStream: isLast, stream: 1), direction)
        } while !rest.isEmpty
    }

    private func call(
        _ faults: [String],
        _ cut: Cut,
        down: [UInt8] = Self.messages,
        trailers: [BlockField] = [BlockField("grpc-status", "0")]
    ) throws -> StreamWire {
        var wire = try StreamWire(faults, slice: cut.slice)
        wire.block(Self.callFields, 1, .up, endsStream: false)
        Self.send(Self.message("ask") + Self.message("more"), .up, cut, endsStream: true, on: &wire)
        wire.block(Self.answerFields, 1, .down, endsStream: false)
        Self.send(down, .down, cut, on: &wire)
        if !trailers.isEmpty { wire.block(trailers, 1, .down, endsStream: true) }
        return wire
    }

    private func notes(_ wire: StreamWire) -> [MessagesNote] {
        wire.notes.compactMap { if case .messages(let note) = $0 { note } else { nil } }
            .sorted { $0.direction == .down && $1.direction == .up }
    }

    @Test(
        arguments: [
            ("grpc.down[1]+0", 0), ("grpc.down[1]+1", 1), ("grpc.down[1]+5", 5),
            ("grpc.down[1]-1", 7), ("grpc.down[1]", 8), ("grpc.down[2]+0", 8),
            ("grpc.down[2]-1", 12), ("grpc.down[2]", 13), ("grpc.down[3]~500", 18),
            ("grpc.down[3]-9", 14), ("grpc.down[3]+9", 22), ("grpc.down[3]", 23),
        ],
        Cut.all
    )
    private func `a client gets what is before the place in a message, then a reset`(
        place: (text: String, bytes: Int),
        cut: Cut
    ) throws {
        var wire = try call(["c1/r1:\(place.text)=rst"], cut)
        wire.close()
        #expect(wire.fired == ["c1/r1:\(place.text)=rst"])
        #expect(wire.contentBytes(1) == Array(Self.messages.prefix(place.bytes)))
        #expect(wire.frames(.down).last == "1 INTERNAL_ERROR")
        let note = try #require(notes(wire).first)
        #expect(note.isCutByFault && !note.isWhole && note.status == nil)
        let ends = [8, 13, 23].filter { $0 <= place.bytes }
        #expect(note.count == UInt32(ends.count))
        #expect(note.partialBytes == UInt64(place.bytes - (ends.last ?? 0)))
    }

    @Test(arguments: Cut.all)
    private func `a call that nothing acts on is noted with its status`(cut: Cut) throws {
        for faults in [[], ["c1/r1:grpc.down[9]=rst"]] {
            var wire = try call(
                faults,
                cut,
                trailers: [
                    BlockField("grpc-status", "14"), BlockField("grpc-retry-pushback-ms", "250"),
                ]
            )
            wire.close()
            let notes = notes(wire)
            #expect(notes.map(\.kind) == [.grpc, .grpc])
            #expect(notes.map(\.count) == [3, 2])
            #expect(notes.map(\.isWhole) == [true, true])
            #expect(notes.map { $0.status?.code } == [14, nil])
            #expect(notes.first?.status?.pushbackMilliseconds == 250)
            #expect(wire.unreached == faults.map { "\($0): messages ended after 3" })
        }
    }

    @Test(arguments: Cut.all)
    private func `a call without trailers, or with a part of a message, is not whole`(
        cut: Cut
    ) throws {
        var bare = try call([], cut, trailers: [])
        bare.data(1, "", endsStream: true)
        bare.close()
        #expect(notes(bare).map(\.isWhole) == [false, true])
        var torn = try call([], cut, down: Array(Self.messages.dropLast()))
        torn.close()
        #expect(notes(torn).first?.isWhole == false)
        #expect(notes(torn).first?.partialBytes == 9)
    }

    @Test(arguments: Cut.all)
    private func `a dropped message is gone, and its window is given back`(cut: Cut) throws {
        var wire = try call(["c1/r1:grpc.down[3]=drop", "c1/r1:grpc.up[1]=drop"], cut)
        wire.close()
        #expect(Set(wire.fired) == ["c1/r1:grpc.down[3]=drop", "c1/r1:grpc.up[1]=drop"])
        #expect(wire.contentBytes(1) == Array(Self.messages.prefix(13)))
        #expect(wire.contentBytes(1, .up) == Self.message("more"))
        #expect(notes(wire).map(\.count) == [2, 1])
        for (direction, count) in [(Direction.up, 10), (.down, 8)] {
            for stream in [0, 1] {
                let windows = wire.frames(direction).compactMap { frame in
                    frame.hasPrefix("\(stream) window ") ? Int(frame.dropFirst(9)) : nil
                }
                #expect(windows.reduce(0, +) == count, "\(direction) \(stream)")
            }
        }
        #expect(wire.frames(.up).contains { $0.hasSuffix(" end") })
        #expect(wire.frames(.down).last == "1 grpc-status=0 end")
    }

    @Test func `a declared length leaves no message out`() throws {
        var wire = try StreamWire(["c1/r1:grpc.up[1]=drop"])
        let length = BlockField("content-length", "8")
        wire.block(Self.callFields + [length], 1, .up, endsStream: false)
        wire.send(FrameWriter.data(Self.message("ask"), endsStream: true, stream: 1), .up)
        wire.close()
        #expect(wire.contentBytes(1, .up) == Self.message("ask"))
        #expect(wire.unreached == ["c1/r1:grpc.up[1]=drop: length declared"])
    }

    @Test func `the end of a long message is found by its length, and nothing is held`() throws {
        let long = [0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65_536)
        var wire = try StreamWire(["c1/r1:grpc.down[1]-1=stall(1s)"])
        wire.block(Self.callFields, 1, .up, endsStream: true)
        for stream in [0, 1] as [UInt32] {
            wire.send(FrameWriter.windowUpdate(65_536, stream: stream), .up)
        }
        wire.block(Self.answerFields, 1, .down, endsStream: false)
        wire.send(FrameWriter.data(Array(long.prefix(16_000)), endsStream: false, stream: 1), .down)
        #expect(wire.contentBytes(1).count == 16_000)
        Self.send(
            Array(long.dropFirst(16_000)),
            .down,
            Cut(frame: 16_384, slice: .max),
            on: &wire
        )
        #expect(wire.contentBytes(1).count == long.count - 1)
        wire.resume()
        #expect(wire.contentBytes(1) == long)
    }

    @Test(arguments: ["grpc.down[1]-70000", "grpc.down[1]-40001"])
    func `a place before a long message is given up when its length is read`(
        place: String
    ) throws {
        let long = [0, 0, 0, 0x9C, 0x3B] + [UInt8](repeating: 7, count: 39_995)
        var wire = try StreamWire(["c1/r1:\(place)=rst"])
        wire.block(Self.callFields, 1, .up, endsStream: true)
        wire.block(Self.answerFields, 1, .down, endsStream: false)
        wire.send(FrameWriter.data(Array(long.prefix(5)), endsStream: false, stream: 1), .down)
        #expect(wire.contentBytes(1).count == 5)
        wire.close()
        #expect(wire.unreached == ["c1/r1:\(place)=rst: message ended at 40000"])
    }

    @Test func `no more of a message is held than a window has room for`() throws {
        var wire = try StreamWire(["c1/r1:sse[1]-1=rst"])
        wire.request(1)
        wire.block(Self.eventFields, 1, .down, endsStream: false)
        let part = [UInt8](repeating: UInt8(ascii: "a"), count: 10_000)
        wire.send(FrameWriter.data("data: ".utf8 + part, endsStream: false, stream: 1), .down)
        #expect(wire.contentBytes(1).isEmpty)
        wire.send(FrameWriter.data(part, endsStream: false, stream: 1), .down)
        #expect(wire.contentBytes(1).count == 20_006)
        wire.close()
        #expect(wire.unreached == ["c1/r1:sse[1]-1=rst: message too long"])
    }

    @Test(arguments: [1, 7, .max])
    func `what was held when its stream is ended is given back once`(slice: Int) throws {
        var wire = try call(
            ["c1/r1:grpc.down[1]=stall(200ms)", "c1/r1:grpc.down[2]+0=rst"],
            Cut(frame: .max, slice: slice),
            trailers: []
        )
        #expect(wire.contentBytes(1) == Array(Self.messages.prefix(8)))
        wire.resume()
        #expect(wire.contentBytes(1) == Array(Self.messages.prefix(8)))
        #expect(wire.fired.last == "c1/r1:grpc.down[2]+0=rst")
        let windows = wire.frames(.up).compactMap { frame in
            frame.hasPrefix("0 window ") ? Int(frame.dropFirst(9)) : nil
        }
        #expect(windows.reduce(0, +) == Self.messages.count - 8)
    }

    @Test(arguments: [nil, "0"], [nil, "12"] as [String?])
    func `an answer of trailers alone is whole with its status`(
        length: String?,
        status: String?
    ) throws {
        var wire = try StreamWire([])
        wire.block(Self.callFields, 1, .up, endsStream: true)
        let fields = [("content-length", length), ("grpc-status", status)].compactMap { field in
            field.1.map { BlockField(field.0, $0) }
        }
        wire.block(Self.answerFields + fields, 1, .down, endsStream: true)
        wire.close()
        let note = try #require(notes(wire).first { $0.direction == .down })
        #expect(note.isWhole == (status != nil) && note.count == 0)
        #expect(note.status?.code == status.flatMap { UInt32($0) })
    }

    @Test func `an answer of trailers alone has no messages`() throws {
        var wire = try StreamWire(["c1/r1:grpc.down[1]=rst", "c1/r1:grpc.up[1]+0=stall(1s)"])
        wire.block(Self.callFields, 1, .up, endsStream: false)
        wire.block(
            Self.answerFields + [BlockField("grpc-status", "12")],
            1,
            .down,
            endsStream: true
        )
        wire.close()
        #expect(wire.unreached.first == "c1/r1:grpc.down[1]=rst: messages ended after 0")
    }

    @Test func `what has no such messages is told so`() throws {
        var wire = try call(["c1/r1:sse[1]=rst", "c1/r1:ws.up[1]=rst"], Cut.all[0])
        wire.close()
        #expect(wire.unreached.allSatisfy { $0.hasSuffix(": no such messages") })
        var plain = try StreamWire(["c1/r1:grpc.down[1]=rst", "c1/r1:grpc.up[1]=rst"])
        plain.request(1)
        plain.answer(1, length: 0)
        plain.close()
        #expect(plain.unreached.count == 2)
        #expect(plain.unreached.allSatisfy { $0.hasSuffix(": no such messages") })
    }

    @Test func `a message with an unknown flag is not followed, and passes`() throws {
        var wire = try call(["c1/r1:grpc.down[2]=rst"], Cut.all[0], down: [9, 9, 9, 9, 9, 9])
        wire.close()
        #expect(wire.contentBytes(1) == [9, 9, 9, 9, 9, 9])
        #expect(wire.unreached == ["c1/r1:grpc.down[2]=rst: traffic not understood"])
        #expect(notes(wire).first?.isWhole == false)
    }

    @Test func `a stream is reset with a code at a message`() throws {
        let wire = try call(["c1/r1:grpc.down[1]=rst-stream(REFUSED_STREAM)"], Cut.all[0])
        #expect(wire.frames(.down).last == "1 REFUSED_STREAM")
    }

    // Server-sent events.

    private static let events = ": hello\n\nid: 1\ndata: a\n\nid: 2\r\ndata: b\r\n\r\ndata: c\n\n"

    private static let eventFields = [
        BlockField(":status", "200"), BlockField("content-type", "text/event-stream"),
    ]

    private func listen(_ faults: [String], _ cut: Cut, ends: Bool = true) throws -> StreamWire {
        var wire = try StreamWire(faults, slice: cut.slice)
        wire.request(1)
        wire.block(Self.eventFields, 1, .down, endsStream: false)
        Self.send(Array(Self.events.utf8), .down, cut, endsStream: ends, on: &wire)
        return wire
    }

    @Test(
        arguments: [("sse[1]+0", 9), ("sse[1]-1", 23), ("sse[1]", 24), ("sse[2]", 42)],
        Cut.all
    )
    private func `a client gets what is before the place in an event, then a reset`(
        place: (text: String, bytes: Int),
        cut: Cut
    ) throws {
        var wire = try listen(["c1/r1:\(place.text)=rst"], cut)
        wire.close()
        #expect(wire.content(1) == Self.events.utf8.prefix(place.bytes).map { $0 }.text)
        #expect(wire.fired == ["c1/r1:\(place.text)=rst"])
        #expect(notes(wire).first?.isCutByFault == true)
    }

    @Test(arguments: Cut.all)
    private func `a dropped event becomes a comment of its length in as many bytes`(
        cut: Cut
    ) throws {
        var wire = try listen(["c1/r1:sse[2]=drop"], cut)
        wire.close()
        let lost = ":" + String(repeating: " ", count: 16) + "\n"
        #expect(wire.content(1) == ": hello\n\nid: 1\ndata: a\n\n" + lost + "data: c\n\n")
        #expect(wire.fired == ["c1/r1:sse[2]=drop"])
        #expect(wire.frames(.up).allSatisfy { !$0.contains("window") })
        let note = try #require(notes(wire).first)
        #expect(note.count == 2 && note.hint.id == "1" && note.isWhole)
    }

    @Test(arguments: Cut.all)
    private func `events are noted, whole or not`(cut: Cut) throws {
        var wire = try listen([], cut)
        wire.close()
        let note = try #require(notes(wire).first)
        #expect(note.count == 3 && note.hint.id == "2" && note.isWhole)
        var open = try listen([], cut, ends: false)
        open.close()
        #expect(notes(open).first?.isWhole == false)
    }

    @Test(
        arguments: [1, 7, .max],
        [[BlockField("x", "y")], [BlockField(":status", "103")]]
    )
    func `content after trailers or a late interim answer is read at its own place`(
        slice: Int,
        fields: [BlockField]
    ) throws {
        let isInterim = fields[0].name == ":status"
        var wire = try StreamWire(["c1/r1:sse[2]=drop"], slice: slice)
        wire.request(1)
        let encoder = FieldEncoder()
        func block(_ fields: [BlockField]) -> [UInt8] {
            let fragment = encoder.encode(fields)
            return FrameWriter.block(
                FrameReader.Block(stream: 1, endsStream: false, fragment: fragment)
            )
        }
        func data(_ text: String) -> [UInt8] {
            FrameWriter.data(text.utf8, endsStream: false, stream: 1)
        }
        wire.send(
            block(Self.eventFields) + data("data: a\n\n") + block(fields) + data("data: b\n\n")
                + data("data: c\n\n"),
            .down
        )
        wire.close()
        let second = isInterim ? ":" + String(repeating: " ", count: 7) + "\n" : "data: b\n\n"
        #expect(wire.content(1) == "data: a\n\n" + second + "data: c\n\n")
        #expect(wire.fired.count == (isInterim ? 1 : 0))
    }

    // WebSockets.

    private static func frame(_ first: UInt8, _ text: String, isMasked: Bool = false) -> [UInt8] {
        [first, UInt8(text.utf8.count) | (isMasked ? 0x80 : 0)]
            + (isMasked ? [0, 0, 0, 0] : []) + Array(text.utf8)
    }

    private static let frames =
        frame(0x81, "one") + frame(0x01, "tw") + frame(0x8A, "!") + frame(0x80, "o")
    private static let close: [UInt8] = [0x88, 2, 0x03, 0xE8]

    private func talk(
        _ faults: [String],
        _ cut: Cut,
        _ frames: [UInt8] = Self.frames,
        status: String = "200"
    ) throws -> StreamWire {
        var wire = try StreamWire(faults, slice: cut.slice)
        let fields = [
            BlockField(":method", "CONNECT"), BlockField(":protocol", "websocket"),
            BlockField(":scheme", "https"), BlockField(":path", "/chat"),
            BlockField(":authority", "x"),
        ]
        wire.block(fields, 1, .up, endsStream: false)
        wire.block([BlockField(":status", status)], 1, .down, endsStream: false)
        Self.send(Self.frame(0x81, "hi", isMasked: true), .up, cut, on: &wire)
        Self.send(frames + Self.close, .down, cut, endsStream: true, on: &wire)
        wire.data(1, "", .up, endsStream: true)
        return wire
    }

    @Test(
        arguments: [
            ("ws.down[1]+0", 0), ("ws.down[1]-1", 4), ("ws.down[1]", 5), ("ws.down[2]+3", 8),
            ("ws.down[2]", 15),
        ],
        Cut.all
    )
    private func `a WebSocket is cut at the place in a message`(
        place: (text: String, bytes: Int),
        cut: Cut
    ) throws {
        var wire = try talk(["c1/r1:\(place.text)=rst"], cut)
        wire.close()
        #expect(wire.contentBytes(1) == Array(Self.frames.prefix(place.bytes)))
        #expect(wire.fired == ["c1/r1:\(place.text)=rst"])
    }

    @Test(arguments: Cut.all)
    private func `messages of a WebSocket are dropped and pongs held, and the end is noted`(
        cut: Cut
    ) throws {
        var wire = try talk(["c1/r1:ws.down[2]=drop", "c1/r1:ws.down[1]=ping(hold)"], cut)
        wire.close()
        #expect(wire.contentBytes(1) == Self.frame(0x81, "one") + Self.close)
        #expect(wire.fired.count == 2)
        #expect(notes(wire).map(\.count) == [1, 1])
        #expect(notes(wire).map(\.isWhole) == [true, true])
        #expect(notes(wire).map(\.closeCode) == [1_000, nil])
    }

    @Test func `a WebSocket that is refused has no messages`() throws {
        var wire = try talk(
            ["c1/r1:ws.down[1]=rst", "c1/r1:ws.up[1]=rst"],
            Cut.all[0],
            status: "403"
        )
        wire.close()
        #expect(wire.unreached.count == 2)
        #expect(wire.unreached.allSatisfy { $0.hasSuffix(": no such messages") })
        #expect(notes(wire).isEmpty)
    }

    @Test func `the end of a request that was half read comes though its answer refuses it`() throws
    {
        var wire = try StreamWire()
        let fields = [
            BlockField(":method", "CONNECT"), BlockField(":protocol", "websocket"),
            BlockField(":scheme", "https"), BlockField(":path", "/chat"),
            BlockField(":authority", "x"),
        ]
        wire.block(fields, 1, .up, endsStream: false)
        let frame = FrameWriter.data([1, 2, 3, 4, 5, 6], endsStream: true, stream: 1)
        wire.send(Array(frame.dropLast(3)), .up)
        wire.block([BlockField(":status", "403")], 1, .down, endsStream: true)
        wire.send(Array(frame.suffix(3)), .up)
        wire.close()
        let body = try #require(wire.bodies.first { $0.direction == .up })
        #expect(body.isComplete && body.bytes == 6)
    }

    @Test(arguments: Cut.all)
    private func `a message of a WebSocket comes twice`(cut: Cut) throws {
        var wire = try talk(["c1/r1:ws.down[1]=dup", "c1/r1:ws.up[1]=dup"], cut)
        wire.close()
        let sent = Self.frame(0x81, "hi", isMasked: true)
        #expect(wire.contentBytes(1) == Self.frame(0x81, "one") + Self.frames + Self.close)
        #expect(wire.contentBytes(1, .up) == sent + sent)
        #expect(Set(wire.fired) == ["c1/r1:ws.down[1]=dup", "c1/r1:ws.up[1]=dup"])
        #expect(wire.frames(.down).last?.hasSuffix("end") == true)
        #expect(notes(wire).map(\.count) == [3, 2])
    }

    /// A WebSocket message with 50,000 bytes of content.
    private static let large: [UInt8] =
        [0x82, 126, 0xC3, 0x50] + [UInt8](repeating: 7, count: 50_000)

    @Test(arguments: [1_000, 16_384], [7, 1_000, .max])
    func `a copy waits for room, and what its receiver allows for it is not the sender's`(
        frame: Int,
        slice: Int
    ) throws {
        var wire = try talk(["c1/r1:ws.down[1]=dup"], Cut(frame: frame, slice: slice), Self.large)
        let all = Self.large + Self.large + Self.close
        #expect(wire.contentBytes(1).count == 65_535)
        #expect(wire.room(1, .down) == -65_535)
        wire.send(FrameWriter.windowUpdate(100_000, stream: 1), .up)
        wire.send(FrameWriter.windowUpdate(100_000, stream: 0), .up)
        wire.resume()
        let isWhole = wire.contentBytes(1) == all
        #expect(isWhole)
        // Until another update, what waited at the first one is lent.
        wire.send(FrameWriter.windowUpdate(100, stream: 0), .up)
        #expect(wire.room(0, .down) == 100_100 - all.count)
        #expect(wire.credit(0, .down) == wire.room(0, .down))
        wire.close()
        #expect(wire.fired == ["c1/r1:ws.down[1]=dup"])
    }

    @Test func `a copy that its receiver has no use for is owed no longer`() throws {
        var wire = try talk(["c1/r1:ws.down[1]=dup"], Cut(frame: 16_384, slice: .max), Self.large)
        wire.send(FrameWriter.resetStream(.cancel, stream: 1), .up)
        wire.send(FrameWriter.windowUpdate(100_000, stream: 0), .up)
        #expect(wire.contentBytes(1).count == 65_535)
        #expect(wire.credit(0, .down) == wire.room(0, .down))
    }

    @Test func `a request that a fault answers is not sent twice`() throws {
        var wire = try call(["c1/r1:req.head=status(503)", "c1/r1:grpc.up[1]=dup"], Cut.all[0])
        wire.close()
        #expect(wire.contentBytes(1, .up).isEmpty)
        #expect(wire.unreached == ["c1/r1:grpc.up[1]=dup: no such messages"])
    }

    @Test(arguments: [("ws.down[1]+0", 0), ("ws.down[1]", 5), ("ws.down[2]", 15)], Cut.all)
    private func `a WebSocket is closed with a code`(
        place: (text: String, bytes: Int),
        cut: Cut
    ) throws {
        let fault = "c1/r1:\(place.text)=close(1011)"
        var wire = try talk([fault], cut)
        wire.close()
        let close: [UInt8] = [0x88, 2, 0x03, 0xF3]
        #expect(
            wire.contentBytes(1) == Array(Self.frames.prefix(place.bytes)) + close,
            "\(wire.frames(.down))"
        )
        #expect(wire.fired == [fault])
        #expect(notes(wire).first { $0.direction == .down }?.closeCode == 1_011)
    }

    @Test(arguments: Cut.all)
    private func `a gRPC message and an event come twice`(cut: Cut) throws {
        var calling = try call(["c1/r1:grpc.down[3]=dup"], cut)
        calling.close()
        let last = Self.message("three", flag: 1)
        #expect(calling.contentBytes(1) == Self.messages + last)
        #expect(calling.frames(.down).last?.hasSuffix("end") == true)
        var listening = try listen(["c1/r1:sse[1]=dup"], cut)
        listening.close()
        let events = ": hello\n\nid: 1\ndata: a\n\n"
        #expect(listening.content(1).hasPrefix(events + "id: 1\ndata: a\n\n"))
    }

    @Test(arguments: ["c1/r1:grpc.down[3]+10=rst", "c*:grpc.up[1]=drop", "c1/r2:grpc.up[2]~5=fin"])
    func `a place in a gRPC message is written as it is read`(text: String) throws {
        #expect(try Fault(parsing: text).canonicalText == text)
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
