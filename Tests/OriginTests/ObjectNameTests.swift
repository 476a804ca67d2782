import Testing

@testable import Origin

@Suite struct ObjectNameTests {
    @Test(
        arguments: [
            ("a.txt", "a.txt"), ("../../etc/passwd", "passwd"), ("C:\\temp\\x.doc", "x.doc"),
            (".hidden", "hidden"), ("...", nil), ("", nil), ("/", nil), ("a\u{0}b\nc", "a_b_c"),
            ("what?*.txt", "what__.txt"), ("über 😀.txt", "über 😀.txt"), ("a\u{202E}b", "a_b"),
            (" x", "x"), ("-rf", "-rf"), ("a/\u{308}b", "\u{308}b"), (".\u{308}b", "\u{308}b"),
        ] as [(String, String?)]
    )
    func `a suggestion becomes a harmless name`(suggestion: String, name: String?) {
        #expect(ObjectName(suggestion: suggestion)?.text == name)
    }

    @Test func `a long name is cut between characters and keeps its ending`() throws {
        let long = String(repeating: "é", count: 300) + ".tar"
        let name = try #require(ObjectName(suggestion: long)).text
        #expect(name.utf8.count <= ObjectName.maximumBytes && name.hasSuffix("é.tar"))
        let odd = try #require(ObjectName(suggestion: "x." + String(repeating: "y", count: 300)))
        #expect(odd.text.utf8.count == ObjectName.maximumBytes)
    }

    @Test func `names that are taken get a number before their ending`() throws {
        let name = try #require(ObjectName(suggestion: "a.b.txt"))
        #expect((1...3).map(name.candidate) == ["a.b.txt", "a.b-2.txt", "a.b-3.txt"])
        #expect(try #require(ObjectName(suggestion: "plain")).candidate(2) == "plain-2")
    }

    @Test(
        arguments: [
            ("/files/a.txt", "a.txt"), ("/files/", nil), ("/files/x/y%20z?q=1", "y z"),
            ("http://h/files/a", "a"), ("/files", nil),
        ] as [(String, String?)]
    )
    func `a target suggests its last name`(target: String, name: String?) {
        let suggestion = ObjectName.suggestion(inTarget: target)
        #expect(suggestion.flatMap { ObjectName(suggestion: $0)?.text } == name)
    }
}
