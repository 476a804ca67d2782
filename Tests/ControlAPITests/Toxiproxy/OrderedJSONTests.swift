import Testing

@testable import ControlAPI

@Suite struct OrderedJSONTests {
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
        text: String
    ) {
        #expect(OrderedJSON.float(value).text == text)
        #expect(Float(text) == value)
    }

    @Test func `every number of 32 bits reads as itself`() {
        var bits: UInt32 = 1
        for _ in 0..<20_000 {
            bits = bits &* 1_664_525 &+ 1_013_904_223
            let value = Float(bitPattern: bits)
            guard value.isFinite else { continue }
            #expect(Float(OrderedJSON.number(value)) == value)
        }
    }

    @Test func `keys keep their order and texts are escaped`() {
        let value = OrderedJSON.object([
            .init("b", .array([.null, .bool(true), .integer(-5), .string("é\u{2028}")])),
            .init("<a&>", .string("\"\\/\n\r\t\u{08}\u{0C}\u{01}")), .init("c", .object([])),
        ])
        #expect(
            value.text
                == #"{"b":[null,true,-5,"é\u2028"],"\u003ca\u0026\u003e":"\"\\/\n\r\t\b\f\u0001","c":{}}"#
        )
    }
}
