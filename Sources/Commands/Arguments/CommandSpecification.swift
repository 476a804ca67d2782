/// One command as the user sees it; parsing, help, man page and completions come from it.
struct CommandSpecification: Sendable {
    var name: String
    /// One line, without a full stop.
    var summary: String
    /// What a newcomer should know, in paragraphs.
    var details: [String] = []
    var examples: [Example] = []
    var operands: [OperandSpecification] = []
    var options: [OptionSpecification] = []
    var subcommands: [CommandSpecification] = []
    /// Whether it does something without a subcommand, though it has no operands either.
    var worksAlone = false
    /// Whether the words of a program to start come last: after `--`, or after all operands.
    var takesProgram = false
    /// Whether every word after the first operand is an operand, too, whatever it looks like.
    var endsOptionsAtOperand = false
    /// Whether the exit code is that of the program that it starts.
    var passesExitCode = false

    struct Example: Sendable {
        var command: String
        var meaning: String
    }

    /// The subcommand taken when none is named.
    var defaultSubcommand: String?
    /// Whether configuration files may give its options.
    var readsConfiguration = false
    /// Whether what stands at the top of a file is meant for it, too; otherwise its section alone.
    var sharesConfiguration = true
    /// Whether long options may have one dash, and flags a value, as programs written in Go take them.
    var takesSingleDashes = false

    func option(long name: String) -> OptionSpecification? {
        options.first { $0.long == name }
    }

    func option(short name: Character) -> OptionSpecification? {
        options.first { $0.short == name }
    }

    /// The option that once had this name.
    func option(formerly name: String) -> OptionSpecification? {
        options.first { $0.former.contains(name) }
    }

    func subcommand(_ name: String) -> CommandSpecification? {
        subcommands.first { $0.name == name }
    }
}

/// One option of a command.
struct OptionSpecification: Sendable {
    /// Without the dashes.
    var long: String
    var short: Character?
    /// Nil for a flag.
    var value: ValueSpecification?
    var help: String
    var group = OptionGroup.general
    var isRepeatable = false
    /// The environment variable that is read if the option is not given.
    var environment: String?
    /// Whether a configuration file may give it.
    ///
    /// Not what belongs to one run, nor what a file that came with a project should not do to
    /// whoever runs linkcond in it: write files, or let other machines in.
    var isConfigurable = true
    /// Names that it once had; an error names the current one.
    var former: [String] = []

    /// As in `-n, --dry-run` or `--seed N`.
    var synopsis: String {
        let names = (short.map { "-\($0), " } ?? "") + "--\(long)"
        return value.map { "\(names) \($0.name)" } ?? names
    }
}

/// What an option's or operand's value is called and how a shell completes it.
struct ValueSpecification: Sendable {
    enum Completion: Hashable, Sendable {
        case nothing
        case file
        /// A profile's name or a file.
        case profile
        case words([String])
        /// A command or a topic of help.
        case helpSubject

        /// The words to offer; none for what only the shell can list.
        var words: [String] {
            switch self {
            case .words(let words): words
            case .helpSubject: CommandTable.helpSubjects
            case .nothing, .file, .profile: []
            }
        }
    }

    var name: String
    var completion = Completion.nothing
}

/// One positional argument.
struct OperandSpecification: Sendable {
    var value: ValueSpecification
    var isOptional = false
    /// May be given several times; the last operand only.
    var isRepeatable = false

    var synopsis: String {
        let name = isRepeatable ? "\(value.name)..." : value.name
        return isOptional ? "[\(name)]" : name
    }
}

/// The heading under which an option is listed.
enum OptionGroup: String, CaseIterable, Sendable {
    case link = "The network"
    case addresses = "Addresses"
    case transfer = "The transfer"
    case request = "The request"
    case retry = "Retries"
    case path = "The network path"
    case objects = "Downloads"
    case uploads = "Uploads"
    case result = "The result"
    case running = "Running"
    case output = "Output"
    case general = "General"
}
