import Basics
import Journal
import Testing
import TestSupport

@Suite struct JSONScannerTests {
    /// What the scanner takes of a line; nil for what it leaves to the parser.
    private func scanned(_ bytes: [UInt8]) -> JSONText? {
        var scanner = JSONScanner()
        guard scanner.scan(bytes, from: 0) == bytes.count else { return nil }
        return JSONText(bytes, scanner.nodes)
    }

    private func scanned(_ text: String) -> JSONText? { scanned(Array(text.utf8)) }

    @Test func `every record is taken as it is written`() throws {
        for line in Samples.journal().split(separator: UInt8(ascii: "\n")) {
            let text = try #require(scanned(Array(line)))
            #expect(try .object(text.object()) == JSONParser.parse(line))
        }
    }

    @Test func `what the scanner takes, the parser takes, and finds the same`() throws {
        var numbers = SeededRandom(seed: 21)
        let lines = Samples.journal().split(separator: UInt8(ascii: "\n")).map { Array($0) }
        var taken = 0
        for _ in 0..<4_000 {
            var bytes = lines.randomElement(using: &numbers) ?? []
            for _ in 0..<Int.random(in: 1...2, using: &numbers) { bytes.mutate(using: &numbers) }
            guard let text = scanned(bytes) else { continue }
            taken += 1
            let value = try JSONParser.parse(bytes[...])
            guard case .object(let object) = value else { continue }
            #expect(Array(value.text.utf8) == bytes)
            #expect(text.members().map { text.key(at: $0) } == object.members.map(\.key))
            #expect(text.members().map { text.value(at: $0) } == object.members.map(\.value))
            for member in object.members {
                let place = try #require(text.place(of: JSONKey(member.key)))
                #expect(text.string(at: place).map { .string($0) } == member.value.asString)
                #expect(text.integer(at: place).map { .integer($0) } == member.value.asInteger)
            }
        }
        #expect(taken > 500)
    }

    @Test(
        arguments: [
            #"{"a": 1}"#, #"{"a":1 }"#, #"{"a":01}"#, #"{"a":-1}"#, #"{"a":1.5}"#, #"{"a":1e3}"#,
            #"{"a":1234567890123456789}"#, #"{"a":"\n"}"#, #"{"a":"\u0041"}"#, #"{"a":"é"}"#,
            #"{"\"":1}"#, #"{"a":1,"a":1}"#, #"{"content-a":1,"b":2,"content-a":3}"#,
            #"{"a":{"b":1,"b":2}}"#, #"{"a":1,}"#, #"{"a":}"#, #"{"a"}"#, #"{"a":[1,]}"#, "[]",
            #"{"a":tru}"#, #"{"a":"#, #"{"a":"x"#, "{", "", "{\"a\":\"\u{7F}\"}",
            String(repeating: #"{"a":"#, count: 17) + "1" + String(repeating: "}", count: 17),
        ])
    func `what is unusual or wrong is left to the parser`(text: String) {
        #expect(scanned(text) == nil)
    }

    @Test func `keys that only begin alike are not the same`() throws {
        let text = try #require(scanned(#"{"content-a":1,"content-b":2,"content":3,"":4}"#))
        for (key, value) in [("content-a", 1), ("content-b", 2), ("content", 3), ("", 4)] {
            let place = try #require(text.place(of: JSONKey(key)))
            #expect(text.integer(at: place) == Int128(value))
        }
        #expect(text.place(of: "content-") == nil)
    }

    @Test func `a written text holds whatever a value holds`() throws {
        let object: JSONObject = [
            "a\"\n": .string("\u{2028}é\u{1F600}"), "b": .number(Int64.min),
            "c": .number(UInt64.max), "d": .decimal("-1.5e+3"),
            "e": .array([.null, .object(["x": .bool(false)]), .array([])]),
        ]
        let text = JSONText(writing: object)
        #expect(text.object() == object)
        #expect(text.place(of: "c").flatMap(text.integer(at:)) == Int128(UInt64.max))
        #expect(text.place(of: "b").flatMap(text.integer(at:)) == Int128(Int64.min))
        #expect(text.place(of: "d").flatMap(text.integer(at:)) == nil)
        let first = try #require(text.members().first { _ in true })
        #expect(text.key(at: first) == "a\"\n")
        #expect(text.string(at: first) == "\u{2028}é\u{1F600}")
    }

    @Test func `keys are in the order of the bytes that they mean`() {
        let text = JSONText(writing: [
            "a!": 1, "a\"": 2, "a\u{1}": 3, "abcdefgh2": 4, "abcdefgh": 5,
        ])
        let places = Array(text.members()).sorted { text.isKey(at: $0, before: $1) }
        #expect(
            places.map { text.key(at: $0) } == ["a\u{1}", "a!", "a\"", "abcdefgh", "abcdefgh2"]
        )
    }
}

extension JSONValue {
    fileprivate var asString: JSONValue? { if case .string = self { self } else { nil } }
    fileprivate var asInteger: JSONValue? { if case .integer = self { self } else { nil } }
}
