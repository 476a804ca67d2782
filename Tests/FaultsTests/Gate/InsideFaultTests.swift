import Basics
import Faults
import HTTPWire
import Testing

/// Faults at messages inside a stream.
@Suite struct InsideFaultTests {
    private static let upgrade =
        "GET /chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    private static let switched =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    private static let get = "GET /news HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let eventHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

    // WebSocket.

    /// A frame as a server sends it, and as a client does with a mask of zero.
    private static func frame(_ first: UInt8, _ text: String, isMasked: Bool = false) -> [UInt8] {
        [first, UInt8(text.utf8.count) | (isMasked ? 0x80 : 0)]
            + (isMasked ? [0, 0, 0, 0] : []) + Array(text.utf8)
    }

    private static let close: [UInt8] = [0x88, 2, 0x03, 0xE8]

    /// A message, a ping, one message in two fragments with a pong between them, another message.
    private static let frames =
        frame(0x81, "one") + frame(0x89, "?") + frame(0x01, "tw") + frame(0x8A, "!")
        + frame(0x80, "o") + frame(0x81, "three")

    private func talk(
        _ faults: [String],
        slice: Int,
        _ frames: [UInt8] = Self.frames,
        up: [UInt8] = frame(0x81, "hi", isMasked: true)
    ) throws -> Wire {
        let wire = try Wire(faults, slice: slice)
        wire.client(Self.upgrade)
        wire.server(Self.switched)
        wire.send(up, .up)
        wire.send(frames, .down)
        return wire
    }

    private func got(_ wire: Wire) -> [UInt8] {
        Array((wire.got[.down] ?? []).dropFirst(Self.switched.utf8.count))
    }

    @Test(
        arguments: [
            ("ws.down[1]+0", 0), ("ws.down[1]+1", 1), ("ws.down[1]+2", 2), ("ws.down[1]", 5),
            ("ws.down[1]-1", 4), ("ws.down[2]+0", 8), ("ws.down[2]+4", 12), ("ws.down[2]+5", 16),
            ("ws.down[2]", 18), ("ws.down[2]-3", 12), ("ws.down[2]-2", 16), ("ws.down[3]+0", 18),
            ("ws.down[3]~500", 21), ("ws.down[3]", 25),
        ],
        [1, 2, 7, .max]
    )
    func `a client gets what is before the place in a message, and no more`(
        place: (text: String, bytes: Int),
        slice: Int
    ) throws {
        let wire = try talk(["c1/r1:\(place.text)=rst"], slice: slice)
        #expect(wire.acted.map(\.id) == ["c1/r1:\(place.text)=rst"])
        // A place at the end of a fragment comes before what stands between fragments.
        let all = place.text == "ws.down[2]+5" ? 16 : place.bytes
        #expect(got(wire) == Array(Self.frames.prefix(all)))
        wire.close()
        #expect(wire.unreached.isEmpty)
    }

    @Test(arguments: [1, 3, .max])
    func `a dropped message is gone with all its fragments, and a pong between them stays`(
        slice: Int
    ) throws {
        let wire = try talk(["c1/r1:ws.down[2]=drop"], slice: slice)
        let expected = Array(Self.frames[..<8]) + Self.frame(0x8A, "!") + Self.frame(0x81, "three")
        #expect(got(wire) == expected)
        #expect(wire.fired == ["c1/r1:ws.down[2]=drop"])
    }

    @Test(arguments: [1, 3, .max])
    func `a message comes twice, one right after the other`(slice: Int) throws {
        let wire = try talk(["c1/r1:ws.down[3]=dup"], slice: slice)
        #expect(got(wire) == Self.frames + Self.frame(0x81, "three"))
        #expect(wire.fired == ["c1/r1:ws.down[3]=dup"])
    }

    @Test func `messages to the server are counted by themselves`() throws {
        let hi = Self.frame(0x81, "hi", isMasked: true)
        let ho = Self.frame(0x81, "ho", isMasked: true)
        let wire = try talk(["c1/r1:ws.up[1]=drop"], slice: .max, up: hi + ho)
        #expect(wire.got[.up] == Array(Self.upgrade.utf8) + ho)
        #expect(got(wire) == Self.frames)
    }

