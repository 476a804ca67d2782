import HTTP2
import Testing

@Suite struct FieldCompressionTests {
    @Test func `fields come out as they went in, block after block`() throws {
        let encoder = FieldEncoder()
        let decoder = FieldDecoder()
        for round in 0..<50 {
            let fields = [
                BlockField(":status", "200"), BlockField("etag", "\"\(round % 3)\""),
                BlockField("cookie", "secret\(round)", isSensitive: true),
                BlockField("x-latin", "caf\u{E9}"), BlockField("empty", ""),
            ]
            #expect(try decoder.decode(encoder.encode(fields)) == fields)
        }
    }

    /// RFC 7541 §C.4: requests with Huffman coding, each building on the table of those before.
    @Test func `the examples of the RFC are read`() throws {
        let decoder = FieldDecoder()
        let first = try decoder.decode(bytes("828684418cf1e3c2e5f23a6ba0ab90f4ff"))
        #expect(first.map(\.value) == ["GET", "http", "/", "www.example.com"])
        let second = try decoder.decode(bytes("828684be5886a8eb10649cbf"))
        #expect(second.map(\.name).last == "cache-control" && second[3].value == "www.example.com")
        let third = try decoder.decode(bytes("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"))
        #expect(third.last == BlockField("custom-key", "custom-value"))
    }

    @Test(arguments: ["c6", "ff", "40", "3fffffffffff", "8a8f"])
    func `a block that is none is refused`(text: String) {
        let decoder = FieldDecoder()
        if text == "8a8f" {
            #expect(throws: Never.self) { try decoder.decode(bytes(text)) }
        } else {
            #expect(throws: FieldCompressionError.self) { try decoder.decode(bytes(text)) }
        }
    }

    private func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.utf8.count, by: 2).compactMap { place in
            UInt8(text.dropFirst(place).prefix(2), radix: 16)
        }
    }
}
