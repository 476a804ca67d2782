internal import Arguments
internal import Basics
internal import SystemIO
internal import Trials

/// A server that a command of the user is.
struct ServerCommand {
    let start: TrialCommand
    /// Takes away what a crash loses; nil if nothing can.
    let crash: TrialCommand?

    /// How a command can know where to listen.
    private static let places = ["{port}", "{url}", "LINKCOND_PORT", "LINKCOND_URL"]

    /// As the options say; nil without `--origin-cmd`.
    ///
    /// - Throws: `usage` for a command that cannot know where to listen, and for one of crashes alone.
    init?(_ invocation: Invocation) throws(Failure) {
        let lost = invocation.value("origin-crash-cmd")
        guard let command = invocation.value("origin-cmd") else {
            guard lost == nil else {
                throw Failure(
                    .usage,
                    "--origin-crash-cmd goes with the server of --origin-cmd only"
                )
            }
            return nil
        }
        guard Self.places.contains(where: command.contains) else {
            throw Failure(
                .usage,
                "--origin-cmd '\(command)' does not say where to listen; write {port} in it"
            )
        }
        start = Self.shell(command)
        crash = lost.map(Self.shell)
    }

    private static func shell(_ command: String) -> TrialCommand {
        TrialCommand(["/bin/sh", "-c", command], environment: CurrentProcess.wholeEnvironment)
    }
}

extension OptionSpecification {
    /// - Parameters:
    ///   - use: when the server is started and stopped.
    ///   - end: what else is to be said.
    /// - Returns: the option for a server that is started.
    static func originCommand(_ use: String, _ end: String) -> OptionSpecification {
        OptionSpecification(
            long: "origin-cmd",
            value: ValueSpecification(name: "COMMAND"),
            help: """
                Shell command that runs the server \(use). It must listen on port {port} of \
                127.0.0.1 within 10 s. \(end)
                """,
            group: .addresses,
            isConfigurable: false
        )
    }

    static let originCrashCommand = OptionSpecification(
        long: "origin-crash-cmd",
        value: ValueSpecification(name: "COMMAND"),
        help: """
            Shell command to run between a crash of that server and its restart. It should remove \
            the data that LINKCOND_LOSS (none, uncommitted, tail, meta, all) and \
            LINKCOND_LOSS_BYTES (for tail) describe. Without it, a crash loses only what the \
            server had not stored.
            """,
        group: .addresses,
        isConfigurable: false
    )
}
