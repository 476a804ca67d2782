/// What a program understands: its commands with their options, and its topics of help.
package struct CommandSet: Sendable {
    package static let program = "linkcond"

    package var version: String
    /// What follows the name in the first line of help.
    package var tagline: String
    /// What the program is, for someone who has never seen it.
    package var introduction: [String]
    package var firstExamples: [CommandSpecification.Example]
    /// In the order of the overview.
    package var commands: [CommandSpecification]
    /// The command that is meant when the first argument is an option.
    package var defaultCommand: String
    /// Of the default command: the options that the overview lists.
    package var commonOptions: [String]
    /// In the order of help.
    package var groups: [OptionGroup]
    package var topics: [HelpTopic]
    /// The topic that a manual page has at its end.
    package var exitStatus: HelpTopic
    /// Commands that became subcommands, with what to write now.
    package var formerCommands: [String: String]
    /// Options of other programs that may mean several things here.
    package var foreignOptions: [String: ForeignOption]

    /// An option that a command with `option` has not.
    package struct ForeignOption: Sendable {
        package var option: String
        /// What to write instead.
        package var advice: String

        package init(_ advice: String, for option: String) {
            self.option = option
            self.advice = advice
        }
    }

    package init(
        version: String,
        tagline: String,
        introduction: [String],
        firstExamples: [CommandSpecification.Example],
        commands: [CommandSpecification],
        defaultCommand: String,
        commonOptions: [String],
        groups: [OptionGroup],
        topics: [HelpTopic],
        exitStatus: HelpTopic,
        formerCommands: [String: String],
        foreignOptions: [String: ForeignOption] = [:]
    ) {
        self.version = version
        self.tagline = tagline
        self.introduction = introduction
        self.firstExamples = firstExamples
        self.commands = commands
        self.defaultCommand = defaultCommand
        self.commonOptions = commonOptions
        self.groups = groups
        self.topics = topics
        self.exitStatus = exitStatus
        self.formerCommands = formerCommands
        self.foreignOptions = foreignOptions
    }

    /// What `help` explains: every command, then every topic.
    package var helpSubjects: [String] { commands.map(\.name) + topics.map(\.name) }

    package func command(_ name: String) -> CommandSpecification? {
        commands.first { $0.name == name }
    }

    package func topic(_ name: String) -> HelpTopic? { topics.first { $0.name == name } }

    /// The words that a shell offers; none for what only the shell can list.
    package func words(of completion: ValueSpecification.Completion) -> [String] {
        switch completion {
        case .words(let words): words
        case .helpSubject: helpSubjects
        case .nothing, .file, .profile: []
        }
    }

    /// The ways to write a command.
    package func usage(of command: CommandSpecification, name: String) -> [String] {
        if !command.subcommands.isEmpty, command.operands.isEmpty, !command.worksAlone {
            let names = command.subcommands.map(\.name).joined(separator: "|")
            return ["\(name) [\(names)]"]
        }
        let options = command.options.count > 1 ? " [OPTIONS]" : ""
        let operands =
            command.operands.map { " \($0.synopsis)" }.joined()
            + (command.takesProgram ? " [-- CMD [ARG...]]" : "")
        guard name == "\(Self.program) \(defaultCommand)" else {
            return [name + options + operands]
        }
        return ["\(Self.program)\(options)", name + options + operands]
    }
}
