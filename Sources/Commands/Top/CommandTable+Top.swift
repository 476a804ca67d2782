internal import Arguments

extension CommandTable {
    static let topCommand = CommandSpecification(
        name: "top",
        summary: "Watch and control a running linkcond from another terminal",
        details: [
            """
            Shows the live view of a proxy started with --control: rates, connections and events, \
            with the same keys to pause, stall and cut connections, refuse the next one and switch \
            the profile. `q` quits; the proxy keeps running.
            """,
            """
            With several proxies, it shows and controls one at a time, starting with the run's \
            own; `x` switches to the next. Plain lines and JSON cover all of them unless --proxy \
            names one.
            """,
            """
            CONTROL is the address on the proxy's `control` line (127.0.0.1:9000, \
            http://127.0.0.1:9000 or unix:/path), or its --ready-file, which contains the token as \
            well. Otherwise the token is read from LINKCOND_CONTROL_TOKEN. The whole address that \
            --ui prints also works, but any user of the machine can read arguments.
            """,
            """
            If standard output is not a terminal, top prints a line for each event, and one every \
            10 s while bytes move. With --json, it prints one object per second.
            """,
        ],
        examples: [
            .init(
                command: "linkcond --profile lte --control 127.0.0.1:9000 --ready-file ready.json",
                meaning: "in one terminal"
            ),
            .init(command: "linkcond top ready.json", meaning: "in another"),
            .init(
                command: "linkcond top --once --json ready.json",
                meaning: "a single snapshot, for scripts"
            ),
        ],
        operands: [
            OperandSpecification(
                value: ValueSpecification(name: "CONTROL", completion: .file),
                isOptional: true
            )
        ],
        options: [
            OptionSpecification(
                long: "proxy",
                value: ValueSpecification(name: "NAME"),
                help: "Show this proxy first; print lines and JSON for this one only.",
                isConfigurable: false
            ),
            OptionSpecification(
                long: "once",
                help: "Observe for about 1 s, print the result, and exit.",
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "json",
                help:
                    "Print one JSON object per second; with --once, only one, with connections.",
                group: .output,
                isConfigurable: false
            ),
            .noColor, .help,
        ]
    )
}
