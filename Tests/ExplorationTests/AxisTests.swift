import Exploration
import Faults
import LinkEngine
import Testing

@Suite struct AxisTests {
    private static let target = FaultTarget.requests(on: .one(1), .one(1))

    static let axes: [Axis] = [
        Axis(target, .request, head: 80, body: 0),
        Axis(target, .request, head: 80, body: 50, framing: .length),
        Axis(target, .response, head: 121, body: 1_500, framing: .length),
        Axis(target, .response, head: 121, body: 150, framing: .chunked),
        Axis(target, .response, head: 121, body: 150, framing: .close),
        Axis(target, .response, head: 1, body: 1, framing: .length),
        Axis(.connections(.one(1)), .up, body: 300),
        Axis(.connections(.one(1)), .down, body: 0),
        Axis(target, .interim(status: 104, 2), head: 60, body: 0),
    ]

    @Test(arguments: axes)
    func `every position has one name, and every name its position`(axis: Axis) {
        var seen: Set<FaultAddress> = []
        for position in 0...axis.end {
            let place = axis.place(at: position)
            #expect(axis.position(of: place) == position)
            #expect(seen.insert(place).inserted)
        }
    }

    @Test func `names follow the course of the message`() {
        let axis = Self.axes[2]
        let names = [0, 1, 120, 121, 122, 1_620, 1_621].map { axis.place(at: $0).canonicalText }
        #expect(
            names == [
                "c1/r1:resp.head+0", "c1/r1:resp.head+1", "c1/r1:resp.head+120", "c1/r1:resp.head",
                "c1/r1:resp.body+1", "c1/r1:resp.body+1499", "c1/r1:resp.end",
            ]
        )
        // The last chunk comes behind the last content byte.
        #expect(Self.axes[3].place(at: 271).canonicalText == "c1/r1:resp.body+150")
        #expect(Self.axes[3].place(at: 272).canonicalText == "c1/r1:resp.end")
        // A body that the connection's end delimits has no end of its own.
        #expect(Self.axes[4].place(at: 271).canonicalText == "c1/r1:resp.body+150")
    }

    @Test(
        arguments: [
            ("c1/r1:resp.body~500", 871), ("c1/r1:resp.body-1", 1_620), ("c1/r1:resp.head-1", 120),
            ("c1/r1:resp.head-0", 121), ("c1/r1:resp.body~1000", 1_621),
        ] as [(String, UInt64)]
    )
    func `shares and distances from the end are positions, too`(text: String, position: UInt64)
        throws
    {
        let place = try Fault(parsing: "\(text)=rst").address
        #expect(Self.axes[2].position(of: place) == position)
    }

    @Test(arguments: [
        "c1/r1:resp.body+1501", "c1/r1:resp.body-1501", "c1/r1:resp.body+1..2", "c1/r1:req.end",
        "c2/r1:resp.end", "c1/r1:interim(104)",
    ])
    func `what is not on the axis has no position`(text: String) throws {
        let place = try Fault(parsing: "\(text)=rst").address
        #expect(Self.axes[2].position(of: place) == nil)
    }

    @Test func `boundaries are the edges of head and content, and powers of two`() {
        #expect(
            Self.axes[2].boundaries() == [
                0, 1, 120, 121, 122, 123, 125, 129, 137, 153, 185, 249, 377, 633, 871, 1_145, 1_620,
                1_621,
            ]
        )
        #expect(Self.axes[0].boundaries() == [0, 79, 80])
        #expect(Self.axes[1].boundaries() == [0, 79, 80, 81, 105, 129, 130])
        #expect(Self.axes[5].boundaries() == [0, 1, 2])
        #expect(Self.axes[7].boundaries() == [0])
        #expect(Self.axes[3].boundaries(chunkEdges: [100, 150, 170]).contains(221))
        #expect(!Self.axes[3].boundaries(chunkEdges: [170]).contains(291))
    }

    @Test func `lines of a head are boundaries, too`() {
        let lines = Self.axes[2].boundaries(headEdges: [17, 40, 119, 121])
        #expect(Set(lines).subtracting(Self.axes[2].boundaries()) == [17, 40, 119])
    }

    @Test(arguments: axes)
    func `boundaries and landmarks lie on the axis, in order`(axis: Axis) {
        for positions in [axis.boundaries(), axis.landmarks] {
            #expect(positions == Array(Set(positions)).sorted())
            #expect(positions.allSatisfy { $0 <= axis.end })
        }
    }

    @Test func `edges are searched to the byte below 64 KiB, else to a hundredth`() {
        #expect(Axis(Self.target, .response, body: 65_535).tolerance == 1)
        #expect(Axis(Self.target, .response, body: 10_000_000).tolerance == 100_000)
    }
}
