import Basics
import Faults
import HTTP2
import Testing

/// Effects that hold one stream of HTTP/2 and let the others go on, with what windows they leave.
@Suite struct StreamEffectTests {
    private static let settings = FrameWriter.frame(.settings, [], stream: 0, [])

    private func begin(_ faults: [String], slice: Int = .max) throws -> StreamWire {
        var wire = try StreamWire(faults, slice: slice)
        wire.send(Self.settings, .up)
        wire.send(Self.settings, .down)
        return wire
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func send(
        _ count: Int,
        _ stream: UInt32,
        _ direction: Direction,
        endsStream: Bool = true,
        on wire: inout StreamWire
    ) {
        var left = count
        repeat {
            let part = min(left, FrameWriter.maximumPayload)
            left -= part
            wire.data(stream, text(part), direction, endsStream: endsStream && left == 0)
        } while left > 0
    }

    // A hidden answer

    @Test func `a server that takes no more of a request gives its hidden answer free`() throws {
        var wire = try begin(["c1/r1:req.body+100000=rst"])
        wire.request(1, "POST", body: 200_000)
        wire.data(1, Self.text(5_000), .up)
        wire.answer(1, 405, length: 2)
        wire.data(1, "no", endsStream: true)
        #expect(wire.content(1).isEmpty && !wire.frames(.down).contains { $0.hasPrefix("1 ") })
        wire.send(FrameWriter.resetStream(.none, stream: 1), .down)
        #expect(wire.content(1) == "no")
        #expect(wire.frames(.down).last == "1 \(ErrorCode.none.name)")
        wire.close()
        #expect(wire.fired.isEmpty)
    }

    // slow

    @Test(arguments: [977, .max])
    func `slow holds its stream to the rate, to the byte, and no other`(slice: Int) throws {
        var wire = try begin(["c1/r1:resp.body+100=slow(8Mbit/s)"], slice: slice)
        wire.request(1)
        wire.request(3)
        wire.answer(1, length: 20_000)
        wire.answer(3, length: 5_000)
        Self.send(20_000, 1, .down, on: &wire)
        Self.send(5_000, 3, .down, on: &wire)
        #expect(wire.content(3).count == 5_000)
        #expect(wire.content(1).count == 100)
        #expect(wire.fired == ["c1/r1:resp.body+100=slow(8Mbit/s)"] && wire.acted.isEmpty)
        // A megabyte in a second; no more than that has come at any time.
        while let time = wire.gates.wakesAt {
            wire.wait(upTo: time)
            #expect(UInt64(wire.content(1).count) <= 100 + UInt64(time.nanoseconds) / 1_000)
        }
        #expect(wire.content(1).count == 20_000)
        #expect((19_900_000...19_903_000).contains(wire.gates.time.nanoseconds))
        #expect(wire.frames(.down).last?.hasSuffix(" end") == true)
        // The stream gets no window back that its receiver has not given.
        #expect(wire.credit(1, .down) == -20_000)
        wire.close()
        #expect(wire.bodies.first { $0.request == 1 }?.isComplete == true)
    }

    @Test func `slow in a request holds neither the other direction nor its windows`() throws {
        var wire = try begin(["c1/r1:req.head=slow(8kbit/s)"])
        wire.request(1, "POST", body: 10)
        wire.data(1, "0123456789", .up, endsStream: true)
        wire.send(FrameWriter.windowUpdate(77, stream: 1), .up)
        wire.send(FrameWriter.windowUpdate(99, stream: 1), .down)
        #expect(wire.frames(.up).contains("1 window 77"))
        #expect(wire.frames(.down).contains("1 window 99"))
        wire.answer(1, length: 2)
        wire.data(1, "ok", endsStream: true)
        #expect(wire.content(1) == "ok" && wire.content(1, .up).isEmpty)
        wire.wait()
        #expect(wire.content(1, .up) == "0123456789")
        #expect(wire.frames(.up).last == "1 data 1 end")
    }

    @Test func `what acts later on a slow stream acts at its byte`() throws {
        var wire = try begin(["c1/r1:resp.head=slow(8kbit/s)", "c1/r1:resp.body+7=rst"])
        wire.request(1)
        wire.answer(1, length: 10)
        wire.data(1, "0123456789", endsStream: true)
        wire.wait()
        #expect(wire.content(1) == "0123456")
        #expect(wire.frames(.down).last == "1 INTERNAL_ERROR")
        #expect(wire.credit(0, .down) == -7)
    }

    // Windows

    @Test func `four streams that wait do not keep a fifth from the connection's window`() throws {
        let faults = (1...4).map { "c1/r\($0):resp.body+0=stall(1s)" }
        var wire = try begin(faults)
        for stream in [1, 3, 5, 7, 9] as [UInt32] {
            wire.request(stream)
            wire.answer(stream)
        }
        // The sender's window of the connection, of 65,535 bytes, would be empty without a loan.
        for stream in [1, 3, 5, 7] as [UInt32] {
            Self.send(16_000, stream, .down, endsStream: false, on: &wire)
        }
        #expect(wire.credit(0, .down) >= -8_192)
        Self.send(40_000, 9, .down, on: &wire)
        #expect(wire.content(9).count == 40_000)
        #expect(wire.room(0, .down) == -40_000)
        // Of what is released, the receiver gets no more than it has room for.
        wire.resume()
        #expect(wire.room(0, .down) == -65_535)
        wire.send(FrameWriter.windowUpdate(40_000, stream: 0), .up)
        #expect([1, 3, 5, 7].allSatisfy { wire.content($0).count == 16_000 })
        wire.send(FrameWriter.windowUpdate(64_000, stream: 0), .up)
        // All is as if there had been no loan.
        #expect(wire.credit(0, .down) == 0 && wire.room(0, .down) == 0)
        #expect([1, 3, 5, 7].allSatisfy { wire.credit($0, .down) == -16_000 })
    }

    @Test func `a loan for a stream that ends is not given back twice`() throws {
        var wire = try begin(["c1/r1:resp.body+0=stall(1s)"])
        wire.request(1)
        wire.answer(1)
        Self.send(30_000, 1, .down, endsStream: false, on: &wire)
        #expect(wire.credit(0, .down) > -8_192)
        wire.send(FrameWriter.resetStream(.cancel, stream: 1), .up)
        #expect(wire.credit(0, .down) == 0)
    }

    // buffer

    @Test(arguments: [977, .max])
    func `an answer is kept until it is whole, though it is larger than its windows`(
        slice: Int
    ) throws {
        var wire = try begin(["c1/r1=buffer(resp)"], slice: slice)
        wire.request(1)
        wire.request(3)
        wire.answer(1, 103)
        wire.answer(1)
        wire.answer(3, length: 3)
        Self.send(100_000, 1, .down, endsStream: false, on: &wire)
        #expect(wire.credit(1, .down) > -8_192 && wire.credit(0, .down) > -8_192)
        wire.data(3, "abc", endsStream: true)
        #expect(!wire.frames(.down).contains { $0.hasPrefix("1 :") || $0.hasPrefix("1 data") })
        #expect(wire.content(3) == "abc" && wire.fired.isEmpty)
        wire.data(1, "", endsStream: true)
        #expect(wire.fired == ["c1/r1=buffer(resp)"])
        // The receiver gets what it has room for, and the rest as it takes that.
        #expect(wire.room(1, .down) >= -65_535 && wire.room(0, .down) >= -65_535)
        for stream in [0, 1] as [UInt32] {
            wire.send(FrameWriter.windowUpdate(100_000, stream: stream), .up)
        }
        #expect(wire.content(1).count == 100_000)
        #expect(wire.frames(.down).last == "1 data 0 end")
        // A loan that is still open is paid back out of the next update.
        wire.send(FrameWriter.windowUpdate(50_000, stream: 0), .up)
        #expect(wire.credit(0, .down) == 150_000 - 100_003)
    }

    @Test(arguments: [1, 7, .max])
    func `the content of a request is kept until it is whole, its head opens the stream`(
        slice: Int
    ) throws {
        var wire = try begin(["c1/r1=buffer(req)"], slice: slice)
        wire.request(1, "POST", body: 9)
        wire.data(1, "012345", .up)
        #expect(wire.frames(.up).contains { $0.hasPrefix("1 :method=POST") })
        #expect(wire.content(1, .up).isEmpty)
        wire.request(3)
        #expect(wire.frames(.up).contains { $0.hasPrefix("3 :method=GET") })
        wire.data(1, "678", .up, endsStream: true)
        #expect(wire.content(1, .up) == "012345678" && wire.fired == ["c1/r1=buffer(req)"])
    }

    @Test func `a message that is longer than what is kept passes`() throws {
        for (count, fires) in [(1_048_576, true), (1_048_577, false)] {
            var wire = try begin(["c1/r1=buffer(resp)"])
            wire.request(1)
            wire.answer(1)
            Self.send(count, 1, .down, on: &wire)
            for stream in [0, 1] as [UInt32] {
                wire.send(FrameWriter.windowUpdate(2_000_000, stream: stream), .up)
            }
            #expect(wire.content(1).count == count)
            wire.close()
            #expect(wire.fired.isEmpty != fires)
            #expect(wire.unreached == (fires ? [] : ["c1/r1=buffer(resp): message too long"]))
        }
    }

    // late

    @Test(arguments: [1, 7, .max], [false, true])
    func `the client loses its stream, and the server gets bytes of it later`(
        slice: Int,
        isWhole: Bool
    ) throws {
        let fault = "c1/r1:req.body+4=late(\(isWhole ? 6 : 3),until=c2:connect)"
        var wire = try begin([fault], slice: slice)
        wire.request(1, "POST", body: 10)
        wire.data(1, "012345", .up)
        wire.data(1, "6789", .up)
        wire.data(1, "", .up, endsStream: true)
        #expect(wire.content(1, .up) == "0123" && wire.acted.map(\.id) == [fault])
        #expect(wire.frames(.down).contains("1 INTERNAL_ERROR"))
        wire.request(3)
        wire.answer(1, 200)
        wire.answer(3, length: 2)
        wire.data(3, "ok", endsStream: true)
        wire.resume()
        #expect(wire.content(1, .up) == (isWhole ? "0123456789" : "0123456"))
        let ends = wire.frames(.up).contains { $0.hasPrefix("1 data") && $0.hasSuffix("end") }
        #expect(ends == isWhole && wire.content(3) == "ok")
        // The client hears nothing more of its stream, nor the server of its end.
        #expect(!wire.frames(.down).contains { $0.hasPrefix("1 :status") })
        #expect(!wire.frames(.up).contains("1 CANCEL"))
        #expect(wire.credit(0, .up) == (isWhole ? -10 : -7))
        wire.close()
        let body = wire.bodies.first { $0.direction == .up && $0.request == 1 }
        #expect(body?.bytes == (isWhole ? 10 : 7) && body?.isComplete == isWhole)
    }

    @Test
    func `whether the end comes with the late bytes is known before the client loses the stream`()
        throws
    {
        for (rest, isEnd) in [("7", false), ("", true)] {
            var wire = try begin(["c1/r1:req.body+4=late(3,until=c2:connect)"])
            wire.request(1, "POST", body: 8)
            wire.data(1, "0123456", .up)
            #expect(wire.acted.isEmpty && wire.content(1, .up) == "0123")
            wire.data(1, rest, .up, endsStream: isEnd)
            #expect(wire.acted.count == 1)
            wire.resume()
            #expect(wire.content(1, .up) == "0123456")
            #expect(wire.frames(.up).last?.hasSuffix("end") == isEnd)
        }
    }

    // rst-on-next

    @Test func `a connection that was idle is reset when a stream is opened on it`() throws {
        var wire = try begin(["c1/r1:idle=rst-on-next"])
        wire.request(1)
        wire.answer(1, length: 0)
        #expect(wire.acted.isEmpty && wire.unreached.isEmpty)
        wire.request(3)
        #expect(wire.acted.map(\.id) == ["c1/r1:idle=rst-on-next"])
        #expect(wire.acted.allSatisfy { !$0.isRacy })
        #expect(!wire.frames(.up).contains { $0.hasPrefix("3 ") })
    }

    @Test func `a connection with an open stream is not idle`() throws {
        var wire = try begin(["c1/r1:idle=rst-on-next"])
        wire.request(1)
        wire.request(3)
        wire.answer(1, length: 0)
        wire.request(5)
        #expect(wire.acted.isEmpty && wire.frames(.up).contains { $0.hasPrefix("5 ") })
        wire.answer(3, length: 0)
        wire.answer(5, length: 0)
        wire.request(7)
        #expect(wire.acted.map(\.isRacy) == [true])
        var unused = try begin(["c1/r1:idle=rst-on-next"])
        unused.request(1)
        unused.answer(1, length: 0)
        unused.close()
        #expect(unused.unreached == ["c1/r1:idle=rst-on-next: connection ended"])
    }

    // The order of streams

    @Test func `a stream whose head waits is opened before later ones`() throws {
        var wire = try begin(["c1/r1:req.head+0=stall(1s)"])
        wire.request(1)
        wire.request(3)
        #expect(!wire.frames(.up).contains { $0.contains(":method") })
        wire.resume()
        let opened = wire.frames(.up).filter { $0.contains(":method") }.map { $0.prefix(1) }
        #expect(opened == ["1", "3"])
    }
}
