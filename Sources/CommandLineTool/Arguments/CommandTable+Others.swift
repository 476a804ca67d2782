extension CommandTable {
    private static let profileName = OperandSpecification(
        value: ValueSpecification(name: "NAME", completion: .profile)
    )
    private static let file = OperandSpecification(
        value: ValueSpecification(name: "FILE", completion: .file)
    )

    static let profilesCommand = CommandSpecification(
        name: "profiles",
        summary: "List, show or check profiles",
        details: [
            """
            A profile is a YAML file: rates, delays, loss, queue, outages, faults and a byte \
            budget, each with its unit, and the source of its numbers. `profiles show lte` prints \
            one to copy and change, and every key that --set takes with its value and range.
            """
        ],
        examples: [
            .init(command: "linkcond profiles", meaning: "what there is"),
            .init(command: "linkcond profiles show lte", meaning: "one profile in full"),
            .init(command: "linkcond profiles check mine.yaml", meaning: "find mistakes"),
        ],
        subcommands: [
            CommandSpecification(
                name: "list",
                summary: "List every profile that can be named",
                options: [
                    OptionSpecification(
                        long: "names",
                        help: "Only the names, one per line.",
                        group: .output
                    ),
                    .json, .noColor, .help,
                ]
            ),
            CommandSpecification(
                name: "show",
                summary: "Print one profile: its text, and all that --set can change",
                operands: [profileName],
                options: [.set, .json, .noColor, .help]
            ),
            CommandSpecification(
                name: "check",
                summary: "Check a profile file; mistakes with line, column and what to write",
                operands: [file],
                options: [.set, .noColor, .help]
            ),
        ],
        defaultSubcommand: "list"
    )

    static let planCommand = CommandSpecification(
        name: "plan",
        summary: "Compute what a transfer will do, without a network",
        details: [
            """
            The same link model as `proxy`, in virtual time: how long the transfer takes, its \
            throughput over time, every loss and every stall. The answer for one profile, seed \
            and size is always the same, to the byte of the packet log.
            """,
            """
            A fault that no transfer reaches is named, with the reason. Bytes go in one direction \
            only: of the other one, what ends the connection at byte 0 is predicted and nothing \
            else.
            """,
        ],
        examples: [
            .init(
                command: "linkcond plan --profile lte --bytes 10MB",
                meaning: "a download over LTE"
            ),
            .init(
                command: "linkcond plan --profile 3g --bytes 500kB --connections 4",
                meaning: "four that share the link"
            ),
            .init(
                command: "linkcond plan --profile lossy --bytes 1MB --runs 200 --seed 1",
                meaning: "how much luck matters"
            ),
        ],
        options: [
            .profile, .set, .fault,
            OptionSpecification(
                long: "seed",
                value: OptionSpecification.seed.value,
                help: """
                    Fixes all that is random (0 to 2^64-1). Default: 1, so that the same command \
                    always prints the same.
                    """,
                group: .link,
                environment: OptionSpecification.seed.environment
            ),
            OptionSpecification(
                long: "bytes",
                value: ValueSpecification(name: "SIZE"),
                help: """
                    Size of each transfer, for example 500kB or 10MiB; at most 100GB, all \
                    connections together. Default: 1MB.
                    """,
                group: .transfer
            ),
            OptionSpecification(
                long: "direction",
                value: ValueSpecification(name: "WAY", completion: .words(["down", "up"])),
                help: "down (server to client, the default) or up.",
                group: .transfer
            ),
            OptionSpecification(
                long: "connections",
                value: ValueSpecification(name: "K"),
                help: "So many transfers at once, each of that size (1 to 1000).",
                group: .transfer
            ),
            OptionSpecification(
                long: "runs",
                value: ValueSpecification(name: "N"),
                help: "Repeat with seeds S to S+N-1 and show percentiles (1 to 100000).",
                group: .transfer
            ),
            OptionSpecification(
                long: "packets",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Write the fate of each packet, one per line. - is standard output.",
                group: .output,
                isConfigurable: false
            ),
            .json, .noColor, .noConfiguration, .help,
        ],
        readsConfiguration: true
    )

    static let journalCommand = CommandSpecification(
        name: "journal",
        summary: "Compare and read journals",
        details: [
            """
            `proxy --journal FILE` records what happened. The digest leaves out times, addresses \
            and what timing may change: equal digests mean that two runs did the same.
            """
        ],
        examples: [
            .init(command: "linkcond journal digest run.jsonl", meaning: "one line of SHA-256"),
            .init(command: "linkcond journal diff a.jsonl b.jsonl", meaning: "where two runs part"),
        ],
        subcommands: [
            CommandSpecification(
                name: "digest",
                summary: "Print the canonical digest of a journal",
                operands: [file],
                options: [.help]
            ),
            CommandSpecification(
                name: "diff",
                summary: "Say where two journals part; exit code 1 if they do",
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
                summary: "Print every type of record and every key",
                options: [.help]
            ),
            CommandSpecification(
                name: "show",
                summary: "Print the canonical form, which the digest is taken of",
                operands: [file],
                options: [.help]
            ),
        ]
    )

    static let versionCommand = CommandSpecification(
        name: "version",
        summary: "Print the version, and what it was built with",
        options: [.json, .help]
    )

    static let completionsCommand = CommandSpecification(
        name: "completions",
        summary: "Print a completion script for a shell",
        examples: [
            .init(command: "source <(linkcond completions bash)", meaning: "for this bash"),
            .init(
                command: "linkcond completions fish > ~/.config/fish/completions/linkcond.fish",
                meaning: "for fish, for good"
            ),
        ],
        operands: [
            OperandSpecification(
                value: ValueSpecification(
                    name: "SHELL",
                    completion: .words(["bash", "zsh", "fish"])
                )
            )
        ],
        options: [.help]
    )

    static let manCommand = CommandSpecification(
        name: "man",
        summary: "Print the manual page",
        examples: [.init(command: "linkcond man | man -l -", meaning: "read it")],
        options: [.help]
    )

    static let helpCommand = CommandSpecification(
        name: "help",
        summary: "Show help for a command or a topic",
        operands: [
            OperandSpecification(
                value: ValueSpecification(
                    name: "COMMAND|TOPIC",
                    completion: .words(
                        [
                            "proxy", "toxiproxy", "origin", "download", "upload", "transfers",
                            "pause",
                            "resume", "attach", "nudge", "profiles", "plan", "report", "journal",
                            "version", "completions", "man",
                        ] + HelpTopic.names
                    )
                ),
                isOptional: true
            )
        ],
        options: [.help]
    )
}
