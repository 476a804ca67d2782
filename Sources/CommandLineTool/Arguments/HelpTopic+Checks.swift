internal import Analysis

extension HelpTopic {
    static let checks = HelpTopic(
        name: "checks",
        summary: "What `report` holds a client to",
        introduction: [
            """
            Each check answers pass, fail, inconclusive (what was seen decides nothing) or skipped \
            (it does not apply). A run fails if a required check does; it is inconclusive if one is, \
            if a fault did not act, if traffic went past the proxy, or if linkcond itself had \
            trouble. Advisory checks count only when --expect names them.
            """,
            """
            Times are the proxy's: a pause begins when the client could know of the failure, and \
            ends with its next connect or request. Bytes are those that were delivered.
            """,
        ],
        sections: [
            Section(
                heading: "Resumption",
                text: nil,
                entries: entries { $0.rawValue.hasPrefix("R") }
            ),
            Section(heading: "Retries", text: nil, entries: entries { $0.rawValue.hasPrefix("B") }),
        ]
    )

    private static func entries(_ isWanted: (Check) -> Bool) -> [Entry] {
        Check.allCases.filter(isWanted).map {
            Entry(
                term: $0.rawValue,
                meaning: $0.title + ($0.isAdvisory ? " (advisory)" : "") + "; " + $0.measure
            )
        }
    }
}
