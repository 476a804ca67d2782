internal import Basics

/// How the program ends: a contract with scripts (BSD `sysexits.h` where a number exists).
package enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case findings = 1
    case inconclusive = 2
    case baselineFailed = 4
    case nothingToExplore = 5
    case usage = 64
    case inputMissing = 66
    case unavailable = 69
    case internalError = 70
    case cannotCreate = 73
    case writeError = 74
    case resumable = 75
    case configuration = 78
    case ownFailure = 125
    case notExecutable = 126
    case notFound = 127
    case interrupted = 130
    case terminated = 143
}

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
