/// Text from outside (clients, servers, journals, file names) as part of one line of output.
package enum PrintableText {
    /// The text with every scalar that `isActive` in the form in which JSON has it, such as
    /// `\u202e`, so that a line of JSON keeps its meaning.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isActive) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if isActive(scalar) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a terminal, a log or a browser acts on a scalar instead of showing it.
    ///
    /// These are the control characters (U+009B begins an escape sequence as U+001B does), the line
    /// and paragraph separators, and the marks that change the direction of the text that follows.
    package static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " "..."~": false
        case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": true
        default: scalar.properties.isBidiControl
        }
    }

    /// As in `\u001b`; every active scalar has at most four digits.
    static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
