internal import Arguments

/// One row of the table of commands: what the user reads about it, and what it does.
struct Command: Sendable {
    let specification: CommandSpecification
    private let action: @Sendable (Invocation, CommandContext) throws(Failure) -> Int32

    /// A command that ends with an exit code of ours.
    init(
        _ specification: CommandSpecification,
        action: @escaping @Sendable (Invocation, CommandContext) throws(Failure) -> ExitCode
    ) {
        self.specification = specification
        self.action = { (invocation, context) throws(Failure) in
            try action(invocation, context).rawValue
        }
    }

    /// A command that ends with the exit code of the program it starts.
    init(
        startingProgram specification: CommandSpecification,
        action: @escaping @Sendable (Invocation, CommandContext) throws(Failure) -> Int32
    ) {
        self.specification = specification
        self.action = action
    }

    /// - Returns: the exit code of the process.
    func run(_ invocation: Invocation, in context: CommandContext) throws(Failure) -> Int32 {
        try action(invocation, context)
    }
}
