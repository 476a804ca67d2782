extension CommandTable {
    private static let identifier = OperandSpecification(value: ValueSpecification(name: "ID"))

    static let transfersCommand = CommandSpecification(
        name: "transfers",
        summary: "List transfers in the background, and clear them away",
        details: [
            """
            `download --background` and `upload --background` hand a transfer to a process of its \
            own, which outlives the terminal. What happens is written to \
            $XDG_STATE_HOME/linkcond/transfers/ID/events.jsonl (default: ~/.local/state), so \
            nothing is lost if that process is killed: `resume ID` goes on.
            """
        ],
        examples: [
            .init(command: "linkcond transfers", meaning: "what there is"),
            .init(command: "linkcond transfers remove nightly", meaning: "forget one that ended"),
        ],
        subcommands: [
            CommandSpecification(
                name: "list",
                summary: "List all transfers and how they are",
                options: [.json, .noColor, .help]
            ),
            CommandSpecification(
                name: "remove",
                summary: "Forget transfers that do not run; transferred files stay",
                operands: [
                    OperandSpecification(
                        value: ValueSpecification(name: "ID"),
                        isRepeatable: true
                    )
                ],
                options: [.help]
            ),
            CommandSpecification(
                name: "run",
                summary: "Work on a transfer in this process; --background starts this",
                operands: [identifier],
                options: [.help]
            ),
        ],
        defaultSubcommand: "list"
    )

    static let pauseCommand = CommandSpecification(
        name: "pause",
        summary: "Stop a background transfer and keep what it needs to go on",
        examples: [.init(command: "linkcond pause nightly", meaning: "until resume nightly")],
        operands: [identifier],
        options: [.help]
    )

    static let resumeCommand = CommandSpecification(
        name: "resume",
        summary: "Go on with a background transfer, or with a file of resume data",
        examples: [
            .init(command: "linkcond resume nightly", meaning: "in the background, as before"),
            .init(command: "linkcond resume ten.bin.resume", meaning: "here"),
        ],
        operands: [
            OperandSpecification(value: ValueSpecification(name: "ID|FILE", completion: .file))
        ],
        options: [.help]
    )

    static let attachCommand = CommandSpecification(
        name: "attach",
        summary: "Show the events of a background transfer since the last time, and follow it",
        details: [
            """
            On a terminal as a foreground transfer is shown, elsewhere one JSON object in each \
            line. Control-C ends the view, not the transfer. The exit code \
            is the transfer's: 0, 1, or 75 if it can be resumed.
            """
        ],
        operands: [identifier],
        options: [
            OptionSpecification(
                long: "from-start",
                help: "Show all events, those that were shown before too.",
                group: .output
            ),
            .help,
        ]
    )

    static let nudgeCommand = CommandSpecification(
        name: "nudge",
        summary: "Let a background transfer that waits for a better path go on now",
        details: [
            """
            As --user-initiated: lifts --no-constrained, --no-expensive and --discretionary for \
            this transfer.
            """
        ],
        operands: [identifier],
        options: [.help]
    )
}
