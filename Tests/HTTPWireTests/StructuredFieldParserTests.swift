import HTTPWire
import Testing

@Suite struct StructuredFieldParserTests {
    /// Text of items, and what it is in canonical form; nil for text that is none.
    static let items: [(text: String, canonical: String?)] = [
        ("0", "0"), ("-0", "0"), ("007", "7"), ("  42  ", "42"), ("42\t", nil),
        ("999999999999999", "999999999999999"), ("-999999999999999", "-999999999999999"),
        ("1000000000000000", nil), ("000000000000001", "1"), ("0000000000000001", nil),
        ("", nil), (" ", nil), ("-", nil), ("--1", nil), ("+1", nil), ("1,2", nil), ("1 2", nil),
        ("0x10", nil), ("1e3", nil), ("1_0", nil), ("١", nil),
        ("1.0", "1.0"), ("1.50", "1.5"), ("-0.0", "0.0"), ("1.125", "1.125"), ("00.010", "0.01"),
        ("1.1250", nil), ("1.", nil), (".5", nil), ("-.5", nil), ("1.-5", nil), ("1.5.5", nil),
        ("123456789012.125", "123456789012.125"), ("1234567890123.1", nil),
        ("-123456789012.125", "-123456789012.125"),
        ("\"\"", "\"\""), ("\"a b\"", "\"a b\""), (#""a\"b\\c""#, #""a\"b\\c""#),
        (#""\n""#, nil), (#""a"#, nil), (#""a\"#, nil), (#""a\""#, nil), ("\"a\tb\"", nil),
        ("\"é\"", nil), ("\"\u{7F}\"", nil), ("\"\u{0}\"", nil), ("'a'", nil),
        ("a", "a"), ("*", "*"), ("*a/b:c", "*a/b:c"), ("A!#$%&'*+-.^_`|~9", "A!#$%&'*+-.^_`|~9"),
        ("a(", nil), ("/a", nil), (":a", nil), ("é", nil), ("a\"", nil),
        ("::", "::"), (":aGVsbG8=:", ":aGVsbG8=:"), (":aGVsbG8:", ":aGVsbG8=:"),
        (":aGVsbG9:", ":aGVsbG8=:"), (":a:", nil), (":aGVsbG8==:", nil), (":aG=sbG8:", nil),
        (":aGVs bG8=:", nil), (":aGVsbG8=", nil), (":_-Ah:", nil), (":+/Ah:", ":+/Ah:"),
        ("?1", "?1"), ("?0", "?0"), ("?", nil), ("?2", nil), ("?true", nil), ("?10", nil),
        ("? 1", nil),
        ("@0", "@0"), ("@-1", "@-1"), ("@1659578233", "@1659578233"), ("@1.0", nil), ("@", nil),
        ("@@1", nil), ("@1000000000000000", nil), ("@\"1\"", nil),
        ("%\"\"", "%\"\""), ("%\"f%c3%bc\"", "%\"f%c3%bc\""), ("%\"%66%25%22\"", "%\"f%25%22\""),
        ("%\"f%C3%BC\"", nil), ("%\"%c3\"", nil), ("%\"%c3%28\"", nil), ("%\"%\"", nil),
        ("%\"%c\"", nil), ("%\"%ed%a0%80\"", nil), ("%\"é\"", nil), ("%\"\t\"", nil),
        ("%\"a", nil), ("%a", nil), ("%", nil), ("%\"%0a%00\"", "%\"%0a%00\""),
        ("1;a", "1;a"), ("1;a=?1", "1;a"), ("1;a=?0", "1;a=?0"), ("1; a=2;  b", "1;a=2;b"),
        ("1;a=1;b;a=2", "1;a=2;b"), ("1;*a-_.*9=x", "1;*a-_.*9=x"), ("10;a=1", "10;a=1"),
        ("1;A", nil), ("1;", nil), ("1; ", nil), ("1;;a", nil), ("1 ;a", nil), ("1;\ta", nil),
        ("1;a=", nil), ("1;a =1", nil), ("1;a= 1", nil), ("1;a=(1)", nil), ("1;1a", nil),
        ("1;-a", nil), ("(1)", nil),
    ]

    @Test(arguments: items)
    func `an item is read strictly and written in its canonical form`(
        text: String,
        canonical: String?
    ) throws {
        let item = try? StructuredField.parseItem(text)
        #expect(try item.map { try StructuredField.serialize($0) } == canonical)
    }

    static let lists: [(text: String, canonical: String?)] = [
        ("", ""), ("   ", ""), ("1", "1"), ("1,2", "1, 2"), ("1 \t,\t 2", "1, 2"),
        ("a;x, (b c;y);z, \"d,e\"", "a;x, (b c;y);z, \"d,e\""), ("()", "()"), ("(  )", "()"),
        ("( 1  2 )", "(1 2)"), ("(1 2);a;b=3", "(1 2);a;b=3"), ("();a=1, ()", "();a=1, ()"),
        ("1,", nil), ("1, ", nil), (",1", nil), ("1,,2", nil), ("1 2", nil), (",", nil),
        ("(1", nil), ("(1,2)", nil), ("(1\t2)", nil), ("(1(2))", nil), ("((1))", nil),
        (")", nil), ("(1)a", nil), ("(1\"a\")", nil), ("(", nil), ("1\t", "1"), ("\t1", nil),
        ("1;a,2;a", "1;a, 2;a"),
    ]

    @Test(arguments: lists)
    func `a list is read strictly and written in its canonical form`(
        text: String,
        canonical: String?
    ) throws {
        let list = try? StructuredField.parseList(text)
        #expect(try list.map { try StructuredField.serialize($0) } == canonical)
    }

    static let dictionaries: [(text: String, canonical: String?)] = [
        ("", ""), ("a=1", "a=1"), ("a", "a"), ("a=?1", "a"), ("a=?1;x", "a;x"), ("a;x=2", "a;x=2"),
        ("a=?0", "a=?0"), ("a=1,b=2,a=3", "a=3, b=2"), ("a=1,\tb", "a=1, b"),
        ("a=(1 2);x, b", "a=(1 2);x, b"), ("*a=1", "*a=1"), ("max-size=5", "max-size=5"),
        ("a =1", nil), ("a= 1", nil), ("A=1", nil), ("a=", nil), ("=1", nil), ("1", nil),
        ("a=1,", nil), ("a=1;,b", nil), ("a=1 b=2", nil), ("a=1;;", nil), ("a,,b", nil),
        ("a=1=2", nil), ("a==1", nil), ("sha-256=:AAAA:, id=::", "sha-256=:AAAA:, id=::"),
    ]

    @Test(arguments: dictionaries)
    func `a dictionary is read strictly and written in its canonical form`(
        text: String,
        canonical: String?
    ) throws {
        let dictionary = try? StructuredField.parseDictionary(text)
        #expect(try dictionary.map { try StructuredField.serialize($0) } == canonical)
    }

    @Test func `each value becomes the case of its type`() throws {
        let text = #"1, 1.5, "s", t, :AQI=:, ?0, @-5, %"%c3%bc", (x)"#
        let list = try StructuredField.parseList(text)
        #expect(
            list.map(\.value) == [
                .integer(1), .decimal(thousandths: 1_500), .string("s"), .token("t"),
                .bytes([1, 2]), .boolean(false), .date(secondsSince1970: -5),
                .displayString("\u{FC}"), nil,
            ]
        )
    }

    @Test func `a mistake has a reason and a place`() {
        let error = #expect(throws: StructuredFieldError.self) {
            try StructuredField.parseList("1, ")
        }
        #expect(error?.reason == "ends with a comma")
        #expect(error?.offset == 3)
    }
}
