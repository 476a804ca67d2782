import Basics
import Faults
import QUICWire
import Testing

struct FlowGateTests {
    private func gate(
        _ faults: String...,
        seed: UInt64 = 7,
        flow: UInt32 = 1,
        isIPv6: Bool = false
    ) throws -> FlowGate {
        let plan = FaultPlan(faults: try faults.map { try Fault(parsing: $0) }, seed: seed)
        return FlowGate(faults: plan.faults(onFlow: flow), isIPv6: isIPv6)
    }

    private func packet(_ type: QUICPacketType, _ range: Range<Int>) -> QUICPacket {
        QUICPacket(
            type: type,
            version: type == .oneRTT ? nil : 1,
            destination: [],
            source: [],
            range: range
        )
    }

    /// The numbers of the datagrams that are dropped.
    private func dropped(
        _ gate: FlowGate,
        _ direction: Direction,
        of count: UInt32,
        length: Int = 100
    ) -> [UInt32] {
        var gate = gate
        return (1...count).filter { _ in
            gate.judge(direction, length: length, packets: [], at: .start).isDropped
        }
    }

    @Test func `datagrams are counted in each direction`() throws {
        let gate = try gate("u1:down#3=drop", "u1:up#2..4=drop", "u2:down=drop")
        #expect(dropped(gate, .down, of: 9) == [3])
        #expect(dropped(gate, .up, of: 9) == [2, 3, 4])
    }

    @Test(arguments: ["delay(876000h)", "stall(876000h)", "hole(876000h)", "delay(3153600000s)"])
    func `the longest times are no trouble, however many and late`(effect: String) throws {
        var gate = try gate(
            "u1:down=\(effect)",
            "u1:down#2=\(effect)",
            "u1:down#2..3=\(effect)"
        )
        var exit = FlowExit<Int>()
        for now in [Instant.start, .start + .century, .start + .century + .century] {
            let verdict = gate.judge(.down, length: 9, packets: [], at: now)
            let due = (verdict.heldUntil ?? now).later(by: verdict.delay)
            #expect(verdict.isDropped || due > now)
            exit.pass(1, verdict, at: now)
        }
    }

    @Test func `delays of one datagram add up`() throws {
        var gate = try gate("u1:down=delay(50ms)", "u1:down#1=delay(30ms)")
        #expect(gate.judge(.down, length: 9, packets: [], at: .start).delay == .milliseconds(80))
        #expect(gate.judge(.down, length: 9, packets: [], at: .start).delay == .milliseconds(50))
    }

    @Test func `a fault that acted says where`() throws {
        var gate = try gate("u1:down#2=drop", "u1:down#9=drop")
        #expect(gate.judge(.down, length: 9, packets: [], at: .start).fired.isEmpty)
        let fired = gate.judge(.down, length: 9, packets: [], at: .start).fired
        #expect(fired == [.init(id: "u1:down#2=drop", address: "down#2", effect: "drop")])
        #expect(gate.silentFaults == ["u1:down#9=drop"])
    }

    @Test func `packets of a type are counted apart, coalesced ones too`() throws {
        var gate = try gate("u1/handshake:down#2=drop")
        let coalesced = [packet(.initial, 0..<600), packet(.handshake, 600..<1_200)]
        let first = gate.judge(.down, length: 1_200, packets: coalesced, at: .start)
        #expect(!first.isDropped)
        let both = [packet(.handshake, 0..<50), packet(.handshake, 50..<100)]
        let second = gate.judge(.down, length: 100, packets: both, at: .start)
        #expect(second.fired.map(\.address) == ["handshake:down#2"])
    }

    @Test func `chance decides by flow, direction and number alone`() throws {
        let numbers = dropped(try gate("u*:down?20%=drop"), .down, of: 2_000)
        #expect((300...500).contains(numbers.count))
        // What happens in the other direction, at other lengths or by other faults, changes nothing.
        var gate = try gate("u*:down?20%=drop", "u1:up=dup", "u1:down=ecn(ce)")
        let again = (1...2_000 as ClosedRange<UInt32>).filter { number in
            _ = gate.judge(.up, length: 5, packets: [], at: .start)
            let now = Instant(nanoseconds: Int64(number) * 1_000)
            return gate.judge(.down, length: Int(number), packets: [], at: now).isDropped
        }
        #expect(again == numbers)
        #expect(dropped(try self.gate("u*:down?20%=drop", flow: 2), .down, of: 2_000) != numbers)
        #expect(dropped(try self.gate("u*:down?20%=drop", seed: 8), .down, of: 2_000) != numbers)
    }

