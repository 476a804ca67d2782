import HTTPWire
import Testing

/// Heads of requests to a proxy as servers get them.
@Suite struct RelayedHeadTests {
    /// Lines without their ends, of a head and of what becomes of it.
    private func relayed(_ lines: [String]) throws -> [String] {
        let bytes = Array(lines.map { "\($0)\r\n" }.joined().utf8) + Array("\r\n".utf8)
        var parser = RequestParser()
        guard case .head(let head)? = try parser.next(bytes.span).event,
            case .absolute(let url) = RequestTarget(head)
        else { return [] }
        let output = RelayedHead(head, to: url).bytes(from: bytes.span)
        let text = String(decoding: output, as: UTF8.self)
        try #require(text.hasSuffix("\r\n\r\n"))
        return text.split(separator: "\r\n").map { String($0) }
    }

    @Test func `the server gets the path, its own name, and nothing that is for a proxy`() throws {
        let lines = try relayed([
            "GET http://Example.com:8080/x?y HTTP/1.1", "accept:  */* ", "Host: other",
            "Proxy-Authorization: Basic eA==", "proxy-connection: keep-alive",
            "Connection: keep-alive, X-Hop", "X-Hop: 1", "Upgrade: h2c", "TE: trailers", "Z:",
        ])
        #expect(lines == ["GET /x?y HTTP/1.1", "accept:  */* ", "Host: example.com:8080", "Z:"])
    }

    @Test func `what a proxy need not change stays byte for byte`() throws {
        let fields = ["hOST:x", "User-Agent:\ta b\t", "X-A: 1", "x-a:2", "Cookie: a=b; c=d"]
        #expect(
            try relayed(["PUT http://x/a%20b HTTP/1.1"] + fields) == ["PUT /a%20b HTTP/1.1"]
                + fields
        )
    }

    @Test func `empty lines before a head are left out, and a host that is missing is added`()
        throws
    {
        #expect(
            try relayed(["", "", "GET http://x/ HTTP/1.0", "A: b"])
                == ["GET / HTTP/1.0", "A: b", "Host: x"]
        )
    }

    @Test(arguments: [
        ("1.1", nil, nil), ("1.1", "close", "close"), ("1.1", "keep-alive", nil), ("1.0", nil, nil),
        ("1.0", "Keep-Alive", "keep-alive"), ("1.0", "close", nil),
    ])
    func `whether the connection is kept stays as the client said`(
        version: String,
        said: String?,
        relayed: String?
    ) throws {
        let field = said.map { ["Connection: \($0)"] } ?? []
        #expect(
            try self.relayed(["GET http://x/ HTTP/\(version)", "Host: x"] + field)
                == ["GET / HTTP/\(version)", "Host: x"]
                + (relayed.map { ["Connection: \($0)"] } ?? [])
        )
    }

    @Test(arguments: [
        ["Content-Length: 5", "Connection: content-length"],
        [
            "Transfer-Encoding: chunked", "Trailer: Digest",
            "Connection: Trailer, Transfer-Encoding",
        ],
    ])
    func `what frames the content stays, whatever Connection says`(fields: [String]) throws {
        #expect(
            try relayed(["POST http://x/ HTTP/1.1", "Host: x"] + fields)
                == ["POST / HTTP/1.1", "Host: x"] + fields.dropLast()
        )
    }

    @Test(arguments: [
        ("OPTIONS http://x", "OPTIONS *"), ("OPTIONS http://x/", "OPTIONS /"),
        ("GET http://x", "GET /"),
        ("GET http://x?y", "GET /?y"),
    ])
    func `OPTIONS of a whole server is so there, too`(line: String, relayed: String) throws {
        #expect(
            try self.relayed(["\(line) HTTP/1.1", "Host: x"]) == ["\(relayed) HTTP/1.1", "Host: x"]
        )
    }
}
