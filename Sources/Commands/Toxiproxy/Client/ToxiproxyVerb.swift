internal import Arguments

/// A command of `toxiproxy-cli`.
enum ToxiproxyVerb: CaseIterable, Sendable {
    case list, inspect, create, toggle, delete, addToxic, updateToxic, removeToxic

    /// The words that name it; each may be written in several ways.
    private var words: [[String]] {
        switch self {
        case .list: [["list", "l", "li", "ls"]]
        case .inspect: [["inspect", "i", "ins"]]
        case .create: [["create", "c", "new"]]
        case .toggle: [["toggle", "tog"]]
        case .delete: [["delete", "d"]]
        case .addToxic: [Self.toxic, ["add", "a"]]
        case .updateToxic: [Self.toxic, ["update", "u"]]
        case .removeToxic: [Self.toxic, ["remove", "r", "delete", "d"]]
        }
    }

    private static let toxic = ["toxic", "t"]

    /// As it is written in full, as in `toxic add`.
    var name: String { words.compactMap(\.first).joined(separator: " ") }

    /// Parses the verb that words begin with, and removes it from them.
    static func parse(_ words: inout ArraySlice<String>) throws(Failure) -> ToxiproxyVerb {
        for verb in allCases {
            let names = verb.words
            guard names.count <= words.count, zip(names, words).allSatisfy({ $0.contains($1) })
            else { continue }
            words = words.dropFirst(names.count)
            return verb
        }
        let known = allCases.map(\.name)
        let given = words.prefix(words.first.map(toxic.contains) == true ? 2 : 1)
            .joined(separator: " ")
        let start =
            given.isEmpty
            ? "a command is missing"
            : "unknown command '\(given)'\(Suggestion.hint(for: given, in: known))"
        throw Failure(.usage, "\(start) (known: \(known.joined(separator: ", ")))")
    }

    /// Its options and operands; options may stand on both sides of the operands.
    var specification: CommandSpecification {
        var specification = CommandSpecification(name: name, summary: "")
        if self != .list {
            specification.operands = [
                OperandSpecification(value: ValueSpecification(name: "PROXY"))
            ]
        }
        specification.options = options
        specification.takesSingleDashes = true
        return specification
    }

    private var options: [OptionSpecification] {
        switch self {
        case .list, .inspect, .toggle, .delete: []
        case .create:
            [
                Self.option("listen", "l", "ADDR", "Where the proxy listens."),
                Self.option("upstream", "u", "ADDR", "Where it connects to."),
            ]
        case .addToxic:
            [
                Self.option("toxicName", "n", "NAME", "Default: TYPE_STREAM."),
                Self.option("type", "t", "TYPE", "Such as latency."),
                Self.option("upstream", "u", nil, "Act on bytes from the client."),
                Self.option("downstream", "d", nil, "Act on bytes from the server."),
            ] + Self.strength
        case .updateToxic:
            [Self.option("toxicName", "n", "NAME", "Which toxic.")] + Self.strength
        case .removeToxic: [Self.option("toxicName", "n", "NAME", "Which toxic.")]
        }
    }

    private static var strength: [OptionSpecification] {
        var attribute = option("attribute", "a", "KEY=VALUE", "An attribute of the type.")
        attribute.isRepeatable = true
        return [
            attribute,
            option("toxicity", nil, "NUMBER", "How many connections it acts on, from 0 to 1."),
            option("tox", nil, "NUMBER", "The same."),
        ]
    }

    private static func option(
        _ long: String,
        _ short: Character?,
        _ value: String?,
        _ help: String
    ) -> OptionSpecification {
        OptionSpecification(
            long: long,
            short: short,
            value: value.map { ValueSpecification(name: $0) },
            help: help,
            isConfigurable: false
        )
    }
}
