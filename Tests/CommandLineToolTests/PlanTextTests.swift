import FaultInjection
import LinkEngine
import Testing

@testable import CommandLineTool

@Suite struct PlanTextTests {
    private func lines(
        width: Int,
        usesUnicode: Bool = true,
        faults: [String] = []
    ) throws -> [String] {
        var link = LinkSettings()
        link.down.capacity = .rate(try #require(BitRate(bitsPerSecond: 5_000_000)))
        link.down.delay = .milliseconds(50)
        link.up.delay = .milliseconds(50)
        link.down.loss = .bernoulli(try #require(Probability(1, outOf: 50)))
        var model = TransferModel(
            settings: link,
            seed: 4,
            bytes: 300_000,
            direction: .down,
            connections: 1
        )
        model.faults = try faults.map { try Fault(parsing: $0) }
        let text = PlanText(
            prediction: Predictor.predict(model),
            profile: "test",
            width: width,
            style: TextStyle(isColoured: false),
            usesUnicode: usesUnicode
        )
        return text.lines()
    }

    @Test(arguments: [40, 80, 120])
    func `the chart keeps to the width`(width: Int) throws {
        let chart = try lines(width: width).filter { $0.contains("│") || $0.contains("└") }
        #expect(chart.count == 9)
        #expect(!chart.contains { $0.count > width })
    }

    @Test func `without Unicode there is only ASCII`() throws {
        #expect(
            try lines(width: 80, usesUnicode: false).allSatisfy { $0.utf8.allSatisfy { $0 < 128 } }
        )
    }

    @Test func `faults that are not predicted are named`() throws {
        let faults = [
            "c1:down+900000000=rst", "c1/r1:resp.body+1=fin", "c9:connect=silent",
            "c1:down+1=stall(until=c2:connect)",
        ]
        let named = try lines(width: 80, faults: faults).filter { $0.contains("not predicted") }
        #expect(named.count == 3 && named[0].hasSuffix(faults[1]))
    }

    @Test func `the first lines say what matters`() throws {
        let lines = try lines(width: 80)
        #expect(lines[0] == "plan test, seed 4: 300 kB down")
        #expect(lines[2].hasPrefix("  complete after   "))
        #expect(lines.contains("Losses"))
        #expect(lines.contains { $0.contains("x loss") })
    }
}
