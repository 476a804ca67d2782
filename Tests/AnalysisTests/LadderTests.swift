import Analysis
import Basics
import Journal
import Testing

@Suite struct LadderTests {
    private static func ladder(_ tell: (inout Story) -> Void) -> Ladder? {
        var story = Story()
        tell(&story)
        let report = story.report()
        return report.transfers.first.map {
            Ladder($0, changes: report.transcript.changes.list)
        }
    }

    @Test func `each attempt is at its place, and what was there before is known`() throws {
        let ladder = try #require(
            Self.ladder {
                $0.get(1, delivered: 400, .cut("rst"), at: 0)
                $0.get(2, from: 300, delivered: 200, .cut("fin"), at: 100)
                $0.get(3, from: 700, at: 200)
            }
        )
        #expect(ladder.length == 1_000)
        #expect(
            ladder.rungs.map(\.segments) == [
                [.init(range: 0..<400, kind: .new)],
                [.init(range: 300..<400, kind: .again), .init(range: 400..<500, kind: .new)],
                [.init(range: 500..<700, kind: .missing), .init(range: 700..<1_000, kind: .new)],
            ]
        )
        #expect(ladder.rungs.map(\.cut) == [400, 500, nil])
    }

    @Test func `offsets that were told are marked, and count for the length`() throws {
        let ladder = try #require(
            Self.ladder {
                $0.send(
                    1,
                    "POST",
                    "/f",
                    [("Upload-Complete", "?0")],
                    length: 600,
                    delivered: 500,
                    interim: [("Location", "/u/1"), ("Upload-Offset", "100")],
                    .cut("rst"),
                    at: 0
                )
                $0.head(2, "/u/1", offset: 700, at: 100)
            }
        )
        #expect(ladder.rungs.map(\.learnt) == [[100], [700]])
        #expect(ladder.rungs.map(\.cut) == [500, nil])
        #expect(ladder.length == 700)
    }

    @Test func `a change stands after the attempt during or after which it came`() throws {
        func mark(_ text: String) -> JournalRecord {
            .change(ChangeReport("mark", by: .control, detail: ["text": .string(text)]))
        }
        let ladder = try #require(
            Self.ladder {
                $0.add(mark("before"), at: 0)
                $0.get(1, delivered: 400, .cut("rst"), at: 10)
                $0.add(mark("between"), at: 90)
                $0.get(2, from: 400, at: 100)
                $0.add(mark("after"), at: 9_000)
            }
        )
        #expect(
            ladder.rungs.map { $0.changes.map(\.value.words) } == [["mark, text between"], []]
        )
    }

    @Test func `nothing is known of an encrypted connection`() throws {
        let ladder = try #require(
            Self.ladder {
                $0.connect(1, at: 0)
                $0.end(1, by: .fault, .rst, at: 10)
            }
        )
        #expect(ladder.length == 0)
        #expect(ladder.rungs.map(\.segments) == [[]])
    }
}
