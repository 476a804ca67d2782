import Basics
import Testing

@testable import Commands

@Suite struct LineTextTests {
    @Test(arguments: [
        ("c1 reset", "c1 reset"),
        ("column\tcolumn", "column\tcolumn"),
        ("\u{1B}[2J\u{1B}[31mred", #"\u001b[2J\u001b[31mred"#),
        ("two\nlines", #"two\u000alines"#),
        ("::error::x", #"\u003a:error::x"#),
        ("  ::stop-commands::x", #"  \u003a:stop-commands::x"#),
        (" \t::error::x", " \t" + #"\u003a:error::x"#),
        ("a ::b", "a ::b"),
        ("{\"a\": \"##[error]x\"}", "{\"a\": \"\\u0023#[error]x\"}"),
        ("##vso[task.complete]", #"\u0023#vso[task.complete]"#),
    ])
    func `neither a terminal nor a CI runner acts on a line`(line: String, escaped: String) {
        #expect(LineText.escaped(line, isColoured: false) == escaped)
    }

    @Test(arguments: TextStyle.Role.allCases)
    func `colours of our own are kept where there is colour`(role: TextStyle.Role) {
        let line = TextStyle(isColoured: true)(role, "a\u{1B}[5mb\u{202E}")
        let text = LineText.escaped(line, isColoured: true)
        #expect(text.hasPrefix("\u{1B}["))
        #expect(text.hasSuffix(#"ma\u001b[5mb\u202e"# + "\u{1B}[0m"))
        #expect(!LineText.escaped(line, isColoured: false).contains("\u{1B}"))
    }
}
