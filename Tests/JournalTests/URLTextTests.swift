import Journal
import Testing

@Suite struct URLTextTests {
    @Test(arguments: [
        ("http://h:1/a/b", "/x", "/a/b"), ("//h/a", "/x", "/a"), ("http://h", "/x", "/"),
        ("/a?b", "/x", "/a?b"), ("c", "/a/b", "/a/c"), ("c", "/a/", "/a/c"), ("c", "/", "/c"),
        ("c", "http://h/a/b", "/a/c"), ("c", "/a?q=/b/d", "/c"), ("c", "*", "/c"),
    ])
    func `a reference leads to a path`(location: String, base: String, path: String) {
        #expect(URLText.path(of: location, base: base) == path)
    }

    @Test(
        arguments: [
            ("http://h:1/a", "h:1"), ("//h?x", "h"), ("https://u@h", "u@h"), ("/a//b", nil),
            ("a/b://c", nil), ("a", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `an authority follows two slashes`(text: String, authority: String?) {
        #expect(URLText.authority(of: text) == authority)
    }
}
