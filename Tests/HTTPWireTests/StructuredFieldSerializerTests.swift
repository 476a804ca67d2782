import HTTPWire
import Testing

@Suite struct StructuredFieldSerializerTests {
    @Test(arguments: [
        StructuredValue.integer(1_000_000_000_000_000), .integer(-1_000_000_000_000_000),
        .decimal(thousandths: 1_000_000_000_000_000), .string("\n"), .string("é"), .token(""),
        .token("1a"), .token("a b"), .token("é"), .date(secondsSince1970: .max),
        .date(secondsSince1970: .min), .integer(.min), .decimal(thousandths: .min),
    ])
    func `what no field can hold is refused`(value: StructuredValue) {
        #expect(throws: StructuredFieldError.self) {
            try StructuredField.serialize(StructuredItem(value))
        }
    }

    @Test(arguments: ["", "A", "1", "-a", "a b", "a=", "é"])
    func `a key that is none is refused`(key: String) {
        #expect(throws: StructuredFieldError.self) {
            try StructuredField.serialize(
                StructuredItem(.integer(1), parameters: [key: .integer(1)])
            )
        }
        #expect(throws: StructuredFieldError.self) {
            try StructuredField.serialize([key: .item(.init(.integer(1)))] as StructuredDictionary)
        }
    }

    @Test(arguments: [
        (0, "0.0"), (1, "0.001"), (-1, "-0.001"), (10, "0.01"), (-1_500, "-1.5"), (100, "0.1"),
        (123_000, "123.0"), (999_999_999_999_999, "999999999999.999"),
    ])
    func `a decimal has a point and no more digits than it needs`(
        thousandths: Int,
        text: String
    ) throws {
        let item = StructuredItem(.decimal(thousandths: thousandths))
        #expect(try StructuredField.serialize(item) == text)
        #expect(try StructuredField.parseItem(text) == item)
    }

    @Test func `any text survives as a display string`() throws {
        let item = StructuredItem(.displayString("a\"%\\\r\n\u{0}é\u{1F600}"))
        let text = try StructuredField.serialize(item)
        #expect(text == #"%"a%22%25\%0d%0a%00%c3%a9%f0%9f%98%80""#)
        #expect(try StructuredField.parseItem(text) == item)
    }

    @Test func `every byte survives as a byte sequence`() throws {
        for length in 0...256 {
            let item = StructuredItem(.bytes((0..<length).map { UInt8($0) }))
            #expect(try StructuredField.parseItem(StructuredField.serialize(item)) == item)
        }
    }
}
