extension CommandTable {
    static let mergeCommand = CommandSpecification(
        name: "merge",
        summary: "Join the reports of an exploration's shards into the report of one",
        details: [
            """
            Reads what `explore --shard I/N --report FILE` wrote, and says what one exploration of \
            everything would have said: equal findings with equal names. Missing shards are named; \
            then nothing is proven, and the exit code is 2 unless there are findings.
            """
        ],
        examples: [
            .init(
                command: "linkcond report merge --html all.html share-*.jsonl",
                meaning: "one page for all shares"
            )
        ],
        operands: [
            OperandSpecification(
                value: ValueSpecification(name: "REPORT", completion: .file),
                isRepeatable: true
            )
        ],
        options: [
            OptionSpecification(
                long: "output",
                short: "o",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Write the whole report as JSON Lines.",
                group: .output,
                isConfigurable: false
            )
        ] + exploreForms + [.noColor, .help]
    )
}
