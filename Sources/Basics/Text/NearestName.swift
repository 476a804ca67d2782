/// The known name that a mistyped one most likely means.
package enum NearestName {
    /// Names longer than this are not compared: nobody mistypes so long a word by one letter.
    package static let maximumLength = 64

    /// The closest of `names`, the first of equally close ones; nil if none is close.
    ///
    /// Close is at most one edit for up to four letters, two up to eight and three beyond. An edit
    /// is a letter added, left out, replaced or swapped with its neighbour (optimal string
    /// alignment distance). Case does not count.
    package static func of(_ name: String, among names: [String]) -> String? {
        guard name.utf8.count <= maximumLength, !name.isEmpty else { return nil }
        let wanted = Array(name.lowercased().utf8)
        let allowance = wanted.count <= 4 ? 1 : wanted.count <= 8 ? 2 : 3
        var best: (name: String, distance: Int)?
        for candidate in names where candidate.utf8.count <= maximumLength {
            let distance = distance(from: wanted, to: Array(candidate.lowercased().utf8))
            if distance <= allowance, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// Edits that lead from one word to another, counted in bytes; case counts.
    package static func distance(from word: String, to other: String) -> Int {
        distance(from: Array(word.utf8), to: Array(other.utf8))
    }

    private static func distance(from a: [UInt8], to b: [UInt8]) -> Int {
        var beforeLast: [Int] = []
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
