internal import Arguments
internal import Basics
internal import Journal
internal import LinkProfile

/// `linkcond version`, `linkcond man`, `linkcond completions` and `linkcond schema`.
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

    func schema(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let name = invocation.operands[0]
        guard let document = Self.schemas[name] else {
            let known = Self.schemas.keys.sorted()
            throw Failure(
                .usage,
                "unknown schema '\(name)'\(Suggestion.hint(for: name, in: known))"
                    + " (known: \(known.joined(separator: ", ")))"
            )
        }
        return try print([document().text])
    }

    private static let schemas: [String: @Sendable () -> JSONValue] = [
        "profile": { ProfileJSONSchema.document },
        "config": { ConfigurationSchema(commands: CommandTable.set.commands).document },
    ]

    private func print(_ lines: [String]) throws(Failure) -> ExitCode {
        try console.write(lines)
        return .success
    }
}
