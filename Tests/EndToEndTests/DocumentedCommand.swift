/// A command line of linkcond as a page shows it.
struct DocumentedCommand {
    /// The command; `proxy` if there is none.
    var name: String
    /// The options before `--`, without their values.
    var options: [String]
    /// The values of `--fault`.
    var faults: [String]

    static let names = [
        "proxy", "top", "toxiproxy", "toxiproxy cli", "run", "replay", "explore", "report",
        "probe", "origin", "dns", "download", "schema",
        "upload", "transfers", "profiles", "plan", "journal", "version", "completions", "man",
        "help",
    ]

    /// All on one line: after a prompt, a pipe, another command.
    static func all(in line: String) -> [DocumentedCommand] {
        let words = ShellWords.split(line)
        let starts = words.indices.filter { words[$0] == "linkcond" }
        return starts.compactMap { DocumentedCommand(words[($0 + 1)...]) }
    }

    private init?(_ words: ArraySlice<String>) {
        let ends: Set = ["--", "|", "&", "&&", "||", ";", "linkcond"]
        let own = Array(
            words.prefix { !ends.contains($0) && !$0.hasPrefix(">") && !$0.hasPrefix("#") }
        )
        guard let first = own.first else { return nil }
        let isPlain = first.hasPrefix("-")
        guard isPlain || first.allSatisfy({ $0.isLowercase }) else { return nil }
        guard isPlain || Self.names.contains(first) || own.count > 1 && own[1].hasPrefix("-") else {
            return nil
        }
        name = isPlain ? "proxy" : own.prefix(2) == ["toxiproxy", "cli"] ? "toxiproxy cli" : first
        options = own.map { $0.prefix { $0 != "=" } }
            .filter { $0.wholeMatch(of: #/--?[a-z][a-z0-9-]*/#) != nil }.map(String.init)
        faults = zip(own, own.dropFirst()).filter { $0.0 == "--fault" }.map(\.1)
    }
}

/// The words of a command line as a shell has them, without its substitutions.
enum ShellWords {
    static func split(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}
