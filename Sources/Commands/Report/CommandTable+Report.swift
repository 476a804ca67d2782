internal import Analysis
internal import Arguments

extension CommandTable {
    static let reportCommand = CommandSpecification(
        name: "report",
        summary: "Judge a run from its journal: resumption, retries, bytes",
        details: [
            """
            Reads a journal and shows how the client coped: a ladder with each attempt at its \
            position in the object, re-sent bytes, the waits between attempts, and \
            the results of \(Check.allCases.count) checks, with the journal lines that prove them.
            """,
            """
            A journal does not show whether the result is correct; --same and --result compare it. \
            With --expect, the exit code is 0 if all demands are met, 1 if one is not, 2 if the \
            journal cannot tell. Without it, the exit code is 1 if a check failed and 2 if one was \
            inconclusive; a result that was not compared is mentioned but does not count. \
            `linkcond help checks` lists the checks.
            """,
        ],
        examples: [
            .init(command: "linkcond report run.jsonl", meaning: "ladder, numbers and checks"),
            .init(
                command: "linkcond report --expect 'R1,attempts<=5,wire<=1.25' run.jsonl",
                meaning: "demand a check and two limits"
            ),
            .init(
                command: "linkcond report --same big.bin --result got.bin run.jsonl",
                meaning: "compare the result, too"
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
            .expect(),
            OptionSpecification(
                long: "same",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Require the --result file to be identical to FILE.",
                group: .result,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "result",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "The file that the client created.",
                group: .result,
                isConfigurable: false,
                former: ["as"]
            ),
            OptionSpecification(
                long: "exit-code",
                value: ValueSpecification(name: "N"),
                help: "Exit code of the client (0 to 255), if the journal does not record it.",
                group: .result,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "max-resent",
                value: ValueSpecification(name: "SIZE"),
                help: """
                    Maximum number of bytes that a download may fetch again after each cut. \
                    Default: 64KiB.
                    """,
                group: .result
            ),
            OptionSpecification(
                long: "max-stalled-attempts",
                value: ValueSpecification(name: "N"),
                help: """
                    Maximum number of attempts in a row without progress (1 to 1000000). Default: \
                    20.
                    """,
                group: .result,
                former: ["max-attempts"]
            ),
            OptionSpecification(
                long: "max-metered",
                value: ValueSpecification(name: "SIZE"),
                help: """
                    Maximum total content of requests started on an expensive or constrained path, \
                    for example 2MB.
                    """,
                group: .result
            ),
            OptionSpecification(
                long: "cap",
                value: ValueSpecification(name: "TIME"),
                help: "Longest wait between attempts that the client documents. Default: 10min.",
                group: .result
            ),
            OptionSpecification(
                long: "html",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Write a self-contained HTML page. - is standard output.",
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "junit",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Write JUnit XML, one suite per journal. - is standard output.",
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "har",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    Write an HTTP Archive (HAR 1.2), one entry per attempt, with faults under \
                    _linkcond. - is standard output.
                    """,
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "pcapng",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    Write a packet capture (pcapng) for Wireshark and tshark, with made-up \
                    addresses, content counted but not included, and comments that name requests \
                    and faults. - is standard output.
                    """,
                group: .output,
                isConfigurable: false
            ),
            .json, .noColor, .help,
        ],
        subcommands: [mergeCommand]
    )
}
