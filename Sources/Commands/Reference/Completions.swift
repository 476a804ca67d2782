/// Completion scripts for shells, from the command table.
enum Completions {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    static func script(for shell: Shell) -> [String] {
        switch shell {
        case .bash: BashCompletion.lines()
        case .zsh: ZshCompletion.lines()
        case .fish: FishCompletion.lines()
        }
    }

    /// A command that can be named, with the words that name it.
    struct Entry {
        var path: [String]
        var command: CommandSpecification
    }

    /// All commands, each parent before its subcommands.
    static let entries: [Entry] = CommandTable.commands.flatMap { command in
        [Entry(path: [command.name], command: command)]
            + command.subcommands.map { Entry(path: [command.name, $0.name], command: $0) }
    }

    /// The shell command that lists profile names.
    static let profileNames = "linkcond profiles list --names 2>/dev/null"

    static func singleQuoted(_ text: String) -> String {
        "'"
            + text.split(separator: "'", omittingEmptySubsequences: false).joined(
                separator: "'\\''"
            )
            + "'"
    }
}
