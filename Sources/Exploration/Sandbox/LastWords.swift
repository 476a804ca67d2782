/// The last line that a program wrote, which mostly says why it failed.
enum LastWords {
    static let limit = 200

    /// - Parameter bytes: the end of what it wrote.
    /// - Returns: at most `limit` characters that a terminal can be given; nil if there are none.
    static func of(_ bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines.reversed() {
            let words = printable(line)
            if !words.isEmpty { return words }
        }
        return nil
    }

    private static func printable(_ line: Substring) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalars.append("?")
            default: scalars.append(scalar)
            }
        }
        let words = String(scalars).drop { $0 == " " }
        return words.count > limit ? words.prefix(limit - 1) + "…" : String(words)
    }
}
