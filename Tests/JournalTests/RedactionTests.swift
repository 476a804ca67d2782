import Journal
import Testing

@Suite struct RedactionTests {
    @Test(arguments: [
        ("/a", "/a"),
        ("/a?token=x", "/a?{q1}"),
        ("/a?", "/a?{q1}"),
        ("http://name:word@host:1/a?b", "http://host:1/a?{q1}"),
        ("//name@host/a@b", "//host/a@b"),
        ("http://host/a:b@c", "http://host/a:b@c"),
        ("http://a@b@host", "http://host"),
        ("/a//b@c", "/a//b@c"),
        ("*", "*"),
        ("", ""),
    ])
    func `a target keeps its path alone`(target: String, expected: String) {
        var redaction = Redaction()
        #expect(redaction.target(target) == expected)
    }

    @Test func `equal secrets have equal numbers`() {
        var redaction = Redaction()
        #expect(redaction.target("/a?x") == "/a?{q1}")
        #expect(redaction.target("/b?y") == "/b?{q2}")
        #expect(redaction.target("/c?x") == "/c?{q1}")
        let fields = redaction.fields([
            (name: "Authorization", value: "Bearer 1"), (name: "Cookie", value: "a=1"),
            (name: "Proxy-Authorization", value: "Bearer 1"), (name: "Set-Cookie", value: "b=2"),
            (name: "Location", value: "https://u:p@h/x?x"),
            (name: "Content-Location", value: "/y?y"),
        ])
        #expect(fields["authorization"] == "{s1}")
        #expect(fields["cookie"] == "{s2}")
        #expect(fields["proxy-authorization"] == "{s1}")
        #expect(fields["set-cookie"] == "{s3}")
        #expect(fields["location"] == "https://h/x?{q1}")
        #expect(fields["content-location"] == "/y?{q2}")
    }

    @Test func `only fields that matter are kept, in order, equal names as a list`() {
        var redaction = Redaction()
        let fields = redaction.fields([
            (name: "Upload-Offset", value: "5"), (name: "X-Secret", value: "x"),
            (name: "ETag", value: "\"a\""), (name: "Range", value: "bytes=0-1"),
            (name: "RANGE", value: "bytes=4-5"),
        ])
        #expect(fields.fields.map(\.name) == ["etag", "range", "upload-offset"])
        #expect(fields["range"] == "bytes=0-1, bytes=4-5")
        #expect(fields["x-secret"] == nil)
    }

    @Test func `there is an end to telling apart`() {
        var redaction = Redaction()
        for number in 1...Redaction.maximumNames {
            #expect(redaction.target("/?\(number)") == "/?{q\(number)}")
        }
        #expect(redaction.target("/?one more") == "/?{q0}")
        #expect(redaction.target("/?7") == "/?{q7}")
    }

    @Test func `nothing is hidden from who asked to see it`() {
        var redaction = Redaction(showsSecrets: true)
        #expect(redaction.target("http://u:p@h/a?b") == "http://u:p@h/a?b")
        let fields = redaction.fields([(name: "Authorization", value: "Bearer 1")])
        #expect(fields["authorization"] == "Bearer 1")
    }
}
