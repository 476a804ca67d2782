internal import Arguments
internal import Basics
internal import Journal

/// `linkcond version`, `linkcond man` and `linkcond completions`.
struct ReferenceCommands {
    let console: Console

    func version(_ invocation: Invocation) throws(Failure) -> ExitCode {
        if invocation.has("json") { return try print([Version.json.text]) }
        return try print(invocation.has("verbose") ? Version.lines : [Version.lines[0]])
    }

    func man() throws(Failure) -> ExitCode {
        try print(ManualPage(table: CommandTable.set).lines())
    }

    func completions(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let name = invocation.operands[0]
        let names = Completions.Shell.allCases.map(\.rawValue)
        guard let shell = Completions.Shell(rawValue: name) else {
            throw Failure(
                .usage,
                "unknown shell '\(name)'\(Suggestion.hint(for: name, in: names))"
                    + " (known: \(names.joined(separator: ", ")))"
            )
        }
        return try print(Completions.script(for: shell, of: CommandTable.set))
    }

    private func print(_ lines: [String]) throws(Failure) -> ExitCode {
        try console.write(lines)
        return .success
    }
}
