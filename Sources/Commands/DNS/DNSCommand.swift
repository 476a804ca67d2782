internal import Arguments

/// `linkcond dns`: from options to a run.
struct DNSCommand {
    let console: Console

    /// - Returns: the exit code of the program, if it starts one.
    func run(_ invocation: Invocation) throws(Failure) -> Int32 {
        let options = try DNSOptions(invocation)
        return try DNSRun(options: options, console: console).runToEnd()
    }
}
