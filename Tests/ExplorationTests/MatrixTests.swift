import Analysis
import Basics
import Faults
import Testing

@testable import Exploration

@Suite struct MatrixTests {
    private func record(_ fault: String, _ letter: Character) throws -> PointRecord {
        let judgement: PointJudgement =
            switch letter {
            case "X": .failure(.giveup, reason: "")
            case "h": .honest
            default: .pass
            }
        let point = try Point(parsing: "lc1;\(fault)")
        return PointRecord(
            point: point,
            purpose: .boundary,
            judgement: judgement,
            signature: Signature(judgement, SimulatedClient.outcome()),
            positions: point.faults.map(\.address.message)
        )
    }

    private func matrix(_ letters: [(String, Character)]) throws -> Matrix {
        Matrix(try letters.map { try record($0.0, $0.1) })
    }

    private func text(_ letters: [(String, Character)], width: Int = 100) throws -> String {
        MatrixText(try matrix(letters), width: width).lines.joined(separator: "\n")
    }

    private static let bytes: [(String, Character)] = [
        ("c1/r1:resp.body+1=fin", "X"), ("c1/r1:resp.body+2=fin", "X"),
        ("c1/r1:resp.body+1=rst", "."), ("c1/r1:resp.body+2=rst", "."),
        ("c1/r1:resp.body=hole", "h"), ("c1/r1:req.head=status(503)", "."),
        ("c1/r1:req.head=status(404)", "X"), ("GET(/a)#1:resp.body+1=fin,times=2", "X"),
    ]

    @Test func `places stand under whose traffic they are, with how the faults act there`() throws {
        #expect(
            try text(Self.bytes) == """
                                    fin  rst  hole  status
                c1/r1
                  req.head                             X
                  resp.body+1 … +2   X    .                 2 places
                  resp.body                     h
                GET(/a)#1, times=2
                  resp.body+1        X
                """
        )
    }

    @Test func `what does not fit stands below, with its own places only`() throws {
        let narrow = """
                                fin
            c1/r1
              resp.body+1 … +2   X   2 places
            GET(/a)#1, times=2
              resp.body+1        X

                                rst
            c1/r1
              resp.body+1 … +2   .   2 places

                         hole  status
            c1/r1
              req.head            X
              resp.body    h
            """
        #expect(try text(Self.bytes, width: 35) == narrow)
        // One more character, and the line of the count fits as well.
        #expect(try text(Self.bytes, width: 38).hasPrefix("                    fin  rst\n"))
        #expect(try text(Self.bytes, width: 37).hasPrefix("                    fin\n"))
        // One effect is the least, however narrow it is.
        #expect(try text(Self.bytes, width: 1).split(separator: "\n\n").count == 4)
    }

    @Test func `no line but the name of a group is wider than it may be`() throws {
        let path = String(repeating: "long/", count: 20)
        let all = Self.bytes + [("GET(/\(path))#*:req.end=swallow", "h")]
        for width in 33...100 {
            let lines = try text(all, width: width).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= width || !$0.hasPrefix(" ") }, "\(width)")
        }
    }

    @Test func `forms of an effect share a column while they come to the same`() throws {
        let alike = try matrix([
            ("c1:connect=refuse", "X"), ("c1:connect=refuse(2)", "X"), ("c*:connect=refuse", "h"),
        ])
        #expect(alike.columns == ["refuse"])
        #expect(alike.rows.map(\.label) == ["c1: connect", "c*: connect"])
        #expect(alike.rows.map(\.letters) == [["X"], ["h"]])
        #expect(alike.rows[0].runs.count == 2)
        let different = try matrix([
            ("c1:connect=refuse", "."), ("c1:connect=refuse(2)", "X"), ("c*:connect=refuse", "h"),
        ])
        #expect(different.columns == ["refuse", "refuse(2)"])
        #expect(different.rows.map(\.letters) == [[".", "X"], ["h", " "]])
        #expect(try matrix([("c1:connect=refuse(2)", "X")]).columns == ["refuse(2)"])
    }

    @Test func `the same cut once and twice are two rows`() throws {
        let matrix = try matrix([
            ("GET(/a)#1:resp.body+1=fin,times=2", "X"), ("GET(/a)#1:resp.body+1=fin", "."),
            ("GET(/a)#1:resp.body+2=fin", "."), ("c1/r1:resp.body+1=fin", "."),
        ])
        #expect(matrix.columns == ["fin"])
        #expect(
            matrix.rows.map(\.label) == [
                "c1/r1: resp.body+1", "GET(/a)#1: resp.body+1 … +2",
                "GET(/a)#1, times=2: resp.body+1",
            ]
        )
    }

    @Test func `a lookup has its own row, without a place`() throws {
        #expect(
            try text([("A(a.test)#1=servfail", "."), ("A(a.test)#1=nxdomain", "h")]) == """
                             nxdomain  servfail
                A(a.test)#1      h         .
                """
        )
    }

    @Test(arguments: [
        ("c1/r1:resp.body+1", "c1/r1:resp.body+99", "resp.body+1 … +99"),
        ("c1/r1:resp.body+1", "c1/r1:resp.body~500", "resp.body+1 … ~500"),
        ("c1/r1:resp.head+0", "c1/r1:resp.head", "resp.head+0 … resp.head"),
        ("c1:down+1", "c1:down+1", "down+1"),
    ])
    func `what the first and the last place have in common is said once`(
        first: String,
        last: String,
        text: String
    ) throws {
        let rows = try matrix([("\(first)=fin", "."), ("\(last)=fin", ".")]).rows
        #expect(rows.map(\.place) == [text])
    }
}
