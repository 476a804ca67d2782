import ControlAPI
import Journal
import Testing

@Suite struct MetricsCountersTests {
    @Test func `faults, troubles and changes are counted, and what is done by hand is no fault`() {
        var counters = MetricsCounters()
        for (effect, state, isByHand) in [
            ("rst", FaultReport.State.fired, false), ("stall(5s)", .fired, false),
            ("stall(1s)", .undelivered, false), ("rst", .unreached(reason: "x"), false),
            ("rst", .fired, true),
        ] {
            counters.take(
                .fault(
                    FaultReport(
                        connection: nil,
                        id: "x",
                        address: "connect",
                        effect: effect,
                        state: state,
                        offset: nil,
                        isByHand: isByHand
                    )
                )
            )
        }
        counters.take(.trouble(.latePacing, words: "x"))
        counters.take(.change(ChangeReport("cut", by: .key)))
        counters.take(.note(nil, text: "x"))
        #expect(counters.fired == ["rst": 1, "stall": 2])
        #expect(counters.unreached == 1)
        #expect(counters.troubles == ["late-pacing": 1])
        #expect(counters.changes == 1)
    }
}
