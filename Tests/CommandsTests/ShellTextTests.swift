import Testing

@testable import Commands

@Suite struct ShellTextTests {
    @Test(arguments: [
        ("lte", "lte"), ("c1:down+5=rst", "c1:down+5=rst"), ("", "''"), ("a b", "'a b'"),
        ("c*?5%:down+1=fin", "'c*?5%:down+1=fin'"), ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"),
        ("é", "'é'"),
        ("a\n7", #""$(printf '%b' 'a\00127')""#),
        ("\u{202E}\\", #""$(printf '%b' '\0342\0200\0256\\')""#),
    ])
    func `a shell reads the word back`(word: String, text: String) {
        #expect(ShellText.word(word) == text)
    }
}
