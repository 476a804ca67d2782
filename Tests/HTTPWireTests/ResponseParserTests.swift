import HTTPWire
import Testing

@Suite struct ResponseParserTests {
    /// Bytes, the methods of the requests, and what the bytes are.
    static let messages: [(bytes: String, methods: [String], log: String)] = [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", ["GET"],
            "200 http11(Content-Length:2) =ab end"
        ),
        ("HTTP/1.1 200 OK\r\n\r\nab", ["GET"], "200 http11 =ab by close"),
        ("HTTP/1.1 200 OK\r\n\r\n", ["GET"], "200 http11 by close"),
        ("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", ["GET"], "200 http11(Content-Length:0) end"),
        ("HTTP/1.0 200\r\nContent-Length: 0\r\n\r\n", ["GET"], "200 http10(Content-Length:0) end"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", ["HEAD"],
            "200 http11(Content-Length:9) end"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\nContent-Length: 9\r\n\r\n", ["HEAD"],
            "200 http11(Transfer-Encoding:x|Content-Length:9) end"
        ),
        (
            "HTTP/1.1 204 No\r\nContent-Length: 9\r\n\r\n", ["GET"],
            "204 http11(Content-Length:9) end"
        ),
        (
            "HTTP/1.1 304 No\r\nContent-Length: 9\r\n\r\n", ["GET"],
            "304 http11(Content-Length:9) end"
        ),
        (
            "HTTP/1.1 205 R\r\nContent-Length: 1\r\n\r\na", ["GET"],
            "205 http11(Content-Length:1) =a end"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX: y\r\n\r\n",
            ["GET"], "200 http11(Transfer-Encoding:chunked) =ab end(X:y)"
        ),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 104 U\r\nContent-Length: 9\r\n\r\n"
                + "HTTP/1.1 104 U\r\n\r\nHTTP/1.1 201 C\r\nContent-Length: 1\r\n\r\na",
            ["POST"],
            "100 http11 104 http11(Content-Length:9) 104 http11 201 http11(Content-Length:1) =a end"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\n"
                + "Content-Length: 1\r\n\r\na",
            ["HEAD", "GET"],
            "200 http11(Content-Length:5) end 100 http11 200 http11(Content-Length:1) =a end"
        ),
        ("HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\n\u{0}\u{1}", ["GET"], "101 http11(Upgrade:x) opaque"),
        (
            "HTTP/1.1 103 E\r\n\r\nHTTP/1.1 101 S\r\n\r\nHTTP/1.1", ["GET", "GET"],
            "103 http11 101 http11 opaque"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", ["CONNECT"],
            "200 http11(Content-Length:9) opaque"
        ),
        (
            "HTTP/1.1 407 P\r\nContent-Length: 1\r\n\r\nx", ["CONNECT"],
            "407 http11(Content-Length:1) =x end"
        ),
        (
            "HTTP/1.1 999 Wer wei\u{DF}\tes\r\nContent-Length: 0\r\n\r\n", ["GET"],
            "999 http11(Content-Length:0) end"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", ["GET"],
            "200 http11(Content-Length:2) =a !incomplete"
        ),
        ("HTTP/1.1 100 C\r\n\r\n", ["GET"], "100 http11"),
        ("", ["GET"], ""),
        ("H", ["GET"], "!incomplete"),
        ("HTTP/1.1 204 N\r\n\r\nH", ["GET"], "204 http11 end !a response without a request"),
        ("HTTP/1.1 408 T\r\n\r\n", [], "!a response without a request"),
        ("\r\nHTTP/1.1 204 N\r\n\r\n", ["GET"], "!the first byte of a message is none of HTTP/1.1"),
        ("SSH-2.0-x\r\n", ["GET"], "!the first byte of a message is none of HTTP/1.1"),
        ("HTTP/1.1 200 OK\n\n", ["GET"], "!a line ends in LF without CR"),
        ("HTTP/2 200\r\n\r\n", ["GET"], "!a version that is not HTTP/, digit, point and digit"),
        ("HTTP/2.0 200 OK\r\n\r\n", ["GET"], "!versionNotSupported"),
        ("HTTP/1.1\r\n\r\n", ["GET"], "!a status that is not three digits from 100"),
        ("HTTP/1.1  200 OK\r\n\r\n", ["GET"], "!a status that is not three digits from 100"),
        ("HTTP/1.1 099 OK\r\n\r\n", ["GET"], "!a status that is not three digits from 100"),
        ("HTTP/1.1 20 OK\r\n\r\n", ["GET"], "!a status that is not three digits from 100"),
        ("HTTP/1.1 2000 OK\r\n\r\n", ["GET"], "!a status that is not three digits from 100"),
        ("HTTP/1.1 +20 OK\r\n\r\n", ["GET"], "!a status that is not three digits from 100"),
        ("HTTP/1.1 200\tOK\r\n\r\n", ["GET"], "!a status that is not three digits from 100"),
        ("HTTP/1.1 200 O\u{0}K\r\n\r\n", ["GET"], "!a control character in the reason phrase"),
        ("HTTP/1.1 200 OK\rX\r\n\r\n", ["GET"], "!a CR without LF"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", ["GET"],
            "!several different Content-Length values"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", ["GET"],
            "!Transfer-Encoding together with Content-Length"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", ["GET"],
            "!Transfer-Encoding does not end in chunked"
        ),
        (
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", ["GET"],
            "!Transfer-Encoding in HTTP/1.0"
        ),
        (
            "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", ["GET"],
            "!a header line begins with white space"
        ),
    ]

    @Test(arguments: messages)
    func `responses are found`(bytes: String, methods: [String], log: String) {
        #expect(ParserLog.responses(bytes.wireBytes, to: methods) == log)
    }

    @Test func `however the bytes are cut, the responses are the same`() {
        for (text, methods, log) in Self.messages {
            let bytes = text.wireBytes
            for size in 1...5 {
                let found = ParserLog.responses(bytes, to: methods, pieces: [size])
                #expect(found == log, "\(text)")
            }
            for first in 1..<max(bytes.count, 2) {
                let found = ParserLog.responses(bytes, to: methods, pieces: [first, .max])
                #expect(found == log, "\(text)")
            }
        }
    }

    @Test func `a finished connection says so`() throws {
        var parser = ResponseParser()
        parser.expect(method: "GET")
        #expect(parser.expectedCount == 1)
        _ = try parser.next("HTTP/1.1 100 C\r\n\r\n".wireBytes.span)
        #expect(parser.expectedCount == 1)
        #expect(parser.isBetweenMessages)
        _ = try parser.next("HTTP/1.1 200 OK\r\n\r\n".wireBytes.span)
        #expect(parser.expectedCount == 0)
        #expect(!parser.isBetweenMessages)
        #expect(try parser.finish())
        #expect(try parser.finish() == false)
    }

    @Test func `where HTTP ends, every call says so and no byte is used`() throws {
        var parser = ResponseParser()
        parser.expect(method: "GET")
        _ = try parser.next("HTTP/1.1 101 S\r\n\r\n".wireBytes.span)
        for _ in 0..<2 {
            #expect(try parser.next([0, 1].span) == MessageStep(consumed: 0, event: .opaque))
        }
        #expect(try parser.finish() == false)
    }
}
