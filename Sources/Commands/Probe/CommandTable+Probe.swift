internal import Arguments

extension CommandTable {
    static let probeCommand = CommandSpecification(
        name: "probe",
        summary: "Check whether a server can resume downloads and uploads",
        details: [
            """
            Sends the requests that a resuming client would send: ranges, preconditions, parts at \
            right and wrong offsets, uploads that are cut off or hang. Each check is a rule of RFC \
            9110, of the IETF draft for resumable uploads or of tus, and names its section.
            """,
            """
            Give the URL of an object of 4 bytes to 32 MiB, or with --upload the URL where uploads \
            are created. probe then creates about 30 uploads of 100 kB, in each version that the \
            server speaks, with meaningless content: use a test server.
            """,
            """
            With --origin-cmd, probe starts the server itself. It also kills the server with \
            SIGKILL, restarts it, and checks what clients then find; give a path instead of the \
            URL.
            """,
            """
            Exit codes: 0 no rule is broken (with --strict, no warnings either), 1 rules are \
            broken, 2 nothing could be checked, 69 the server is unavailable.
            """,
        ],
        examples: [
            .init(
                command: "linkcond probe http://127.0.0.1:8080/big.iso",
                meaning: "can its downloads be resumed?"
            ),
            .init(
                command: "linkcond probe --upload http://127.0.0.1:8080/files/",
                meaning: "the same for uploads, IETF and tus"
            ),
            .init(
                command:
                    "linkcond probe --origin-cmd './server --port {port} --data {dir}' --upload"
                    + " /files/",
                meaning: "your own server, including crashes"
            ),
            .init(
                command: "linkcond probe --only D41,D42 --junit probe.xml URL",
                meaning: "two checks, with a report for CI"
            ),
        ],
        operands: [OperandSpecification(value: ValueSpecification(name: "URL"))],
        options: [
            OptionSpecification(
                long: "upload",
                help: "URL is where uploads are created.",
                group: .request,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "content",
                value: ValueSpecification(name: "URL"),
                help: """
                    Where a complete upload can be fetched, to compare its content; {id} is the last \
                    part of the upload's own URL, as in /files/{id}. Default: what the final \
                    response names in Location, or the upload itself.
                    """,
                group: .request,
                isConfigurable: false
            ),
            .originCommand(
                "to check; it is stopped at the end",
                """
                {dir} is a temporary folder, for its state. It is killed and restarted to see what \
                it keeps.
                """
            ), .originCrashCommand,
            TransferOptionSpecifications.header, TransferOptionSpecifications.authorities,
            TransferOptionSpecifications.insecure,
            OptionSpecification(
                long: "timeout",
                value: ValueSpecification(name: "TIME"),
                help: "How long the server may be silent. Default: 10s.",
                group: .request
            ),
            OptionSpecification(
                long: "only",
                value: ValueSpecification(name: "CHECKS"),
                help: "Run only these checks, separated by commas, as in D41,D42.",
                group: .result,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "strict",
                help: "Also fail on warnings.",
                group: .result
            ),
            .json,
            OptionSpecification(
                long: "junit",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Write JUnit XML, one test case per check.",
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "html",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Write an HTML page, with the broken rules first.",
                group: .output,
                isConfigurable: false
            ),
            .noColor, .help,
        ]
    )
}
