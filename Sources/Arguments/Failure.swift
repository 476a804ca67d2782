internal import Basics

/// Why the program cannot go on: one line that says what to do, and the exit code.
///
/// What is printed has one form, `PLACE: error: MESSAGE`. The place is `linkcond`, or the file with
/// line and column that has the mistake.
package struct Failure: Error, Hashable, Sendable {
    package var code: ExitCode
    /// What to print after `linkcond: error:`; the first of the diagnostics if there are any.
    package var message: String
    /// Lines of the form `file:line:column: error: ...`, which are printed as they are.
    package var diagnostics: [String] = []

    /// What to print: each is one line on every terminal, whatever was given to the program.
    package var lines: [String] {
        let lines =
            diagnostics.isEmpty ? ["\(CommandSet.program): error: \(message)"] : diagnostics
        return lines.map(PrintableText.escaped)
    }

    package init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    package init(_ code: ExitCode, diagnostics: [String]) {
        self.code = code
        message = diagnostics.first ?? ""
        self.diagnostics = diagnostics
    }
}
