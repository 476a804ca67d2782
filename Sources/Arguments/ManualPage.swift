/// The manual page in the man(7) language, from the command table.
package struct ManualPage {
    package let table: CommandSet

    package init(
        table: CommandSet
    ) {
        self.table = table
    }

    package func lines() -> [String] {
        var lines = [
            ".TH LINKCOND 1 \"\" \"linkcond \(table.version)\" \"User Commands\"",
            ".SH NAME", escaped("linkcond - \(table.tagline)"),
            ".SH SYNOPSIS", ".B linkcond", escaped("[OPTIONS]"), ".br", ".B linkcond",
            escaped("COMMAND [OPTIONS] [ARGUMENTS]"), ".SH DESCRIPTION",
        ]
        for paragraph in table.introduction { lines += [escaped(paragraph), ".PP"] }
        lines += [".SH COMMANDS"]
        for command in table.commands {
            lines += section(command, path: [command.name])
        }
        for topic in table.topics where topic.name != table.exitStatus.name {
            lines += section(topic, title: topic.name.uppercased())
        }
        lines += section(table.exitStatus, title: "EXIT STATUS") + environment()
        return lines
    }

    private func section(_ command: CommandSpecification, path: [String]) -> [String] {
        let name = ([CommandSet.program] + path).joined(separator: " ")
        var lines = [".SS \(quoted(name))", escaped(command.summary + "."), ".PP"]
        for usage in table.usage(of: command, name: name) {
            lines += [".B \(quoted(usage))", ".br"]
        }
        for paragraph in command.details { lines += [".PP", escaped(paragraph)] }
        for option in command.options {
            lines += [
                ".TP", ".B \(quoted(option.synopsis))", escaped(HelpText.fullHelp(option)),
            ]
        }
        if !command.examples.isEmpty { lines += [".PP", "Examples:"] }
        for example in command.examples {
            lines += [".TP", ".B \(quoted(example.command))", escaped(example.meaning)]
        }
        for subcommand in command.subcommands {
            lines += section(subcommand, path: path + [subcommand.name])
        }
        return lines
    }

    /// Terms that carry no dash read as they are typed.
    private func section(_ topic: HelpTopic, title: String) -> [String] {
        var lines = [".SH \(title)"]
        for paragraph in topic.introduction { lines += [escaped(paragraph), ".PP"] }
        for section in topic.sections {
            if topic.sections.count > 1 { lines += [".SS \(quoted(section.heading))"] }
            if let text = section.text { lines += [escaped(text)] }
            for entry in section.entries {
                lines += [".TP", ".B \(quoted(entry.term))", escaped(entry.meaning)]
            }
        }
        return lines
    }

    private func environment() -> [String] {
        var lines = [".SH ENVIRONMENT"]
        var seen: [String] = []
        for command in table.commands {
            for option in command.options {
                guard let name = option.environment, !seen.contains(name) else { continue }
                seen.append(name)
                lines += [".TP", ".B \(name)", escaped("The value of --\(option.long).")]
            }
        }
        return lines + [
            ".TP", ".B \"NO_COLOR, FORCE_COLOR, TERM\"",
            escaped("Whether to use colour; FORCE_COLOR takes precedence over NO_COLOR."),
            ".TP", ".B XDG_CONFIG_HOME", escaped("Folder that contains linkcond/profiles."),
        ]
    }

    /// Text in which nothing is taken for a request or an escape.
    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "`": result += "\\(ga"
            case "'": result += "\\(aq"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }

    private func quoted(_ text: String) -> String {
        "\"" + escaped(text) + "\""
    }
}
