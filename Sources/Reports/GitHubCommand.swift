internal import Basics
internal import HTTPWire

/// Lines for the runner of GitHub Actions, and text in its summaries.
package enum GitHubCommand {
    package enum Level: String, Hashable, Sendable { case notice, warning, error }

    /// An annotation of the job.
    package static func annotation(_ level: Level, title: String, _ text: String) -> String {
        "::\(level.rawValue) title=\(property(title))::\(data(text))"
    }

    /// Text in Markdown, also in a table's cell.
    package static func escaped(_ text: String) -> String {
        MarkupText.escaped(text).replacing("|", with: "\\|").replacing("\n", with: " ")
    }

    /// A command line or other text as it is, between fences.
    package static func fenced(_ lines: [String]) -> [String] {
        ["```"] + lines.map { $0.replacing("```", with: "'''") } + ["```"]
    }

    private static func data(_ text: String) -> String {
        PercentEncoding.escape("%\r\n", in: text)
    }

    private static func property(_ text: String) -> String {
        PercentEncoding.escape("%\r\n:,", in: text)
    }
}