    @Test func `a close frame with a code follows the message, then the end`() throws {
        let wire = try talk(["c1/r1:ws.down[1]=close(1011)"], slice: .max)
        #expect(got(wire) == Self.frame(0x81, "one") + [0x88, 2, 0x03, 0xF3])
        #expect(wire.acted.map(\.id) == ["c1/r1:ws.down[1]=close(1011)"])
    }

    @Test(arguments: ["ws.down[1]", "resp.head"], [1, 3, .max])
    func `no pong passes once pings are held, and pings do`(place: String, slice: Int) throws {
        let wire = try talk(["c1/r1:\(place)=ping(hold)"], slice: slice)
        let pong = Self.frame(0x8A, "!")
        #expect(got(wire) == Array(Self.frames[..<12]) + Array(Self.frames[(12 + pong.count)...]))
        #expect(wire.fired == ["c1/r1:\(place)=ping(hold)"])
    }

    @Test(arguments: [1, 3, .max])
    func `a pong that comes with the head is held, too`(slice: Int) throws {
        let wire = try Wire(["c1/r1:resp.head=ping(hold)"], slice: slice)
        wire.client(Self.upgrade)
        wire.send(Array(Self.switched.utf8) + Self.frame(0x8A, "!") + Self.frames, .down)
        #expect(got(wire) == Array(Self.frames[..<12]) + Array(Self.frames[15...]))
        #expect(wire.fired == ["c1/r1:resp.head=ping(hold)"])
    }

    @Test(arguments: ["req.head", "resp.head"], [1, .max])
    func `pings are held in a WebSocket only`(place: String, slice: Int) throws {
        let fault = "c1/r1:\(place)=ping(hold)"
        let plain = try Wire([fault], slice: slice)
        plain.client(Self.upgrade)
        plain.server(Message.answer)
        plain.close()
        #expect(plain.fired.isEmpty)
        #expect(plain.unreached == ["\(fault): no such messages"])

        let pong = Self.frame(0x8A, "", isMasked: true)
        let opened = try talk([fault], slice: slice, up: pong)
        opened.close()
        #expect(opened.fired == [fault])
        #expect(opened.unreached.isEmpty)
        let isUp = place == "req.head"
        #expect(opened.got[.up] == Array(Self.upgrade.utf8) + (isUp ? [] : pong))
    }

    @Test func `an answer that does not come opens no WebSocket`() throws {
        let wire = try Wire(["c1/r1:req.head=ping(hold)"])
        wire.client(Self.upgrade)
        wire.close()
        #expect(wire.unreached == ["c1/r1:req.head=ping(hold): connection ended"])
    }

    @Test(arguments: [[], ["c1/r1:resp.head=ping(hold)"]])
    func `many small frames in one read are no trouble`(faults: [String]) throws {
        let wire = try Wire(faults)
        wire.client(Self.upgrade)
        wire.server(Self.switched)
        let count = 10_000
        let frames = (0..<count).flatMap { _ in [0x82, 0, 0x8A, 4, 1, 2, 3, 4] as [UInt8] }
        wire.gate.read(frames.span, .down)
        var left = frames.count
        while left > 0 {
            switch wire.gate.next(.down, available: left, ended: false, run: &wire.run) {
            case .pass(let count, _), .drop(let count, _): left -= count
            default: return #expect(Bool(false), "everything passes")
            }
        }
        wire.gate.close(run: &wire.run)
        let notes = wire.gate.takeNotes().compactMap { note in
            if case .messages(let messages) = note { messages.count } else { nil }
        }
        #expect(notes.contains(UInt32(count)))
    }

    @Test(arguments: [1, 3, .max])
    func `a WebSocket is whole after a close frame of one side, without a part of a message`(
        slice: Int
    ) throws {
        func isWhole(_ frames: [UInt8], up: [UInt8] = []) throws -> [Bool] {
            let wire = try talk([], slice: slice, frames, up: up)
            wire.end(.down)
            wire.end(.up)
            wire.close()
            return messages(wire).map(\.isWhole)
        }
        #expect(try isWhole(Self.frames) == [false, false])
        #expect(try isWhole(Self.frames + Self.close) == [true, true])
        #expect(try isWhole(Self.frames + Self.frame(0x01, "x") + Self.close) == [false, true])
        let left = Self.frame(0x88, "", isMasked: true)
        #expect(try isWhole(Self.frames, up: left) == [true, true])
        #expect(try isWhole(Self.frames + Self.frame(0x01, "x"), up: left) == [false, true])
    }

