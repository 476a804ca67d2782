import Testing

@testable import ControlAPI

@Suite struct LenientJSONTests {
    private func parse(_ text: String) throws -> LenientJSON {
        try LenientJSONParser.parse(Array(text.utf8))
    }

    private func failure(_ text: String) -> String {
        do throws(LenientJSONError) {
            return "\(try LenientJSONParser.parse(Array(text.utf8)))"
        } catch {
            return error.description
        }
    }

    @Test func `every kind of value is read, and what follows it is not`() throws {
        #expect(try parse(" null x") == .null)
        #expect(try parse("true}") == .bool(true))
        #expect(try parse("-0.5e+10,") == .number("-0.5e+10"))
        #expect(try parse("[1, \"a\" ,[]]]") == .array([.number("1"), .string("a"), .array([])]))
        #expect(try parse("{ } {") == .object([]))
        #expect(
            try parse("{\"a\" : {\"b\":false}}")["A"]
                == .object([.init(key: "b", value: .bool(false))])
        )
    }

    @Test func `the last value of a key counts, whatever its letters`() throws {
        let object = try parse(#"{"Latency":1,"latency":2,"LATENCY":3,"jitter":4,"JITTER":null}"#)
        #expect(object["latency"] == .number("3"))
        #expect(object["jitter"] == nil)
        #expect(object["rate"] == nil)
        #expect(try parse("[1]")["a"] == nil)
    }

    @Test(arguments: [
        (#""\u00e9\n\t\"\\\/\b\f\r""#, "é\n\t\"\\/\u{08}\u{0C}\r"), (#""\ud83d\ude00""#, "😀"),
        (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
        (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ude00""#, "\u{FFFD}"),
    ])
    func `escapes are read, and halves of pairs replaced`(text: String, value: String) throws {
        #expect(try parse(text) == .string(value))
    }

    @Test func `bytes that are no UTF-8 are replaced`() throws {
        let value = try LenientJSONParser.parse([0x22, 0x61, 0xFF, 0x22])
        #expect(value == .string("a\u{FFFD}"))
    }

    @Test(arguments: [
        ("", "EOF"), (" \n\t\r ", "EOF"), ("{", "unexpected EOF"), ("[1,", "unexpected EOF"),
        ("\"a", "unexpected EOF"), ("tru", "unexpected EOF"), ("-", "unexpected EOF"),
        ("1.", "unexpected EOF"), ("1e", "unexpected EOF"), ("\"\\u00", "unexpected EOF"),
        ("x", "invalid character 'x' looking for beginning of value"),
        ("{a}", "invalid character 'a' looking for beginning of object key string"),
        ("{\"a\" 1}", "invalid character '1' after object key"),
        ("{\"a\":1 2}", "invalid character '2' after object key:value pair"),
        ("{\"a\":1,}", "invalid character '}' looking for beginning of object key string"),
        ("[1 2]", "invalid character '2' after array element"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        ("nul!", "invalid character '!' in literal null (expecting 'l')"),
        ("\"\n\"", "invalid character '\\x0a' in string literal"),
        ("\"\\q\"", "invalid character 'q' in string escape code"),
        ("\"\\u00g0\"", "invalid character 'g' in \\u hexadecimal character escape"),
        ("-a", "invalid character 'a' in numeric literal"),
        ("1.a", "invalid character 'a' after decimal point in numeric literal"),
        ("1ea", "invalid character 'a' in exponent of numeric literal"),
        ("\u{7f}", "invalid character '\\x7f' looking for beginning of value"),
    ])
    func `a mistake is told in Toxiproxy's words`(text: String, words: String) {
        #expect(failure(text) == words)
    }

    @Test func `depth has a limit`() throws {
        let most = LenientJSONParser.maximumDepth
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(most))
        #expect(failure(nested(most + 1)) == "exceeded max depth")
        #expect(failure(String(repeating: "[", count: 1 << 20)) == "exceeded max depth")
    }
}
