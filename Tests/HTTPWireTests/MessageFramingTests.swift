import HTTPWire
import Testing

@Suite struct MessageFramingTests {
    @Test func `framing is told from the head alone`() throws {
        #expect(try RequestHead("GET", "/").framing() == .none)
        #expect(
            try RequestHead("GET", "/", fields: ["Content-Length": "0"]).framing() == .length(0)
        )
        #expect(
            try RequestHead("GET", "/", fields: ["Transfer-Encoding": "chunked"]).framing()
                == .chunked
        )
        let response = ResponseHead(200, fields: ["Content-Length": "7"])
        #expect(try response.framing(answering: "GET") == .length(7))
        #expect(try response.framing(answering: "HEAD") == .none)
        #expect(try response.framing(answering: "CONNECT") == .none)
        #expect(try ResponseHead(200).framing(answering: "GET") == .untilClose)
        #expect(throws: MessageError.malformed("Content-Length is not a number")) {
            try ResponseHead(200, fields: ["Content-Length": "x"]).framing(answering: "GET")
        }
    }

    @Test(arguments: [
        (HTTPVersion.http11, nil, true), (.http11, "close", false), (.http11, "x, Close", false),
        (.http11, "keep-alive", true), (.http10, nil, false), (.http10, "Keep-Alive", true),
        (.http10, "keep-alive, close", false),
    ])
    func `a connection persists by version and field`(
        version: HTTPVersion,
        connection: String?,
        persists: Bool
    ) {
        var fields: HeaderFields = ["Content-Length": "0"]
        fields["Connection"] = connection
        #expect(
            RequestHead("GET", "/", version: version, fields: fields).keepsConnection == persists
        )
        let response = ResponseHead(200, version: version, fields: fields)
        #expect(response.keepsConnection(answering: "GET") == persists)
    }

    @Test func `no request follows content that ends with the connection, or a tunnel`() {
        #expect(!ResponseHead(200).keepsConnection(answering: "GET"))
        #expect(ResponseHead(200).keepsConnection(answering: "HEAD"))
        #expect(!ResponseHead(200).keepsConnection(answering: "CONNECT"))
        #expect(!ResponseHead(101).keepsConnection(answering: "GET"))
    }

    @Test func `only a client of HTTP 1 point 1 waits for a 100`() {
        let fields: HeaderFields = ["Expect": "100-Continue"]
        #expect(RequestHead("PUT", "/", fields: fields).expectsContinue)
        #expect(!RequestHead("PUT", "/", version: .http10, fields: fields).expectsContinue)
        #expect(!RequestHead("PUT", "/", fields: ["Expect": "x"]).expectsContinue)
    }
}
