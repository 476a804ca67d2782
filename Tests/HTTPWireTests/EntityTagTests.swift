import HTTPWire
import Testing

@Suite struct EntityTagTests {
    @Test(arguments: ["\"\"", "\"a\"", "W/\"a\"", "\"!#\\~\u{80}\u{FF}\""])
    func `a tag reads back`(text: String) {
        #expect(EntityTag(parsing: text)?.text == text)
    }

    @Test(arguments: [
        "", "a", "\"a", "a\"", "w/\"a\"", "W/a", "W /\"a\"", "\"a b\"", "\"a\"b\"", "\"a\", \"b\"",
        "*",
        "\"\u{7F}\"", "\"\u{100}\"", "'a'", "\"a\" ",
    ])
    func `other text is no tag`(text: String) {
        #expect(EntityTag(parsing: text) == nil)
    }

    /// The table of RFC 9110 §8.8.3.2.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
        ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "W/\"1\"", false, true),
        ("\"1\"", "\"1\"", true, true), ("\"1\"", "\"2\"", false, false),
    ])
    func `strong and weak comparison`(one: String, other: String, strong: Bool, weak: Bool) throws {
        let one = try #require(EntityTag(parsing: one))
        let other = try #require(EntityTag(parsing: other))
        #expect(one.matchesStrongly(other) == strong)
        #expect(one.matchesWeakly(other) == weak)
    }

    @Test(arguments: [
        ("*", EntityTagSet.any), ("\"a\"", .tags([EntityTag("a")])),
        ("\"a\", W/\"b\"", .tags([EntityTag("a"), EntityTag("b", isWeak: true)])),
        (",\"a,b\" ,,\t\"c\",", .tags([EntityTag("a,b"), EntityTag("c")])),
        ("", nil), (",", nil), ("*, \"a\"", nil), ("\"a\", *", nil), ("\"a\" \"b\"", nil),
        ("\"a\", b", nil), ("a", nil), ("**", nil),
    ])
    func `a list has at least one tag`(text: String, set: EntityTagSet?) {
        #expect(EntityTagSet(text) == set)
    }

    @Test func `a tag of our own making must be one`() async {
        #expect(EntityTag("abc", isWeak: true).text == "W/\"abc\"")
        await #expect(processExitsWith: .failure) { _ = EntityTag("a\"b") }
    }
}
