import Analysis
import Basics
import Journal
import Testing

@Suite struct WaterfallTests {
    private static func waterfall(_ tell: (inout Story) -> Void) -> Waterfall {
        var story = Story()
        tell(&story)
        return Waterfall(story.report())
    }

    @Test func `an exchange has its phases one after the other`() {
        let waterfall = Self.waterfall {
            $0.send(1, "PUT", "/x", [], length: 10, status: 201, at: 100)
            $0.get(2, delivered: 4, .cut("rst"), at: 200)
        }
        #expect(waterfall.rows.map(\.name) == ["PUT /x", "GET /big"])
        #expect(waterfall.rows[0].phases.map(\.kind) == [.connect, .send, .wait, .receive])
        #expect(
            waterfall.rows[0].phases.map { ($0.end - .start).wholeMilliseconds }
                == [101, 115, 120, 120]
        )
        #expect(waterfall.rows[1].phases.map(\.kind) == [.connect, .wait, .receive])
        #expect(waterfall.rows[1].failure == "a cut (rst)")
        #expect(waterfall.begin == .start + .milliseconds(100))
        #expect(waterfall.end == .start + .milliseconds(220))
    }

    @Test func `connections without requests have rows, too`() {
        let waterfall = Self.waterfall {
            $0.connect(1, at: 0)
            $0.fault(1, r: nil, "refuse(1)", at: 1)
            $0.end(1, by: .fault, .refused, down: 0, up: 0, at: 1)
            $0.get(2, at: 10)
            $0.connect(3, at: 50)
        }
        #expect(waterfall.rows.map(\.failure) == ["turned away", nil, nil])
        #expect(waterfall.rows.map(\.isOver) == [true, true, false])
    }

    @Test func `nothing happened, nothing is shown`() {
        #expect(Self.waterfall { _ in }.rows.isEmpty)
    }
}
