import HTTPWire
import Testing

@Suite struct RequestTargetTests {
    @Test func `each form is told from target and method`() throws {
        guard case .origin(let resource) = RequestTarget(RequestHead("GET", "/a%20b?c=d?e")) else {
            Issue.record("no origin form")
            return
        }
        #expect(resource.path.segments == ["a b"])
        #expect(resource.query == "c=d?e")
        guard case .absolute(let url) = RequestTarget(RequestHead("GET", "HTTP://A:8/x?y")) else {
            Issue.record("no absolute form")
            return
        }
        #expect(url.hostField == "a:8")
        #expect(RequestTarget(RequestHead("GET", "http://a"))?.resource?.path.raw == "/")
        #expect(RequestTarget(RequestHead("GET", "http://a?b"))?.resource?.query == "b")
        #expect(RequestTarget(RequestHead("OPTIONS", "*")) == .asterisk)
        #expect(RequestTarget(RequestHead("OPTIONS", "*"))?.resource == nil)
        #expect(
            RequestTarget(RequestHead("CONNECT", "[::1]:443")) == .authority(host: "::1", port: 443)
        )
    }

    @Test(arguments: [
        ("GET", "*"), ("GET", "a"), ("GET", "a:80"), ("CONNECT", "/"), ("CONNECT", "a"),
        ("CONNECT", "a:"), ("CONNECT", "a:0"), ("CONNECT", "http://a:80"), ("GET", "ftp://a/"),
        ("GET", "http:///a"), ("GET", "http:a"), ("GET", "/a#b"), ("GET", "http://u@a/"),
        ("GET", ""),
        ("GET", "?a"),
    ])
    func `other targets are none`(method: String, target: String) {
        #expect(RequestTarget(RequestHead(method, target)) == nil)
    }

    @Test(
        arguments: [
            ("", []), ("a", [.init("a", nil)]), ("a=", [.init("a", "")]), ("=a", [.init("", "a")]),
            (
                "a=b&c=d=e&&f+g=%26%3D%c3%bc+",
                [.init("a", "b"), .init("c", "d=e"), .init("f g", "&=\u{FC} ")]
            ),
            ("a=%", nil), ("%ff=a", nil), ("a=%ff", nil), ("%a", nil),
        ] as [(String, [QueryItem]?)]
    )
    func `a query has items`(query: String, items: [QueryItem]?) {
        let target = RequestTarget(RequestHead("GET", "/?\(query)"))
        #expect(target?.resource?.queryItems == items)
    }

    @Test func `no query has no items`() {
        #expect(RequestTarget(RequestHead("GET", "/"))?.resource?.queryItems == [])
    }
}
