internal import Arguments

extension ExitCode {
    /// What `linkcond help exit-codes` says of it.
    var meaning: String {
        switch self {
        case .success:
            "success; for proxy: --duration elapsed, or q was pressed in the live view"
        case .findings:
            """
            a run does not meet its demands; a server breaks rules; two journals differ; a \
            transfer failed and cannot be resumed, for a reason that has no other code
            """
        case .inconclusive:
            "inconclusive: a fault did not fire, no traffic came through, or linkcond itself had a problem"
        case .baselineFailed: "for explore: CMD fails, or its result is wrong, without any fault"
        case .nothingToExplore: "for explore: CMD sent nothing through linkcond"
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
            until it is stopped
            """
        case .resumable:
            """
            a transfer failed, for any reason, or was stopped, and can be resumed: run the same \
            command again
            """
        case .configuration: "a profile, journal or configuration file contains a mistake"
        case .ownFailure:
            """
            for run and replay: linkcond itself failed (any other code is that of CMD, unless \
            there is a verdict)
            """
        case .notExecutable: "for run and replay: CMD cannot be started"
        case .notFound: "for run and replay: CMD does not exist"
        case .interrupted:
            "ended by SIGINT (Control-C), after writing the summary or resume data"
        case .terminated: "ended by SIGTERM, after writing the summary or resume data"
        }
    }
}
