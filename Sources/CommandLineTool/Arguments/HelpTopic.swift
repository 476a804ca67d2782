/// Something that belongs to no single option: `linkcond help faults`, and a part of the man page.
struct HelpTopic: Sendable {
    /// What follows `linkcond help`.
    var name: String
    /// One line, without a full stop.
    var summary: String
    /// Before the sections.
    var introduction: [String]
    var sections: [Section]

    struct Section: Sendable {
        var heading: String
        var text: String?
        /// Terms and what they mean.
        var entries: [Entry]
    }

    struct Entry: Sendable {
        var term: String
        var meaning: String
    }

    static let all = [
        faults, misbehaviour, control, checks, configuration, movingFromToxiproxy, exitCodes,
    ]

    /// The names of `all`, written out: topics tell of commands, and a command names the topics.
    static let names = [
        "faults", "misbehaviour", "control", "checks", "config", "moving-from-toxiproxy",
        "exit-codes",
    ]

    static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }

    static let exitCodes = HelpTopic(
        name: "exit-codes",
        summary: "What the exit codes mean",
        introduction: [],
        sections: [
            Section(
                heading: "Exit codes",
                text: nil,
                entries: ExitCode.allCases.map {
                    Entry(term: String($0.rawValue), meaning: $0.meaning)
                }
            )
        ]
    )
}
