import Basics
import Faults
import HTTP2
import Testing

@Suite struct StreamGatesTests {
    /// Two streams at once, one with padding, and what else there is on a connection.
    private func converse(_ wire: inout StreamWire) {
        wire.send(FrameWriter.frame(.settings, [], stream: 0, [0, 4, 0, 1, 0, 0]), .down)
        wire.send(FrameWriter.frame(.settings, [], stream: 0, []), .up)
        wire.request(1)
        wire.request(3, "POST", body: 10)
        wire.send(FrameWriter.frame(.ping, [], stream: 0, Array(0..<8)), .up)
        wire.send(FrameWriter.frame(FrameKind(rawValue: 0xBE), [], stream: 3, [1, 2]), .up)
        wire.data(3, "abcdefghij", .up, endsStream: true)
        wire.answer(3, 103)
        wire.answer(1, length: 10)
        wire.answer(3)
        wire.data(1, "01234")
        let padded: [UInt8] = [2] + "987".utf8 + [0, 0]
        wire.send(FrameWriter.frame(.data, .padded, stream: 3, padded), .down)
        wire.data(1, "56789", endsStream: true)
        wire.block([BlockField("grpc-status", "0")], 3, .down, endsStream: true)
        wire.send(FrameWriter.windowUpdate(10, stream: 0), .up)
    }

    @Test(arguments: [1, 2, 7, 20, .max])
    func `without a fault every byte passes as it came`(slice: Int) throws {
        for faults in [[], ["c2/r1:resp.head=rst"], ["c1/r9:resp.head=rst"]] {
            var wire = try StreamWire(faults, slice: slice)
            converse(&wire)
            #expect(wire.got == wire.sent)
            #expect(wire.earlyEnds == 0)
            let bodies = wire.bodies.map {
                "\($0.request) \($0.direction) \($0.bytes) \($0.isComplete)"
            }
            #expect(bodies.sorted() == ["1 down 10 true", "2 down 3 true", "2 up 10 true"])
        }
    }

    @Test(arguments: [1, 7, .max])
    func `the server is named another host in every request, and nothing else changes`(
        slice: Int
    ) throws {
        var wire = try StreamWire(host: "api.example", slice: slice)
        var plain = try StreamWire(slice: slice)
        for stream in [1, 3] as [UInt32] {
            wire.request(stream)
            plain.request(stream)
        }
        wire.answer(1, length: 0)
        plain.answer(1, length: 0)
        #expect(wire.got[.down] == plain.got[.down])
        let expected = plain.frames(.up).map {
            $0.replacing(":authority=x", with: ":authority=api.example")
        }
        #expect(wire.frames(.up) == expected && expected != plain.frames(.up))
    }

    @Test(arguments: [1, 7, .max])
    func `a stream ends after exactly so many bytes, and others go on`(slice: Int) throws {
        for offset in 1...9 {
            var wire = try StreamWire(["c1/r1:resp.body+\(offset)=rst"], slice: slice)
            converse(&wire)
            #expect(wire.content(1) == "0123456789".prefix(offset))
            #expect(wire.content(3) == "987")
            #expect(wire.frames(.down).contains("1 INTERNAL_ERROR"))
            #expect(wire.frames(.up).contains("1 CANCEL"))
            #expect(wire.fired == ["c1/r1:resp.body+\(offset)=rst"])
            let body = wire.bodies.first { $0.request == 1 }
            #expect(body?.bytes == UInt64(offset) && body?.isCutByFault == true)
            // What the client never sees is given back to the server.
            let windows = wire.frames(.up).compactMap { frame in
                frame.hasPrefix("0 window ") ? Int(frame.dropFirst(9)) : nil
            }
            #expect(windows.reduce(0, +) == 10 + 10 - offset)
        }
    }

    @Test(arguments: ["retry-after=1", "page"])
    func `a fault answers a stream without content, and the server never hears of it`(
        argument: String
    ) throws {
        var wire = try StreamWire(["c1/r2:req.head=status(503,\(argument))"])
        converse(&wire)
        let answer = wire.frames(.down).first { $0.hasPrefix("3 :status=503") }
        #expect(answer?.hasSuffix(" end") == true)
        let heard = wire.frames(.up).filter { $0.hasPrefix("3 ") }
        #expect(heard == ["3 frame 190"])
        wire.send(FrameWriter.windowUpdate(10, stream: 3), .up)
        #expect(wire.frames(.up).filter { $0.hasPrefix("3 ") } == heard)
        #expect(wire.content(1) == "0123456789")
        #expect(wire.frames(.up).contains("0 window 10"))
        #expect(wire.frames(.down).contains("3 window 10"))
    }

