import Basics
import Reports
import Testing

@Suite struct HTMLPageTests {
    @Test(arguments: [true, false])
    func `the policy allows the page's own style, and a script only if it has one`(script: Bool) {
        let head = HTMLPage.head(title: "a <b>", hasScript: script).joined(separator: "\n")
        #expect(head.contains("default-src 'none'; style-src 'sha256-"))
        #expect(head.contains("script-src 'sha256-") == script)
        #expect(head.contains("<title>a &lt;b&gt;</title>"))
        #expect(!head.contains("http:") && !head.contains("https:") && !head.contains("@import"))
    }

    @Test(arguments: [
        ("<a href='x'>\"&", "&lt;a href=&#39;x&#39;&gt;&quot;&amp;"),
        ("a\u{1B}b\u{FFFE}", "a\u{FFFD}b\u{FFFD}"),
        ("one\n::error::\ttwo: three", "one\n&#58;:error::\ttwo: three"),
        ("::x", "&#58;:x"), ("exe\u{202E}gpj", "exe\\u202egpj"),
    ])
    func `markup keeps text harmless`(text: String, escaped: String) {
        #expect(MarkupText.escaped(text) == escaped)
    }
}