    @Test func `after a burst of so many one passes`() throws {
        let free = dropped(try gate("u1:down?80%=drop"), .down, of: 1_000)
        let bounded = dropped(try gate("u1:down?80%=drop,burst=3"), .down, of: 1_000)
        func longestRun(_ numbers: [UInt32]) -> Int {
            var (longest, run, last) = (0, 0, UInt32(0))
            for number in numbers {
                run = number == last + 1 ? run + 1 : 1
                last = number
                longest = max(longest, run)
            }
            return longest
        }
        #expect(longestRun(free) > 3)
        #expect(longestRun(bounded) == 3)
        // Until the first burst is full both are the same.
        #expect(Array(bounded.prefix(3)) == Array(free.prefix(3)))
    }

    @Test func `a flipped bit is one of the packet, and never of its version`() throws {
        var gate = try gate("u1/initial:up=corrupt")
        var places: Set<Int> = []
        for _ in 0..<4_000 {
            let verdict = gate.judge(
                .up,
                length: 60,
                packets: [packet(.oneRTT, 0..<20), packet(.initial, 20..<60)],
                at: .start
            )
            #expect(verdict.changes.count == 1)
            #expect(verdict.changes[0].flips.nonzeroBitCount == 1)
            places.insert(verdict.changes[0].place)
        }
        #expect(places == Set(20..<60).subtracting(21..<25))
    }

    @Test func `only the first bytes are changed if that is asked for`() throws {
        var gate = try gate("u1:up=corrupt(50)")
        for _ in 0..<1_000 {
            let verdict = gate.judge(.up, length: 900, packets: [], at: .start)
            #expect(verdict.changes.allSatisfy { $0.place < 50 })
        }
        #expect(gate.judge(.up, length: 0, packets: [], at: .start).changes.isEmpty)
    }

    @Test func `an MTU counts the headers of IP and UDP, from its datagram on`() throws {
        let gate = try gate("u1:down#2=mtu(1300)")
        #expect(dropped(gate, .down, of: 3, length: 1_272).isEmpty)
        #expect(dropped(gate, .down, of: 3, length: 1_273) == [2, 3])
        var other = gate
        _ = other.judge(.down, length: 9, packets: [], at: .start)
        #expect(other.judge(.down, length: 9, packets: [], at: .start).fired.isEmpty)
        #expect(
            other.judge(.down, length: 1_300, packets: [], at: .start).fired.map(\.address)
                == ["down#3"]
        )
    }

    @Test func `the header of IPv6 is longer than that of IPv4`() throws {
        let gate = try gate("u1:down#2=mtu(1300)", isIPv6: true)
        #expect(dropped(gate, .down, of: 3, length: 1_252).isEmpty)
        #expect(dropped(gate, .down, of: 3, length: 1_253) == [2, 3])
    }

    @Test func `a hole is silence for its time, in one direction or both`() throws {
        var gate = try gate("u1:down#1=hole(both,5s)")
        func isDropped(_ direction: Direction, at seconds: Int64) -> Bool {
            let now = Instant(nanoseconds: seconds * 1_000_000_000)
            return gate.judge(direction, length: 9, packets: [], at: now).isDropped
        }
        #expect(!isDropped(.up, at: 0))
        #expect(isDropped(.down, at: 1))
        #expect(isDropped(.up, at: 5))
        #expect(!isDropped(.up, at: 6))
        #expect(!isDropped(.down, at: 6))
    }

    @Test func `a stall holds what comes, and loses nothing`() throws {
        var gate = try gate("u1:down#2=stall(5s)")
        let end = Instant(nanoseconds: 6_000_000_000)
        func verdict(at seconds: Int64) -> FlowGate.Verdict {
            let now = Instant(nanoseconds: seconds * 1_000_000_000)
            return gate.judge(.down, length: 9, packets: [], at: now)
        }
        #expect(verdict(at: 0).heldUntil == nil)
        #expect(verdict(at: 1).heldUntil == end)
        #expect(verdict(at: 5).heldUntil == end)
        #expect(verdict(at: 6).heldUntil == nil)
    }

    @Test func `gentle effects act together, and none on a datagram that is dropped`() throws {
        var gate = try gate(
            "u1:up#1=dup",
            "u1:up#1=ecn(ce)",
            "u1:up#1=rebind(port)",
            "u1:up#2=drop",
            "u1:up#2=dup"
        )
        let first = gate.judge(.up, length: 9, packets: [], at: .start)
        #expect(first.isDoubled && first.mark == .experienced && first.rebinding == .port)
        let second = gate.judge(.up, length: 9, packets: [], at: .start)
        #expect(second.isDropped && !second.isDoubled)
        #expect(gate.silentFaults == ["u1:up#2=dup"])
    }

    @Test func `the shortest silence has a flow forgotten`() throws {
        let gate = try gate("u*:idle(30s)=forget", "u1:idle(5s)=forget")
        #expect(gate.forgetting?.after == .seconds(5))
        #expect(gate.forgetting?.id == "u1:idle(5s)=forget")
    }
}
