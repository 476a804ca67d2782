import Analysis
import Faults
import Testing

@testable import Exploration

@Suite struct FindingOrderTests {
    private func finding(
        _ id: String,
        _ kind: FindingClass,
        _ schedule: String,
        places: [String] = ["GET /a resp.body"]
    ) throws -> Exploration.Finding {
        Exploration.Finding(
            id: id,
            kind: kind,
            failure: kind,
            outcome: "",
            places: places.map { FindingPlace(positions: [$0], deeds: [], intervals: []) },
            minimal: try Point(parsing: schedule),
            reason: "",
            remedy: nil,
            schedules: 1,
            confirmations: .init(equal: 3, of: 3),
            others: [],
            manner: .plain,
            deadlines: 0,
            evidence: [],
            trace: nil
        )
    }

    /// The ids in their order, whatever the order they come in.
    private func order(_ findings: [Exploration.Finding]) -> [String] {
        let sorted = { (findings: [Exploration.Finding]) in
            findings.sorted { FindingOrder($0) < FindingOrder($1) }.map(\.id)
        }
        #expect(sorted(findings) == sorted(findings.reversed()))
        return sorted(findings)
    }

    @Test func `the worst class is first, however rare what shows it`() throws {
        #expect(
            order([
                try finding("a", .giveup, "lc1;c1/r1:resp.body+1=fin"),
                try finding("b", .hang, "lc1;c1/r1:resp.body+1=hole"),
                try finding("c", .lost, "lc1;c1/r1:req.end=swallow"),
                try finding("d", .corrupt, "lc1;c1/r1:req.head=inject(103)"),
            ]) == ["d", "c", "b", "a"]
        )
    }

    @Test func `of one class, a cut is before a status, and a status before what is injected`()
        throws
    {
        // The places in the order of the alphabet are the other way round.
        #expect(
            order([
                try finding("a", .hang, "lc1;c1/r1:req.head=inject(103)", places: ["a"]),
                try finding("b", .hang, "lc1;c1/r1:req.head=status(503)", places: ["b"]),
                try finding("c", .hang, "lc1;c1/r1:resp.body+1=hole", places: ["c"]),
            ]) == ["c", "b", "a"]
        )
    }

    @Test func `one fault is before two, and the rarer of two counts`() throws {
        #expect(
            order([
                try finding("a", .hang, "lc1;c1/r1:resp.body+1=fin;c1/r1:req.head=inject(103)"),
                try finding("b", .hang, "lc1;c1/r1:resp.body+1=fin;c2/r1:req.head=status(503)"),
                try finding("c", .hang, "lc1;c1/r1:resp.body+1=fin;c2/r1:resp.body+1=fin"),
                try finding("d", .hang, "lc1;c1/r1:req.head=inject(103)"),
            ]) == ["d", "c", "b", "a"]
        )
    }

    @Test func `once is before several times, and that before always`() throws {
        #expect(
            order([
                try finding("a", .hang, "lc1;GET(/a)#*:resp.body+1=fin", places: ["x", "y"]),
                try finding("b", .hang, "lc1;GET(/a)#1:resp.body+1=fin,times=2"),
                try finding("c", .hang, "lc1;c1/r1:resp.body+1=fin"),
                try finding("d", .hang, "lc1;c1/r1:req.head=status(503)"),
            ]) == ["c", "b", "a", "d"]
        )
    }

    @Test func `of equals, more places are first, then the place and the identity decide`() throws {
        let schedule = "lc1;c1/r1:resp.body+1=fin"
        #expect(
            order([
                try finding("a", .hang, schedule, places: ["y"]),
                try finding("d", .hang, schedule, places: ["x"]),
                try finding("b", .hang, schedule, places: ["x"]),
                try finding("c", .hang, schedule, places: ["z", "x"]),
            ]) == ["c", "b", "d", "a"]
        )
    }

    @Test(arguments: [
        ("c1:down+5=rst", FindingOrder.Rarity.everyday), ("c1:connect=refuse", .everyday),
        ("u1:up#1=drop", .everyday), ("c1/r1:resp.body+1=stall(1s)", .everyday),
        ("c1/r1:req.head=status(503)", .occasional), ("A(a.test)#1=nxdomain", .occasional),
        ("obj(/a)#2=mutate(grow)", .occasional), ("c1/r1:req.head=inject(103)", .contrived),
        ("c1:down+5=corrupt", .contrived),
    ])
    func `the network's own faults are everyday`(
        fault: String,
        rarity: FindingOrder.Rarity
    ) throws {
        #expect(FindingOrder.Rarity(try Point(parsing: "lc1;\(fault)")) == rarity)
    }
}
