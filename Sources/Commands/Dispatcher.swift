internal import Arguments

/// Runs the command that a command line names.
struct Dispatcher {
    let console: Console

    /// - Returns: the exit code of the process, which may be that of a program it started.
    func run(_ invocation: Invocation) throws(Failure) -> Int32 {
        if invocation.has("help") {
            return try HelpCommand(console: console).page(for: invocation).rawValue
        }
        guard let command = CommandTable.row(invocation.path[0]) else {
            throw Failure(.internalError, "the table has no command '\(invocation.path[0])'")
        }
        return try command.run(invocation, in: CommandContext(console: console))
    }
}
