/// One command as the user sees it; parsing, help, man page and completions come from it.
package struct CommandSpecification: Sendable {
    package var name: String
    /// One line, without a full stop.
    package var summary: String
    /// What a newcomer should know, in paragraphs.
    package var details: [String] = []
    package var examples: [Example] = []
    package var operands: [OperandSpecification] = []
    package var options: [OptionSpecification] = []
    package var subcommands: [CommandSpecification] = []
    /// Whether it does something without a subcommand, though it has no operands either.
    package var worksAlone = false
    /// Whether the words of a program to start come last: after `--`, or after all operands.
    package var takesProgram = false
    /// Whether every word after the first operand is an operand, too, whatever it looks like.
    package var endsOptionsAtOperand = false
    /// Whether the exit code is that of the program that it starts.
    package var passesExitCode = false

    package struct Example: Sendable {
        package var command: String
        package var meaning: String

        package init(
            command: String,
            meaning: String
        ) {
            self.command = command
            self.meaning = meaning
        }
    }

    /// The subcommand taken when none is named.
    package var defaultSubcommand: String?
    /// Whether configuration files may give its options.
    package var readsConfiguration = false
    /// Whether what stands at the top of a file is meant for it, too; otherwise its section alone.
    package var sharesConfiguration = true
    /// Whether long options may have one dash, and flags a value, as programs written in Go take them.
    package var takesSingleDashes = false

    package init(
        name: String,
        summary: String,
        details: [String] = [],
        examples: [Example] = [],
        operands: [OperandSpecification] = [],
        options: [OptionSpecification] = [],
        subcommands: [CommandSpecification] = [],
        worksAlone: Bool = false,
        takesProgram: Bool = false,
        endsOptionsAtOperand: Bool = false,
        passesExitCode: Bool = false,
        defaultSubcommand: String? = nil,
        readsConfiguration: Bool = false,
        sharesConfiguration: Bool = true,
        takesSingleDashes: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.examples = examples
        self.operands = operands
        self.options = options
        self.subcommands = subcommands
        self.worksAlone = worksAlone
        self.takesProgram = takesProgram
        self.endsOptionsAtOperand = endsOptionsAtOperand
        self.passesExitCode = passesExitCode
        self.defaultSubcommand = defaultSubcommand
        self.readsConfiguration = readsConfiguration
        self.sharesConfiguration = sharesConfiguration
        self.takesSingleDashes = takesSingleDashes
    }

    package func option(long name: String) -> OptionSpecification? {
        options.first { $0.long == name }
    }

    package func option(short name: Character) -> OptionSpecification? {
        options.first { $0.short == name }
    }

    /// The option that is also called by this word, and what its value becomes.
    func alias(_ name: String) -> (option: OptionSpecification, form: String)? {
        for option in options {
            if let form = option.aliases[name] { return (option, form) }
        }
        return nil
    }

    /// The option that once had this name.
    package func option(formerly name: String) -> OptionSpecification? {
        options.first { $0.former.contains(name) }
    }

    func subcommand(_ name: String) -> CommandSpecification? {
        subcommands.first { $0.name == name }
    }
}

/// One option of a command.
package struct OptionSpecification: Sendable {
    /// Without the dashes.
    package var long: String
    package var short: Character?
    /// Nil for a flag.
    package var value: ValueSpecification?
    package var help: String
    package var group = OptionGroup.general
    package var isRepeatable = false
    /// Whether its values are `KEY=VALUE`, which a file writes as a mapping, and of which all places
    /// are put together.
    package var takesSettings = false
    /// The environment variable that is read if the option is not given.
    package var environment: String?
    /// Whether a configuration file may give it.
    ///
    /// Not what belongs to one run, nor what a file that came with a project should not do to
    /// whoever runs linkcond in it: write files, or let other machines in.
    package var isConfigurable = true
    /// Whether its value names a file that is written anew.
    package var writesFile = false
    /// Whether a command line that repeats a run says what it was.
    package var bearsOnResult = false
    /// Names that it once had; an error names the current one.
    package var former: [String] = []
    /// Other words for it, each with what its value becomes; `%` stands for what is given.
    package var aliases: [String: String] = [:]

    package init(
        long: String,
        short: Character? = nil,
        value: ValueSpecification? = nil,
        help: String,
        group: OptionGroup = OptionGroup.general,
        isRepeatable: Bool = false,
        takesSettings: Bool = false,
        environment: String? = nil,
        isConfigurable: Bool = true,
        writesFile: Bool = false,
        bearsOnResult: Bool = false,
        former: [String] = [],
        aliases: [String: String] = [:]
    ) {
        self.long = long
        self.short = short
        self.value = value
        self.help = help
        self.group = group
        self.isRepeatable = isRepeatable
        self.takesSettings = takesSettings
        self.environment = environment
        self.isConfigurable = isConfigurable
        self.writesFile = writesFile
        self.bearsOnResult = bearsOnResult
        self.former = former
        self.aliases = aliases
    }

    /// As in `-n, --dry-run` or `--seed N`.
    var synopsis: String {
        let names = (short.map { "-\($0), " } ?? "") + "--\(long)"
        return value.map { "\(names) \($0.name)" } ?? names
    }
}

extension [OptionSpecification] {
    /// The same options, which bear on the result of a run.
    package var bearingOnResult: [OptionSpecification] {
        map { option in
            var option = option
            option.bearsOnResult = true
            return option
        }
    }
}

/// What an option's or operand's value is called and how a shell completes it.
package struct ValueSpecification: Sendable {
    package enum Completion: Hashable, Sendable {
        case nothing
        case file
        /// A profile's name or a file.
        case profile
        case words([String])
        /// A command or a topic of help.
        case helpSubject
    }

    package var name: String
    package var completion = Completion.nothing
    /// Whether what follows `=` is a profile's name or a file.
    package var assignsProfile: Bool

    package init(
        name: String,
        completion: Completion = Completion.nothing,
        assignsProfile: Bool = false
    ) {
        self.name = name
        self.assignsProfile = assignsProfile
        self.completion = completion
    }
}

/// One positional argument.
package struct OperandSpecification: Sendable {
    package var value: ValueSpecification
    package var isOptional = false
    /// May be given several times; the last operand only.
    package var isRepeatable = false

    package init(
        value: ValueSpecification,
        isOptional: Bool = false,
        isRepeatable: Bool = false
    ) {
        self.value = value
        self.isOptional = isOptional
        self.isRepeatable = isRepeatable
    }

    var synopsis: String {
        let name = isRepeatable ? "\(value.name)..." : value.name
        return isOptional ? "[\(name)]" : name
    }
}

/// The heading under which an option is listed.
package struct OptionGroup: Hashable, Sendable {
    package let heading: String

    package init(_ heading: String) { self.heading = heading }

    package static let general = OptionGroup("General")
}

/// Options that every program has.
extension OptionSpecification {
    package static let help = OptionSpecification(
        long: "help",
        short: "h",
        help: "Show help for this command.",
        isConfigurable: false
    )

    package static let noConfiguration = OptionSpecification(
        long: "no-config",
        help: "Ignore configuration files; see `linkcond help config`.",
        isConfigurable: false
    )
}