    @Test(arguments: [1, 3, .max])
    func `a dropped message that never passes is reported`(slice: Int) throws {
        for (count, isFired) in [(6, false), (8, false), (9, true)] {
            let end = Self.switched.utf8.count + count
            let wire = try talk(["c1/r1:ws.down[2]=drop", "c1:down+\(end)=rst"], slice: slice)
            wire.close()
            let fault = "c1/r1:ws.down[2]=drop"
            #expect(wire.fired == (isFired ? [fault] : []))
            #expect(wire.unreached == (isFired ? [] : ["\(fault): after c1:down+\(end)=rst"]))
        }
    }

    @Test(arguments: [1, 3, .max])
    func `messages that cannot be told apart are not whole`(slice: Int) throws {
        let frames = try talk([], slice: slice, Self.frames + Self.frame(0x83, "?") + Self.close)
        frames.end(.down)
        frames.end(.up)
        frames.close()
        #expect(messages(frames).map(\.isLost) == [true, false])
        #expect(messages(frames).map(\.isWhole) == [false, false])

        let long = "id: " + String(repeating: "x", count: 70_000) + "\n\n"
        let events = try listen([], slice: slice, Self.first + long + Self.second)
        events.close()
        let note = try #require(messages(events).first)
        #expect(note.isLost && !note.isWhole)
    }

    @Test(arguments: [1, 3, .max])
    func `of a client that did not wait for the answer nothing is known`(slice: Int) throws {
        let wire = try Wire([], slice: slice)
        wire.send(Array(Self.upgrade.utf8) + Self.frame(0x81, "hi", isMasked: true), .up)
        wire.send(Array(Self.switched.utf8) + Self.frames + Self.close, .down)
        wire.end(.down)
        wire.end(.up)
        wire.close()
        let sent = messages(wire).filter { $0.direction == .up }
        #expect(sent.allSatisfy { $0.isLost && !$0.isWhole })
    }

    @Test func `a compressed message is neither lost nor doubled, as others depend on it`() throws {
        for effect in ["drop", "dup"] {
            let frames = Self.frame(0xC1, "xyz") + Self.close
            let wire = try talk(["c1/r1:ws.down[1]=\(effect)"], slice: .max, frames)
            wire.close()
            #expect(got(wire) == frames)
            #expect(wire.unreached == ["c1/r1:ws.down[1]=\(effect): message compressed"])
        }
    }

    @Test func `a message that does not come is reported with the number of those that did`() throws
    {
        let wire = try talk(["c1/r1:ws.down[4]=rst"], slice: .max, Self.frames + Self.close)
        wire.close()
        #expect(wire.unreached == ["c1/r1:ws.down[4]=rst: messages ended after 3"])
    }

    @Test(arguments: [1, 5, .max])
    func `whole messages, one in part, and the code of the close frame are noted`(slice: Int) throws
    {
        let wire = try talk([], slice: slice, Self.frames + Self.close)
        wire.close()
        let notes = messages(wire)
        #expect(notes.map(\.count) == [3, 1])
        #expect(notes.map(\.closeCode) == [1_000, nil])
        let codeless = try talk([], slice: slice, Self.frames + [0x88, 0])
        codeless.close()
        // No status was received (RFC 6455 §7.1.5).
        #expect(messages(codeless).map(\.closeCode) == [1_005, nil])
        #expect(notes.map(\.isWhole) == [true, false])

        let cut = try talk(["c1/r1:ws.down[2]+5=fin"], slice: slice)
        cut.close()
        #expect(messages(cut).first?.count == 1)
        #expect(messages(cut).first?.partialBytes == 5)
    }

    private func messages(_ wire: Wire) -> [MessagesNote] {
        wire.notes.compactMap { if case .messages(let note) = $0 { note } else { nil } }
            .sorted { $0.direction == .down && $1.direction == .up }
    }

    @Test func `what breaks the framing is not followed, and passes`() throws {
        let frames = Self.frame(0x81, "one") + Self.frame(0x80, "stray") + Self.frame(0x81, "x")
        let wire = try talk(["c1/r1:ws.down[2]=rst"], slice: 1, frames)
        wire.close()
        #expect(got(wire) == frames)
        #expect(wire.unreached == ["c1/r1:ws.down[2]=rst: traffic not understood"])
    }

    // Server-sent events.

