import HTTPWire
import Testing

@Suite struct QuotedStringTests {
    @Test(arguments: [
        ("\"\"", ""), ("\"a\\\"b\\\\c\\d\"", "a\"b\\cd"), ("\"\tü\"", "\tü"), ("\"a", nil),
        ("a\"", nil), ("\"a\"b", nil), ("\"a\\\"", nil), ("\"\u{0}\"", nil), ("\"\\\n\"", nil),
        ("", nil),
    ])
    func `quotes and escapes are taken off`(text: String, content: String?) {
        #expect(QuotedString.decode(text) == content)
    }

    @Test func `what a field can hold reads back`() {
        let text = "a\"b\\ \tü\u{FF}"
        #expect(QuotedString.decode(QuotedString.encode(text)) == text)
        #expect(QuotedString.encode("a\r\nb\u{0}\u{100}") == "\"a  b  \"")
    }

    @Test func `only what is no token is quoted`() {
        #expect(QuotedString.tokenOrQuoted("a-b") == "a-b")
        #expect(QuotedString.tokenOrQuoted("a b") == "\"a b\"")
        #expect(QuotedString.tokenOrQuoted("") == "\"\"")
    }
}
