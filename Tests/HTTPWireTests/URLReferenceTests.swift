import HTTPWire
import Testing

@Suite struct URLReferenceTests {
    /// The examples of RFC 3986 §5.4 for the base `http://a/b/c/d;p?q`.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
        ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("http:g", "http:g"),
        ("//g/../h", "http://g/h"), ("/a//b/..", "http://a/a//"), ("/", "http://a/"),
        ("http://x/a/../b", "http://x/b"),
    ])
    func `references are resolved`(text: String, resolved: String) throws {
        let base = try #require(URLReference("http://a/b/c/d;p?q"))
        let reference = try #require(URLReference(text))
        #expect(reference.resolved(against: base).text == resolved)
    }

    @Test func `a base without a path has the root`() throws {
        let base = try #require(URLReference("http://a"))
        #expect(URLReference("g")?.resolved(against: base).text == "http://a/g")
        #expect(URLReference("?x")?.resolved(against: base).text == "http://a?x")
    }

    @Test func `the five parts are told apart`() throws {
        let reference = try #require(URLReference("HTTP://u@h:1/p?q?r#f?g"))
        #expect(reference.scheme == "http")
        #expect(reference.authority == "u@h:1")
        #expect(reference.path == "/p")
        #expect(reference.query == "q?r")
        #expect(reference.fragment == "f?g")
        #expect(URLReference("a/b:c")?.path == "a/b:c")
        #expect(URLReference("?")?.query == "")
    }

    @Test(arguments: ["1a:b", ":a", "a\u{0}", "a\nb", "\r", "\u{7F}", "a%20b:c"])
    func `other text is no reference`(text: String) {
        #expect(URLReference(text) == nil)
    }

    @Test func `what a URL cannot hold becomes escapes`() {
        #expect(
            URLReference("/a b\u{FC}\"<>^`{|}\\%41%")?.text
                == "/a%20b%C3%BC%22%3C%3E%5E%60%7B%7C%7D%5C%41%"
        )
        #expect(URLReference(fieldValue: "/\u{C3}\u{BC}")?.text == "/%C3%BC")
    }
}
