internal import Basics

/// Arguments to an `Invocation`, by the command table.
package struct ArgumentParser {
    private var remaining: ArraySlice<String>
    private var invocation: Invocation
    /// Commands that a misplaced word may mean.
    private let set: CommandSet?
    private let environment: (String) -> String?

    /// Understands a command line, which comes without the program's name.
    package static func parse(
        _ arguments: [String],
        of set: CommandSet,
        environment: @escaping (String) -> String?
    ) throws(Failure) -> Invocation {
        var rest = arguments[...]
        let command = try parseCommand(&rest, of: set)
        var parser = ArgumentParser(
            remaining: rest,
            invocation: command,
            set: set,
            environment: environment
        )
        try parser.parseAll()
        return parser.invocation
    }

    /// Understands the words of a command that the table does not list.
    package static func parse(
        _ words: ArraySlice<String>,
        as command: CommandSpecification,
        path: [String]
    ) throws(Failure) -> Invocation {
        var parser = ArgumentParser(
            remaining: words,
            invocation: Invocation(path: path, command: command),
            set: nil
        ) { _ in nil }
        try parser.parseAll()
        return parser.invocation
    }

    private init(
        remaining: ArraySlice<String>,
        invocation: Invocation,
        set: CommandSet?,
        environment: @escaping (String) -> String?
    ) {
        self.set = set
        self.remaining = remaining
        self.invocation = invocation
        self.environment = environment
    }

    // MARK: Commands

    private static func parseCommand(
        _ rest: inout ArraySlice<String>,
        of set: CommandSet
    ) throws(Failure) -> Invocation {
        guard let first = rest.first else { return invocation("help", of: set) }
        switch first {
        case "-h", "--help":
            rest = rest.dropFirst()
            return invocation("help", of: set)
        case "--version":
            rest = rest.dropFirst()
            return invocation("version", of: set)
        default: break
        }
        if first.hasPrefix("-") { return invocation(set.defaultCommand, of: set) }
        rest = rest.dropFirst()
        guard let command = set.command(first) else { throw unknownCommand(first, of: set) }
        return try parseSubcommand(of: command, &rest)
    }

    private static func invocation(_ name: String, of set: CommandSet) -> Invocation {
        guard let command = set.command(name) else {
            preconditionFailure("the command table has no '\(name)'")
        }
        return Invocation(path: [name], command: command)
    }

    private static func parseSubcommand(
        of command: CommandSpecification,
        _ rest: inout ArraySlice<String>
    ) throws(Failure) -> Invocation {
        guard !command.subcommands.isEmpty else {
            return Invocation(path: [command.name], command: command)
        }
        if !command.operands.isEmpty || command.worksAlone {
            // The command does something by itself, and more by these names.
            guard let word = rest.first, let subcommand = command.subcommand(word) else {
                return Invocation(path: [command.name], command: command)
            }
            rest = rest.dropFirst()
            return Invocation(path: [command.name, word], command: subcommand)
        }
        let names = command.subcommands.map(\.name)
        if let word = rest.first, !word.hasPrefix("-") {
            if let chosen = defaultSubcommand(of: command, taking: word) { return chosen }
            rest = rest.dropFirst()
            guard let subcommand = command.subcommand(word) else {
                throw Failure(
                    .usage,
                    "unknown command '\(command.name) \(word)'"
                        + Suggestion.hint(for: word, in: names, prefix: "\(command.name) ")
                        + " (known: \(names.joined(separator: ", ")))"
                )
            }
            return Invocation(path: [command.name, word], command: subcommand)
        }
        let wantsHelp = rest.first == "-h" || rest.first == "--help"
        if let name = command.defaultSubcommand, let chosen = command.subcommand(name), !wantsHelp {
            return Invocation(path: [command.name, name], command: chosen)
        }
        guard wantsHelp else {
            throw Failure(
                .usage,
                "'\(command.name)' needs one of: \(names.joined(separator: ", "))"
                    + " (see: linkcond \(command.name) --help)"
            )
        }
        var parent = command
        parent.options = [.help]
        return Invocation(path: [command.name], command: parent)
    }

    /// The default subcommand if it takes operands, and a word is not meant as a subcommand.
    private static func defaultSubcommand(
        of command: CommandSpecification,
        taking word: String
    ) -> Invocation? {
        let names = command.subcommands.map(\.name)
        guard let name = command.defaultSubcommand, let chosen = command.subcommand(name),
            !chosen.operands.isEmpty, !names.contains(word),
            Suggestion.hint(for: word, in: names).isEmpty
        else {
            return nil
        }
        return Invocation(path: [command.name, name], command: chosen)
    }

    private static func unknownCommand(_ word: String, of set: CommandSet) -> Failure {
        if let current = set.formerCommands[word] {
            return Failure(.usage, "'\(word)' is now: linkcond \(current)")
        }
        if set.topic(word) != nil {
            return Failure(.usage, "'\(word)' is not a command (see: linkcond help \(word))")
        }
        let hint = Suggestion.hint(for: word, in: set.commands.map(\.name))
        return Failure(.usage, "unknown command '\(word)'\(hint) (see: linkcond --help)")
    }

    // MARK: Options and operands

    private mutating func parseAll() throws(Failure) {
        var onlyOperands = false
        while let word = remaining.popFirst() {
            if onlyOperands || word == "-" || !word.hasPrefix("-") {
                if beginsProgram {
                    parseProgram(from: word)
                } else {
                    invocation.operands.append(word)
                    onlyOperands = onlyOperands || invocation.command.endsOptionsAtOperand
                }
            } else if word == "--" {
                onlyOperands = true
                if invocation.command.takesProgram { parseProgram(from: nil) }
            } else if word.hasPrefix("--") {
                try parseLong(word)
            } else if isLong(word) {
                try parseLong("-\(word)")
            } else {
                try parseShort(word)
            }
        }
        if invocation.has("help") { return }
        readEnvironment()
        try checkRepetition()
        try checkOperands()
    }

    /// Whether a word with one dash is a long option.
    private func isLong(_ word: String) -> Bool {
        let name = word.dropFirst().prefix { $0 != "=" }
        return invocation.command.takesSingleDashes
            && invocation.command.option(long: String(name)) != nil
    }

    /// Whether a word that is no option is the name of a program to start.
    private var beginsProgram: Bool {
        invocation.command.takesProgram
            && invocation.operands.count == invocation.command.operands.count
    }

    /// All further words are the program's, whatever they look like.
    private mutating func parseProgram(from first: String?) {
        invocation.program = (first.map { [$0] } ?? []) + remaining
        remaining = []
    }

    private mutating func parseLong(_ word: String) throws(Failure) {
        let parts = word.dropFirst(2).split(
            separator: "=",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let name = String(parts[0])
        guard let option = invocation.command.option(long: name) else {
            guard let (option, form) = invocation.command.alias(name) else {
                throw unknownOption("--\(name)", name)
            }
            let called = OptionSpecification(
                long: name,
                value: ValueSpecification(name: "VALUE"),
                help: option.help
            )
            let value = parts.count == 2 ? String(parts[1]) : try nextValue(of: called)
            invocation.add(option.long, form.replacing("%", with: value), from: .alias(name))
            return
        }
        if option.value == nil {
            if invocation.command.takesSingleDashes, parts.count == 2,
                ["true", "false"].contains(parts[1])
            {
                if parts[1] == "true" { invocation.add(name, "") }
                return
            }
            guard parts.count == 1 else {
                throw Failure(.usage, "--\(name) takes no value; write --\(name) alone")
            }
            invocation.add(name, "")
            return
        }
        invocation.add(name, parts.count == 2 ? String(parts[1]) : try nextValue(of: option))
    }

    /// `-q`, `-qv`, `-o FILE`.
    private mutating func parseShort(_ word: String) throws(Failure) {
        for letter in word.dropFirst() {
            guard let option = invocation.command.option(short: letter) else {
                throw unknownOption("-\(letter)", String(word.dropFirst()))
            }
            invocation.add(option.long, option.value == nil ? "" : try nextValue(of: option))
        }
    }

    private mutating func nextValue(of option: OptionSpecification) throws(Failure) -> String {
        if let next = remaining.first, next == "-" || !next.hasPrefix("--") {
            remaining = remaining.dropFirst()
            return next
        }
        throw Failure(.usage, "--\(option.long) needs a value: \(option.synopsis)")
    }

    private func unknownOption(_ shown: String, _ name: String) -> Failure {
        if let option = invocation.command.option(formerly: name) {
            return Failure(.usage, "'\(shown)' is now --\(option.long)")
        }
        if let foreign = set?.foreignOptions[name],
            invocation.command.option(long: foreign.option) != nil
        {
            return Failure(.usage, "unknown option '\(shown)'; \(foreign.advice)")
        }
        let known = invocation.command.options.map(\.long)
        let hint = Suggestion.hint(for: name, in: known, prefix: "--")
        return Failure(
            .usage,
            "unknown option '\(shown)'\(hint.isEmpty ? elsewhere(name) : hint)"
                + " (see: \(invocation.name) --help)"
        )
    }

    /// Which commands have an option that this one has not.
    private func elsewhere(_ name: String) -> String {
        let owners = (set?.commands ?? []).filter { $0.option(long: name) != nil }.map(\.name)
        guard (1...3).contains(owners.count) else { return "" }
        return "; `linkcond \(owners.listed("and"))` \(owners.count == 1 ? "has" : "have") it"
    }

    private mutating func readEnvironment() {
        for option in invocation.command.options where !invocation.has(option.long) {
            guard let name = option.environment, let value = environment(name) else { continue }
            if !value.isEmpty { invocation.add(option.long, value, from: .environment(name)) }
        }
    }

    private func checkRepetition() throws(Failure) {
        for option in invocation.command.options where option.value != nil && !option.isRepeatable {
            guard invocation.values(option.long).count > 1 else { continue }
            throw Failure(.usage, "--\(option.long) is given twice; give it once")
        }
    }

    private func checkOperands() throws(Failure) {
        let operands = invocation.command.operands
        let isOpen = operands.last?.isRepeatable == true
        if invocation.operands.count > operands.count, !isOpen {
            let extra = invocation.operands[operands.count]
            throw Failure(.usage, "unexpected argument '\(extra)'\(commandHint(extra))")
        }
        let required = operands.filter { !$0.isOptional }
        guard invocation.operands.count < required.count else { return }
        let missing = required[invocation.operands.count].value.name
        let usage = operands.map(\.synopsis).joined(separator: " ")
        throw Failure(.usage, "\(missing) is missing: \(invocation.name) \(usage)")
    }

    private func commandHint(_ word: String) -> String {
        guard set?.command(word) != nil else { return " (see: \(invocation.name) --help)" }
        return "; the command comes first: linkcond \(word) ..."
    }
}
