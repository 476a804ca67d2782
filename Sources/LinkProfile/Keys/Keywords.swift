/// The words of the schema and what they stand for, for reading and for writing.
struct Keywords<Meaning: Equatable & Sendable>: Sendable {
    let pairs: [(word: String, meaning: Meaning)]

    init(_ pairs: [(word: String, meaning: Meaning)]) { self.pairs = pairs }

    subscript(word: String) -> Meaning? { pairs.first { $0.word == word }?.meaning }

    /// The word to write for a meaning; the first one if there are several.
    func word(for meaning: Meaning) -> String {
        pairs.first { $0.meaning == meaning }?.word ?? ""
    }

    var words: [String] { pairs.map(\.word) }
}
