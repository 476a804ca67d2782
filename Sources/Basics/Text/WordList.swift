extension [String] {
    /// The words as a list in a sentence: `a`, `a or b`, `a, b or c`.
    package func listed(_ conjunction: String = "or") -> String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
