internal import Arguments

/// `linkcond help`, and `--help` of every command.
struct HelpCommand {
    let console: Console

    private var text: HelpText {
        HelpText(table: CommandTable.set, width: console.textWidth, style: console.outputStyle)
    }

    /// The page of a command or topic; without a name, that of the whole program.
    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        guard let name = invocation.operands.first else { return try print(text.overview()) }
        if let topic = CommandTable.set.topic(name) { return try print(text.page(for: topic)) }
        guard let command = CommandTable.set.command(name) else { throw unknown(name) }
        return try print(text.page(for: command, path: [name]))
    }

    /// The page that `--help` asks for.
    func page(for invocation: Invocation) throws(Failure) -> ExitCode {
        if invocation.path == [CommandTable.helpCommand.name] { return try print(text.overview()) }
        return try print(text.page(for: invocation.command, path: invocation.path))
    }

    private func unknown(_ name: String) -> Failure {
        let known = CommandTable.set.helpSubjects
        return Failure(
            .usage,
            "no help for '\(name)'\(Suggestion.hint(for: name, in: known))"
                + " (known: \(known.joined(separator: ", ")))"
        )
    }

    private func print(_ lines: [String]) throws(Failure) -> ExitCode {
        try console.write(lines)
        return .success
    }
}
