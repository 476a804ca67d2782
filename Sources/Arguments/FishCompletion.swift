/// The completion script for fish.
struct FishCompletion {
    package let table: CommandSet

    package func lines() -> [String] {
        var lines = ["# fish completion for linkcond", "complete -c linkcond -f"]
        let names = table.commands.map(\.name).joined(separator: " ")
        for command in table.commands {
            lines.append(
                "complete -c linkcond -n 'not __fish_seen_subcommand_from \(names)'"
                    + " -a \(command.name) -d \(quoted(command.summary))"
            )
            let subcommands = command.subcommands.map(\.name).joined(separator: " ")
            for subcommand in command.subcommands {
                lines.append(
                    "complete -c linkcond -n '__fish_seen_subcommand_from \(command.name);"
                        + " and not __fish_seen_subcommand_from \(subcommands)'"
                        + " -a \(subcommand.name) -d \(quoted(subcommand.summary))"
                )
            }
        }
        for entry in table.entries {
            lines += entry.command.options.map { option($0, condition: condition(entry, names)) }
            lines += entry.command.operands.map { operand($0, condition: condition(entry, names)) }
        }
        return lines
    }

    /// When a command's own words are offered; the default command needs no name.
    private func condition(_ entry: CommandSet.Entry, _ names: String) -> String {
        let seen = entry.path.map { "__fish_seen_subcommand_from \($0)" }
            .joined(separator: "; and ")
        guard entry.path == [table.defaultCommand] else { return seen }
        return "\(seen); or not __fish_seen_subcommand_from \(names)"
    }

    private func option(_ option: OptionSpecification, condition: String) -> String {
        var line = "complete -c linkcond -n '\(condition)' -l \(option.long)"
        if let short = option.short { line += " -s \(short)" }
        if let value = option.value { line += " -r" + arguments(value.completion) }
        return line + " -d \(quoted(HelpText.firstSentence(option.help)))"
    }

    private func operand(_ operand: OperandSpecification, condition: String) -> String {
        "complete -c linkcond -n '\(condition)'" + arguments(operand.value.completion)
    }

    private func arguments(_ completion: ValueSpecification.Completion) -> String {
        switch completion {
        case .nothing: ""
        case .file: " -F"
        case .profile: " -F -a '(\(Completions.profileNames))'"
        case .words, .helpSubject: " -a \(quoted(list(completion)))"
        }
    }

    private func list(_ completion: ValueSpecification.Completion) -> String {
        table.words(of: completion).map(escaped).joined(separator: " ")
    }

    /// A word of a list that fish expands once more.
    private func escaped(_ word: String) -> String {
        word.reduce(into: "") { text, character in
            if " ()*?<>#&;|$'\"\\{}~".contains(character) { text += "\\" }
            text.append(character)
        }
    }

    private func quoted(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" || character == "\\" { result += "\\" }
            result.append(character)
        }
        return result + "'"
    }
}
