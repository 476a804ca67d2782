import Basics
import Faults
import HTTP2
import Testing

/// What held streams leave to the others and to the end of the connection.
@Suite struct StreamHoldTests {
    private func begin(
        _ faults: [String],
        window: UInt32? = nil,
        mostLent: Int = 16_777_216
    ) throws -> StreamWire {
        var wire = try StreamWire(faults, mostLent: mostLent)
        let settings = window.map { [(setting: Setting.initialWindow, value: $0)] }
        wire.send(FrameWriter.settings(settings ?? []), .up)
        wire.send(FrameWriter.settings([]), .down)
        return wire
    }

    private static func send(
        _ count: Int,
        _ stream: UInt32,
        _ direction: Direction = .down,
        part: Int = 16_000,
        endsStream: Bool = false,
        on wire: inout StreamWire
    ) {
        for start in stride(from: 0, to: count, by: part) {
            let text = String(repeating: "x", count: min(part, count - start))
            let isLast = start + part >= count
            wire.data(stream, text, direction, endsStream: endsStream && isLast)
        }
    }

    /// What the sender of an answer has left of the connection's window, and what its receiver has.
    private func left(of wire: StreamWire) -> (sender: Int, receiver: Int) {
        (65_535 + wire.credit(0, .down), 65_535 + wire.room(0, .down))
    }

    // The end of the connection

    @Test(arguments: ["slow(8kbit/s)", "stall(1s)"])
    func `the end of the connection follows what is held`(effect: String) throws {
        var wire = try begin(["c1/r1:resp.body+0=\(effect)"])
        wire.request(1)
        wire.answer(1, length: 3_000)
        Self.send(3_000, 1, endsStream: true, on: &wire)
        wire.end(.down)
        #expect(wire.content(1).isEmpty && wire.finished.isEmpty)
        wire.resume()
        wire.wait()
        #expect(wire.content(1).count == 3_000 && wire.finished == [.down])
    }

    @Test(arguments: [false, true])
    func `the end of the connection follows what waits for a receiver that is there`(
        receiverEnds: Bool
    ) throws {
        var wire = try begin(["c1/r1=buffer(resp)"])
        wire.request(1)
        wire.answer(1)
        Self.send(100_000, 1, endsStream: true, on: &wire)
        wire.end(.down)
        #expect(wire.content(1).count == 65_535 && wire.finished.isEmpty)
        if receiverEnds {
            wire.end(.up)
            #expect(wire.finished == [.up, .down])
        } else {
            for stream in [0, 1] as [UInt32] {
                wire.send(FrameWriter.windowUpdate(50_000, stream: stream), .up)
            }
            #expect(wire.content(1).count == 100_000 && wire.finished == [.down])
        }
    }

    @Test func `another initial window changes the room of open streams`() throws {
        var wire = try begin(["c1/r1=buffer(resp)"])
        wire.request(1)
        wire.answer(1)
        Self.send(100_000, 1, endsStream: true, on: &wire)
        wire.send(FrameWriter.windowUpdate(50_000, stream: 0), .up)
        wire.end(.down)
        #expect(wire.content(1).count == 65_535)
        wire.send(FrameWriter.settings([(.initialWindow, 99_999)]), .up)
        #expect(wire.content(1).count == 99_999)
        wire.send(FrameWriter.settings([(.initialWindow, 100_000)]), .up)
        #expect(wire.content(1).count == 100_000 && wire.finished == [.down])
    }

    @Test func `late bytes reach a server whose client has ended`() throws {
        var wire = try begin(["c1/r1:req.body+4=late(3,until=c2:connect)"])
        wire.request(1, "POST", body: 10)
        wire.data(1, "0123456789", .up, endsStream: true)
        wire.end(.up)
        #expect(wire.content(1, .up) == "0123" && wire.finished.isEmpty)
        wire.resume()
        #expect(wire.content(1, .up) == "0123456" && wire.finished == [.up])
    }

    @Test(arguments: [nil, "c1/r1:resp.body+9=stall(1s)"])
    func `a frame that is not whole does not keep the end`(fault: String?) throws {
        var wire = try begin(fault.map { [$0] } ?? [])
        wire.request(1)
        wire.answer(1, length: 10)
        let frame = FrameWriter.data("0123".utf8, endsStream: false, stream: 1)
        wire.send(Array(frame.dropLast()), .down)
        wire.end(.down)
        #expect(wire.finished == [.down])
    }

    @Test func `an answer that waits is not lost after others were released`() throws {
        var wire = try begin(["c1/r1:req.body+5=rst", "c1/r2:req.body+5=rst"])
        for stream in [1, 3] as [UInt32] {
            wire.request(stream, "POST", body: 10)
            wire.data(stream, "01", .up)
            wire.answer(stream, length: 2)
            wire.data(stream, "ok", endsStream: true)
            #expect(wire.content(stream).isEmpty)
            if stream == 3 { wire.end(.down) }
            #expect(wire.finished.isEmpty && wire.gates.isGated)
            wire.gates.openGates()
            wire.resume()
            #expect(wire.content(stream) == "ok")
        }
        #expect(wire.finished == [.down])
    }

