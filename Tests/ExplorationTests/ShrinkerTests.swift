import Analysis
import Exploration
import Faults
import LinkEngine
import Testing

@Suite struct ShrinkerTests {
    private static let map = SimulatedClient.download(body: 60_000)

    private static func sign(_ kind: FindingClass, _ outcome: String = "") -> FindingSign {
        FindingSign(kind, outcome)
    }

    /// Shrinks against a client that answers at once; counts its runs.
    private func shrink(
        _ line: String,
        limit: Int = Shrinker.limit,
        otherwise: FindingSign? = nil,
        _ fails: (Point) -> Bool
    ) throws -> (line: String, runs: Int, tests: Int) {
        let shrinker = Shrinker(
            try Point(parsing: line),
            sign: Self.sign(.corrupt),
            effects: Effect.Kind.standard,
            positions: ProtocolPositions(Self.map),
            limit: limit
        )
        var known: [Point: FindingSign?] = [:]
        while true {
            switch shrinker.step({ known[$0] }) {
            case .done(let point, let tests): return (point.schedule, known.count, tests)
            case .needs(let point):
                #expect(known[point] == nil)
                known[point] = .some(fails(point) ? Self.sign(.corrupt) : otherwise)
            }
        }
    }

    private func position(_ fault: Fault) -> UInt64 {
        ProtocolPositions(Self.map).axis(of: fault)?.position(of: fault.address) ?? 0
    }

    @Test func `four faults come down to one, at the first byte where it fails`() throws {
        let result = try shrink(
            "lc1;c1/r1:req.head+5=rst;c2/r1:resp.head+3=fin;c3/r1:resp.body+40000=stall(1s)"
                + ";c4/r1:resp.body+7=rst"
        ) { point in
            point.faults.contains { $0.address.isIn(.body) && position($0) > 121 + 999 }
        }
        #expect(result.line == "lc1;c1/r1:resp.body+1000=fin")
        #expect(result.runs < 56)
        #expect(result.tests <= Shrinker.limit)
    }

    @Test func `two faults that need each other stay, each at its smallest`() throws {
        let result = try shrink(
            "lc1;c1/r1:resp.body+512=rst;c2/r1:resp.body+700=hole;c3/r1:req.end=fin"
        ) { point in
            Set(point.faults.filter { $0.address.isIn(.body) }.map(\.address.target)).count
                > 1
        }
        #expect(result.line == "lc1;c1/r1:resp.body+1=fin;c2/r1:resp.body+1=fin")
    }

    @Test func `what fails in another way is not the failure that is sought`() throws {
        let line = "lc1;c1/r1:resp.body+512=rst;c2/r1:resp.body+700=hole"
        for other in [Self.sign(.hang), Self.sign(.corrupt, "success partial")] {
            let result = try shrink(line, otherwise: other) { $0.faults.count > 1 }
            #expect(try Point(parsing: result.line).faults.count == 2)
        }
    }

    @Test(arguments: [1, 3, 8])
    func `what is needed next, and after it, comes to what one by one comes to`(count: Int) throws {
        let start = "lc1;c1/r1:resp.body+512=rst;c2/r1:resp.body+700=hole;c3/r1:req.end=fin"
        func fails(_ point: Point) -> Bool { point.faults.count { $0.address.isIn(.body) } > 1 }
        let shrinker = Shrinker(
            try Point(parsing: start),
            sign: Self.sign(.corrupt),
            effects: Effect.Kind.standard,
            positions: ProtocolPositions(Self.map)
        )
        var known: [Point: FindingSign?] = [:]
        var rounds = 0
        while case .needs(let first) = shrinker.step({ known[$0] }) {
            let points = shrinker.needs({ known[$0] }, atMost: count)
            #expect(points.first == first && points.count <= count)
            #expect(Set(points).count == points.count)
            for point in points {
                #expect(known[point] == nil)
                known[point] = .some(fails(point) ? Self.sign(.corrupt) : nil)
            }
            rounds += 1
        }
        let oneByOne = try shrink(start, fails)
        #expect(
            shrinker.step { known[$0] }
                == .done(try Point(parsing: oneByOne.line), tests: oneByOne.tests)
        )
        #expect(count == 1 ? rounds == oneByOne.runs : rounds < oneByOne.runs)
    }

    @Test func `once is simpler than always`() throws {
        let result = try shrink("lc1;GET(/object)#*:resp.body+1=rst") { point in
            point.faults.allSatisfy { $0.address.isIn(.body) }
        }
        #expect(result.line == "lc1;GET(/object)#1:resp.body+1=fin")
    }

    @Test func `what fails only as it is stays as it is`() throws {
        let line = "lc1;c1/r1:resp.body+512=rst;c2/r1:resp.body+700=hole"
        #expect(try shrink(line) { _ in false }.line == line)
    }

    @Test func `a search has an end, whatever it meets`() throws {
        let line = "lc1;c1/r1:resp.body+512=stall(1s);c2/r1:resp.body+700=stall(1s)"
        let result = try shrink(line, limit: 7) { $0.faults.count > 1 }
        #expect(result.tests == 7)
        #expect(result.line != line)
        #expect(result.runs == 7)
    }
}
