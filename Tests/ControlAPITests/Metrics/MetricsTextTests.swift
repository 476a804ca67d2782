import Basics
import ControlAPI
import Proxy
import Testing

@Suite struct MetricsTextTests {
    @Test func `a family has its help, type and values`() {
        var text = MetricsText()
        text.add(
            "a_total",
            .counter,
            "What is \\ counted.\nAll.",
            [
                ([("x", "1"), ("y", "\"\\\n")], "5"), ([("x", "2")], "6"),
            ]
        )
        text.add("b", .gauge, "One.", "7")
        text.add("c_total", .counter, "Nothing.", [])
        #expect(
            text.text == """
                # HELP a_total What is \\\\ counted.\\nAll.
                # TYPE a_total counter
                a_total{x="1",y="\\"\\\\\\n"} 5
                a_total{x="2"} 6
                # HELP b One.
                # TYPE b gauge
                b 7

                """
        )
    }

    @Test func `what a terminal would act on is spelled out in labels`() {
        var text = MetricsText()
        text.add("a", .gauge, "One.", [([("x", "\u{202E}\u{1B}\u{9B}\r\n")], "5")])
        #expect(text.text.hasSuffix(#"a{x="\\u202e\\u001b\\u009b\\u000d\n"} 5"# + "\n"))
    }

    @Test func `a histogram counts up, and ends with everything`() {
        var histogram = DurationHistogram(bounds: [.microseconds(500), .seconds(1)])
        for time: Int64 in [1, 600_000, 2_500_000_000] { histogram.observe(.nanoseconds(time)) }
        var text = MetricsText()
        text.add("a_seconds", "How long.", histogram)
        #expect(
            text.text == """
                # HELP a_seconds How long.
                # TYPE a_seconds histogram
                a_seconds_bucket{le="0.0005"} 1
                a_seconds_bucket{le="1"} 2
                a_seconds_bucket{le="+Inf"} 3
                a_seconds_sum 2.500600001
                a_seconds_count 3

                """
        )
        #expect(
            MetricsText.seconds(.zero) == "0"
                && MetricsText.seconds(.nanoseconds(50_000)) == "0.00005"
        )
    }
}
