/// The completion script for zsh.
struct ZshCompletion {
    package let table: CommandSet

    package func lines() -> [String] {
        ["#compdef linkcond", "", "_linkcond_profiles() {"]
            + ["    local -a names", "    names=(${(f)\"$(\(Completions.profileNames))\"})"]
            + ["    _alternative 'names:profile:compadd -a names' 'files:file:_files'", "}", ""]
            + table.entries.flatMap(function)
            + [
                "_linkcond() {", "    local -a commands", "    commands=(",
            ]
            + table.commands.map {
                "        " + Completions.singleQuoted("\($0.name):\($0.summary)")
            }
            + [
                "    )",
                "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then",
                "        _describe command commands", "        return", "    fi",
                "    case \"$words[2] $words[3]\" in",
            ]
            + branches(depth: 2) + ["    esac", "    case \"$words[2]\" in"] + branches(depth: 1)
            + ["        *) _linkcond_proxy ;;", "    esac", "}", "", "_linkcond \"$@\""]
    }

    private func branches(depth: Int) -> [String] {
        table.entries.filter { $0.path.count == depth }.map { entry in
            let words = entry.path.joined(separator: " ")
            return "        '\(words)') ((CURRENT -= \(depth))); shift \(depth) words;"
                + " \(name(entry)); return ;;"
        }
    }

    private func name(_ entry: CommandSet.Entry) -> String {
        "_linkcond_" + entry.path.joined(separator: "_")
    }

    private func function(for entry: CommandSet.Entry) -> [String] {
        let arguments = entry.command.options.flatMap(specifications) + operands(of: entry.command)
        return ["\(name(entry))() {", "    _arguments \\"]
            + arguments.dropLast().map { "        \($0) \\" }
            + arguments.suffix(1).map { "        \($0)" } + ["}", ""]
    }

    private func specifications(_ option: OptionSpecification) -> [String] {
        let star = option.isRepeatable ? "*" : ""
        let text = description(HelpText.firstSentence(option.help))
        let value = option.value.map { ":\(description($0.name)):\(action($0.completion))" } ?? ""
        let names =
            ["--\(option.long)" + (option.value == nil ? "" : "=")]
            + (option.short.map { ["-\($0)"] } ?? [])
        return names.map { Completions.singleQuoted("\(star)\($0)[\(text)]\(value)") }
    }

    private func operands(of command: CommandSpecification) -> [String] {
        if !command.subcommands.isEmpty {
            let names = command.subcommands.map(\.name).joined(separator: " ")
            return [Completions.singleQuoted("1:command:(\(names))")]
        }
        let operands = command.operands.enumerated().map { index, operand in
            Completions.singleQuoted(
                "\(index + 1):\(description(operand.value.name)):\(action(operand.value.completion))"
            )
        }
        return operands
            + (command.takesProgram ? [Completions.singleQuoted("*::command:_normal")] : [])
    }

    private func action(_ completion: ValueSpecification.Completion) -> String {
        switch completion {
        case .nothing: " "
        case .file: "_files"
        case .profile: "_linkcond_profiles"
        case .words, .helpSubject: "(\(list(completion)))"
        }
    }

    private func list(_ completion: ValueSpecification.Completion) -> String {
        table.words(of: completion).map(escaped).joined(separator: " ")
    }

    /// A word of a list in parentheses, itself within single quotes.
    private func escaped(_ word: String) -> String {
        word.reduce(into: "") { text, character in
            if " ()*?<>#:[]&;|$'\"\\`~".contains(character) { text += "\\" }
            text.append(character)
        }
    }

    /// Colons and brackets have a meaning in `_arguments`.
    private func description(_ text: String) -> String {
        var result = ""
        for character in text {
            if ":[]\\".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }
}
