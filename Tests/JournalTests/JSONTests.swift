import Basics
import Testing
import TestSupport

@Suite struct JSONTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8)[...])
    }

    private func mistake(_ bytes: [UInt8]) -> String {
        do throws(JSONError) {
            return "accepted \(try JSONParser.parse(bytes[...]).text)"
        } catch {
            return "\(error.column): \(error.description)"
        }
    }

    @Test func `every kind of value is read and written in one form`() throws {
        let text =
            #" { "b" : [ 1 , -2 , 18446744073709551615 , -9223372036854775808 ] , "a" : "#
            + #"{ } , "c" : [ ] , "d" : true , "e" : false , "f" : null , "" : "x" } "#
        #expect(
            try parse(text).text
                == #"{"b":[1,-2,18446744073709551615,-9223372036854775808],"a":{},"c":[],"#
                + #""d":true,"e":false,"f":null,"":"x"}"#
        )
        #expect(try parse("-0").text == "0")
    }

    @Test func `strings are escaped in one way and read in all ways`() throws {
        let value = JSONValue.string(
            "\"\\/\u{8}\t\n\u{C}\r\0\u{1F}\u{7F}\u{2028}\u{2029}\u{E9}\u{1F600}"
        )
        let text =
            #""\"\\/\b\t\n\f\r\u0000\u001f\u007f\u2028\u2029"# + "\u{E9}\u{1F600}\""
        #expect(value.text == text)
        #expect(try parse(text) == value)
        #expect(try parse(#""\/\u00e9\uD83D\uDE00\u00E9""#) == .string("/\u{E9}\u{1F600}\u{E9}"))
    }

    @Test func `bytes that are not UTF-8 become replacement characters in a value`() {
        #expect(JSONValue.text(decoding: [0x61, 0xFF, 0x62]) == .string("a\u{FFFD}b"))
    }

    @Test(
        arguments: [
            ("", "1: expected a value, found the end"),
            ("{", "2: expected a key in quotes, found the end"),
            ("{\"a\"}", "5: expected ':', found \"}\""),
            ("{\"a\":1,}", "8: expected a key in quotes, found \"}\""),
            ("{\"a\":1 \"b\":2}", "8: expected ',' or '}', found \"\\\"\""),
            ("{\"a\":1,\"a\":2}", "8: the key \"a\" is there twice"),
            ("{\"\u{E9}\":1,\"\\u00e9\":2}", "8: the key \"\u{E9}\" is there twice"),
            ("[1,]", "4: expected a value, found \"]\""),
            ("[1 2]", "4: expected ',' or ']', found \"2\""),
            ("1.5", "1: a journal holds whole numbers only"),
            ("1e3", "1: a journal holds whole numbers only"),
            ("01", "1: a number begins with 0"),
            ("-", "2: expected a digit, found the end"),
            ("18446744073709551616", "1: a number beyond 64 bits"),
            ("-9223372036854775809", "1: a number beyond 64 bits"),
            ("tru", "4: expected 'true', found the end"),
            ("nul", "4: expected 'null', found the end"),
            ("1 2", "3: expected the end, found \"2\""),
            ("\"a", "3: expected '\"', found the end"),
            ("\"\u{1}\"", "2: expected '\"', found a control character"),
            ("\"\\x\"", "2: an unknown escape"),
            ("\"\\u12\"", "6: expected four hexadecimal digits, found \"\\\"\""),
            ("\"\\ud800\"", "2: half of a surrogate pair"),
            ("\"\\udc00\"", "2: half of a surrogate pair"),
            ("\"\\ud800\\u0041\"", "2: half of a surrogate pair"),
            ("\u{FEFF}1", "1: expected a value, found \"\u{FEFF}\""),
        ])
    func `a mistake is named with its column`(text: String, expected: String) {
        #expect(mistake(Array(text.utf8)) == expected)
    }

    @Test(arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func `a string that is not UTF-8 is refused`(content: [UInt8]) {
        #expect(mistake([0x22] + content + [0x22]) == "1: a string that is not UTF-8")
    }

    @Test func `depth, keys and size are limited`() {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8
            )
        }
        #expect(mistake(nested(16)).hasPrefix("accepted"))
        #expect(mistake(nested(17)) == "17: more than 16 levels deep")
        #expect(mistake(nested(100_000)) == "17: more than 16 levels deep")
        let keys = (0...1_024).map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(mistake(Array("{\(keys)}".utf8)).hasSuffix("more than 1024 keys"))
        let long = Array(repeating: UInt8(ascii: " "), count: JSONParser.maximumLength + 1)
        #expect(mistake(long) == "1: longer than 1048576 bytes")
    }

    @Test func `what is written reads back as the same value`() throws {
        var numbers = SeededRandom(seed: 5)
        for _ in 0..<2_000 {
            let value = JSONValue.random(depth: 4, using: &numbers)
            #expect(try parse(value.text) == value)
        }
    }

    @Test func `mutated text is read or refused, never more`() throws {
        var numbers = SeededRandom(seed: 6)
        for _ in 0..<5_000 {
            var bytes = Array(JSONValue.random(depth: 3, using: &numbers).text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                bytes.mutate(using: &numbers)
            }
            guard let value = try? JSONParser.parse(bytes[...]) else { continue }
            #expect(try parse(value.text) == value)
        }
    }

    // What other programs write.

    private func document(_ text: String, _ change: (inout JSONDialect) -> Void = { _ in }) throws
        -> JSONValue
    {
        var dialect = JSONDialect.document
        change(&dialect)
        return try JSONParser.parse(Array(text.utf8)[...], dialect)
    }

    @Test func `a document may hold decimals, which are kept as they are written`() throws {
        for text in ["0.5", "-1.25", "1e3", "1E+3", "0e-0", "12.50e-07"] {
            #expect(try document(text) == .decimal(text))
            #expect(try document(text).text == text)
            #expect(throws: JSONError.self) { try parse(text) }
        }
        for text in ["1.", ".5", "1e", "1e+", "01.5", "1.5.5", "0x1", "NaN", "1.e1"] {
            #expect(throws: JSONError.self) { try document(text) }
        }
        #expect(throws: JSONError.self) {
            try document("0." + String(repeating: "1", count: JSONParser.maximumDecimalLength))
        }
    }

    @Test func `a key that is there twice is refused, or the last one counts`() throws {
        let text = #"{"a":1,"b":2,"a":3}"#
        #expect(throws: JSONError.self) { try document(text) }
        #expect(try document(text) { $0.duplicates = .lastCounts }.text == #"{"a":3,"b":2}"#)
    }

    @Test func `a key that is there twice is found in an object of any size`() throws {
        for count in [1, 15, 16, 17, 40] {
            let members = (1...count).map { #""k\#($0)":\#($0)"# }
            for twice in [1, count] {
                let text = "{\((members + [#""k\#(twice)":0"#]).joined(separator: ","))}"
                #expect(throws: JSONError.self) { try document(text) }
                let last = try document(text) { $0.duplicates = .lastCounts }
                guard case .object(let object) = last else { return #expect(Bool(false)) }
                #expect(object.members.count == count)
                #expect(object["k\(twice)"] == .integer(0))
            }
        }
    }

    @Test func `what follows a value may be passed over`() throws {
        #expect(throws: JSONError.self) { try document("{} x") }
        #expect(try document("{} x") { $0.ignoresRest = true }.text == "{}")
    }

    @Test func `a mistake is told with the value around it`() {
        func pointer(_ text: String) -> String? {
            do {
                _ = try document(text)
                return nil
            } catch let error as JSONError {
                return error.pointer
            } catch {
                return nil
            }
        }
        #expect(pointer(#"{"a/b":[0,{"~":tru}]}"#) == "/a~1b/1/~0")
        #expect(pointer(#"{"a":{"b":1,"b":2}}"#) == "/a/b")
        #expect(pointer(#"[1,2"#) == "")
        #expect(pointer("[]") == nil)
    }
}

extension JSONValue {
    static func random(depth: Int, using numbers: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &numbers) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &numbers))
        case 2: return .number(UInt64.random(in: 0 ... .max, using: &numbers))
        case 3: return .number(Int64.random(in: .min ... .max, using: &numbers))
        case 4: return .string(.random(using: &numbers))
        case 5:
            return .array(
                (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
                    random(depth: depth - 1, using: &numbers)
                }
            )
        default:
            var object = JSONObject()
            for index in 0..<Int.random(in: 0...4, using: &numbers) {
                object.append(
                    "\(index)" + .random(using: &numbers),
                    random(depth: depth - 1, using: &numbers)
                )
            }
            return .object(object)
        }
    }
}

extension String {
    static func random(using numbers: inout SeededRandom) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "Z", "0", "\"", "\\", "\n", "\0", "\u{7F}", "\u{E9}", "\u{301}", "\u{2028}",
            "\u{FFFD}", "\u{1F600}", "{", ",", ":", "_",
        ]
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...5, using: &numbers) {
            string.append(scalars[Int.random(in: 0..<scalars.count, using: &numbers)])
        }
        return String(string)
    }
}

extension [UInt8] {
    /// Replaces, drops, doubles or inserts one byte.
    mutating func mutate(using numbers: inout SeededRandom) {
        let byte = UInt8.random(in: 0...255, using: &numbers)
        guard !isEmpty else { return append(byte) }
        let place = Int.random(in: 0..<count, using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: self[place] = byte
        case 1: remove(at: place)
        case 2: insert(self[place], at: place)
        default: insert(byte, at: place)
        }
    }
}
