import ControlAPI
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
}
