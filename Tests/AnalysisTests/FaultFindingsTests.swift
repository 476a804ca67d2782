import Analysis
import Journal
import Testing

@Suite struct FaultFindingsTests {
    private static func words(_ tell: (inout Story) -> Void) -> [String] {
        var story = Story()
        tell(&story)
        return story.report {
            $0.oracle = .matches; $0.exitCode = 0
        }
        .findings.filter { $0.kind == .unreached }.map(\.words)
    }

    @Test func `a fault that did not act leaves the run open`() {
        let words = Self.words {
            $0.get(1, at: 0)
            $0.fault(
                nil,
                r: nil,
                "rst",
                .unreached(reason: "no-connection"),
                id: "c9:connect=rst",
                at: 50
            )
        }
        #expect(words == ["the fault c9:connect=rst did not act: no-connection"])
    }

    @Test func `one for all connections need not act on each`() {
        let words = Self.words {
            $0.get(1, delivered: 400, .cut("rst"), at: 0)
            $0.get(2, from: 400, at: 100)
            $0.fault(2, "rst", .unreached(reason: "too-short"), at: 130)
        }
        #expect(words.isEmpty)
    }

    @Test func `one whose bytes did not all arrive proves nothing`() {
        let words = Self.words {
            $0.get(1, delivered: 400, at: 0)
            $0.fault(1, "rst", .undelivered, at: 30)
            $0.get(2, from: 400, at: 100)
        }
        #expect(words.count == 1)
    }

    @Test func `one that comes when all is done comes too late`() {
        let late = Self.words {
            $0.get(1, at: 0)
            $0.fault(1, "rst", at: 30)
        }
        #expect(late == ["the fault c*/r1:resp.body+1=rst acted after the transfer was complete"])
        let inTime = Self.words {
            $0.get(1, at: 0)
            $0.fault(1, "rst", at: 30)
            $0.get(2, from: 999, at: 100)
        }
        #expect(inTime.isEmpty)
    }
}
