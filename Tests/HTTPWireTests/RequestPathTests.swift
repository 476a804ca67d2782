import HTTPWire
import Testing

@Suite struct RequestPathTests {
    typealias Hazard = RequestPath.Hazard

    @Test(
        arguments: [
            ("/", [""], []), ("", [], []), ("/a", ["a"], []), ("/a/b/", ["a", "b", ""], []),
            ("/a%20b%c3%BC+", ["a b\u{FC}+"], []), ("/a%2fb", ["a/b"], [.encodedSlash]),
            ("/a%2Fb", ["a/b"], [.encodedSlash]), ("/a%5cb", ["a\\b"], [.backslash]),
            ("/a\\b", ["a\\b"], [.backslash]), ("/a%00", ["a\u{0}"], [.nul]),
            ("/a%0d%0Ab", ["a\r\nb"], [.control]), ("/%7f", ["\u{7F}"], [.control]),
            ("/../a", ["..", "a"], [.dotSegment]), ("/a/.", ["a", "."], [.dotSegment]),
            ("/%2e%2E/a", ["..", "a"], [.dotSegment]), ("/.%2e", [".."], [.dotSegment]),
            ("/...", ["..."], []), ("/.a", [".a"], []), ("/..;/", ["..;", ""], []),
            ("//a", ["", "a"], [.emptySegment]), ("/a//", ["a", "", ""], [.emptySegment]),
            ("/a%", ["a%"], [.badEscape]), ("/a%2", ["a%2"], [.badEscape]),
            ("/%zz", ["%zz"], [.badEscape]), ("/%-1", ["%-1"], [.badEscape]),
            ("/%252e%252e", ["%2e%2e"], []), ("/%ff", ["\u{FFFD}"], [.notUTF8]),
            ("/%c0%ae%c0%ae", ["\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"], [.notUTF8]),
            ("/%2e%2e%2f%00", ["../\u{0}"], [.encodedSlash, .nul]),
        ] as [(String, [String], Set<Hazard>)]
    )
    func `a path is decoded and its hazards are named`(
        raw: String,
        segments: [String],
        hazards: Set<Hazard>
    ) {
        let path = RequestPath(raw)
        #expect(path.segments == segments)
        #expect(path.hazards == hazards)
        #expect(path.raw == raw)
    }
}
