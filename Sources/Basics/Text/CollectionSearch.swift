// The module of regular expressions offers the same and would be linked whole: 1.6 MB.

extension Collection where Element: Equatable {
    /// Where `part` first stands; nil if it does not.
    ///
    /// - Complexity: the product of both lengths.
    package func firstRange(of part: some Collection<Element>) -> Range<Index>? {
        var start = startIndex
        while true {
            if let end = end(of: part, at: start) { return start..<end }
            guard start < endIndex else { return nil }
            formIndex(after: &start)
        }
    }

    private func end(of part: some Collection<Element>, at start: Index) -> Index? {
        var place = start
        for element in part {
            guard place < endIndex, self[place] == element else { return nil }
            formIndex(after: &place)
        }
        return place
    }

    /// What stands before, between and behind the places of `separator`, empty pieces too.
    package func pieces(between separator: some Collection<Element>) -> [SubSequence] {
        precondition(!separator.isEmpty, "a separator has elements")
        var pieces: [SubSequence] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            pieces.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return pieces + [rest]
    }
}

extension StringProtocol {
    package func contains(_ part: String) -> Bool { firstRange(of: part) != nil }

    /// The text with `replacement` wherever `part` stands, looked for from the start.
    package func replacing(_ part: String, with replacement: String) -> String {
        guard !part.isEmpty else { return String(self) }
        return pieces(between: part).map { String($0) }.joined(separator: replacement)
    }
}
