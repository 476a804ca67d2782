internal import Arguments

extension CommandTable {
    private static let file = OperandSpecification(
        value: ValueSpecification(name: "FILE", completion: .file)
    )

    static let journalCommand = CommandSpecification(
        name: "journal",
        summary: "Read and compare journals",
        details: [
            """
            `--journal FILE` records a run as JSON Lines. The digest covers what happened, not when \
            or between which addresses: runs with equal digests behaved the same.
            """,
            """
            A FILE that ends in .zst is compressed with Zstandard, and lacks at most one second of \
            the run if the program is killed. Every command that reads journals reads it directly; \
            for other programs, use `zstdcat`.
            """,
            """
            With `--journal-limit`, the files of run.jsonl are run.1.jsonl, run.2.jsonl and so on. \
            Give run.jsonl to read them as one journal, with the same digest as a single file, or \
            give one of them to read it alone. Missing files are listed.
            """,
        ],
        examples: [
            .init(command: "linkcond journal digest run.jsonl", meaning: "SHA-256 in hexadecimal"),
            .init(
                command: "linkcond journal diff a.jsonl b.jsonl",
                meaning: "where two runs differ"
            ),
        ],
        subcommands: [
            CommandSpecification(
                name: "digest",
                summary: "Print the digest of a journal",
                operands: [file],
                options: [.help]
            ),
            CommandSpecification(
                name: "diff",
                summary: "Show where two journals differ; exit code 1 if they do",
                operands: [
                    OperandSpecification(
                        value: ValueSpecification(name: "FILE1", completion: .file)
                    ),
                    OperandSpecification(
                        value: ValueSpecification(name: "FILE2", completion: .file)
                    ),
                ],
                options: [.help]
            ),
            CommandSpecification(
                name: "format",
                summary: "List the types of records and their keys",
                options: [.help]
            ),
            CommandSpecification(
                name: "show",
                summary: "Print the canonical form of a journal, which the digest covers",
                operands: [file],
                options: [.help]
            ),
        ]
    )
}
