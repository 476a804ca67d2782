/// What a command's own words say about how long it may take.
enum OwnLimit {
    /// The least deadline of a run.
    private static let leastSeconds: UInt64 = 20
    /// Numbers above it are no limits that anybody waits for.
    private static let mostSeconds: UInt64 = 120

    /// How long a run of a command has to be let run: longer than any number among its words, such as
    /// `-m 30`, `--timeout=45` or `-T50`, if it is a number of seconds.
    static func deadlineMilliseconds(_ program: [String]) -> UInt64 {
        let words = program.flatMap { $0.split { $0 == " " || $0 == "=" || $0.isNewline } }
        let limits = words.compactMap(seconds).filter { $0 <= mostSeconds }
        let longest = limits.max() ?? 0
        return longest < leastSeconds ? leastSeconds * 1_000 : longest * 1_100 + 2_000
    }

    /// Whether a command wakes up each second but is known never to give up: curl without `--max-time` or
    /// a minimum speed.
    static func pollsForever(_ program: [String]) -> Bool {
        let words = program.flatMap { $0.split { $0 == " " || $0.isNewline } }
        let isCurl = words.contains { $0 == "curl" || $0.hasSuffix("/curl") }
        return isCurl && !words.contains(where: limitsCurl)
    }

    /// `--max-time`, `-m`, `--speed-limit`, `-y` and their like, alone or among other letters.
    private static func limitsCurl(_ word: Substring) -> Bool {
        guard !word.hasPrefix("--") else {
            return ["--max-time", "--speed-limit", "--speed-time"].contains { word.hasPrefix($0) }
        }
        return word.hasPrefix("-") && word.contains { "myYK".contains($0) }
    }

    /// A number that is a word, or follows the letter of an option.
    private static func seconds(_ word: Substring) -> UInt64? {
        var text = word
        if text.first == "-" {
            text = text.dropFirst()
            if text.first?.isLetter == true { text = text.dropFirst() }
        }
        if text.last == "s" { text = text.dropLast() }
        return UInt64(text)
    }
}
