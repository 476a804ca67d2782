import Basics
import Testing

@testable import Arguments

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("lte", "lte", 0), ("lte", "lt", 1), ("lte", "tle", 1), ("", "abc", 3),
        ("kitten", "sitting", 3),
    ])
    func `distance counts edits`(a: String, b: String, edits: Int) {
        #expect(NearestName.distance(from: a, to: b) == edits)
        #expect(NearestName.distance(from: b, to: a) == edits)
    }

    @Test func `only a near word is suggested`() {
        let words = ["profile", "upstream", "listen"]
        #expect(Suggestion.nearest(to: "porfile", in: words) == "profile")
        #expect(Suggestion.nearest(to: "ups", in: words) == "upstream")
        #expect(Suggestion.nearest(to: "elephant", in: words) == nil)
    }
}
