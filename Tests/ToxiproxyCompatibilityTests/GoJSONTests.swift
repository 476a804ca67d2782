import Basics
import ToxiproxyCompatibility
import Journal
import Testing

@testable import ControlAPI

@Suite struct GoJSONTests {
    private func parse(_ text: String) throws -> JSONValue { try GoJSON.parse(Array(text.utf8)) }

    private func failure(_ text: String) -> String {
        do throws(ToxiproxyError) {
            return "\(try GoJSON.parse(Array(text.utf8)))"
        } catch {
            return error.status == 400 ? error.text : "\(error.status)"
        }
    }

    private func text(_ value: JSONValue) -> String {
        String(decoding: GoJSON.bytes(of: value), as: UTF8.self)
    }

    @Test func `every kind of value is read, and what follows it is not`() throws {
        #expect(try parse(" null x") == .null)
        #expect(try parse("true}") == .bool(true))
        #expect(try parse("-0.5e+10,") == .decimal("-0.5e+10"))
        #expect(try parse("[1, \"a\" ,[]]]") == [1, "a", []])
        #expect(try parse("{ } {") == .object([:]))
        #expect(try parse("{\"a\" : {\"b\":false}}") == ["a": ["b": false]])
    }

    @Test func `the last value of a key counts, whatever its letters`() throws {
        let text = #"{"Latency":1,"latency":2,"LATENCY":3,"jitter":4,"JITTER":null,"a":5,"a":6}"#
        guard case .object(let object) = try parse(text) else {
            Issue.record("it is an object")
            return
        }
        #expect(object.value(ofAnyCase: "latency") == 3)
        #expect(object.value(ofAnyCase: "jitter") == nil)
        #expect(object.value(ofAnyCase: "rate") == nil)
        #expect(object.value(ofAnyCase: "A") == 6)
    }

    @Test(arguments: [
        (#""\u00e9\n\t\"\\\/\b\f\r""#, "é\n\t\"\\/\u{08}\u{0C}\r"), (#""\ud83d\ude00""#, "😀"),
        (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
        (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ude00""#, "\u{FFFD}"),
    ])
    func `escapes are read, and halves of pairs replaced`(text: String, value: String) throws {
        #expect(try parse(text) == .string(value))
    }

    @Test func `what a terminal or a page would act on is escaped`() {
        let hostile = "<\u{1B}\u{7F}\u{9B}\u{202E}\u{2066}\u{2028}é"
        #expect(text(.string(hostile)) == #""\u003c\u001b\u007f\u009b\u202e\u2066\u2028é""#)
    }

    @Test func `bytes that are no UTF-8 are replaced`() throws {
        let value = try GoJSON.parse([0x22, 0x61, 0xFF, 0x22])
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
        ("nul!", "invalid character '!' in literal null"),
        ("\"\n\"", "invalid character '\\x0a' in string literal"),
        ("\"\\q\"", "an unknown escape"),
        ("\"\\u00g0\"", "invalid character 'g' in \\u hexadecimal character escape"),
        ("-a", "invalid character 'a' in numeric literal"),
        ("1.a", "invalid character 'a' in numeric literal"),
        ("1ea", "invalid character 'a' in numeric literal"),
        ("\u{7f}", "invalid character '\\x7f' looking for beginning of value"),
    ])
    func `a mistake is told in Toxiproxy's words`(text: String, words: String) {
        #expect(failure(text) == "bad request body: \(words)")
    }

    @Test func `depth has a limit`() throws {
        let most = 32
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(most))
        let words = "bad request body: more than 32 levels deep"
        #expect(failure(nested(most + 1)) == words)
        #expect(failure(String(repeating: "[", count: 1 << 20)) == words)
    }

    @Test(
        arguments: [
            (1, "1"), (0, "0"), (-0.0, "-0"), (0.3, "0.3"), (0.1, "0.1"), (7, "7"), (-1, "-1"),
            (0.000001, "0.000001"), (0.0000001, "1e-7"), (1.5e-9, "1.5e-9"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"), (1e30, "1e+30"), (123.456, "123.456"), (16_777_216, "16777216"),
            (0.00001234, "0.00001234"), (3.4028235e38, "3.4028235e+38"),
        ] as [(Float, String)]
    )
    func `a number of 32 bits has the shortest digits that read as itself`(
        value: Float,
        expected: String
    ) {
        #expect(text(GoJSON.number(value)) == expected)
        #expect(Float(expected) == value)
    }

    @Test func `every number of 32 bits reads as itself`() {
        var bits: UInt32 = 1
        for _ in 0..<20_000 {
            bits = bits &* 1_664_525 &+ 1_013_904_223
            let value = Float(bitPattern: bits)
            guard value.isFinite else { continue }
            #expect(Float(text(GoJSON.number(value))) == value)
        }
    }

    @Test func `keys keep their order and texts are escaped`() {
        let value: JSONValue = [
            "b": [.null, true, -5, "é\u{2028}\u{7F}"],
            "<a&>": "\"\\/\n\r\t\u{08}\u{0C}\u{01}", "c": .object([:]),
        ]
        #expect(
            text(value)
                == #"{"b":[null,true,-5,"é\u2028\u007f"],"#
                + #""\u003ca\u0026\u003e":"\"\\/\n\r\t\b\f\u0001","c":{}}"#
        )
    }
}
