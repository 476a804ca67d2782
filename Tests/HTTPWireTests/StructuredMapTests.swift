import HTTPWire
import Testing

@Suite struct StructuredMapTests {
    @Test func `a key keeps its first place and its last value`() {
        var map: StructuredParameters = ["a": .integer(1), "b": .integer(2), "a": .integer(3)]
        #expect(map.entries.map(\.key) == ["a", "b"])
        #expect(map["a"] == .integer(3))
        map["c"] = .integer(4)
        map["a"] = nil
        #expect(map["a"] == nil)
        map["c"] = .integer(5)
        #expect(map == ["b": .integer(2), "c": .integer(5)])
        #expect(map != ["c": .integer(5), "b": .integer(2)])
    }

    @Test func `many keys cost no more than their number`() throws {
        let keys = (0..<20_000).map { "k\($0)" }
        let dictionary = try StructuredField.parseDictionary(keys.joined(separator: ","))
        #expect(dictionary.entries.map(\.key) == keys)
    }
}
