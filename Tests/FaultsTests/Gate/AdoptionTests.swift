import Basics
import Faults
import HTTPWire
import Testing

/// Faults that come while the connection is open.
@Suite struct AdoptionTests {
    private typealias Adoption = FaultGate.Adoption

    /// Three requests one after another, as bytes of one side at a time.
    private static let dialogue: [(Direction, String)] = [
        (.up, Message.put), (.down, Message.progress + Message.created), (.up, Message.get),
        (.down, Message.answer), (.up, Message.get), (.down, Message.chunked),
    ]

    private func play(_ wire: Wire, _ steps: [(Direction, [UInt8])]) {
        for (direction, bytes) in steps { wire.send(bytes, direction) }
    }

    /// The dialogue in two parts: so many bytes, and the rest.
    private func cut(at count: Int) -> (
        before: [(Direction, [UInt8])], after: [(Direction, [UInt8])]
    ) {
        var left = count
        var parts: (before: [(Direction, [UInt8])], after: [(Direction, [UInt8])]) = ([], [])
        for (direction, text) in Self.dialogue {
            let bytes = Array(text.utf8)
            let first = min(left, bytes.count)
            left -= first
            parts.before.append((direction, Array(bytes[..<first])))
            parts.after.append((direction, Array(bytes[first...])))
        }
        return parts
    }

    /// Where the dialogue is cut: for one fault at each byte, for the others at the ends of what a
    /// side sends, one byte behind them, and at a few bytes between.
    private func places(isThorough: Bool, total: Int) -> [Int] {
        guard !isThorough else { return Array(0...total) }
        var end = 0
        var places: Set<Int> = [0]
        for (_, text) in Self.dialogue {
            end += text.utf8.count
            places.formUnion([end, end + 1])
        }
        places.formUnion(stride(from: 0, through: total, by: 197))
        return places.filter { $0 <= total }.sorted()
    }

    @Test(
        arguments: [
            "c1/r2:req.head+3=rst", "c1/r2:resp.body+5=fin", "c1/r2:req.end=swallow",
            "c1/r2:req.head=status(503)",
            "c1/r2:resp.head=stall(1ms)", "c*/r2:resp.body~500=corrupt", "c1/r2=buffer(resp)",
        ],
        [13, .max]
    )
    func `whenever it comes, a fault acts on its request as from the start, or not at all`(
        fault: String,
        slice: Int
    ) throws {
        let always = try Wire([fault], slice: slice)
        play(always, cut(at: 0).after)
        always.close()
        let never = try Wire([], slice: slice)
        play(never, cut(at: 0).after)
        never.close()
        let total = Self.dialogue.reduce(0) { $0 + $1.1.utf8.count }
        let second = Self.dialogue[0].1.utf8.count + Self.dialogue[1].1.utf8.count
        let isThorough = fault == "c1/r2:req.head+3=rst" && slice == .max
        for place in places(isThorough: isThorough, total: total) {
            let wire = try Wire([], slice: slice)
            let (before, after) = cut(at: place)
            play(wire, before)
            let adoption = try wire.add(fault)
            play(wire, after)
            wire.close()
            #expect(adoption.isArmed == (place <= second), "\(place)")
            #expect(adoption.isLate == (place > second), "\(place)")
            let expected = place <= second ? always : never
            #expect(wire.toClient == expected.toClient, "\(place)")
            #expect(wire.toServer == expected.toServer, "\(place)")
            #expect(wire.fired == expected.fired, "\(place)")
            #expect(wire.bodies == expected.bodies, "\(place)")
            let isTold = place > second && fault.hasPrefix("c1")
            #expect(wire.unreached == (isTold ? ["\(fault): added late"] : []), "\(place)")
        }
    }

    @Test func `requests that were sent ahead pass, and those behind them wait their turn`() throws
    {
        let wire = try Wire([])
        wire.client(Message.get + Message.get)
        let adoption = try wire.add("c1/r3:resp.body+1=rst")
        #expect(adoption == Adoption(isArmed: true, isLate: false))
        wire.client(Message.get)
        #expect(wire.toServer == Message.get + Message.get)
        wire.server(Message.answer)
        #expect(wire.toServer == Message.get + Message.get)
        wire.server(Message.answer)
        #expect(wire.toServer == Message.get + Message.get + Message.get)
        wire.server(Message.answer)
        #expect(wire.toClient == Message.answer + Message.answer + Message.answerHead + "0")
        #expect(wire.log.count == 1)
    }

    @Test func `a pattern counts requests from when it came`() throws {
        let wire = try Wire([])
        wire.client(Message.get)
        wire.server(Message.answer)
        #expect(
            try wire.add("GET(/big*)#2:resp.body+3=fin") == Adoption(isArmed: true, isLate: true)
        )
        for _ in 0..<2 {
            wire.client(Message.get)
            wire.server(Message.answer)
        }
        #expect(wire.toClient == Message.answer + Message.answer + Message.answerHead + "012")
    }

    @Test func `a fault on each request acts on those to come`() throws {
        let wire = try Wire([])
        wire.client(Message.get)
        wire.server(Message.answer)
        #expect(try wire.add("c1/r*:resp.body+0=rst") == Adoption(isArmed: true, isLate: true))
        #expect(try wire.add("c2/r1:resp.body+0=rst") == Adoption(isArmed: false, isLate: false))
        wire.client(Message.get)
        wire.server(Message.answer)
        #expect(wire.toClient == Message.answer + Message.answerHead)
        wire.close()
        #expect(wire.unreached == [])
    }

    @Test func `a request that times alone would name is armed as long as they last`() throws {
        for (times, isArmed) in [("times=3", true), ("times=2", false), ("times=all", true)] {
            let wire = try Wire([])
            for _ in 0..<2 {
                wire.client(Message.get)
                wire.server(Message.answer)
            }
            let adoption = try wire.add("c1/r1:resp.body+0=fin,\(times)")
            #expect(adoption == Adoption(isArmed: isArmed, isLate: true), "\(times)")
        }
    }

    @Test func `what has been passed has happened for a fault that waits for it`() throws {
        let wire = try Wire([])
        wire.client(Message.get)
        wire.server(Message.answer)
        _ = try wire.add("c2/r1:resp.head=stall(until=c1:down+5)")
        #expect(wire.notes.contains { if case .happened = $0 { true } else { false } })
    }
}
