import HTTPWire
import Testing

@Suite struct ByteRangesFramingTests {
    private let framing = ByteRangesFraming(
        boundary: "x",
        contentType: "text/plain",
        completeLength: 10
    )

    @Test func `each part says what it is`() throws {
        #expect(
            try framing.head(of: 2..<5)
                == "\r\n--x\r\nContent-Type: text/plain\r\nContent-Range: bytes 2-4/10\r\n\r\n"
                .wireBytes
        )
        #expect(framing.end == "\r\n--x--\r\n".wireBytes)
        #expect(framing.mediaType == "multipart/byteranges; boundary=x")
        let bare = ByteRangesFraming(boundary: "x", contentType: nil, completeLength: 10)
        #expect(
            try bare.head(of: 0..<1) == "\r\n--x\r\nContent-Range: bytes 0-0/10\r\n\r\n".wireBytes
        )
    }

    @Test func `what was written reads back and is as long as announced`() throws {
        let ranges = [0..<1, 3..<7, 9..<10]
        let data = "0123456789".wireBytes
        var bytes: [UInt8] = []
        for range in ranges { bytes += try framing.head(of: range) + data[range] }
        bytes += framing.end
        #expect(try framing.contentLength(of: ranges) == bytes.count)
        var reader = try #require(MultipartReader(boundary: "x"))
        var found: [String] = []
        var start = 0
        while start < bytes.count {
            let step = try reader.next(bytes.span.extracting(start..<bytes.count))
            switch step.event {
            case .part(let fields): found.append(fields["content-range"] ?? "")
            case .content(let range):
                let content = bytes[start + range.lowerBound..<start + range.upperBound]
                found.append(String(decoding: content, as: UTF8.self))
            default: break
            }
            start += step.consumed
        }
        try reader.finish()
        #expect(
            found == ["bytes 0-0/10", "0", "bytes 3-6/10", "3456", "bytes 9-9/10", "9"]
        )
    }

    @Test func `a content type cannot add fields`() {
        let framing = ByteRangesFraming(boundary: "x", contentType: "a\r\nb: c", completeLength: 1)
        #expect(throws: MessageWriteError.fieldValue("Content-Type")) {
            try framing.head(of: 0..<1)
        }
    }

    @Test func `a boundary of another kind is a mistake of the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = ByteRangesFraming(boundary: "a b", contentType: nil, completeLength: 1)
        }
    }
}
