import Basics
import Testing

@testable import Arguments
@testable import Commands

/// What holds for each option of each command, from the one table.
@Suite struct EveryOptionTests {
    private static let plain = TextStyle(isColoured: false)

    private struct Case: CustomTestStringConvertible, Sendable {
        let path: [String]
        let command: CommandSpecification
        let option: OptionSpecification

        var testDescription: String { "\(path.joined(separator: " ")) --\(option.long)" }

        /// What the command cannot do without.
        var operands: [String] {
            let needed = command.operands.filter { !$0.isOptional }.map { _ in "operand" }
            return needed + (command.takesProgram ? ["--", "true"] : [])
        }

        func parse(_ words: String...) throws(Failure) -> Invocation {
            try ArgumentParser.parse(path + words + operands) { _ in nil }
        }

        func failure(_ words: String...) -> Failure? {
            do throws(Failure) {
                _ = try ArgumentParser.parse(path + words + operands) { _ in nil }
                return nil
            } catch {
                return error
            }
        }
    }

    private static let cases = CommandTable.set.entries.flatMap { entry in
        entry.command.options.map {
            Case(path: entry.path, command: entry.command, option: $0)
        }
    }

    @Test(arguments: cases.filter { $0.option.value != nil })
    private func `a value is taken as a word, or after an equals sign`(_ it: Case) throws {
        let option = "--\(it.option.long)"
        #expect(try it.parse(option, "a=b").value(it.option.long) == "a=b")
        #expect(try it.parse("\(option)=a=b").value(it.option.long) == "a=b")
        #expect(try it.parse("\(option)=").value(it.option.long)?.isEmpty == true)
        if let short = it.option.short {
            #expect(try it.parse("-\(short)", "a").value(it.option.long) == "a")
        }
    }

