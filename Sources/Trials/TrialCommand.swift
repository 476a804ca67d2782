package import SystemIO

/// A program to start in a trial, in words that may hold placeholders such as `{url}`.
package struct TrialCommand: Hashable, Sendable {
    /// The program and its arguments; at least one word.
    package var words: [String]
    /// What the program inherits, `NAME=VALUE` each; the trial's own variables come on top.
    package var environment: [String]
    /// Where it works; nil for where this process does.
    package var folder: String?
    package var input = ChildProcess.Stream.none
    package var output = Output.kept
    package var error = Output.kept
    /// Before the names of the files that outputs are kept in.
    package var filePrefix = ""

    /// What becomes of a standard output.
    package enum Output: Hashable, Sendable {
        /// It goes where this process's goes.
        case inherited
        /// It is a file in the trial's folder, named `stdout` or `stderr`.
        case kept
        case dropped
    }

    package init(_ words: [String], environment: [String]) {
        self.words = words
        self.environment = environment
    }
}
