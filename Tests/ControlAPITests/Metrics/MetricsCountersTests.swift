import ControlAPI
import Journal
import Testing

@Suite struct MetricsCountersTests {
    @Test func `faults, troubles and changes are counted`() {
        var counters = MetricsCounters()
        for (effect, state) in [
            ("rst", FaultReport.State.fired), ("stall(5s)", .fired), ("stall(1s)", .undelivered),
            ("rst", .unreached(reason: "x")),
        ] {
            counters.take(
                .fault(
                    FaultReport(
                        connection: nil,
                        id: "x",
                        address: "connect",
                        effect: effect,
                        state: state,
                        offset: nil
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
