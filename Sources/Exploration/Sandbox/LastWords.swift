/// The last line that a program wrote, which mostly says why it failed.
enum LastWords {
    /// Unicode scalars at most.
    static let limit = 200

    /// - Parameter bytes: the end of what it wrote.
    /// - Returns: text that a terminal can be given; nil if there is none.
    static func of(_ bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines.reversed() {
            let words = line.unicodeScalars.drop(while: \.properties.isWhitespace)
            if !words.isEmpty { return printable(words) }
        }
        return nil
    }

    private static func printable(_ words: Substring.UnicodeScalarView) -> String {
        var text = String.UnicodeScalarView()
        for scalar in words.prefix(limit) { text.append(isCommand(scalar) ? "?" : scalar) }
        if words.dropFirst(limit).first != nil {
            text.removeLast()
            text.append("…")
        }
        return String(text)
    }

    /// Whether a terminal or a browser does something else with it than to show it.
    private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // U+202A to U+202E and U+2066 to U+2069 turn round what follows.
        default: scalar.properties.isBidiControl
        }
    }
}
