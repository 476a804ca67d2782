import Faults
import LinkEngine
import Basics
import Planning
import Testing

@testable import Commands

@Suite struct PlanTextTests {
    private func model(faults: [String] = []) throws -> TransferModel {
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
        return model
    }

    private func lines(
        width: Int,
        usesUnicode: Bool = true,
        faults: [String] = []
    ) throws -> [String] {
        let prediction = Predictor.predict(try model(faults: faults))
        return lines(prediction, width: width, usesUnicode: usesUnicode)
    }

    private func lines(
        _ prediction: Prediction,
        width: Int,
        usesUnicode: Bool = true
    ) -> [String] {
        PlanText(
            prediction: prediction,
            profile: "test",
            width: width,
            style: TextStyle(isColoured: false),
            usesUnicode: usesUnicode
        ).lines()
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

    @Test func `a fault that is not reached is named, as text and JSON`() throws {
        let fault = "c1:down+300001=rst"
        let named = try lines(width: 80, faults: [fault])
        #expect(named.contains("  never reached    \(fault) (stream ended at 300000)"))
        #expect(try !lines(width: 80).contains { $0.contains("never") })
        let json = PlanJSON.value(Predictor.predict(try model(faults: [fault])), profile: "x").text
        let told = #""neverReached":[{"id":"\#(fault)","reason":"stream ended at 300000"}]"#
        #expect(json.contains(told))
    }

    @Test func `there is no chart where nothing would rise in it`() throws {
        var instant = try model()
        instant.settings.up.delay = .zero
        instant.settings.down = PathSettings()
        instant.settings.down.loss = .bernoulli(try #require(Probability(1, outOf: 50)))
        #expect(Predictor.predict(instant).packets.down.lost > 0)
        var small = try model()
        small.bytes = 1
        for model in [instant, small] {
            let lines = lines(Predictor.predict(model), width: 80)
            #expect(lines.contains { $0.hasPrefix("  complete after") })
            #expect(!lines.contains { $0.contains("│") || $0.contains("└") })
            #expect(lines.last?.isEmpty == false)
        }
    }

    @Test func `the first lines say what matters`() throws {
        let lines = try lines(width: 80)
        #expect(lines[0] == "plan test, seed 4: 300 kB down")
        #expect(lines[2].hasPrefix("  complete after   "))
        #expect(lines.contains("Losses"))
        #expect(lines.contains { $0.contains("x loss") })
    }
}
