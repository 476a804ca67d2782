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
            "success; of proxy: --duration is over, or q was pressed in the live view"
        case .findings:
            """
            a run is not what was asked for; the two journals differ; a transfer failed and cannot \
            be resumed
            """
        case .inconclusive:
            "a run proves nothing: a fault did not fire, nothing came through, or own trouble"
        case .baselineFailed: "of explore: without any fault, CMD fails or its result is wrong"
        case .nothingToExplore: "of explore: CMD sent nothing through linkcond"
        case .usage:
            """
            wrong usage: an unknown option, command or profile, a bad value, or an address that is \
            refused
            """
        case .inputMissing: "an input file is missing or cannot be read"
        case .unavailable:
            """
            the address to listen on, the upstream, or the server of a transfer is not available: \
            nobody listens, no host has this name, or no connection came about in time
            """
        case .internalError: "a mistake in linkcond"
        case .cannotCreate: "an output file cannot be created"
        case .writeError:
            """
            writing failed: disk full, or standard output closed; a proxy goes on to its end all \
            the same
            """
        case .resumable:
            """
            a transfer failed, for whatever reason, or was stopped, and can be resumed: the same \
            command goes on
            """
        case .configuration: "a profile, journal or configuration file has a mistake in it"
        case .ownFailure:
            "of run and replay: linkcond itself failed, whatever the reason; any other code is that of CMD"
        case .notExecutable: "of run and replay: CMD cannot be started"
        case .notFound: "of run and replay: there is no such CMD"
        case .interrupted:
            "ended by SIGINT (Control-C); the summary or resume data were written first"
        case .terminated: "ended by SIGTERM; the summary or resume data were written first"
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
        return lines.map(TextLayout.printable)
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
