import HTTPWire
import Testing

@Suite struct MessageLimitsTests {
    private static let limits: MessageLimits = {
        var limits = MessageLimits()
        limits.startLine = 20
        limits.head = 100
        limits.fields = 3
        limits.chunkLine = 10
        return limits
    }()

    /// What is found, which must not depend on how the bytes are cut.
    private func requests(_ text: String) -> String {
        let bytes = text.wireBytes
        let whole = ParserLog.requests(bytes, limits: Self.limits)
        for size in 1...7 {
            #expect(ParserLog.requests(bytes, pieces: [size], limits: Self.limits) == whole)
        }
        return whole
    }

    @Test func `a start line has a limit`() {
        let target = String(repeating: "x", count: 6)
        #expect(requests("GET /\(target) HTTP/1.0").hasSuffix("!incomplete"))
        #expect(requests("GET /\(target) HTTP/1.0\r\n\r\n").hasSuffix("end"))
        #expect(requests("GET /\(target)x HTTP/1.0\r\n") == "!startLineTooLong")
        #expect(
            requests("GET /\(target)" + String(repeating: "x", count: 11)) == "!startLineTooLong"
        )
        #expect(requests("GET /\(target)x HTTP/1.0\n") == "!startLineTooLong")
        #expect(requests(String(repeating: "x", count: 21)) == "!incomplete")
        #expect(requests(String(repeating: "x", count: 22)) == "!startLineTooLong")
    }

    @Test func `a head has a limit`() {
        let line = "GET /234 HTTP/1.0\r\n"
        #expect(line.utf8.count == 19)
        func head(_ count: Int) -> String {
            "\(line)A:\(String(repeating: "b", count: count - 19 - 2 - 4))\r\n\r\n"
        }
        #expect(head(100).utf8.count == 100)
        #expect(requests(head(100)).hasSuffix("end"))
        #expect(requests(head(101)) == "!headTooLarge")
        #expect(requests(head(1_000)) == "!headTooLarge")
        #expect(requests(String(repeating: "\r\n", count: 40) + head(100)) == "!headTooLarge")
        #expect(requests(String(repeating: "\r\n", count: 50)) != "!headTooLarge")
        #expect(requests(String(repeating: "\r\n", count: 51)) == "!headTooLarge")
        #expect(requests(head(100) + head(100)).hasSuffix("end"))
    }

    @Test func `the number of fields has a limit`() {
        let line = "GET / HTTP/1.0\r\n"
        #expect(requests(line + "a:\r\na:\r\na:\r\n\r\n").hasSuffix("end"))
        #expect(requests(line + "a:\r\na:\r\na:\r\na:\r\n\r\n") == "!headTooLarge")
    }

    @Test func `chunk lines and trailers have limits`() {
        let limits = Self.limits
        func chunks(_ text: String) -> String {
            let bytes = ("POST / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n" + text)
                .wireBytes
            let whole = ParserLog.requests(bytes, limits: limits)
            #expect(ParserLog.requests(bytes, pieces: [1], limits: limits) == whole)
            return String(whole.split(separator: " ", maxSplits: 3).last ?? "")
        }
        #expect(chunks("1;aaaaaaaa\r\nx\r\n") == "=x !incomplete")
        #expect(chunks("1;aaaaaaaaa\r\nx\r\n").contains("chunk-size line is too long"))
        #expect(chunks(String(repeating: "0", count: 12)).contains("chunk-size line is too long"))
        #expect(chunks("0\r\na:\r\na:\r\na:\r\n\r\n") == "end(a:|a:|a:)")
        #expect(chunks("0\r\na:\r\na:\r\na:\r\na:\r\n\r\n") == "!headTooLarge")
        let value = String(repeating: "b", count: 94)
        #expect(chunks("0\r\na:\(value)\r\n\r\n") == "end(a:\(value))")
        #expect(chunks("0\r\na:\(value)b\r\n\r\n") == "!headTooLarge")
    }
}
