import Basics
import Testing

@Suite struct NearestNameTests {
    @Test(
        arguments: [
            ("rts", "rst"), ("dealy", "delay"), ("lte5", "lte"), ("RATE", "rate"),
            ("jiter", "jitter"), ("quue", "queue"), ("jittera1", "jitter"),
        ])
    func `a mistyped name finds the one that was meant`(name: String, meant: String) {
        let names = ["rst", "fin", "delay", "rate", "jitter", "queue", "lte"]
        #expect(NearestName.of(name, among: names) == meant)
    }

    @Test func `a far name finds none`() {
        #expect(NearestName.of("xyz", among: ["rst", "fin"]) == nil)
        // Two edits are too many for four letters, and three for eight.
        #expect(NearestName.of("dayl", among: ["delay", "rate"]) == nil)
        #expect(NearestName.of("rtea", among: ["rate"]) == nil)
        #expect(NearestName.of("jitte123", among: ["jitter"]) == nil)
        #expect(NearestName.of("", among: ["a"]) == nil)
        #expect(NearestName.of("rst", among: []) == nil)
        let long = String(repeating: "a", count: 10_000)
        #expect(NearestName.of(long, among: [long]) == nil)
    }

    @Test func `of equally near names the first is chosen`() {
        #expect(NearestName.of("doen", among: ["down", "done"]) == "down")
    }
}