    private static let first = "id: 1\ndata: a\n\n"
    private static let second = "data: b\ndata: c\n\n"
    private static let third = "event: x\r\ndata\r\n\r\n"
    private static let comment = ": hello\n\n"
    private static let setter = "id: 9\n\n"
    private static var events: String { comment + first + setter + second + third }

    private func listen(
        _ faults: [String],
        slice: Int,
        _ content: String = events,
        ends: Bool = true
    ) throws -> Wire {
        let wire = try Wire(faults, slice: slice)
        wire.client(Self.get)
        wire.server(Self.eventHead + "\r\n" + content)
        if ends { wire.end(.down) }
        return wire
    }

    private func content(_ wire: Wire) -> String {
        String(wire.toClient.split(separator: "\r\n\r\n", maxSplits: 1).last ?? "")
    }

    @Test(
        arguments: [
            ("sse[1]+0", 9), ("sse[1]+1", 10), ("sse[1]", 24), ("sse[1]-1", 23), ("sse[2]+0", 31),
            ("sse[2]", 48), ("sse[2]~500", 39), ("sse[3]", 66), ("sse[3]-2", 64),
        ],
        [1, 2, 7, .max]
    )
    func `a client gets what is before the place in an event, and no more`(
        place: (text: String, bytes: Int),
        slice: Int
    ) throws {
        let wire = try listen(["c1/r1:\(place.text)=fin"], slice: slice)
        #expect(wire.acted.map(\.id) == ["c1/r1:\(place.text)=fin"])
        let head = Self.eventHead.utf8.count + 2
        let got = (wire.got[.down] ?? []).dropFirst(head)
        #expect(Array(got) == Array(Self.events.utf8.prefix(place.bytes)))
    }

    @Test(arguments: [1, 4, .max])
    func `a dropped event becomes a comment of its length`(slice: Int) throws {
        let wire = try listen(["c1/r1:sse[2]=drop"], slice: slice)
        let lost = ":" + String(repeating: " ", count: Self.second.utf8.count - 2) + "\n"
        #expect(content(wire) == Self.comment + Self.first + Self.setter + lost + Self.third)
        #expect(wire.fired == ["c1/r1:sse[2]=drop"])
        #expect(wire.bodies.last?.isComplete == true)
    }

