internal import Arguments

/// `linkcond dns`: from options to a run.
struct DNSCommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let options = try DNSOptions(invocation)
        return try DNSRun(options: options, console: console).runToEnd()
    }
}
