/// Words as a POSIX shell reads them back.
enum ShellText {
    /// The word itself if nothing in it is special, else in single quotes.
    static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:=+,@%".utf8.contains(byte)
            }
        }
        if isPlain && !text.isEmpty { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }

    static func line(_ words: [String]) -> String { words.map(word).joined(separator: " ") }
}
