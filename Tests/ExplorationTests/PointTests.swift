import Exploration
import Faults
import Testing

@Suite struct PointTests {
    static let lines = [
        "lc1", "lc1;c1:connect=refuse(3)", "lc1;c1/r1:resp.body+1=fin",
        "lc1;c*/r1:req.head+0=rst,times=3", "lc1;c2:up+7=stall(1s)", "lc1;c2:idle=rst-on-next",
        "lc1;PATCH(/u/*)#1:req.body~500=rst,see=104",
        "lc1;GET(/a:b/c?d)#*:resp.head-1=hole(both,2s)", "lc1;c1/r2:interim(104)+0=rst",
        "lc1;c1/r2:interim(104#2)=dup", "lc1;obj(/big.bin)#2=mutate(same-size)",
        "lc1;c1/r1:req.head=status(503,retry-after=4)",
        "lc1;c1/r1:req.body+5=late(7,until=PATCH(/u/*)#2:req.end)",
        "lc1;c1/r1:resp.body+1=fin;c2/r1:resp.body+2=rst;GET(/a)#3:resp.end=fin;obj(/a)#2=expire",
    ]

    @Test(arguments: lines)
    func `a schedule line is read as it is written`(line: String) throws {
        #expect(try Point(parsing: line).schedule == line)
    }

    @Test(arguments: [
        "", "lc2", "lc1;", "lc1;c1", "lc1;c1=", "lc1;c0:connect=refuse", "lc1;c1:here=fin",
        "lc1;c1/r1:resp.body+=fin", "lc1;c1/r1:resp.body+x=fin", "lc1;c1/r:req.end=fin",
        "lc1;GET(/a):resp.end=fin", "lc1;c1:interim(x)=dup", "lc1;c1x:connect=refuse",
    ])
    func `what is no schedule is refused`(line: String) {
        #expect(throws: ScheduleError.self) { try Point(parsing: line) }
    }

    @Test func `faults are written in order of their places, without seed and base`() throws {
        let point = try Point(
            parsing: "lc1;seed=7;base=0011223344556677;GET(/a)#1:resp.end=fin;c2:connect=refuse"
                + ";c1/r2:req.end=fin;c1/r1:resp.end=fin;c1/r1:resp.body-1=fin"
                + ";c1/r1:resp.body~500=fin;c1/r1:resp.body+12=fin;c1/r1:resp.body+3=fin"
        )
        #expect(
            point.schedule
                == "lc1;c2:connect=refuse;c1/r1:resp.body+3=fin;c1/r1:resp.body+12=fin;c1/r1:resp.body~500=fin"
                + ";c1/r1:resp.body-1=fin;c1/r1:resp.end=fin;c1/r2:req.end=fin"
                + ";GET(/a)#1:resp.end=fin"
        )
    }

    @Test func `a point is known by the digest of its line`() throws {
        let point = try Point(parsing: "lc1;seed=7;c1/r1:resp.body+1=fin")
        // printf 'lc1;c1/r1:resp.body+1=fin' | sha256sum
        #expect(point.identity.text == Self.digest)
        #expect(Point(point.faults.reversed()).identity == point.identity)
    }

    private static let digest = "c8760782eca5f1fff9a05fc68cd555625b66278bd738b7512b89878090d3c1de"

    @Test(arguments: [
        ("lc1;c1/r1:req.end=fin", false), ("lc1;c*:down+1=rst", true),
        ("lc1;c*/r1:req.end=fin", true), ("lc1;GET(/a)#*:resp.end=fin", true),
        ("lc1;GET(/a)#*:resp.end=fin,times=2", false),
        ("lc1;GET(/a)#1:resp.end=fin", false), ("lc1;c1:connect=refuse(3)", false),
    ])
    func `a fault on every try does not pass`(line: String, isPermanent: Bool) throws {
        #expect(try Point(parsing: line).isPermanent == isPermanent)
    }
}
