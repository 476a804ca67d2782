import Basics
import Testing

/// Text on which a terminal, a CI runner or the reader of a log would act.
enum HostileText {
    /// Clears the screen, turns the text round, and begins a line that a CI runner obeys.
    static let text = "\u{1B}[2J\u{202E}\u{9B}1m\u{2028}"
    static let name = "::error::\u{1B}[2J\u{202E}x"
    /// With all kinds of marks and line ends that a message or a name may hold.
    static let lines = "\u{202E}\u{1B}[2J\u{9B}1m\u{2066}\r\n::error::"
}

extension Outcome {
    /// Expects lines on which nothing acts.
    func expectHarmless(_ what: [String]) {
        for text in [output, errors] {
            for line in text.split(separator: "\n") {
                let isActive = line.unicodeScalars.contains(where: PrintableText.isActive)
                #expect(!isActive && !line.hasPrefix("::"), "\(what): \(line.debugDescription)")
            }
        }
    }
}
