/// Completion scripts for shells, from the command table.
package enum Completions {
    package enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    package static func script(for shell: Shell, of table: CommandSet) -> [String] {
        switch shell {
        case .bash: BashCompletion(table: table).lines()
        case .zsh: ZshCompletion(table: table).lines()
        case .fish: FishCompletion(table: table).lines()
        }
    }

    /// The shell command that lists profile names.
    package static let profileNames = "linkcond profiles list --names 2>/dev/null"

    static func singleQuoted(_ text: String) -> String {
        "'"
            + text.split(separator: "'", omittingEmptySubsequences: false).joined(
                separator: "'\\''"
            )
            + "'"
    }
}

extension CommandSet {
    /// A command that can be named, with the words that name it.
    package struct Entry {
        package var path: [String]
        package var command: CommandSpecification
    }

    /// All commands, each parent before its subcommands.
    package var entries: [Entry] {
        commands.flatMap { command in
            [Entry(path: [command.name], command: command)]
                + command.subcommands.map { Entry(path: [command.name, $0.name], command: $0) }
        }
    }
}
