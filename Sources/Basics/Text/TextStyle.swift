/// Colours and weight for a terminal, or nothing at all.
///
/// Colour never carries a meaning alone: what it stresses is also said in words.
package struct TextStyle: Hashable, Sendable {
    package enum Role: CaseIterable, Sendable {
        case heading, faint, down, up, good, warning, bad
    }

    package var isColoured: Bool

    package init(
        isColoured: Bool
    ) {
        self.isColoured = isColoured
    }

    package func callAsFunction(_ role: Role, _ text: String) -> String {
        guard isColoured, !text.isEmpty else { return text }
        return "\u{1B}[\(Self.code(of: role))m\(text)\u{1B}[0m"
    }

    /// Every escape sequence that a style writes.
    package static let sequences =
        Role.allCases.map { "\u{1B}[\(code(of: $0))m" } + ["\u{1B}[0m"]

    private static func code(of role: Role) -> String {
        switch role {
        case .heading: "1"
        case .faint: "2"
        case .down: "36"
        case .up: "35"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        }
    }

    /// Whether to use colour in a text that goes to a terminal or not.
    ///
    /// `--no-color` refuses it, before anything the environment says.
    package static func wantsColour(
        isTerminal: Bool,
        isRefused: Bool,
        environment: (String) -> String?
    ) -> Bool {
        if isRefused { return false }
        if let forced = environment("FORCE_COLOR"), !forced.isEmpty, forced != "0" { return true }
        if let refused = environment("NO_COLOR"), !refused.isEmpty { return false }
        return isTerminal && environment("TERM") != "dumb"
    }
}
