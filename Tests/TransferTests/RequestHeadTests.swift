import Testing
import Transfer

@Suite struct RequestHeadTests {
    private func parse(_ text: String) throws(RequestError) -> RequestHead? {
        var reader = RequestReader()
        reader.append(text.utf8)
        return try reader.next()
    }

    @Test func `a request is read whole or byte by byte`() throws {
        let text =
            "GET /bytes/5?seed=2 HTTP/1.1\r\nHost: x\r\nRANGE:  bytes=1-2 \r\nIf-Range: \"a\"\r\n\r\n"
        let whole = try #require(try parse(text))
        #expect(whole.method == "GET" && whole.path == "/bytes/5" && whole.query == "seed=2")
        #expect(whole.range == "bytes=1-2" && whole.ifRange == "\"a\"" && whole.keepsConnection)
        var reader = RequestReader()
        for byte in text.utf8.dropLast() {
            reader.append([byte])
            #expect(try reader.next() == nil)
        }
        reader.append([0x0A])
        #expect(try reader.next() == whole)
    }

    @Test func `requests in one piece come one after the other`() throws {
        var reader = RequestReader()
        reader.append("GET /a HTTP/1.1\r\n\r\n\r\nGET http://h:1/b HTTP/1.0\n\nGET".utf8)
        #expect(try reader.next()?.path == "/a")
        let second = try reader.next()
        #expect(second?.path == "/b" && second?.keepsConnection == false)
        #expect(try reader.next() == nil)
        #expect(reader.isInsideRequest)
    }

    @Test(arguments: [
        ("GET\r\n\r\n", RequestError.malformed), ("GET / HTTP/2\r\n\r\n", .versionNotSupported),
        ("GET x HTTP/1.1\r\n\r\n", .malformed), ("GET / HTTP/1.1\r\n: v\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\na: 1\r\n folded\r\n\r\n", .malformed),
        ("GET / XTTP\r\n\r\n", .malformed),
    ])
    func `what is no request is refused`(text: String, error: RequestError) {
        #expect(throws: error) { try self.parse(text) }
    }

    @Test func `a head that does not end is refused at the limit`() {
        let long = "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: RequestReader.headLimit)
        #expect(throws: RequestError.headTooLarge) { try self.parse(long) }
        #expect(throws: RequestError.headTooLarge) { try self.parse(long + "\r\n\r\n") }
    }

    @Test func `a body and a closing connection are noticed`() throws {
        #expect(try parse("GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\n")?.hasBody == true)
        #expect(try parse("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")?.hasBody == true)
        #expect(try parse("GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n")?.hasBody == false)
        #expect(
            try parse("GET / HTTP/1.1\r\nConnection: foo, Close\r\n\r\n")?.keepsConnection == false
        )
    }
}
