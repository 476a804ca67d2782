import Basics
import Testing

@Suite struct PrintableTextTests {
    @Test(arguments: [
        ("plain, é ✗ 日本", "plain, é ✗ 日本"),
        ("\u{1B}[2J", #"\u001b[2J"#),
        ("a\r\n\tb\0", #"a\u000d\u000a\u0009b\u0000"#),
        ("\u{7F}\u{9B}31m", #"\u007f\u009b31m"#),
        ("a\u{2028}b\u{2029}", #"a\u2028b\u2029"#),
        ("exe\u{202E}gpj\u{2066}\u{200F}\u{61C}", #"exe\u202egpj\u2066\u200f\u061c"#),
    ])
    func `what acts instead of being shown is spelled out`(text: String, escaped: String) {
        #expect(PrintableText.escaped(text) == escaped)
    }

    @Test func `JSON spells out the same, and keeps its meaning`() throws {
        let active = (0...0x10FFFF).compactMap(Unicode.Scalar.init)
            .filter(PrintableText.isActive)
        #expect(active.count == 32 + 33 + 2 + 12)
        let text = String(String.UnicodeScalarView(active))
        let written = JSONValue.string(text).text
        #expect(!written.unicodeScalars.contains(where: PrintableText.isActive))
        #expect(try JSONParser.parse(Array(written.utf8)[...]) == .string(text))
    }
}
