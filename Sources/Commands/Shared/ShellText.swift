internal import Basics

/// Words as a POSIX shell reads them back.
enum ShellText {
    /// The word itself if nothing in it is special, else in single quotes; characters that a
    /// terminal acts on, such as a newline, as the output of `printf`, so that it stays one line.
    ///
    /// A shell removes newlines from the end of such output.
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
        guard text.unicodeScalars.contains(where: PrintableText.isActive) else {
            return quoted(text)
        }
        return "\"$(printf '%b' \(quoted(octal(text))))\""
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// What `printf %b` turns into the text: active characters byte by byte, in octal.
    private static func octal(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if PrintableText.isActive(scalar) {
                for byte in String(scalar).utf8 { result += "\\0" + padded(byte) }
            } else {
                result += scalar == "\\" ? "\\\\" : String(scalar)
            }
        }
    }

    /// Three octal digits, so that a digit of the text that follows is not read as another one.
    private static func padded(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }

    static func line(_ words: [String]) -> String { words.map(word).joined(separator: " ") }
}
