import HTTPWire
import Testing

/// Heads of requests to a proxy as servers get them.
@Suite struct RelayedHeadTests {
    @Test func `the server gets the path, its own name, and nothing that is for a proxy`() {
        let head = RequestHead(
            "GET",
            "http://Example.com:8080/x?y",
            fields: [
                "Host": "other", "Proxy-Authorization": "Basic eA==",
                "Proxy-Connection": "keep-alive",
                "Connection": "keep-alive, X-Hop", "X-Hop": "1", "Upgrade": "h2c", "Accept": "*/*",
            ]
        )
        let relayed = head.relayed
        #expect(relayed?.target == "/x?y" && relayed?.method == "GET")
        #expect(
            relayed?.fields
                == ["Host": "example.com:8080", "Accept": "*/*"]
        )
    }

    @Test(arguments: [
        (HTTPVersion.http11, nil, nil), (.http11, "close", "close"), (.http11, "keep-alive", nil),
        (.http10, nil, nil), (.http10, "keep-alive", "keep-alive"), (.http10, "close", nil),
    ])
    func `whether the connection is kept stays as the client said`(
        version: HTTPVersion,
        said: String?,
        relayed: String?
    ) {
        var head = RequestHead("GET", "http://x/", version: version)
        if let said { head.fields.add("Connection", said) }
        #expect(head.relayed?.fields["Connection"] == relayed)
    }

    @Test func `what frames the content stays, whatever Connection says`() {
        let length = RequestHead(
            "POST",
            "http://x/",
            fields: ["Content-Length": "5", "Connection": "content-length"]
        )
        #expect(length.relayed?.fields["Content-Length"] == "5")
        let chunks = RequestHead(
            "POST",
            "http://x/",
            fields: ["Transfer-Encoding": "chunked", "Trailer": "Digest", "Connection": "Trailer"]
        )
        #expect(chunks.relayed?.fields["Transfer-Encoding"] == "chunked")
        #expect(chunks.relayed?.fields["Trailer"] == "Digest")
    }

    @Test func `OPTIONS of a whole server is so there, too`() {
        #expect(RequestHead("OPTIONS", "http://x").relayed?.target == "*")
        #expect(RequestHead("OPTIONS", "http://x/").relayed?.target == "/")
        #expect(RequestHead("GET", "http://x").relayed?.target == "/")
    }

    @Test(arguments: ["/x", "*", "x:1", "ftp://x/"])
    func `other targets are not for a proxy`(target: String) {
        #expect(RequestHead("GET", target).relayed == nil)
    }
}
