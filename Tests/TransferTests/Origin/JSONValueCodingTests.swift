import Journal
import Testing

@testable import Transfer

@Suite struct JSONValueCodingTests {
    private struct Inner: Codable, Hashable {
        var numbers: [UInt64]
        var flag: Bool?
        var text: String
    }

    private enum Choice: Codable, Hashable {
        case plain
        case one(Inner)
        case two(name: String, bytes: [UInt8])
    }

    private struct Outer: Codable, Hashable {
        var choices: [Choice]
        var table: [[String]]
        var least: Int64
        var most: UInt64
        var missing: Int?
    }

    private let value = Outer(
        choices: [
            .plain, .one(Inner(numbers: [0, .max], flag: true, text: "a\"\u{0}\u{1F600}")),
            .two(name: "", bytes: [0, 255]),
        ],
        table: [[], ["x", "y"]],
        least: .min,
        most: .max
    )

    @Test func `what is written is read back, by way of text`() throws {
        var bytes: [UInt8] = []
        try JSONValueEncoder.encode(value).write(to: &bytes)
        let parsed = try JSONParser.parse(bytes[...])
        #expect(try JSONValueDecoder.decode(Outer.self, from: parsed) == value)
    }

    @Test func `a large list is written in the time that it takes to read`() throws {
        let bytes = [UInt8](repeating: 7, count: 100_000)
        let written = try JSONValueEncoder.encode(bytes)
        #expect(try JSONValueDecoder.decode([UInt8].self, from: written) == bytes)
    }

    @Test(arguments: [
        "{\"numbers\":[1],\"text\":1}", "{\"numbers\":[-1],\"text\":\"\"}", "{\"text\":\"\"}", "[]",
        "{\"numbers\":{},\"text\":\"\"}", "{\"numbers\":[18446744073709551615,\"\"],\"text\":\"\"}",
        "{\"numbers\":[],\"text\":\"\",\"flag\":1}",
    ])
    func `what does not fit is refused`(text: String) throws {
        let parsed = try JSONParser.parse(Array(text.utf8)[...])
        #expect(throws: DecodingError.self) {
            try JSONValueDecoder.decode(Inner.self, from: parsed)
        }
    }

    @Test func `fractions are refused`() {
        #expect(throws: EncodingError.self) { try JSONValueEncoder.encode([1.5]) }
    }
}
