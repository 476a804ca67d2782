package import YAML

/// Where the value of an option was given.
package enum OptionOrigin: Hashable, Sendable {
    case commandLine
    /// On the command line by another word for it, without the dashes.
    case alias(String)
    /// The name of the variable.
    case environment(String)
    /// Where in a configuration file.
    case file(Place)

    /// As in `--seed`, `LINKCOND_SEED` or `linkcond.yaml:3:7`.
    package func description(of option: String) -> String {
        switch self {
        case .commandLine: "--\(option)"
        case .alias(let word): "--\(word)"
        case .environment(let name): name
        case .file(.file(let name, let line, let column)): "\(name):\(line):\(column)"
        case .file(.wholeFile(let name)): name
        case .file(.setting): "--\(option)"
        case .file(.option(let typed)): String(typed.prefix { $0 != " " })
        }
    }

    /// What is wrong with a value, told where it was given.
    package func failure(_ option: String, _ message: String) -> Failure {
        switch self {
        case .commandLine, .alias, .environment:
            return Failure(.usage, "\(description(of: option)): \(message)")
        case .file(let place):
            let diagnostic = Diagnostic("\(option): \(message)", at: place)
            return Failure(.configuration, diagnostics: [diagnostic.text])
        }
    }
}
