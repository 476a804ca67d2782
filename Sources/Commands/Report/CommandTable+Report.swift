extension CommandTable {
    static let reportCommand = CommandSpecification(
        name: "report",
        summary: "Judge a run from its journal: resumption, retries, bytes",
        details: [
            """
            Reads what `proxy --journal FILE` recorded, and says how a client got through: a ladder \
            with each attempt at its place in the object, bytes sent again, the distances between \
            tries, and 22 checks with the lines of the journal that show what they found.
            """,
            """
            A journal alone does not know whether the result is right: --same and --as compare it. \
            With --expect the exit code is 0 if all demands are met, 1 if not, 2 if the journal \
            cannot tell; without, 1 if a check failed, 2 if one could not tell, as the result's does \
            where nothing is compared. `linkcond help checks` lists the checks.
            """,
        ],
        examples: [
            .init(command: "linkcond report run.jsonl", meaning: "ladder, figures and checks"),
            .init(
                command: "linkcond report --expect 'R1,attempts<=5,wire<=1.25' run.jsonl",
                meaning: "hold a client to limits"
            ),
            .init(
                command: "linkcond report --same big.bin --as got.bin run.jsonl",
                meaning: "and compare what it got"
            ),
            .init(
                command: "linkcond report --html report.html --junit report.xml run-*.jsonl",
                meaning: "for people and for CI"
            ),
        ],
        operands: [
            OperandSpecification(
                value: ValueSpecification(name: "JOURNAL", completion: .file),
                isRepeatable: true
            )
        ],
        options: [
            OptionSpecification(
                long: "expect",
                value: ValueSpecification(name: "DEMANDS"),
                help: """
                    What has to hold, separated by commas: pass, checks such as R2, and limits on \
                    attempts, connections, exit, metered, requests, resent, resumes, time, wire, as in \
                    attempts<=5; also backoff=exponential, jitter=present, retry-after=honoured.
                    """,
                group: .result,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "same",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "The object as it should be; compared with the file of --as.",
                group: .result,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "as",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "What the client made of it.",
                group: .result,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "exit-code",
                value: ValueSpecification(name: "N"),
                help: "How the client ended (0 to 255), if the journal does not say.",
                group: .result,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "max-resent",
                value: ValueSpecification(name: "SIZE"),
                help: "Bytes of a download that may be sent again for each cut. Default: 64KiB.",
                group: .result
            ),
            OptionSpecification(
                long: "max-attempts",
                value: ValueSpecification(name: "N"),
                help: """
                    Tries in a row that may bring a transfer no further (1 to 1000000). Default: 20.
                    """,
                group: .result
            ),
            OptionSpecification(
                long: "max-metered",
                value: ValueSpecification(name: "SIZE"),
                help: """
                    Content of requests that begin while the path is expensive or constrained; more \
                    is waste.
                    """,
                group: .result
            ),
            OptionSpecification(
                long: "cap",
                value: ValueSpecification(name: "TIME"),
                help: "The longest pause between tries that the client declares. Default: 10 min.",
                group: .result
            ),
            OptionSpecification(
                long: "html",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Write one page that needs nothing else. - is standard output.",
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "junit",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Write JUnit XML: a suite for each journal. - is standard output.",
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "har",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    Write an HTTP Archive (HAR 1.2): an entry for each attempt, faults under \
                    _linkcond. - is standard output.
                    """,
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "pcapng",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    Write a packet capture (pcapng) for Wireshark and tshark: made-up headers, counted \
                    content, comments that name requests and faults. - is standard output.
                    """,
                group: .output,
                isConfigurable: false
            ),
            .json, .noColor, .help,
        ],
        subcommands: [mergeCommand]
    )
}
