import Testing

@testable import Trials

@Suite struct LastWordsTests {
    @Test(arguments: [
        ("", nil),
        ("\n \r\n\n", nil),
        ("one", "one"),
        ("one\ntwo\n", "two"),
        ("one\r\n  two  three\r\n \n", "two  three"),
        ("\u{1B}[31mred\u{9B}0m\tx", #"\u001b[31mred\u009b0m\u0009x"#),
        ("résumé ✗\n", "résumé ✗"),
        ("why\n\t\n\u{A0}\n", "why"),
        ("\tindented", "indented"),
        ("a\u{202E}b\u{2066}c", #"a\u202eb\u2066c"#),
    ])
    func `it is the last line with anything in it`(text: String, words: String?) {
        #expect(LastWords.of(Array(text.utf8)) == words)
    }

    @Test func `a long line and bytes that are no text are cut and replaced`() {
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 16_384)
        #expect(LastWords.of(long) == String(repeating: "a", count: 199) + "…")
        #expect(LastWords.of(long.prefix(200) + []) == String(repeating: "a", count: 200))
        let stacked = Array(("e" + String(repeating: "\u{301}", count: 9_000)).utf8)
        #expect(LastWords.of(stacked)?.unicodeScalars.count == 200)
        // The kept end of an output may begin within a character.
        #expect(LastWords.of([0xA9, UInt8(ascii: "!")]) == "\u{FFFD}!")
    }
}
