/// Text inside XML and HTML.
package enum MarkupText {
    /// Escapes what has a meaning there.
    ///
    /// Characters that XML 1.0 cannot hold, and control characters,
    /// become U+FFFD; marks that change the direction of text are spelled out, as in `\u202e`. No line
    /// begins with a colon, which a CI runner could take for a command.
    package static func escaped(_ text: String) -> String {
        var result = ""
        var isAtStart = true
        for scalar in text.unicodeScalars {
            defer { isAtStart = scalar == "\n" }
            switch scalar {
            case ":" where isAtStart: result += "&#58;"
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            case _ where PrintableText.isActive(scalar):
                result += PrintableText.escaped(String(scalar))
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
