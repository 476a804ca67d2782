import Basics
import Faults
import Testing
import TestSupport

/// Faults at bytes of a connection whose messages nobody follows.
@Suite struct ByteFaultTests {
    private func gate(_ effects: String...) throws -> FaultGate {
        try gate(effects.map { "c1:down+\($0)" })
    }

    private func gate(_ texts: [String]) throws -> FaultGate {
        let plan = FaultPlan(faults: try texts.map { try Fault(parsing: $0) }, seed: 1)
        return FaultGate(faults: plan.faults(onConnection: 1))
    }

    /// One line for an answer, so that a sequence can be compared at a glance.
    private func word(_ answer: FaultGate.Answer) -> String {
        switch answer {
        case .pass(let count, _): "pass \(count)"
        case .act(let fault): fault.effect.canonicalText
        case .finish: "finish"
        case .wait: "wait"
        case .drop, .insert, .endPace: "\(answer)"
        }
    }

    @Test func `exactly the bytes before a reset pass, and it needs no further byte`() throws {
        var gate = try gate("5=rst")
        #expect(word(gate.next(.down, available: 3)) == "pass 3")
        #expect(word(gate.next(.down, available: 9)) == "pass 2")
        #expect(word(gate.next(.down, available: 0)) == "rst")
        #expect(word(gate.next(.down, available: 7, ended: true)) == "wait")
        #expect(gate.unfired(.down).isEmpty)
    }

    @Test func `the bytes before a fault pass at once, to the very last`() throws {
        var gate = try gate("5=rst")
        #expect(gate.passes(5, .down) && !gate.passes(6, .down))
        gate.pass(5, .down)
        #expect(gate.passes(0, .down) && !gate.passes(1, .down))
        #expect(word(gate.next(.down, available: 0)) == "rst")
        #expect(gate.passes(0, .down) == false)
    }

    @Test func `a fault at offset 0 acts before anything`() throws {
        var gate = try gate("0=fin")
        #expect(word(gate.next(.down, available: 0)) == "fin")
        #expect(word(gate.next(.down, available: 5)) == "wait")
    }

    @Test func `a fault at the very end acts in place of the end`() throws {
        var gate = try gate("5=rst")
        #expect(word(gate.next(.down, available: 5, ended: true)) == "pass 5")
        #expect(word(gate.next(.down, available: 0, ended: true)) == "rst")
    }

