internal import Arguments

extension CommandTable {
    static let mergeCommand = CommandSpecification(
        name: "merge",
        summary: "Merge the reports of an exploration's shards into one",
        details: [
            """
            Reads what `explore --shard I/N --report FILE` wrote and prints the report that a \
            single exploration would have printed, with the same names for the same findings. \
            Missing shards are listed, and the exit code is then 2 unless there are findings.
            """
        ],
        examples: [
            .init(
                command: "linkcond report merge --html all.html shard-*.jsonl",
                meaning: "one page for all shards"
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
                help: "Write the merged report as JSON Lines.",
                group: .output,
                isConfigurable: false
            )
        ] + exploreForms + [.noColor, .help]
    )
}
