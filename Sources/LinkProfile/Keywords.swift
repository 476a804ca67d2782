import LinkEngine

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

enum Words {
    /// YAML 1.1 reads these as truth values, JSON has two of them; here the schema does.
    static let truth = Keywords([("yes", true), ("no", false), ("true", true), ("false", false)])
    static let interface = Keywords<PathAttributes.Interface>([
        ("wifi", .wifi), ("cellular", .cellular), ("wired", .wired), ("other", .other),
    ])
    static let kind = Keywords<Profile.Kind>(Profile.Kind.allCases.map { ($0.rawValue, $0) })
    static let atHardLimit = Keywords<DataBudget.AtHardLimit>([
        ("refuse", .refuse), ("stall", .stall),
    ])
    static let behaviour = Keywords<TCPSettings.Behaviour>([("linux", .linux), ("rfc", .rfc)])
    static let congestion = Keywords<TCPSettings.CongestionControl>([
        ("cubic", .cubic), ("reno", .reno),
    ])
    static let indexing = Keywords<PacketIndexing>([("offset", .offset), ("packet", .packet)])
    static let treatment = Keywords<Outages.Treatment>([("drop", .drop), ("hold", .hold)])
}

/// `a, b or c`.
func listed(_ words: [String], _ conjunction: String = "or") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}
