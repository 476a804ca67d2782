import Basics
import Faults
import HTTP2
import Testing

/// Faults that send frames of their own, or keep some back.
@Suite struct StreamFrameFaultTests {
    private static let acknowledgement = FrameWriter.frame(.settings, .acknowledges, stream: 0, [])

    /// Begins a connection, with a request and the head of its answer.
    private func begin(_ wire: inout StreamWire, _ method: String = "GET", body: Int? = nil) {
        wire.send(FrameWriter.frame(.settings, [], stream: 0, []), .up)
        wire.send(FrameWriter.frame(.settings, [], stream: 0, []), .down)
        wire.request(1, method, body: body)
        wire.answer(1, length: 3)
    }

    private func count(_ frame: [UInt8], in bytes: [UInt8]?) -> Int {
        guard let bytes else { return 0 }
        return bytes.indices.count { bytes[$0...].starts(with: frame) }
    }

    @Test(arguments: [1, 7, .max])
    func `settings are announced, and what the client says to them is not for the server`(
        slice: Int
    ) throws {
        var wire = try StreamWire(
            ["c1/r1:resp.head=settings(max-streams=0,initial-window=9)"],
            slice: slice
        )
        begin(&wire)
        wire.data(1, "abc", endsStream: true)
        let sent = FrameWriter.settings([(.maximumStreams, 0), (.initialWindow, 9)])
        #expect(count(sent, in: wire.got[.down]) == 1)
        #expect(wire.fired == ["c1/r1:resp.head=settings(max-streams=0,initial-window=9)"])
        #expect(wire.content(1) == "abc")
        // The first acknowledgement is of the server's SETTINGS, the second of ours.
        wire.send(Self.acknowledgement, .up)
        #expect(count(Self.acknowledgement, in: wire.got[.up]) == 1)
        wire.send(Self.acknowledgement, .up)
        #expect(count(Self.acknowledgement, in: wire.got[.up]) == 1)
        wire.send(Self.acknowledgement, .up)
        #expect(count(Self.acknowledgement, in: wire.got[.up]) == 2)
    }

    @Test func `a table is not announced larger than the server's`() throws {
        var wire = try StreamWire(["c1/r1:resp.head=settings(header-table=4096)"])
        wire.send(FrameWriter.frame(.settings, [], stream: 0, []), .up)
        wire.send(FrameWriter.settings([(.headerTable, 100)]), .down)
        wire.request(1)
        wire.answer(1, length: 0)
        #expect(count(FrameWriter.settings([(.headerTable, 100)]), in: wire.got[.down]) == 2)
    }

    @Test func `window updates of one stream, or of all, are kept from the client`() throws {
        for (value, passing) in [("0", [0, 3]), ("0,connection", [])] as [(String, [UInt32])] {
            var wire = try StreamWire(["c1/r1:req.head=window(\(value))"])
            wire.send(FrameWriter.frame(.settings, [], stream: 0, []), .up)
            wire.send(FrameWriter.frame(.settings, [], stream: 0, []), .down)
            wire.request(1, "POST", body: 10)
            wire.request(3, "POST", body: 10)
            for stream in [0, 1, 3] as [UInt32] {
                wire.send(FrameWriter.windowUpdate(5, stream: stream), .down)
                wire.send(FrameWriter.windowUpdate(5, stream: stream), .up)
            }
            let windows = wire.frames(.down).filter { $0.contains("window") }
            #expect(windows == passing.map { "\($0) window 5" })
            #expect(wire.frames(.up).count { $0.contains("window") } == 3)
            #expect(wire.fired == ["c1/r1:req.head=window(\(value))"])
        }
    }

    @Test func `pings of the client are not answered, those of the server are`() throws {
        var wire = try StreamWire(["c1/r1:resp.head=ping(hold)"])
        begin(&wire)
        let ping = FrameWriter.frame(.ping, [], stream: 0, Array(1...8))
        let answer = FrameWriter.frame(.ping, .acknowledges, stream: 0, Array(1...8))
        wire.send(ping, .up)
        wire.send(answer, .down)
        wire.send(ping, .down)
        wire.send(answer, .up)
        #expect(count(ping, in: wire.got[.up]) == 1 && count(answer, in: wire.got[.up]) == 1)
        #expect(count(ping, in: wire.got[.down]) == 1 && count(answer, in: wire.got[.down]) == 0)
    }

    @Test(arguments: MalformedFrame.allCases)
    func `a frame that breaks a rule goes to the client alone`(kind: MalformedFrame) throws {
        var wire = try StreamWire(["c1/r1:resp.head=malformed(\(kind.rawValue))"])
        begin(&wire)
        #expect(count(kind.bytes(on: 1), in: wire.got[.down]) == 1)
        #expect(wire.got[.up] == wire.sent[.up])
        #expect(wire.fired == ["c1/r1:resp.head=malformed(\(kind.rawValue))"])
    }

    @Test(arguments: [(true, 1), (false, 0)])
    func `a stream is late once the client has shown that it knows of GOAWAY`(
        isShown: Bool,
        late: Int
    ) throws {
        var wire = try StreamWire(["c1/r1:resp.head=goaway(this)"])
        begin(&wire)
        let mark = Array("linkcond".utf8)
        #expect(count(FrameWriter.frame(.ping, [], stream: 0, mark), in: wire.got[.down]) == 1)
        if isShown {
            wire.send(FrameWriter.frame(.ping, .acknowledges, stream: 0, mark), .up)
        }
        wire.request(3)
        #expect(wire.notes.count { $0 == .lateStream } == late)
        #expect(!wire.frames(.up).contains { $0.hasPrefix("3 ") || $0.contains("frame 6") })
    }
}
