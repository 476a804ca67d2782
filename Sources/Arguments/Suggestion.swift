internal import Basics

/// The nearest known word to a mistyped one.
package enum Suggestion {
    /// The first of the nearest candidates, if it is near enough to be meant.
    ///
    /// Near enough: at most a third of the word's letters, and at least one, have to be changed; or
    /// the word is the beginning of the candidate.
    package static func nearest(to word: String, in candidates: [String]) -> String? {
        let limit = max(1, word.count / 3)
        var best: (distance: Int, candidate: String)?
        for candidate in candidates {
            let isBeginning = word.count >= 3 && candidate.hasPrefix(word)
            let distance = isBeginning ? 1 : NearestName.distance(from: word, to: candidate)
            guard distance <= limit else { continue }
            if distance < best?.distance ?? Int.max { best = (distance, candidate) }
        }
        return best?.candidate
    }

    /// `; did you mean 'x'?`, or nothing.
    package static func hint(for word: String, in candidates: [String], prefix: String = "")
        -> String
    {
        guard let nearest = nearest(to: word, in: candidates) else { return "" }
        return "; did you mean '\(prefix)\(nearest)'?"
    }
}
