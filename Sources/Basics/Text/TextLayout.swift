/// Paragraphs and columns in plain text, where each character is taken to be one column wide.
package enum TextLayout {
    /// Breaks a paragraph at spaces into lines of at most `width` characters.
    package static func wrap(_ text: String, width: Int) -> [String] {
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
    package static func definition(
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
    package static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The text preceded by spaces up to a width.
    package static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// The text cut to a width, with an ellipsis where something is missing.
    package static func clip(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        return width > 0 ? text.prefix(width - 1) + "…" : ""
    }
}
