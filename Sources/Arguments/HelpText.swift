package import Basics

/// `--help`, from the command table.
package struct HelpText {
    package let table: CommandSet
    package let width: Int
    package let style: TextStyle

    package init(
        table: CommandSet,
        width: Int,
        style: TextStyle
    ) {
        self.table = table
        self.width = width
        self.style = style
    }

    /// The page for the whole program.
    package func overview() -> [String] {
        var lines = [
            style(.heading, CommandSet.program) + " - " + table.tagline, "",
        ]
        for paragraph in table.introduction {
            lines += TextLayout.wrap(paragraph, width: width) + [""]
        }
        lines += [style(.heading, "Start here")]
        lines += examples(table.firstExamples)
        lines += ["", style(.heading, "Commands")]
        for command in table.commands {
            lines += TextLayout.definition(
                command.name,
                command.summary,
                column: 20,
                width: width
            )
        }
        lines += ["", style(.heading, "Topics")]
        for topic in table.topics {
            lines += TextLayout.definition(
                "help \(topic.name)",
                topic.summary,
                column: 20,
                width: width
            )
        }
        lines += [""]
        lines += TextLayout.wrap(
            """
            `linkcond COMMAND --help` describes a command. Options without a command are those of \
            `linkcond \(table.defaultCommand)`; the most common ones:
            """,
            width: width
        )
        if let proxy = table.command(table.defaultCommand) {
            let options = table.commonOptions.compactMap(proxy.option(long:))
            lines += [""] + optionLines(options, isBrief: true)
        }
        return lines
    }

    /// The page for one command.
    package func page(for command: CommandSpecification, path: [String]) -> [String] {
        let name = ([CommandSet.program] + path).joined(separator: " ")
        var lines = title(name, command.summary) + [""]
        lines += table.usage(of: command, name: name).map { "Usage: \($0)" }
        lines += [""]
        for paragraph in command.details {
            lines += TextLayout.wrap(paragraph, width: width) + [""]
        }
        if !command.examples.isEmpty {
            lines += [style(.heading, "Examples")] + examples(command.examples) + [""]
        }
        for subcommand in command.subcommands {
            lines += [
                style(.heading, table.usage(of: subcommand, name: "\(name) \(subcommand.name)")[0])
            ]
            lines += TextLayout.wrap(subcommand.summary, width: width - 2).map { "  \($0)" }
            lines += optionLines(subcommand.options.filter { $0.long != "help" }) + [""]
        }
        for group in table.groups {
            let options = command.options.filter { $0.group == group }
            if options.isEmpty { continue }
            lines += [style(.heading, group.heading)] + optionLines(options) + [""]
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// The page for a topic.
    package func page(for topic: HelpTopic) -> [String] {
        var lines = title("\(CommandSet.program) help \(topic.name)", topic.summary)
        for paragraph in topic.introduction {
            lines += [""] + TextLayout.wrap(paragraph, width: width)
        }
        for section in topic.sections {
            lines += ["", style(.heading, section.heading)]
            if let text = section.text { lines += TextLayout.wrap(text, width: width) }
            let longest = section.entries.map(\.term.count).max() ?? 0
            for entry in section.entries {
                lines += TextLayout.definition(
                    entry.term,
                    entry.meaning,
                    column: min(longest, 27) + 4,
                    width: width
                )
            }
        }
        return lines
    }

    private func title(_ name: String, _ summary: String) -> [String] {
        var lines = TextLayout.wrap("\(name) - \(summary)", width: width)
        guard let first = lines.first, first.hasPrefix(name) else { return lines }
        lines[0] = style(.heading, name) + first.dropFirst(name.count)
        return lines
    }

    private func optionLines(_ options: [OptionSpecification], isBrief: Bool = false) -> [String] {
        options.flatMap { option in
            TextLayout.definition(
                (option.short == nil ? "    " : "") + option.synopsis,
                isBrief ? Self.firstSentence(option.help) : Self.fullHelp(option),
                column: 28,
                width: width
            )
        }
    }

    /// The help text with what the table knows besides.
    static func fullHelp(_ option: OptionSpecification) -> String {
        var text = option.help
        if option.isRepeatable { text += " May be repeated." }
        if let name = option.environment { text += " Environment: \(name)." }
        return text
    }

    /// The beginning of a text that can stand alone.
    static func firstSentence(_ text: String) -> String {
        var sentence = ""
        for character in text {
            if character == " ", let last = sentence.last {
                if last == "." { return sentence }
                if last == ":" || last == ";" { return sentence.dropLast() + "." }
            }
            sentence.append(character)
        }
        return sentence
    }

    private func examples(_ examples: [CommandSpecification.Example]) -> [String] {
        examples.flatMap { example in
            ["  \(example.command)", style(.faint, "      \(example.meaning)")]
        }
    }
}