    @Test func `a stream that ends short leaves its fault unreached, with the place`() throws {
        var gate = try gate("5=rst", "9=fin")
        #expect(word(gate.next(.down, available: 4, ended: true)) == "pass 4")
        #expect(word(gate.next(.down, available: 0, ended: true)) == "finish")
        #expect(word(gate.next(.down, available: 0, ended: true)) == "wait")
        #expect(
            gate.unfired(.down).map(\.reason.description) == [
                "stream ended at 4", "stream ended at 4",
            ]
        )
    }

    @Test func `corrupt waits for its byte and flips one bit of it`() throws {
        var gate = try gate("2=corrupt")
        #expect(word(gate.next(.down, available: 2)) == "pass 2")
        #expect(word(gate.next(.down, available: 0)) == "wait")
        guard case .act(let fault) = gate.next(.down, available: 3) else {
            Issue.record("the fault must act")
            return
        }
        #expect(fault.flippedBits.nonzeroBitCount == 1)
        #expect(word(gate.next(.down, available: 3)) == "pass 3")
    }

    @Test func `corrupt at the length of the stream is unreached`() throws {
        var gate = try gate("2=corrupt")
        #expect(word(gate.next(.down, available: 2, ended: true)) == "pass 2")
        #expect(word(gate.next(.down, available: 0, ended: true)) == "finish")
        #expect(gate.unfired(.down).map(\.reason) == [.streamEnded(at: 2)])
    }

    @Test func `a stall holds bytes and the end until it is resumed`() throws {
        var gate = try gate("2=stall(1s)", "2=slow(1kbit/s)", "3=stall(2s)")
        #expect(word(gate.next(.down, available: 9, ended: true)) == "pass 2")
        #expect(word(gate.next(.down, available: 7, ended: true)) == "slow(1kbit/s)")
        #expect(word(gate.next(.down, available: 7, ended: true)) == "stall(1s)")
        #expect(word(gate.next(.down, available: 7, ended: true)) == "wait")
        #expect(gate.isOpen(.down) == false)
        gate.resume(.down)
        #expect(word(gate.next(.down, available: 1, ended: true)) == "pass 1")
        #expect(word(gate.next(.down, available: 0, ended: true)) == "stall(2s)")
        #expect(word(gate.next(.down, available: 0, ended: true)) == "wait")
        gate.resume(.down)
        #expect(word(gate.next(.down, available: 0, ended: true)) == "finish")
    }

    @Test func `what an ending keeps from acting is told with its cause`() throws {
        var gate = try gate("2=hole", "2=rst", "9=corrupt")
        #expect(word(gate.next(.down, available: 2)) == "pass 2")
        #expect(word(gate.next(.down, available: 0)) == "hole")
        gate.resume(.down)
        #expect(word(gate.next(.down, available: 4)) == "wait")
        #expect(gate.unfired(.down).map(\.fault.effect.canonicalText) == ["rst", "corrupt"])
        #expect(
            gate.unfired(.down).map(\.reason) == [
                .after("c1:down+2=hole"), .after("c1:down+2=hole"),
            ]
        )
    }

    @Test func `the other direction can close the gate`() throws {
        var gate = try gate("5=rst")
        #expect(word(gate.next(.down, available: 2)) == "pass 2")
        gate.close(.down, by: "c1:up+1=rst")
        #expect(word(gate.next(.down, available: 9)) == "wait")
        #expect(gate.unfired(.down).map(\.reason) == [.after("c1:up+1=rst")])
    }

    @Test func `without faults everything passes at once`() {
        var gate = FaultGate()
        #expect(gate.unobstructed(.down) == nil)
        #expect(word(gate.next(.down, available: .max)) == "pass \(Int.max)")
        #expect(word(gate.next(.down, available: 0, ended: true)) == "finish")
    }

    /// The gate against a model that looks at one byte at a time, over random faults and slicings.
    @Test(arguments: Direction.allCases)
    func `every slicing of the same bytes gives the same bytes and faults`(
        direction: Direction
    ) throws {
        var numbers = SeededRandom(seed: 20_240_601)
        let effects = [
            "stall(1s)", "slow(1kbit/s)", "corrupt", "rst", "fin", "hole", "hole(both,1s)",
        ]
        for _ in 0..<1_500 {
            let length = Int.random(in: 0...40, using: &numbers)
            let texts = (0..<Int.random(in: 0...6, using: &numbers)).map { _ in
                let effect = effects.randomElement(using: &numbers) ?? "rst"
                return "c1:\(direction)+\(Int.random(in: 0...42, using: &numbers))=\(effect)"
            }
            let expected = byteByByte(try gate(texts), direction, length: length)
            for _ in 0..<6 {
                #expect(
                    sliced(try gate(texts), direction, length, using: &numbers) == expected,
                    "\(texts) over \(length) bytes"
                )
            }
        }
    }

    /// What the receiver sees: for each byte whether it was flipped, and each fault in its place.
    private func byteByByte(
        _ gate: borrowing FaultGate,
        _ direction: Direction,
        length: Int
    ) -> [String] {
        var log: [String] = []
        var waiting = gate.unfired(direction).map(\.fault)
        for place in 0...length {
            var flipped: UInt8 = 0
            while let fault = waiting.first, fault.offset == UInt64(place),
                fault.effect != .corrupt(within: nil) || place < length
            {
                waiting.removeFirst()
                log.append(fault.id)
                flipped ^= fault.flippedBits
                if fault.effect.endsStream { return log + waiting.map { "not \($0.id)" } }
            }
            if place < length { log.append("byte \(flipped)") }
        }
        return log + ["end"] + waiting.map { "not \($0.id)" }
    }

    private func sliced(
        _ start: consuming FaultGate,
        _ direction: Direction,
        _ length: Int,
        using numbers: inout SeededRandom
    ) -> [String] {
        var gate = start
        var log: [String] = []
        var rest = length
        var flipped: UInt8 = 0
        while true {
            let offered = Int.random(in: 0...rest, using: &numbers)
            let ended = offered == rest && Bool.random(using: &numbers)
            switch gate.next(direction, available: offered, ended: ended) {
            case .pass(let count, _):
                #expect((1...offered).contains(count))
                for _ in 0..<count {
                    log.append("byte \(flipped)")
                    flipped = 0
                }
                rest -= count
            case .act(let fault):
                log.append(fault.id)
                flipped ^= fault.flippedBits
                if fault.effect.endsStream {
                    return log + gate.unfired(direction).map { "not \($0.fault.id)" }
                }
            case .finish:
                return log + ["end"] + gate.unfired(direction).map { "not \($0.fault.id)" }
            case .drop, .insert, .endPace: Issue.record("a gate that reads nothing changes nothing")
            case .wait: if Bool.random(using: &numbers) { gate.resume(direction) }
            }
        }
    }

    // What changes while bytes flow.

    @Test func `a fault that comes late acts in its order, unless its place is passed`() throws {
        var gate = try gate("50=slow(1Mbit/s)")
        #expect(word(gate.next(.down, available: 20)) == "pass 20")
        for (text, isArmed) in [("60=rst", true), ("30=stall(1s)", true), ("10=fin", false)] {
            #expect(try arm(text, at: &gate) == isArmed)
        }
        #expect(word(gate.next(.down, available: 100)) == "pass 10")
        #expect(word(gate.next(.down, available: 90)) == "stall(1s)")
        gate.resume(.down)
        #expect(word(gate.next(.down, available: 90)) == "pass 20")
        #expect(word(gate.next(.down, available: 70)) == "slow(1Mbit/s)")
        #expect(word(gate.next(.down, available: 70)) == "pass 10")
        #expect(word(gate.next(.down, available: 60)) == "rst")
        #expect(!(try arm("99=fin", at: &gate)))
    }

    @Test func `a fault at the very place acts before the next byte`() throws {
        var gate = try gate([])
        #expect(word(gate.next(.down, available: 20)) == "pass 20")
        #expect((try arm("20=rst", at: &gate)))
        #expect(word(gate.next(.down, available: 0)) == "rst")
    }

    @Test func `a fault that is taken back does not act, one that has acted stays`() throws {
        var gate = try gate("5=slow(1Mbit/s)", "9=rst")
        #expect(word(gate.next(.down, available: 20)) == "pass 5")
        #expect(word(gate.next(.down, available: 15)) == "slow(1Mbit/s)")
        #expect(!disarm("c1:down+5=slow(1Mbit/s)", at: &gate))
        #expect(disarm("c1:down+9=rst", at: &gate))
        #expect(!disarm("c1:down+9=rst", at: &gate))
        #expect(word(gate.next(.down, available: 15)) == "pass 15")
        #expect(gate.unfired(.down).isEmpty)
    }

    @Test func `a gate can begin behind bytes that have passed without it`() throws {
        var gate = try gate([])
        gate.begin(.down, at: 1_000)
        #expect(!(try arm("999=rst", at: &gate)))
        #expect((try arm("1002=rst", at: &gate)))
        #expect(word(gate.next(.down, available: 9)) == "pass 2")
        #expect(word(gate.next(.down, available: 7)) == "rst")
    }

    private func arm(_ effect: String, at gate: inout FaultGate) throws -> Bool {
        gate.arm(try #require(faults(effect).first))
    }

    private func disarm(_ id: String, at gate: inout FaultGate) -> Bool { gate.disarm(id) }

    private func faults(_ effect: String) throws -> [ArmedFault] {
        let plan = FaultPlan(faults: [try Fault(parsing: "c1:down+\(effect)")], seed: 1)
        return plan.faults(onConnection: 1).down
    }
}