    @Test(arguments: cases.filter { $0.option.value != nil })
    private func `a value that is missing or given twice is refused`(_ it: Case) throws {
        let option = "--\(it.option.long)"
        let missing = try #require(throws: Failure.self) {
            try ArgumentParser.parse(it.path + [option, "--help"]) { _ in nil }
        }
        #expect(missing.code == .usage)
        #expect(missing.message == "\(option) needs a value: \(it.option.synopsis)")
        if it.option.isRepeatable {
            #expect(try it.parse(option, "a", option, "b").values(it.option.long) == ["a", "b"])
        } else {
            let twice = it.failure(option, "a", option, "b")
            #expect(twice?.message == "\(option) is given twice; give it once")
        }
    }

    @Test(arguments: cases.filter { $0.option.value == nil })
    private func `a flag takes no value`(_ it: Case) throws {
        let option = "--\(it.option.long)"
        #expect(try it.parse(option).has(it.option.long))
        if let short = it.option.short { #expect(try it.parse("-\(short)").has(it.option.long)) }
        guard !it.command.takesSingleDashes || it.option.long == "help" else {
            #expect(try !it.parse("\(option)=false").has(it.option.long))
            return
        }
        let refused = it.failure("\(option)=7")
        #expect(refused?.code == .usage)
        #expect(refused?.message == "\(option) takes no value; write \(option) alone")
    }

    @Test(arguments: cases.filter { $0.option.long.count > 4 })
    private func `a mistyped option is answered with the right one`(_ it: Case) throws {
        let failure = try #require(it.failure("--\(it.option.long.dropLast())"))
        #expect(failure.message.contains("did you mean '--"))
        let typed = it.option.long.dropLast()
        let others = it.command.options.filter { $0.long != it.option.long }
        guard !others.contains(where: { $0.long.prefix(3) == typed.prefix(3) }) else { return }
        #expect(failure.message.contains("'--\(it.option.long)'"))
    }

    @Test(arguments: cases)
    private func `a former name is answered with the current one`(_ it: Case) throws {
        for name in it.option.former {
            #expect(it.command.option(long: name) == nil)
            #expect(
                it.failure("--\(name)", "x")?.message == "'--\(name)' is now --\(it.option.long)"
            )
            #expect(it.failure("--\(name)=x")?.code == .usage)
        }
    }

    // MARK: Values

    /// Makes of an invocation what its command does at its beginning.
    private static func understand(_ invocation: Invocation) throws(Failure) {
        switch invocation.path[0] {
        case "proxy": _ = try ProxyOptions(invocation)
        case "run", "replay": _ = try RunOptions(invocation, currentDirectory: "/nowhere")
        case "explore":
            _ = try ExploreOptions(
                invocation,
                currentDirectory: "/nowhere",
                environment: { _ in nil }
            )
        case "origin": _ = try OriginOptions(invocation, temporaryFolder: "/tmp")
        case "download": _ = try TransferOptions.downloads(invocation)
        case "upload": _ = try TransferOptions.upload(invocation)
        case "report": _ = try ReportOptions(invocation)
        case "toxiproxy": _ = try ToxiproxyOptions(invocation)
        default: break
        }
    }

    /// Whether a value has a form, so that not every text is one.
    private static func hasForm(_ it: Case) -> Bool {
        let understood = [
            "proxy", "run", "replay", "explore", "origin", "download", "upload", "report",
            "toxiproxy",
        ]
        guard let value = it.option.value, understood.contains(it.path[0]), it.path.count == 1
        else { return false }
        if case .words = value.completion { return true }
        let forms = ["N", "TIME", "SIZE", "RATIO", "PORT", "WHERE=EFFECT", "DEMANDS", "I/N|env"]
        return forms.contains(value.name)
    }

    @Test(arguments: cases.filter(hasForm))
    private func `a malformed value is refused where it was given`(_ it: Case) throws {
        let operands: [String]
        switch it.path[0] {
        case "download": operands = ["http://127.0.0.1/x"]
        case "upload": operands = ["/proc/self/exe", "http://127.0.0.1/x"]
        default: operands = it.operands
        }
        // A seed of Toxiproxy may be negative.
        let isSigned = it.path == ["toxiproxy"] && it.option.long == "seed"
        for text in isSigned ? ["unreadable"] : ["unreadable", "-1"] {
            let option = "--\(it.option.long)=\(text)"
            let invocation = try ArgumentParser.parse(it.path + [option] + operands) { _ in nil }
            let failure = try #require(throws: Failure.self, "\(text)") {
                try Self.understand(invocation)
            }
            #expect(failure.code == .usage)
            #expect(failure.message.contains(it.option.long), "\(failure.message)")
            #expect(failure.message.contains(text), "\(failure.message)")
        }
    }

    // MARK: Help

    /// Words of the dialect that help was once written in.
    private static let dialect = [
        "so many", "as far as", "whoever", "nobody", "goes on", "go on ", "takes note", "let go",
        "behind the", "of now", "in order (", "says so",
    ]

    @Test(arguments: cases)
    private func `help is sentences in the house's form`(_ it: Case) {
        let help = it.option.help
        #expect(help.first?.isLowercase == false || help.hasPrefix("tus"), "\(help)")
        #expect(help.last == ".", "\(help)")
        #expect(!help.contains("  ") && !help.contains("\n"), "\(help)")
        for words in Self.dialect { #expect(!help.lowercased().contains(words), "\(help)") }
        if help.contains("Default") { #expect(help.contains("Default: "), "\(help)") }
    }

    @Test(arguments: CommandTable.set.entries.map(\.path))
    func `a summary is a phrase without a full stop`(path: [String]) throws {
        let command = try #require(CommandTable.set.entries.first { $0.path == path }?.command)
        #expect(command.summary.first?.isUppercase == true && command.summary.last != ".")
        let prose = ([command.summary] + command.details + command.examples.map(\.meaning))
            .joined(separator: " ").lowercased()
        for words in Self.dialect { #expect(!prose.contains(words), "\(path): \(words)") }
    }
}
