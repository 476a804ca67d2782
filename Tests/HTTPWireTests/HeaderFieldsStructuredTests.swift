import HTTPWire
import Testing

@Suite struct HeaderFieldsStructuredTests {
    @Test(arguments: [
        ("10;a=1", 10), ("-5", -5), ("1.0", nil), ("\"1\"", nil), ("?1", nil), ("1, 2", nil),
        ("", nil), ("@1", nil),
    ])
    func `an integer of another type is absent`(text: String, integer: Int?) {
        #expect(
            HeaderFields([.init("Upload-Offset", text)]).structuredInteger("upload-offset")
                == integer
        )
    }

    @Test(arguments: [
        ("?1", true), ("?0;x", false), ("1", nil), ("true", nil), ("?1, ?1", nil),
    ])
    func `a boolean of another type is absent`(text: String, boolean: Bool?) {
        #expect(HeaderFields([.init("U", text)]).structuredBoolean("u") == boolean)
    }

    @Test func `lines of one name are one value`() {
        let fields: HeaderFields = ["L": "a=1", "Other": "x", "l": "b=2, a=3"]
        #expect(fields.structuredDictionary("L")?.entries.map(\.key) == ["a", "b"])
        #expect(fields.structuredDictionary("L")?["a"]?.value == .integer(3))
        #expect(fields.structuredList("other")?.first?.value == .token("x"))
        let twice: HeaderFields = ["n": "1", "N": "1"]
        #expect(twice.structuredInteger("n") == nil)
        #expect(twice.structuredList("n")?.count == 2)
    }

    @Test func `a missing or broken field is absent`() {
        let fields: HeaderFields = ["a": "1,"]
        #expect(fields.structuredList("a") == nil)
        #expect(fields.structuredItem("b") == nil)
        #expect(fields.structuredDictionary("b") == nil)
    }
}
