import Basics
import Faults
import Testing

@Suite struct FaultPlanTests {
    private func plan(_ texts: String..., seed: UInt64 = 1) throws -> FaultPlan {
        FaultPlan(faults: try texts.map { try Fault(parsing: $0) }, seed: seed)
    }

    private func refused(_ plan: FaultPlan, in connections: ClosedRange<UInt32>) -> [UInt32] {
        connections.filter { plan.faults(onConnection: $0).refusedBy != nil }
    }

    @Test func `ordinals choose one, every, every k-th or the j-th of every k`() throws {
        #expect(refused(try plan("c3:connect=refuse"), in: 1...12) == [3])
        #expect(refused(try plan("c*:connect=refuse"), in: 1...4) == [1, 2, 3, 4])
        #expect(refused(try plan("c*/3:connect=refuse"), in: 1...12) == [3, 6, 9, 12])
        #expect(refused(try plan("c1/4:connect=refuse"), in: 1...12) == [1, 5, 9])
    }

    @Test func `a refusal lasts for as many connections as it says`() throws {
        #expect(refused(try plan("c2:connect=refuse(3)"), in: 1...9) == [2, 3, 4])
        #expect(refused(try plan("c*/4:connect=refuse(2)"), in: 1...10) == [4, 5, 8, 9])
        let last = try plan("c4294967290:connect=refuse(10000)")
        #expect(last.faults(onConnection: .max).refusedBy != nil)
    }

    @Test func `a refused connection says what it kept from acting`() throws {
        let faults = try plan("c1:connect=refuse", "c1:up+4=rst").faults(onConnection: 1)
        #expect(faults.preempted.map(\.fault.id) == ["c1:up+4=rst"])
        #expect(faults.preempted.map(\.reason.description) == ["refused by c1:connect=refuse"])
    }

    /// 4,000 draws at 25 %: the mean is 1,000 and the standard deviation 27; six of them are 164.
    @Test func `a chance is kept over many connections and noted for each`() throws {
        let plan = try plan("c*?25%:down+5=rst")
        var hits = 0
        for connection in 1...4_000 as ClosedRange<UInt32> {
            let faults = plan.faults(onConnection: connection)
            hits += faults.down.count
            #expect(faults.draws.map(\.value) == [UInt64(faults.down.count)])
        }
        #expect(abs(hits - 1_000) < 164)
    }

    @Test func `a drawn offset stays in its range and meets both ends`() throws {
        let plan = try plan("c*:up+10..13=rst")
        let offsets = (1...200 as ClosedRange<UInt32>).flatMap {
            plan.faults(onConnection: $0).up.map(\.offset)
        }
        #expect(offsets.count == 200)
        #expect(Set(offsets) == [10, 11, 12, 13])
    }

    @Test func `the widest range draws without overflow`() throws {
        let plan = try plan("c*:up+0..9223372036854775807=rst")
        let offset = try #require(plan.faults(onConnection: 1).up[0].offset)
        #expect(offset <= ScheduleLimits.offset)
    }

    @Test func `other faults, their order and other connections shift no draw`() throws {
        let alone = try plan("c*?50%:down+0..100000=corrupt")
        let crowd = try plan(
            "c*:up+0..7=rst",
            "c*?50%:down+0..100000=corrupt",
            "c*?50%:down+0..100000=fin"
        )
        for connection in (1...50 as ClosedRange<UInt32>).reversed() {
            let id = "c*?50%:down+0..100000=corrupt"
            let one = alone.faults(onConnection: connection)
            let other = crowd.faults(onConnection: connection)
            #expect(one.draws == other.draws.filter { $0.fault == id })
            #expect(one.down.map(\.offset) == other.down.filter { $0.id == id }.map(\.offset))
        }
    }

    @Test func `another seed draws otherwise`() throws {
        let text = "c*:down+0..1000000=corrupt"
        let one = try plan(text, seed: 1)
        let other = try plan(text, seed: 2)
        #expect(one.faults(onConnection: 1).draws != other.faults(onConnection: 1).draws)
        #expect(one.faults(onConnection: 1) == one.faults(onConnection: 1))
    }

