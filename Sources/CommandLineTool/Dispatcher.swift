internal import Journal
internal import Libuv

/// From a command line that was understood to the code that does it.
struct Dispatcher {
    let console: Console

    /// - Returns: the exit code of the program, which may be another program's.
    func run(_ invocation: Invocation) throws(Failure) -> Int32 {
        let isHelp = invocation.has("help")
        let runs = RunCommand(console: console, catalog: catalog)
        switch invocation.path[0] {
        case "run" where !isHelp: return try runs.run(invocation)
        case "replay" where !isHelp: return try runs.replay(invocation)
        default: return try code(invocation).rawValue
        }
    }

    private func code(_ invocation: Invocation) throws(Failure) -> ExitCode {
        if invocation.has("help") { return try help(for: invocation) }
        switch invocation.path[0] {
        case "help": return try help(named: invocation.operands.first)
        case "version": return try version(asJSON: invocation.has("json"))
        case "proxy":
            return try ProxyCommand(console: console, catalog: catalog).run(invocation)
        case "toxiproxy": return try ToxiproxyCommand(console: console).run(invocation)
        case "explore":
            return try ExploreCommand(console: console, catalog: catalog).run(invocation)
        case "origin": return try OriginCommand(console: console).run(invocation)
        case "download": return try TransferCommand(console: console).download(invocation)
        case "upload": return try TransferCommand(console: console).upload(invocation)
        case "transfers": return try TransfersCommand(console: console).run(invocation)
        case "pause": return try SteeringCommand(console: console).pause(invocation.operands[0])
        case "resume": return try SteeringCommand(console: console).resume(invocation)
        case "nudge": return try SteeringCommand(console: console).nudge(invocation.operands[0])
        case "top": return try TopCommand(console: console).run(invocation)
        case "attach": return try AttachCommand(invocation, console: console).runToEnd()
        case "profiles":
            return try ProfilesCommand(console: console, catalog: catalog).run(invocation)
        case "plan":
            return try PlanCommand(console: console, catalog: catalog).run(invocation)
        case "report" where invocation.path.count > 1:
            return try MergeCommand(console: console).run(invocation, invocation.operands)
        case "report": return try ReportCommand(console: console).run(invocation)
        case "journal": return try JournalCommand(console: console).run(invocation)
        case "completions": return try completions(for: invocation.operands[0])
        case "man": return try print(ManualPage.lines())
        default:
            throw Failure(.internalError, "the command '\(invocation.path[0])' does nothing")
        }
    }

    private var catalog: ProfileCatalog {
        ProfileCatalog(
            environment: CurrentProcess.environment,
            currentDirectory: FileSystem.currentDirectory
        )
    }

    private func print(_ lines: [String]) throws(Failure) -> ExitCode {
        try console.write(lines)
        return .success
    }

    private var helpText: HelpText {
        HelpText(width: console.textWidth, style: console.outputStyle)
    }

    private func help(for invocation: Invocation) throws(Failure) -> ExitCode {
        if invocation.path == ["help"] { return try print(helpText.overview()) }
        let path = invocation.path
        return try print(helpText.page(for: invocation.command, path: path))
    }

    private func help(named name: String?) throws(Failure) -> ExitCode {
        guard let name else { return try print(helpText.overview()) }
        if let topic = HelpTopic.named(name) { return try print(helpText.page(for: topic)) }
        guard CommandTable.command(name) != nil else {
            let known = CommandTable.commands.map(\.name) + HelpTopic.all.map(\.name)
            throw Failure(
                .usage,
                "no help for '\(name)'\(Suggestion.hint(for: name, in: known)) (there is help for"
                    + " \(known.joined(separator: ", ")))"
            )
        }
        let invocation = try ArgumentParser.parse([name, "--help"]) { _ in nil }
        return try help(for: invocation)
    }

    private func version(asJSON: Bool) throws(Failure) -> ExitCode {
        try print(asJSON ? [Version.json.text] : Version.lines)
    }

    private func completions(for name: String) throws(Failure) -> ExitCode {
        let names = Completions.Shell.allCases.map(\.rawValue)
        guard let shell = Completions.Shell(rawValue: name) else {
            throw Failure(
                .usage,
                "unknown shell '\(name)'\(Suggestion.hint(for: name, in: names))"
                    + " (known: \(names.joined(separator: ", ")))"
            )
        }
        return try print(Completions.script(for: shell))
    }
}
