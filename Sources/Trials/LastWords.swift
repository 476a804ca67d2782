internal import Basics
internal import Journal
internal import SystemIO

/// The last line that a program wrote, which mostly says why it failed.
package enum LastWords {
    /// Unicode scalars at most.
    static let limit = 200

    /// - Parameter bytes: the end of what it wrote.
    /// - Returns: text that a terminal can be given; nil if there is none.
    package static func of(_ bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines.reversed() {
            let words = line.unicodeScalars.drop(while: \.properties.isWhitespace)
            if !words.isEmpty { return printable(words) }
        }
        return nil
    }

    /// The last line of a file; nil if there is none, or no file.
    static func ofFile(_ path: String) -> String? {
        guard let file = try? File(path, for: .reading), let size = try? file.size(),
            let bytes = try? file.read(
                at: size - min(size, fileEnd),
                count: Int(min(size, fileEnd))
            )
        else { return nil }
        return of(bytes)
    }

    /// Bytes at the end of a file that are looked at.
    private static let fileEnd: UInt64 = 4_096

    private static func printable(_ words: Substring.UnicodeScalarView) -> String {
        guard words.dropFirst(limit).first != nil else {
            return PrintableText.escaped(String(words))
        }
        return PrintableText.escaped(String(words.prefix(limit - 1))) + "…"
    }
}