    @Test func `draws are pinned, so that a seed means the same in every version`() throws {
        let plan = try plan("c*?50%:down+0..999=corrupt", seed: 7)
        let draws = (1...4 as ClosedRange<UInt32>).flatMap {
            plan.faults(onConnection: $0).draws.map { "\($0.index) \($0.stage) \($0.value)" }
        }
        #expect(
            draws == [
                "1 chance 0", "2 chance 0", "3 chance 0", "4 chance 1", "4 offset 798", "4 bit 7",
            ]
        )
    }

    @Test func `equal faults have identities of their own`() throws {
        let plan = try plan("c1:down+5=corrupt", "c1:down+5=corrupt", "c1:down+5=rst")
        #expect(
            plan.faults.map(\.id) == ["c1:down+5=corrupt", "c1:down+5=corrupt#2", "c1:down+5=rst"]
        )
    }

    @Test func `faults act by offset, and the gentler first, in whatever order they are given`()
        throws
    {
        let texts = [
            "c1:down+9=slow(1kbit/s)", "c1:down+5=corrupt", "c1:down+5=rst", "c1:down+5=fin",
            "c1:down+5=hole", "c1:down+5=stall(1s)", "c1:down+5=slow(1kbit/s)",
        ]
        let expected = [
            "c1:down+5=slow(1kbit/s)", "c1:down+5=stall(1s)", "c1:down+5=hole", "c1:down+5=fin",
            "c1:down+5=rst", "c1:down+5=corrupt", "c1:down+9=slow(1kbit/s)",
        ]
        for faults in [texts, texts.reversed()] {
            let plan = FaultPlan(faults: try faults.map { try Fault(parsing: $0) }, seed: 1)
            #expect(plan.faults(onConnection: 1).down.map(\.id) == expected)
        }
    }

    @Test func `a fault is racy if one of the other direction can end the connection`() throws {
        let one = try plan("c1:down+5=corrupt", "c1:up+5=rst").faults(onConnection: 1)
        #expect(one.down.map(\.isRacy) == [true])
        #expect(one.up.map(\.isRacy) == [false])
        let other = try plan("c1:down+5=hole", "c1:up+5=stall(1s)").faults(onConnection: 1)
        #expect((other.down + other.up).map(\.isRacy) == [false, false])
    }

    @Test func `a connection without faults needs no gate`() throws {
        let plan = try plan("c2:down+5=rst")
        #expect(plan.faults(onConnection: 1).isEmpty)
        #expect(!plan.faults(onConnection: 2).isEmpty)
    }

    @Test func `adding and taking out faults changes no draw of the others`() throws {
        let texts = ["c*?50%:down+1..900=rst", "c*:up+0..9=corrupt", "c*/2?30%:connect=refuse"]
        let others = try texts.map { try Fault(parsing: $0) }
        let more = try Fault(parsing: "c*?20%:down+5..700=fin")
        var plan = FaultPlan(faults: others, seed: 9)
        let before = (1...200).map { plan.faults(onConnection: UInt32($0)) }
        let id = plan.add(more)
        for number in 1...200 {
            let ordinal = UInt32(number)
            let all = plan.faults(onConnection: ordinal)
            let known = all.up.filter { $0.id != id }.map(\.offset)
            #expect(known == before[number - 1].up.map(\.offset))
            let alone = plan.faults(onConnection: ordinal, of: id).down.map(\.offset)
            #expect(alone == all.down.filter { $0.id == id }.map(\.offset))
        }
        #expect(plan.remove(id) == more)
        #expect(plan.remove(id) == nil)
        #expect((1...200).map { plan.faults(onConnection: UInt32($0)) } == before)
        #expect(plan.add(more) == "\(id)#2")
        #expect(plan.takeIdentity(more.canonicalText) == "\(id)#3")
        let areBack = [2, 3].map { plan.giveBack("\(id)#\($0)", of: more) }
        #expect(areBack == [false, true])
        #expect(plan.add(more) == "\(id)#3")
    }

    @Test func `connections to a host are counted by themselves, with draws of their own`() throws {
        let api = try #require(HostPattern("api"))
        let text = [
            "host(api)/c2:down+100..9999=rst", "c5:up+1=fin", "host(cdn)/c*:connect=refuse",
        ]
        let plan = FaultPlan(faults: try text.map { try Fault(parsing: $0) }, seed: 7)
        #expect(plan.hosts == [api, try #require(HostPattern("cdn"))])
        #expect(plan.faults(onConnection: 2).isEmpty)
        #expect(plan.faults(onConnection: 9, hosts: [api: 1]).isEmpty)
        let here = plan.faults(onConnection: 5, hosts: [api: 2])
        #expect(here.down.count == 1 && here.up.count == 1)
        // Which of all connections it is changes nothing.
        let there = plan.faults(onConnection: 9, hosts: [api: 2])
        #expect(there.down.map(\.place) == here.down.map(\.place))
    }
}
