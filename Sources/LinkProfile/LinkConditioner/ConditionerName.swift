internal import Profiles

/// The names by which Apple's Network Link Conditioner and Chrome's DevTools call their presets.
enum ConditionerName {
    /// Those whose profile is called otherwise; the rest differ in case and in what is no letter.
    private static let others = [
        "wi-fi": "wifi",
        "wi-fi-802-11ac": "wifi-ac",
        "wifi-average-case": "wifi",
        "wifi-good-connectivity": "wifi-good",
        "wifi-lossy-network": "wifi-lossy",
        "cable-modem": "cable",
        "3g-average-case": "3g",
        "3g-good-connectivity": "3g-good",
        "3g-lossy-network": "lossy",
        "edge-average-case": "edge",
        "edge-good-connectivity": "edge-good",
        "edge-lossy-network": "edge-lossy",
        "slow-3g": "chrome-slow-3g",
        "fast-3g": "chrome-fast-3g",
        "slow-4g": "chrome-slow-4g",
        "fast-4g": "chrome-fast-4g",
        "offline": "100-loss",
        "no-throttling": "none",
    ]

    /// The name of a profile for a preset's: `Very Bad Network` is `very-bad-network`.
    ///
    /// Empty if there is no letter or digit in it.
    static func profileName(_ name: String) -> String {
        var words: [String] = []
        var word = ""
        for character in name.lowercased() {
            if character.isASCII, character.isLetter || character.isNumber {
                word.append(character)
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words.joined(separator: "-")
    }

    /// The built-in profile that stands for a preset of theirs.
    static func builtin(_ name: String) -> String { others[profileName(name)] ?? profileName(name) }
}