    @Test(arguments: [("fin", nil), ("rst", "3 INTERNAL_ERROR")] as [(String, String?)])
    func `trailers come before what ends the stream after them`(
        effect: String,
        end: String?
    ) throws {
        var wire = try StreamWire(["c1/r2:resp.end=\(effect)"])
        converse(&wire)
        let frames = wire.frames(.down).filter { $0.hasPrefix("3 ") }
        #expect(
            frames.suffix(end == nil ? 1 : 2) == ["3 grpc-status=0 end"] + (end.map { [$0] } ?? [])
        )
        #expect(wire.content(3) == "987")
        #expect(wire.fired == ["c1/r2:resp.end=\(effect)"])
    }

    @Test func `a stall holds its stream alone`() throws {
        var wire = try StreamWire(["c1/r1:resp.body+3=stall(1s)"])
        converse(&wire)
        #expect(wire.content(1) == "012" && wire.content(3) == "987")
        wire.resume()
        #expect(wire.content(1) == "0123456789")
        #expect(wire.frames(.down).last == "1 data 5 end")
    }

    @Test func `the end of a stream can be the fault`() throws {
        var wire = try StreamWire(["c1/r1:resp.body+3=fin"])
        converse(&wire)
        #expect(wire.content(1) == "012")
        #expect(wire.frames(.down).contains("1 data 0 end"))
        var hole = try StreamWire(["c1/r1:resp.body+3=hole"])
        converse(&hole)
        #expect(hole.content(1) == "012" && !hole.frames(.down).contains("1 data 0 end"))
    }

    @Test func `heads are changed as in HTTP/1`() throws {
        var wire = try StreamWire([
            "c1/r1:resp.head=edit(content-length=99)", "c1/r2:interim(103)=withhold",
        ])
        converse(&wire)
        #expect(wire.frames(.down).contains("1 :status=200 content-length=99"))
        #expect(!wire.frames(.down).contains { $0.contains("=103") })
        #expect(wire.content(1) == "0123456789" && wire.content(3) == "987")
        #expect(wire.frames(.down).last == "3 grpc-status=0 end")
    }

    @Test func `a byte is changed`() throws {
        var wire = try StreamWire(["c1/r1:resp.body+3=corrupt"])
        converse(&wire)
        let content = Array(wire.content(1).utf8)
        let differing = zip(content, "0123456789".utf8).filter { $0 != $1 }.count
        #expect(content.count == 10 && differing == 1 && content[3] != UInt8(ascii: "3"))
    }

    /// Places and effects of all kinds; what comes of them is the same however the bytes are cut.
    @Test(arguments: [
        "req.head+0", "req.head", "req.body+4", "req.end", "resp.head+0", "resp.head+20",
        "resp.head",
        "resp.body+1", "resp.body-2", "resp.body~500", "resp.end", "interim(103)",
    ])
    func `how bytes are cut changes nothing`(place: String) throws {
        var fired = 0
        for effect in [
            "rst", "fin", "hole", "stall(1s)", "slow(8kbit/s)", "corrupt", "status(503)", "swallow",
            "late(2,until=c9:connect)",
        ] {
            for r in [1, 2] {
                let fault = "c1/r\(r):\(place)=\(effect)"
                // Not every effect acts at every place.
                guard (try? Fault(parsing: fault)) != nil else { continue }
                var accounts: Set<Account> = []
                for slice in [1, 5, 23, .max] {
                    var wire = try StreamWire([fault], slice: slice)
                    converse(&wire)
                    wire.resume()
                    wire.wait()
                    wire.close()
                    accounts.insert(Account(wire))
                    fired += wire.fired.count + wire.acted.count
                }
                #expect(accounts.count == 1, "\(fault)")
            }
        }
        #expect(fired > 0)
    }

    private struct Account: Hashable {
        let content: [String]
        let messages: Set<String>
        let fired: [String]
        let unreached: [String]
        let bodies: Set<BodyNote>

        init(_ wire: StreamWire) {
            content = [wire.content(1), wire.content(3), wire.content(3, .up)]
            messages = Set((wire.frames(.up) + wire.frames(.down)).filter { $0.contains("=") })
            fired = wire.fired
            unreached = wire.unreached
            bodies = Set(wire.bodies)
        }
    }

    @Test func `what acts when a stream is over acts on the connection`() throws {
        var wire = try StreamWire(["c1/r1:idle=rst"])
        converse(&wire)
        #expect(wire.acted.map(\.id) == ["c1/r1:idle=rst"])
    }

    @Test func `a stream is reset with the code that a fault names`() throws {
        var wire = try StreamWire(["c1/r1:req.head=rst-stream(0x7)"])
        converse(&wire)
        #expect(wire.frames(.down).contains("1 REFUSED_STREAM"))
        #expect(!wire.frames(.up).contains { $0.hasPrefix("1 ") })
        #expect(wire.content(1).isEmpty && wire.content(3) == "987")
    }

    @Test func `streams that are not taken are forgotten, and the client is told`() throws {
        for (fault, last) in [("goaway", 0), ("goaway(this)", 1), ("goaway(ENHANCE_YOUR_CALM)", 0)]
        {
            var wire = try StreamWire(["c1/r1:req.head=\(fault)"])
            converse(&wire)
            let heard = wire.frames(.up).filter { $0.contains(":method") }.count
            #expect(heard == last)
            #expect(wire.content(1) == (last == 1 ? "0123456789" : ""))
            #expect(wire.content(3).isEmpty)
            let told = wire.got[.down]?.split(separator: 0).isEmpty
            #expect(told == false && wire.frames(.down).contains("0 frame 7"))
            #expect(wire.fired + wire.acted.map(\.id) == ["c1/r1:req.head=\(fault)"])
        }
    }
}
