extension CommandTable {
    static let topCommand = CommandSpecification(
        name: "top",
        summary: "Watch and steer a running linkcond from another terminal",
        details: [
            """
            The live view of a proxy that was started with --control, wherever its own output goes: \
            rates, connections and events, and the same keys to pause, stall and cut connections, to \
            refuse the next one and to switch the profile. `q` leaves; the proxy goes on.
            """,
            """
            Of several proxies it shows and steers one, the run's own at first: `x` goes to the next. \
            What is written as lines or JSON is of all, unless --proxy names one.
            """,
            """
            CONTROL is what the proxy's line `control ...` says (127.0.0.1:9000, \
            http://127.0.0.1:9000 or unix:/path), or the file that its --ready-file wrote, which has \
            the token, too. Otherwise the token comes from LINKCOND_CONTROL_TOKEN: a flag could be \
            read by every user of the machine.
            """,
            """
            Where standard output is no terminal, a line tells what happens: one for each event, and \
            one every 10 seconds while something moves. With --json there is one object a second.
            """,
        ],
        examples: [
            .init(
                command: "linkcond --profile lte --control 127.0.0.1:9000 --ready-file ready.json",
                meaning: "in one terminal"
            ),
            .init(command: "linkcond top ready.json", meaning: "in another one"),
            .init(
                command: "linkcond top --once --json ready.json",
                meaning: "one look, for scripts"
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
                help: "Begin with this proxy of the run; write of this one alone.",
                isConfigurable: false
            ),
            OptionSpecification(
                long: "once",
                help: "Look for about a second, print what there is, and end.",
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "json",
                help:
                    "One JSON object a second on standard output; with --once, one with connections.",
                group: .output,
                isConfigurable: false
            ),
            .noColor, .help,
        ]
    )
}
