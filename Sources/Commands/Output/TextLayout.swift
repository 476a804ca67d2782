/// Paragraphs and columns in plain text, where each character is taken to be one column wide.
enum TextLayout {
    /// Text from elsewhere as part of one line: what would move the cursor, end the line or change
    /// the terminal's state is shown as a question mark.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 })
        )
    }

    /// U+0080 to U+009F are control characters, too: U+009B begins an escape sequence.
    ///
    /// U+2028 and U+2029 end a line.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            || (0x2028...0x2029).contains(scalar.value)
    }

    /// Breaks a paragraph at spaces into lines of at most `width` characters.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// A term and its explanation, beside it at `column` or, where it is narrow, below it.
    static func definition(
        _ term: String,
        _ text: String,
        indent: Int = 2,
        column: Int,
        width: Int
    ) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let column = width < 60 ? min(column, 8) : column
        let body = wrap(text, width: max(20, width - column))
        let hanging = body.map { String(repeating: " ", count: column) + $0 }
        guard indent + term.count + 2 <= column, let first = body.first else {
            return [margin + term] + hanging
        }
        return [pad(margin + term, to: column) + first] + hanging.dropFirst()
    }

    /// The text followed by spaces up to a width.
    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The text preceded by spaces up to a width.
    static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// The text cut to a width, with an ellipsis where something is missing.
    static func clip(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        return width > 0 ? text.prefix(width - 1) + "…" : ""
    }
}
