import HTTPWire
import Testing

@Suite struct RequestParserTests {
    /// Bytes, and what they are.
    static let messages: [(bytes: String, log: String)] = [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / http11(Host:a) end"),
        ("GET / HTTP/1.0\r\n\r\n", "GET / http10 end"),
        ("GET / HTTP/1.9\r\nhost:\r\n\r\n", "GET / http11(host:) end"),
        (
            "POST /x HTTP/1.1\r\nHost:a\r\nContent-Length:5\r\n\r\nhello",
            "POST /x http11(Host:a|Content-Length:5) =hello end"
        ),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
            "POST / http11(Host:a|Content-Length:0) end"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\ncontent-length: 2, 2\r\n\r\nab",
            "PUT / http11(Host:a|Content-Length:2|content-length:2, 2) =ab end"
        ),
        (
            "PUT / HTTP/1.0\r\nContent-Length: 0002\r\n\r\nab",
            "PUT / http10(Content-Length:0002) =ab end"
        ),
        (
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: b\r\n\r\n",
            "GET /1 http11(Host:a) end GET /2 http11(Host:b) end"
        ),
        ("\r\n\r\nGET / HTTP/1.0\r\n\r\n", "GET / http10 end"),
        ("\r\n", ""),
        ("\r", ""),
        ("", ""),
        (
            "GET / HTTP/1.0\r\nA: \t b \t c \t\r\nB:\u{E4}\r\nC:\r\n!#$%&'*+-.^_`|~: x\r\n\r\n",
            "GET / http10(A:b \t c|B:\u{E4}|C:|!#$%&'*+-.^_`|~:x) end"
        ),
        ("get-it HTTP://x:1/y?z=1 HTTP/1.0\r\n\r\n", "get-it HTTP://x:1/y?z=1 http10 end"),
        ("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", "CONNECT a:1 http11(Host:a:1) end"),
        ("OPTIONS * HTTP/1.1\r\nHost: [::1]:8\r\n\r\n", "OPTIONS * http11(Host:[::1]:8) end"),
    ]

    /// Bytes behind a head that announces chunks, and what they are.
    static let chunked: [(bytes: String, log: String)] = [
        ("0\r\n\r\n", "end"),
        ("5\r\nhello\r\n0\r\n\r\n", "=hello end"),
        ("1\r\na\r\n00A\r\n0123456789\r\n000\r\nX: y\r\nZ:\r\n\r\n", "=a0123456789 end(X:y|Z:)"),
        ("2;a;b=c;d=\"e;\\\"f\"\r\nab\r\n0;x\r\n\r\n", "=ab end"),
        ("2 ;\ta = b ; c\r\nab\r\n0\r\n\r\n", "=ab end"),
        ("000000000000000000001\r\na\r\n0\r\n\r\n", "=a end"),
        ("5\r\nhel", "=hel !incomplete"),
        ("5\r\nhello\r\n", "=hello !incomplete"),
        ("0\r\n", "!incomplete"),
        ("0\r\n\r\n\r\n", "end"),
        ("1\r\nab", "=a !a chunk is not followed by CR LF"),
        ("1\r\na\n", "=a !a chunk is not followed by CR LF"),
        ("1\r\na\rb", "=a !a chunk is not followed by CR LF"),
        ("1\na", "!a line ends in LF without CR"),
        ("1\r\r\na", "!a CR without LF"),
        ("\r\n", "!a chunk size is not hexadecimal digits"),
        ("g\r\n", "!a chunk size is not hexadecimal digits"),
        ("-1\r\n", "!a chunk size is not hexadecimal digits"),
        ("+1\r\n", "!a chunk size is not hexadecimal digits"),
        (" 1\r\n", "!a chunk size is not hexadecimal digits"),
        ("0x1\r\n", "!a chunk size is followed by what is no extension"),
        ("1 \r\n", "!a chunk size is followed by what is no extension"),
        ("1 a\r\n", "!a chunk size is followed by what is no extension"),
        ("1_0\r\n", "!a chunk size is followed by what is no extension"),
        ("1;\r\n", "!a chunk size is followed by what is no extension"),
        ("1;a \r\n", "!a chunk size is followed by what is no extension"),
        ("1;a=\r\n", "!a chunk size is followed by what is no extension"),
        ("1;a=\"b\r\n", "!a chunk size is followed by what is no extension"),
        ("1;a\u{0}\r\n", "!a chunk size is followed by what is no extension"),
        ("1;a=b\nx", "!a line ends in LF without CR"),
        ("7FFFFFFFFFFFFFFF\r\n", "!incomplete"),
        ("8000000000000000\r\n", "!a chunk size is too large"),
        ("FFFFFFFFFFFFFFFF\r\n", "!a chunk size is too large"),
        ("10000000000000000\r\n", "!a chunk size is too large"),
        ("0\r\nX : y\r\n\r\n", "!a header name that is not followed by a colon"),
        ("0\r\n x\r\n\r\n", "!a header line begins with white space"),
    ]

    /// Bytes that are refused, and why.
    static let refused: [(bytes: String, reason: String)] = [
        ("\u{16}\u{3}\u{1}", "the first byte of a message is none of HTTP/1.1"),
        (" GET / HTTP/1.1\r\n", "the first byte of a message is none of HTTP/1.1"),
        ("\u{0}", "the first byte of a message is none of HTTP/1.1"),
        ("\nGET / HTTP/1.1\r\n", "a line ends in LF without CR"),
        ("GET / HTTP/1.1\nHost: a\n\n", "a line ends in LF without CR"),
        ("GET / HTTP/1.1\r\nHost: a\n\r\n", "a line ends in LF without CR"),
        ("GET / HTTP/1.1\r\nHost: a\r\n\n", "a line ends in LF without CR"),
        ("GET / HTTP/1.1\r\rHost: a\r\n", "a CR without LF"),
        ("GET /\rx HTTP/1.1\r\n", "a CR without LF"),
        ("GET / HTTP/1.1\r\r\n", "a CR without LF"),
        ("GET  / HTTP/1.1\r\n", "a request line that is not method, target and version"),
        ("GET /  HTTP/1.1\r\n", "a request line that is not method, target and version"),
        ("GET / HTTP/1.1 \r\n", "a request line that is not method, target and version"),
        ("GET /a b HTTP/1.1\r\n", "a request line that is not method, target and version"),
        ("GET\t/ HTTP/1.1\r\n", "the method is not a token"),
        ("GET(x / HTTP/1.1\r\n", "the method is not a token"),
        ("GET\r\n", "a request line that is not method, target and version"),
        ("GET \r\n", "a request line that is not method, target and version"),
        ("GET /\u{E9} HTTP/1.1\r\n", "the target has a character that belongs percent-encoded"),
        ("GET /\u{0} HTTP/1.1\r\n", "the target has a character that belongs percent-encoded"),
        ("GET /\t HTTP/1.1\r\n", "the target has a character that belongs percent-encoded"),
        ("GET /\r\n", "versionNotSupported"),
        ("GET / HTTP/0.9\r\n", "versionNotSupported"),
        ("GET / HTTP/2.0\r\n", "versionNotSupported"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "versionNotSupported"),
        ("GET / HTTP/1.10\r\n", "a version that is not HTTP/, digit, point and digit"),
        ("GET / HTTP/1\r\n", "a version that is not HTTP/, digit, point and digit"),
        ("GET / HTTP/1.\r\n", "a version that is not HTTP/, digit, point and digit"),
        ("GET / HTTP/11\r\n", "a version that is not HTTP/, digit, point and digit"),
        ("GET / http/1.1\r\n", "a version that is not HTTP/, digit, point and digit"),
        ("GET / HTTPS/1.1\r\n", "a version that is not HTTP/, digit, point and digit"),
        ("GET / HTTP/1,1\r\n", "a version that is not HTTP/, digit, point and digit"),
        ("GET / HTTP/1.0\r\nA : b\r\n", "a header name that is not followed by a colon"),
        ("GET / HTTP/1.0\r\nA\t: b\r\n", "a header name that is not followed by a colon"),
        ("GET / HTTP/1.0\r\nA\r\n", "a header name that is not followed by a colon"),
        ("GET / HTTP/1.0\r\n\u{E9}: b\r\n", "a header line without a name"),
        ("GET / HTTP/1.0\r\nA\u{0}: b\r\n", "a header name that is not followed by a colon"),
        ("GET / HTTP/1.0\r\n: b\r\n", "a header line without a name"),
        ("GET / HTTP/1.0\r\n A: b\r\n", "a header line begins with white space"),
        ("GET / HTTP/1.0\r\nA: b\r\n c\r\n", "a header line begins with white space"),
        ("GET / HTTP/1.0\r\nA: b\r\n\tc\r\n", "a header line begins with white space"),
        ("GET / HTTP/1.0\r\nA: b\r\n \r\n", "a header line begins with white space"),
        ("GET / HTTP/1.0\r\nA: b\rc\r\n", "a CR without LF"),
        ("GET / HTTP/1.0\r\nA: b\r\r\n", "a CR without LF"),
        ("GET / HTTP/1.0\r\nA: \u{0}\r\n", "a control character in a header value"),
        ("GET / HTTP/1.0\r\nA: b\u{7F}\r\n", "a control character in a header value"),
        ("GET / HTTP/1.0\r\nA: \u{B}b\r\n", "a control character in a header value"),
        ("GET / HTTP/1.0\r\n\r", "incomplete"),
        ("GET / HTTP/1.0\r\n", "incomplete"),
        ("G", "incomplete"),
        ("\r\nG", "incomplete"),
    ]

    /// Field lines behind `POST / HTTP/1.1` that are refused, and why.
    static let refusedFields: [(fields: String, reason: String)] = [
        ("", "no Host"),
        ("Host: a\r\nhost: a\r\n", "more than one Host"),
        ("Host: a/b\r\n", "a Host that is no host"),
        ("Host: a@b\r\n", "a Host that is no host"),
        ("Host: a b\r\n", "a Host that is no host"),
        ("Host: a?b\r\n", "a Host that is no host"),
        ("Host: \u{E9}\r\n", "a Host that is no host"),
        ("Host: a\r\nContent-Length:\r\n", "Content-Length is not a number"),
        ("Host: a\r\nContent-Length: +5\r\n", "Content-Length is not a number"),
        ("Host: a\r\nContent-Length: -5\r\n", "Content-Length is not a number"),
        ("Host: a\r\nContent-Length: 0x5\r\n", "Content-Length is not a number"),
        ("Host: a\r\nContent-Length: 5 5\r\n", "Content-Length is not a number"),
        ("Host: a\r\nContent-Length: 5,\r\n", "Content-Length is not a number"),
        ("Host: a\r\nContent-Length: 5.0\r\n", "Content-Length is not a number"),
        ("Host: a\r\nContent-Length: \u{B2}\r\n", "Content-Length is not a number"),
        ("Host: a\r\nContent-Length: 9223372036854775808\r\n", "Content-Length is too large"),
        ("Host: a\r\nContent-Length: 5, 6\r\n", "several different Content-Length values"),
        (
            "Host: a\r\nContent-Length: 5\r\ncontent-length: 6\r\n",
            "several different Content-Length values"
        ),
        (
            "Host: a\r\nContent-Length: 5\r\nContent-Length: 05\r\n",
            "several different Content-Length values"
        ),
        (
            "Host: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding together with Content-Length"
        ),
        (
            "Host: a\r\nTransfer-Encoding: x\r\nContent-Length: 5\r\n",
            "Transfer-Encoding together with Content-Length"
        ),
        ("Host: a\r\nTransfer-Encoding: gzip\r\n", "Transfer-Encoding does not end in chunked"),
        ("Host: a\r\nTransfer-Encoding: identity\r\n", "Transfer-Encoding does not end in chunked"),
        ("Host: a\r\nTransfer-Encoding:\r\n", "Transfer-Encoding does not end in chunked"),
        ("Host: a\r\nTransfer-Encoding: chunked,\r\n", "Transfer-Encoding does not end in chunked"),
        ("Host: a\r\nTransfer-Encoding: ,chunked\r\n", "Transfer-Encoding does not end in chunked"),
        (
            "Host: a\r\nTransfer-Encoding: chunked, gzip\r\n",
            "Transfer-Encoding does not end in chunked"
        ),
        (
            "Host: a\r\nTransfer-Encoding: chunked, chunked\r\n",
            "Transfer-Encoding does not end in chunked"
        ),
        (
            "Host: a\r\nTransfer-Encoding: chunked\r\ntransfer-encoding: chunked\r\n",
            "Transfer-Encoding does not end in chunked"
        ),
        (
            "Host: a\r\nTransfer-Encoding: chunked;q=1\r\n",
            "Transfer-Encoding does not end in chunked"
        ),
        (
            "Host: a\r\nTransfer-Encoding: \"chunked\"\r\n",
            "Transfer-Encoding does not end in chunked"
        ),
        ("Host: a\r\nTransfer-Encoding: xchunked\r\n", "Transfer-Encoding does not end in chunked"),
        (
            "Host: a\r\nTransfer-Encoding: \u{A0}chunked\r\n",
            "Transfer-Encoding does not end in chunked"
        ),
        ("Host: a\r\nTransfer-Encoding: gzip, chunked\r\n", "transferCodingNotSupported"),
    ]

    private static let chunkedHead =
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n"
    private static let chunkedLog = "POST / http11(Host:a|Transfer-Encoding:CHUNKED) "

    @Test(arguments: messages)
    func `messages are found`(bytes: String, log: String) {
        #expect(ParserLog.requests(bytes.wireBytes) == log)
    }

    @Test(arguments: chunked)
    func `chunks are read strictly`(bytes: String, log: String) {
        let found = ParserLog.requests((Self.chunkedHead + bytes).wireBytes)
        #expect(found == Self.chunkedLog + log)
    }

    @Test(arguments: refused)
    func `what is not by the grammar is refused`(bytes: String, reason: String) {
        #expect(ParserLog.requests(bytes.wireBytes) == "!" + reason)
    }

    @Test(arguments: refusedFields)
    func `what could be understood in two ways is refused`(fields: String, reason: String) {
        let head = "POST / HTTP/1.1\r\n\(fields)\r\n"
        #expect(ParserLog.requests(head.wireBytes) == "!" + reason)
    }

    @Test func `transfer codings have no place in HTTP 1 point 0`() {
        let head = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(ParserLog.requests(head.wireBytes) == "!Transfer-Encoding in HTTP/1.0")
    }

    @Test func `however the bytes are cut, the messages are the same`() {
        let pipelined = Self.messages.prefix(8).map(\.bytes).joined() + "G"
        var texts = Self.messages.map(\.bytes) + Self.refused.map(\.bytes)
        texts += Self.chunked.map { Self.chunkedHead + $0.bytes }
        texts += Self.refusedFields.map { "POST / HTTP/1.1\r\n\($0.fields)\r\n" }
        for text in texts + [pipelined] {
            let bytes = text.wireBytes
            let whole = ParserLog.requests(bytes)
            for size in [1, 2, 3, 7] {
                #expect(ParserLog.requests(bytes, pieces: [size]) == whole, "\(text)")
            }
            for first in 1..<max(bytes.count, 2) {
                let found = ParserLog.requests(bytes, pieces: [first, .max])
                #expect(found == whole, "\(text)")
            }
        }
    }

    @Test func `an error stays`() {
        var parser = RequestParser()
        let bytes: [UInt8] = [0]
        #expect(throws: MessageError.self) { try parser.next(bytes.span) }
        #expect(throws: MessageError.self) { try parser.next(Array("GET".utf8).span) }
        #expect(throws: MessageError.self) { try parser.finish() }
        #expect(!parser.isBetweenMessages)
    }

    @Test func `a request without content ends without a further byte`() throws {
        var parser = RequestParser()
        let bytes = "GET / HTTP/1.0\r\n\r\n".wireBytes
        let head = try parser.next(bytes.span)
        #expect(head.consumed == bytes.count)
        #expect(!parser.isBetweenMessages)
        let end = try parser.next(bytes.span.extracting(last: 0))
        #expect(end == MessageStep(consumed: 0, event: .end(trailers: [:])))
        #expect(parser.isBetweenMessages)
        #expect(try parser.next([UInt8]().span) == MessageStep(consumed: 0, event: nil))
    }

    @Test func `content is one range, however long`() throws {
        var parser = RequestParser()
        let head = "PUT / HTTP/1.0\r\nContent-Length: 1000000000000\r\n\r\n".wireBytes
        _ = try parser.next(head.span)
        let content = [UInt8](repeating: 0, count: 65_536)
        let wanted = MessageStep<RequestHead>(consumed: 65_536, event: .body(0..<65_536))
        var asWanted = 0
        for _ in 0..<10_000 where try parser.next(content.span) == wanted { asWanted += 1 }
        #expect(asWanted == 10_000)
    }
}
