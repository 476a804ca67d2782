import Basics
import Faults
import ResumableServer
import Testing

@testable import Arguments
@testable import Commands

/// One table makes parsing, help, man page and completions; nothing may be left out of any.
@Suite struct CommandTableTests {
    private static let plain = TextStyle(isColoured: false)

    @Test(arguments: CommandTable.set.entries.map(\.path))
    func `every option of a command is in its help`(path: [String]) throws {
        let invocation = try ArgumentParser.parse(path + ["--help"]) { _ in nil }
        let page = HelpText(table: CommandTable.set, width: 80, style: Self.plain)
            .page(for: invocation.command, path: path).joined(separator: "\n")
        for option in invocation.command.options {
            #expect(page.contains(option.synopsis), "\(path) \(option.long)")
        }
    }

    @Test(arguments: [40, 80, 100])
    func `no line of help is wider than asked`(width: Int) {
        let help = HelpText(table: CommandTable.set, width: width, style: Self.plain)
        var lines = help.overview()
        for entry in CommandTable.set.entries {
            lines += help.page(for: entry.command, path: entry.path)
        }
        if width >= 80 { for topic in HelpTopic.all { lines += help.page(for: topic) } }
        // Commands to copy are never broken, nor, on a narrow terminal, terms.
        let prose = lines.filter { line in
            let isCommand = line.hasPrefix("  linkcond") || line.hasPrefix("Usage: ")
            return !isCommand
                && (width >= 80 || !line.contains("linkcond") && !line.hasPrefix("  "))
        }
        #expect(!prose.contains { $0.count > width })
    }

    @Test func `every option is in the man page`() {
        let page = ManualPage(table: CommandTable.set).lines().joined(separator: "\n")
        for option in CommandTable.set.entries.flatMap(\.command.options) {
            #expect(page.contains("\\-\\-" + option.long.replacing("-", with: "\\-")))
        }
    }

    @Test func `every exit code is in the man page and in help, in equal words`() throws {
        let page = ManualPage(table: CommandTable.set).lines()
        let help = HelpText(table: CommandTable.set, width: 1_000, style: Self.plain).page(
            for: .exitCodes
        )
        for code in ExitCode.allCases {
            let place = try #require(page.firstIndex(of: ".B \"\(code.rawValue)\""))
            #expect(page[place + 1].replacing("\\-", with: "-") == code.meaning)
            #expect(
                help.contains { $0.hasPrefix("  \(code.rawValue) ") && $0.hasSuffix(code.meaning) }
            )
        }
    }

    @Test(arguments: Completions.Shell.allCases)
    func `help is completed with every command and topic`(shell: Completions.Shell) throws {
        let script = Completions.script(for: shell, of: CommandTable.set)
        let line = try #require(
            script.first { line in
                switch shell {
                case .bash: line.contains("'help') options=")
                case .zsh: line.contains("1:COMMAND|TOPIC:")
                case .fish:
                    line.contains("__fish_seen_subcommand_from help'") && line.contains("-a")
                }
            }
        )
        let words = Set(line.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
        for subject in CommandTable.set.helpSubjects {
            #expect(words.contains(subject), "\(subject)")
        }
        #expect(["run", "replay", "explore", "top", "faults"].allSatisfy(words.contains))
    }

    @Test(arguments: CommandTable.set.helpSubjects)
    func `help has a page for every command and topic`(name: String) {
        #expect(CommandTable.row(name) != nil || CommandTable.set.topic(name) != nil)
    }

    @Test func `every rule of misbehaviour is explained, and can be read as it stands`() throws {
        let sections = HelpTopic.misbehaviour.sections.filter { $0.heading.hasPrefix("Effects") }
        let terms = sections.flatMap(\.entries).map(\.term)
        for term in terms {
            #expect(throws: Never.self, "\(term)") { try Misbehaviour(parsing: term) }
        }
        let page = HelpText(table: CommandTable.set, width: 80, style: Self.plain).page(
            for: .misbehaviour
        )
        .joined(separator: "\n")
        let words =
            Misbehaviour.Scope.allCases.map(\.rawValue)
            + Misbehaviour.Mutation.allCases.map(\.rawValue)
            + Misbehaviour.TagForm.allCases.map(\.rawValue)
            + Misbehaviour.DateForm.allCases.map(\.rawValue)
            + Misbehaviour.effectNames
        for word in words { #expect(page.contains(word), "\(word)") }
    }

    @Test func `every example of a fault can be read`() throws {
        let terms = HelpTopic.faults.sections.flatMap(\.entries).map(\.term)
        #expect(terms.count > 15)
        for term in terms {
            let fault =
                switch term {
                case ":connect": "c1:connect=refuse"
                case "obj(/big.bin)#2": "\(term)=expire"
                case "A(api.test)#1", "AAAA(*.test)#1..2", "*(api.test)#*": "\(term)=servfail"
                case _ where term.contains("="): term
                case "u1": "u1:down=drop"
                case _ where term.contains(":tls."): "\(term)=rst"
                case _ where [":ws.", ":sse["].contains(where: term.contains):
                    "\(term.hasPrefix(":") ? "c1/r1" : "")\(term)=rst"
                case _ where term.hasPrefix("u"): "\(term)=drop"
                case _ where term.contains("/r") || term.contains("#"): "\(term):resp.body=rst"
                case _ where term.hasPrefix(":"): "c1\(term)=rst"
                case _ where !term.contains(":"): "\(term):down+1=rst"
                default: term
                }
            #expect(throws: Never.self, "\(term)") { try Fault(parsing: fault) }
        }
        let page = ManualPage(table: CommandTable.set).lines().joined(separator: "\n")
        #expect(page.contains(".SH FAULTS") && page.contains("far=hole"))
    }

    @Test(arguments: Completions.Shell.allCases)
    func `every command and option is in the completions`(shell: Completions.Shell) {
        let script = Completions.script(for: shell, of: CommandTable.set).joined(separator: "\n")
        for entry in CommandTable.set.entries {
            #expect(script.contains(entry.path.last ?? ""))
            for option in entry.command.options {
                #expect(script.contains(shell == .fish ? "-l \(option.long)" : "--\(option.long)"))
            }
        }
    }

    @Test func `no two options of a command have one name`() {
        for entry in CommandTable.set.entries {
            let longs = entry.command.options.map(\.long)
            let shorts = entry.command.options.compactMap(\.short)
            #expect(Set(longs).count == longs.count)
            #expect(Set(shorts).count == shorts.count)
        }
    }
}
