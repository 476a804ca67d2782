import Testing

@testable import CommandLineTool

@Suite struct ShellTextTests {
    @Test(arguments: [
        ("lte", "lte"), ("c1:down+5=rst", "c1:down+5=rst"), ("", "''"), ("a b", "'a b'"),
        ("c*?5%:down+1=fin", "'c*?5%:down+1=fin'"), ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"),
        ("é", "'é'"),
    ])
    func `a shell reads the word back`(word: String, text: String) {
        #expect(ShellText.word(word) == text)
    }
}
