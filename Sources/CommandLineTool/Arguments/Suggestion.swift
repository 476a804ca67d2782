/// The nearest known word to a mistyped one.
enum Suggestion {
    /// The first of the nearest candidates, if it is near enough to be meant.
    ///
    /// Near enough: at most a third of the word's letters, and at least one, have to be changed; or
    /// the word is the beginning of the candidate.
    static func nearest(to word: String, in candidates: [String]) -> String? {
        let limit = max(1, word.count / 3)
        var best: (distance: Int, candidate: String)?
        for candidate in candidates {
            let isBeginning = word.count >= 3 && candidate.hasPrefix(word)
            let distance = isBeginning ? 1 : distance(from: Array(word), to: Array(candidate))
            guard distance <= limit else { continue }
            if distance < best?.distance ?? Int.max { best = (distance, candidate) }
        }
        return best?.candidate
    }

    /// `; did you mean 'x'?`, or nothing.
    static func hint(for word: String, in candidates: [String], prefix: String = "") -> String {
        guard let nearest = nearest(to: word, in: candidates) else { return "" }
        return "; did you mean '\(prefix)\(nearest)'?"
    }

    /// Edits to get from one word to another: insert, delete, replace, swap two neighbours
    /// (optimal string alignment).
    static func distance(from a: [Character], to b: [Character]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