    @Test func `a reset reaches a server that reads no more`() throws {
        var wire = try begin(["c1/r1=buffer(req)"])
        wire.request(1, "POST", body: 100_000)
        Self.send(100_000, 1, .up, endsStream: true, on: &wire)
        #expect(wire.content(1, .up).count == 65_535)
        wire.send(FrameWriter.resetStream(.cancel, stream: 1), .up)
        #expect(wire.frames(.up).last == "1 \(ErrorCode.cancel.name)")
    }

    // Windows

    @Test func `a stalled stream starves no other when the window is used up`() throws {
        var wire = try begin(["c1/r1:resp.body+0=stall(1s)"])
        for stream in [1, 3] as [UInt32] {
            wire.request(stream)
            wire.answer(stream)
            wire.send(FrameWriter.windowUpdate(1_000_000, stream: stream), .up)
        }
        Self.send(32_000, 1, on: &wire)
        Self.send(65_535, 3, on: &wire)
        #expect(left(of: wire).receiver == 0)
        for _ in 0..<4 {
            wire.send(FrameWriter.windowUpdate(30_000, stream: 0), .up)
            let (sender, receiver) = left(of: wire)
            #expect(receiver == 30_000 && sender > receiver - 8_192)
            Self.send(30_000, 3, on: &wire)
        }
        wire.send(FrameWriter.windowUpdate(65_535, stream: 0), .up)
        wire.resume()
        #expect(wire.content(1).count == 32_000)
        wire.send(FrameWriter.windowUpdate(60_000, stream: 0), .up)
        #expect(left(of: wire).sender == left(of: wire).receiver)
    }

    @Test func `messages that fill all that is lent are released`() throws {
        var wire = try begin(["c1/r1=buffer(resp)", "c1/r2=buffer(resp)"], mostLent: 100_000)
        for stream in [1, 3] as [UInt32] {
            wire.request(stream)
            wire.answer(stream)
            // What is left of the limit is too little for a loan.
            Self.send(60_000, stream, part: 9_000, on: &wire)
        }
        #expect(wire.gates.isGated && wire.content(1).isEmpty)
        wire.gates.openGates()
        wire.resume()
        #expect(wire.content(1).count == 60_000)
    }

    @Test func `a stalled stream causes no wake-up though it is slowed down as well`() throws {
        var wire = try begin(["c1/r1:resp.head=slow(8kbit/s)", "c1/r1:resp.body+7=stall(1s)"])
        wire.request(1)
        wire.answer(1, length: 3_000)
        Self.send(3_000, 1, on: &wire)
        wire.wait()
        #expect(wire.content(1).count == 7 && wire.gates.wakesAt == nil)
        wire.gates.time += .seconds(60)
        wire.resume()
        #expect(wire.gates.wakesAt != nil)
        wire.wait()
        #expect(wire.content(1).count == 3_000)
    }

    @Test func `a message is kept until it is whole with a small window of its stream`() throws {
        var wire = try begin(["c1/r1=buffer(resp)"], window: 4_096)
        wire.request(1)
        wire.answer(1)
        for _ in 0..<5 {
            Self.send(4_096, 1, on: &wire)
            #expect(wire.credit(1, .down) >= 0)
        }
        #expect(wire.content(1).isEmpty)
    }

    @Test func `a request is kept until it is whole with a small window that a fault announces`()
        throws
    {
        var wire = try begin(["c1/r1:req.head=settings(initial-window=100)", "c1/r1=buffer(req)"])
        wire.request(1, "POST", body: 300)
        Self.send(100, 1, .up, on: &wire)
        #expect(wire.credit(1, .up) == 0 && wire.content(1, .up).isEmpty)
    }

    @Test func `a stream on which nothing acts keeps to the window of which something was lent`()
        throws
    {
        var wire = try begin(["c1/r1:resp.body+0=stall(1s)"])
        wire.request(1)
        wire.answer(1)
        wire.gates.adopt(FaultPlan(faults: [], seed: 1).requests)
        wire.request(3)
        wire.answer(3)
        wire.send(FrameWriter.windowUpdate(1_000_000, stream: 3), .up)
        Self.send(32_000, 1, on: &wire)
        Self.send(80_000, 3, on: &wire)
        #expect(wire.content(3).count == 64_000)
        wire.send(FrameWriter.windowUpdate(40_000, stream: 0), .up)
        #expect(wire.content(3).count == 80_000)
    }

    @Test func `a client that gets no window of its stream is not lent any`() throws {
        for (more, isLent) in [([], true), (["c1/r1:req.head=window(0)"], false)] {
            var wire = try begin(more + ["c1/r1=buffer(req)"])
            wire.request(1, "POST", body: 60_000)
            Self.send(60_000, 1, .up, on: &wire)
            #expect(wire.frames(.down).contains { $0.hasPrefix("1 window") } == isLent)
        }
    }
}
