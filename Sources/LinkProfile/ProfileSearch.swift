import Basics

/// Profiles by words of their names, for whoever knows what but not how it is called.
enum ProfileSearch {
    /// The most names that an error tells.
    static let maximumSuggestions = 8

    /// Words that people use for another one.
    private static let meanings = [
        "4g": "lte", "umts": "3g", "hspa": "3g", "2g": "edge", "gprs": "edge", "gsm": "edge",
        "wlan": "wifi", "fibre": "fios", "fiber": "fios", "broadband": "cable", "adsl": "dsl",
        "modem": "dial", "poor": "bad", "train": "tunnel", "vsat": "satellite", "leo": "starlink",
    ]

    /// What may be meant by a name that no profile has, the most likely first.
    static func suggestions(for reference: String, among names: [String]) -> [String] {
        let named = named(reference, among: names)
        if !named.isEmpty { return Array(named.prefix(maximumSuggestions)) }
        if let nearest = NearestName.of(reference, among: names) { return [nearest] }
        let words = words(of: reference)
        let hits = names.map { name in words.count { has($0, name) } }
        guard let most = hits.max(), most > 0 else { return [] }
        let best = zip(names, hits).filter { $0.1 == most }.map(\.0)
        return best.count <= maximumSuggestions ? best : []
    }

    /// Profiles whose names have all words of a text, the shortest names first.
    static func named(_ text: String, among names: [String]) -> [String] {
        let words = words(of: text)
        guard !words.isEmpty else { return [] }
        return names.filter { name in words.allSatisfy { has($0, name) } }.enumerated()
            .sorted { a, b in
                (length(a.element), a.offset) < (length(b.element), b.offset)
            }
            .map(\.element)
    }

    private static func has(_ word: String, _ name: String) -> Bool {
        let parts = words(of: name)
        return parts.contains(word) || meanings[word].map(parts.contains) == true
    }

    private static func length(_ name: String) -> Int { words(of: name).count }

    private static func words(of text: String) -> [String] {
        ConditionerName.profileName(text).split(separator: "-").map(String.init)
    }
}