    @Test(arguments: [1, 4, .max])
    func `an event comes twice where the end of the connection ends the content`(slice: Int) throws
    {
        let wire = try listen(["c1/r1:sse[2]=dup"], slice: slice)
        #expect(
            content(wire)
                == Self.comment + Self.first + Self.setter + Self.second + Self.second + Self.third
        )
    }

    private static func chunked(_ pieces: [String]) -> String {
        eventHead + "Transfer-Encoding: chunked\r\n\r\n"
            + pieces.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
    }

    @Test(arguments: [1, 4, .max])
    func `in chunks an event comes twice in a separate chunk`(slice: Int) throws {
        for (pieces, copied) in [
            ([Self.first, Self.second, Self.third], [Self.first, Self.first]),
            // The end of the second is the first that is the end of a chunk.
            ([Self.first + Self.second, Self.third], [Self.first + Self.second, Self.first]),
        ] {
            let wire = try Wire(["c1/r1:sse[1]=dup"], slice: slice)
            wire.client(Self.get)
            wire.server(Self.chunked(pieces) + "0\r\n\r\n")
            let expected = Self.chunked(copied + pieces.dropFirst()) + "0\r\n\r\n"
            #expect(wire.toClient == expected)
            #expect(wire.fired == ["c1/r1:sse[1]=dup"])
            let bytes = (copied + pieces.dropFirst()).reduce(0) { $0 + $1.utf8.count }
            #expect(wire.bodies.map(\.bytes) == [UInt64(bytes)])
        }
    }

    @Test(arguments: [1, 4, .max])
    func `an event in two chunks is dropped in both`(slice: Int) throws {
        let wire = try Wire(["c1/r1:sse[1]=drop"], slice: slice)
        wire.client(Self.get)
        wire.server(Self.chunked(["data:", " a\n", "\n", Self.first]) + "0\r\n\r\n")
        #expect(
            wire.toClient == Self.chunked([":    ", "   ", "\n", Self.first]) + "0\r\n\r\n"
        )
    }

    @Test func `content of a declared length has no room for another event`() throws {
        let wire = try Wire(["c1/r1:sse[1]=dup"])
        wire.client(Self.get)
        wire.server(
            Self.eventHead + "Content-Length: \(Self.first.utf8.count)\r\n\r\n" + Self.first
        )
        wire.close()
        #expect(wire.unreached == ["c1/r1:sse[1]=dup: length declared"])
    }

    @Test(arguments: [1, 4, .max])
    func `only events and ids that the client has are noted`(slice: Int) throws {
        let whole = try listen([], slice: slice, "retry: 70\n" + Self.events)
        whole.close()
        var note = try #require(messages(whole).first)
        #expect(note.count == 3)
        #expect(note.hint == ResumptionHint(id: "9", retryMilliseconds: 70))
        #expect(note.isWhole)

        let cut = try listen(["c1/r1:sse[2]-1=fin"], slice: slice)
        cut.close()
        note = try #require(messages(cut).first)
        #expect(note.count == 1)
        #expect(note.partialBytes == UInt64(Self.second.utf8.count - 1))
        #expect(note.hint.id == "9")
    }

    @Test func `what a cut leaves of messages does not depend on how they are read`() throws {
        let frames = Self.frames + [0x82, 126, 0, 2, 1, 2] + Self.frame(0x01, "a")
        let start = Self.switched.utf8.count
        for end in start...start + frames.count {
            let notes = try [1, 3, .max].map { slice in
                let wire = try talk(["c1:down+\(end)=rst"], slice: slice, frames)
                wire.close()
                return messages(wire)
            }
            #expect(Set(notes).count == 1, "\(end - start): \(notes)")
        }
        // Within the header of the longer one.
        let wire = try talk(["c1:down+\(start + 27)=rst"], slice: 1, frames)
        wire.close()
        #expect(messages(wire).first?.partialBytes == 2)
    }

    @Test func `what a cut leaves of events does not depend on how they are read`() throws {
        let events =
            Self.events + "id: 3\r\ndata: d\r\n\r\nid: 4\r\r"
            + "data: e\r\rretry: 5\r\n\r\n"
        let start = Self.eventHead.utf8.count + 2
        for end in start...start + events.utf8.count {
            let notes = try [1, 3, .max].map { slice in
                let wire = try listen(["c1:down+\(end)=rst"], slice: slice, events, ends: false)
                wire.close()
                return messages(wire)
            }
            #expect(Set(notes).count == 1, "\(end - start): \(notes)")
        }
    }

    @Test func `other content has no events`() throws {
        let wire = try Wire(["c1/r1:sse[1]=rst", "c1/r1:ws.down[1]=rst", "c1/r1:ws.up[1]=rst"])
        wire.client(Message.get)
        wire.server(Message.answer)
        wire.close()
        #expect(wire.unreached.count == 3)
        #expect(wire.unreached.allSatisfy { $0.hasSuffix(": no such messages") })
    }

    // Text.

    @Test(arguments: [
        "c1/r1:ws.down[3]+10=rst", "c*:ws.up[1]=drop", "GET(/news)#2:sse[4]-1=fin",
        "c1/r1:ws.down[1]+0=close(4000)", "c1/r1:sse[2]+1..9=stall(1s)", "c1:ws.up[2]~500=hole",
    ])
    func `a place in a message is written as it is read`(text: String) throws {
        #expect(try Fault(parsing: text).canonicalText == text)
    }

    @Test(arguments: [
        ("c1/r1:ws.side[1]=rst", "unknown direction 'side'"),
        ("c1/r1:ws[1]=rst", "expected a direction like 'ws.down'"),
        ("c1/r1:sse=rst", "expected a number like 'sse[1]'"),
        ("c1/r1:sse[0]=rst", "0"),
        ("c1/r1:sse[1]=close(1000)", "acts before or after a message"),
        ("c1/r1:ws.down[1]+1=close(1000)", "acts before or after a message"),
        ("c1/r1:ws.down[1]=close(1006)", "1005, 1006 and 1015 never stand in a close frame"),
        ("c1/r1:ws.down[1]=close(99)", "from 1000 to 4999"),
        ("c1/r1:sse[1]+3=drop", "leave the offset out"),
        ("sse[1]=rst", "'sse' is a place of a request"),
    ])
    func `what makes no sense is refused in words`(text: String, words: String) {
        do throws(ScheduleError) {
            _ = try Fault(parsing: text)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.description.contains(words), "\(error)")
        }
    }
}
