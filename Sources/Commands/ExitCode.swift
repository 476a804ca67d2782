internal import Basics
internal import Journal

/// How the program ends: a contract with scripts (BSD `sysexits.h` where a number exists).
enum ExitCode: Int32, CaseIterable, Sendable {
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

    var meaning: String {
        switch self {
        case .success:
            "success; of proxy: --duration elapsed, or q was pressed in the live view"
        case .findings:
            """
            a run fails its demands; two journals differ; a transfer failed and cannot be resumed, \
            for a reason without a code of its own
            """
        case .inconclusive:
            "inconclusive: a fault did not fire, nothing came through, or linkcond itself had a problem"
        case .baselineFailed: "of explore: CMD fails, or its result is wrong, without any fault"
        case .nothingToExplore: "of explore: CMD sent nothing through linkcond"
        case .usage:
            """
            wrong usage: an unknown option, command or profile, an invalid value, or an address \
            that is not allowed
            """
        case .inputMissing: "an input file does not exist or cannot be read"
        case .unavailable:
            """
            the address to listen on, the upstream, or the server of a transfer is unavailable: \
            connection refused, unknown host, or connect timeout
            """
        case .internalError: "a bug in linkcond"
        case .cannotCreate: "an output file cannot be created"
        case .writeError:
            """
            writing failed: the disk is full, or standard output was closed; a proxy keeps running \
            until its end
            """
        case .resumable:
            """
            a transfer failed, for any reason, or was stopped, and can be resumed: run the same \
            command again
            """
        case .configuration: "a profile, journal or configuration file contains a mistake"
        case .ownFailure:
            "of run and replay: linkcond itself failed; any other code is that of CMD"
        case .notExecutable: "of run and replay: CMD cannot be started"
        case .notFound: "of run and replay: CMD does not exist"
        case .interrupted:
            "ended by SIGINT (Control-C), after writing the summary or resume data"
        case .terminated: "ended by SIGTERM, after writing the summary or resume data"
        }
    }
}

/// Why the program cannot go on: one line that says what to do, and the exit code.
///
/// What is printed has one form, `PLACE: error: MESSAGE`. The place is `linkcond`, or the file with
/// line and column that has the mistake.
struct Failure: Error, Hashable, Sendable {
    var code: ExitCode
    /// What to print after `linkcond: error:`; the first of the diagnostics if there are any.
    var message: String
    /// Lines of the form `file:line:column: error: ...`, which are printed as they are.
    var diagnostics: [String] = []

    /// What to print: each is one line on every terminal, whatever was given to the program.
    var lines: [String] {
        let lines =
            diagnostics.isEmpty ? ["\(CommandTable.program): error: \(message)"] : diagnostics
        return lines.map(PrintableText.escaped)
    }

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ code: ExitCode, diagnostics: [String]) {
        self.code = code
        message = diagnostics.first ?? ""
        self.diagnostics = diagnostics
    }
}
