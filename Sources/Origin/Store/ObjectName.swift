internal import HTTPWire

/// The name under which a finished upload is kept: one that a client may suggest, made harmless.
package struct ObjectName: Hashable, Sendable {
    package let text: String

    /// Bytes; below what file systems take (255), to leave room for a number.
    static let maximumBytes = 200

    /// From what a client says; nil if nothing useful is left of it.
    ///
    /// Of a path only the last part counts, whichever way its slashes lean. Control characters,
    /// quotes and what shells and other systems take for something else become `_`; a name cannot
    /// begin with a dot.
    package init?(suggestion: String) {
        // By scalars: a combining mark after a slash or a dot makes another character of it.
        let last = suggestion.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        var name = String.UnicodeScalarView()
        for scalar in last {
            let isPlain = scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value)
            name.append(isPlain && !Self.replaced.contains(scalar) ? scalar : "_")
        }
        let trimmed = name.drop { $0 == "." || $0 == " " }
        let text = Self.shortened(Substring(trimmed))
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// From a name that needs no check, such as the identifier of an upload.
    init(trusted text: String) { self.text = text }

    private static let replaced: Set<Unicode.Scalar> = [
        "\"", "*", ":", "<", ">", "?", "|", "\u{2028}", "\u{2029}", "\u{202E}", "\u{FEFF}",
    ]

    /// Cut to what fits, between characters, the ending kept where it is short.
    private static func shortened(_ name: Substring) -> String {
        guard name.utf8.count > maximumBytes else { return String(name) }
        let ending = Self.ending(of: name).flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
        var stem = name.dropLast(ending.count)
        while stem.utf8.count + ending.utf8.count > maximumBytes { stem.removeLast() }
        return String(stem + ending)
    }

    /// With its dot; nil if there is none, or nothing before it.
    private static func ending(of name: Substring) -> Substring? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return name[dot...]
    }

    /// This name and those to try when it is taken: `a.txt`, `a-2.txt`, `a-3.txt` and so on.
    package func candidate(_ number: Int) -> String {
        guard number > 1 else { return text }
        let ending = Self.ending(of: text[...]) ?? ""
        return "\(text.dropLast(ending.count))-\(number)\(ending)"
    }
}

extension ObjectName {
    /// The last name in a request target below the place for uploads, as in `PUT /files/a.txt`.
    static func suggestion(inTarget target: String) -> String? {
        guard let path = RequestTarget(RequestHead("POST", target))?.resource?.path,
            path.segments.count > 1
        else {
            return nil
        }
        return path.segments.last
    }
}
