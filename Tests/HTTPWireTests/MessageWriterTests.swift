import HTTPWire
import Testing

@Suite struct MessageWriterTests {
    @Test func `heads are written as they stand`() throws {
        let request = RequestHead("PUT", "/a?b", fields: ["Host": "x", "A": "\u{E4} b", "C": ""])
        #expect(
            try MessageWriter.bytes(of: request)
                == "PUT /a?b HTTP/1.1\r\nHost: x\r\nA: \u{E4} b\r\nC: \r\n\r\n".wireBytes
        )
        let response = ResponseHead(404, version: .http10, fields: ["A": "b"])
        #expect(
            try MessageWriter.bytes(of: response)
                == "HTTP/1.0 404 Not Found\r\nA: b\r\n\r\n".wireBytes
        )
        #expect(
            try MessageWriter.bytes(of: ResponseHead(200, reason: ""))
                == "HTTP/1.1 200 \r\n\r\n".wireBytes
        )
    }

    @Test(arguments: [
        "\r", "\n", "\r\n", "\u{0}", "\u{7F}", "\u{100}", "a\r\nSet-Cookie: x", "\u{1F600}",
    ])
    func `nothing can be smuggled into a message`(text: String) {
        let fields: HeaderFields = ["A": "b\(text)c"]
        #expect(throws: MessageWriteError.fieldValue("A")) {
            try MessageWriter.bytes(of: ResponseHead(200, fields: fields))
        }
        #expect(throws: MessageWriteError.fieldValue("A")) {
            try MessageWriter.lastChunk(trailers: fields)
        }
        #expect(throws: MessageWriteError.fieldName("A\(text)")) {
            try MessageWriter.bytes(of: RequestHead("GET", "/", fields: ["A\(text)": "b"]))
        }
        #expect(throws: MessageWriteError.target) {
            try MessageWriter.bytes(of: RequestHead("GET", "/\(text)"))
        }
        #expect(throws: MessageWriteError.method) {
            try MessageWriter.bytes(of: RequestHead("GET\(text)", "/"))
        }
        #expect(throws: MessageWriteError.reason) {
            try MessageWriter.bytes(of: ResponseHead(200, reason: text))
        }
    }

    @Test func `parts that are none are refused`() {
        #expect(throws: MessageWriteError.target) {
            try MessageWriter.bytes(of: RequestHead("GET", ""))
        }
        #expect(throws: MessageWriteError.target) {
            try MessageWriter.bytes(of: RequestHead("GET", "/ "))
        }
        #expect(throws: MessageWriteError.method) {
            try MessageWriter.bytes(of: RequestHead("", "/"))
        }
        #expect(throws: MessageWriteError.status) { try MessageWriter.bytes(of: ResponseHead(99)) }
        #expect(throws: MessageWriteError.status) {
            try MessageWriter.bytes(of: ResponseHead(1_000))
        }
        #expect(!MessageWriter.canWrite(.init("", "x")))
        #expect(!MessageWriter.canWrite(.init("a b", "x")))
        #expect(!MessageWriter.canWrite(.init("a:", "x")))
        #expect(!MessageWriter.canWrite(.init("a", " x")))
        #expect(!MessageWriter.canWrite(.init("a", "x\t")))
        #expect(MessageWriter.canWrite(.init("a", "x\ty")))
    }

    @Test func `every error says what is wrong in one line`() {
        let errors: [MessageWriteError] = [
            .method, .target, .status, .reason, .fieldName("a\n"), .fieldValue("A"),
        ]
        for error in errors { #expect(error.description.utf8.allSatisfy { $0 >= 0x20 }) }
    }

    @Test func `chunks read back`() throws {
        let head = RequestHead("PUT", "/", fields: ["Host": "", "Transfer-Encoding": "chunked"])
        var bytes = try MessageWriter.bytes(of: head)
        for count in [1, 15, 16, 255, 4_096] {
            bytes += MessageWriter.chunkHead(count)
            bytes += [UInt8](repeating: UInt8(ascii: "x"), count: count)
            bytes += MessageWriter.lineEnd
        }
        bytes += try MessageWriter.lastChunk(trailers: ["A": "b"])
        let log = ParserLog.requests(bytes)
        #expect(log.hasSuffix("=\(String(repeating: "x", count: 4_383)) end(A:b)"))
        #expect(try MessageWriter.lastChunk() == "0\r\n\r\n".wireBytes)
    }

    @Test func `an empty chunk is a mistake of the program`() async {
        await #expect(processExitsWith: .failure) { _ = MessageWriter.chunkHead(0) }
    }

    @Test func `what was written reads back as the same`() throws {
        for (text, _) in RequestParserTests.messages {
            guard let head = try Self.requestHead(text.wireBytes) else { continue }
            #expect(try Self.requestHead(MessageWriter.bytes(of: head)) == head)
        }
        for (text, methods, _) in ResponseParserTests.messages {
            let method = methods.first ?? "GET"
            guard let head = try? Self.responseHead(text.wireBytes, to: method) else { continue }
            let again = try Self.responseHead(MessageWriter.bytes(of: head), to: method)
            #expect(again == head)
        }
    }

    private static func requestHead(_ bytes: [UInt8]) throws -> RequestHead? {
        var parser = RequestParser()
        let step = try parser.next(bytes.span)
        guard case .head(let head) = step.event else { return nil }
        return head
    }

    private static func responseHead(_ bytes: [UInt8], to method: String) throws -> ResponseHead? {
        var parser = ResponseParser()
        parser.expect(method: method)
        let step = try parser.next(bytes.span)
        guard case .head(let head) = step.event else { return nil }
        return head
    }
}
