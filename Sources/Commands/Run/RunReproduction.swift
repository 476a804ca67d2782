internal import Arguments
internal import Faults

/// The command line that repeats a run.
enum RunReproduction {
    /// What bears on the result, in the order of the help.
    private static let options =
        ["profile", "set", "route"] + OptionSpecification.upstreamNames + [
            "serve", "misbehave", "framing", "origin-cmd", "transport", "origin-crash-cmd",
            "listen", "same", "sha256", "result", "fetch-check", "server-check", "expect",
            "max-wire", "max-resent", "max-stalled-attempts", "max-metered", "cap", "deadline",
            "allow", "via", "keep-uploads",
        ] + LookupOptions.names
    private static let flags = [
        "forward", "allow-all-hosts", "https", "allow-remote", "require-resume", LookupOptions.flag,
    ]

    /// Whether a line says what this option was.
    static func isRepeated(_ option: String) -> Bool {
        options.contains(option) || flags.contains(option)
    }

    static func line(_ schedule: FaultSchedule, _ invocation: Invocation) -> String {
        var words = [CommandSet.program, "replay", schedule.canonicalText]
        words += invocation.words(options)
        words += flags.filter(invocation.has).map { "--\($0)" }
        if !invocation.program.isEmpty { words += ["--"] + invocation.program }
        return ShellText.line(words)
    }
}
