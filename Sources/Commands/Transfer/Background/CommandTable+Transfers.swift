internal import Arguments

extension CommandTable {
    private static let identifier = OperandSpecification(value: ValueSpecification(name: "ID"))

    static let transfersCommand = CommandSpecification(
        name: "transfers",
        summary: "List and control background transfers",
        details: [
            """
            `download --background` and `upload --background` hand a transfer to a worker process \
            that outlives the terminal. Its events are written to \
            $XDG_STATE_HOME/linkcond/transfers/ID/events.jsonl (default: ~/.local/state), so \
            nothing is lost if the worker is killed: `linkcond transfers resume ID` continues it.
            """
        ],
        examples: [
            .init(command: "linkcond transfers", meaning: "list background transfers"),
            .init(command: "linkcond transfers attach nightly", meaning: "follow one"),
            .init(command: "linkcond transfers pause nightly", meaning: "stop it, keep its data"),
            .init(command: "linkcond transfers resume nightly", meaning: "continue it"),
            .init(
                command: "linkcond transfers resume --explain ten.bin.resume",
                meaning: "can it be resumed, and how?"
            ),
            .init(
                command: "linkcond transfers resume ten.bin.resume",
                meaning: "continue from a file of resume data, in the foreground"
            ),
        ],
        subcommands: [
            CommandSpecification(
                name: "list",
                summary: "List background transfers with their state and progress",
                options: [.json, .noColor, .help]
            ),
            CommandSpecification(
                name: "attach",
                summary: """
                    Print the events since the last attach, then follow the transfer until it ends
                    """,
                details: [
                    """
                    On a terminal it looks like a transfer in the foreground; elsewhere each event \
                    is a line of JSON. Control-C ends the view, not the transfer. The exit code is \
                    the transfer's: 0, 1, or 75 if it can be resumed.
                    """
                ],
                operands: [identifier],
                options: [
                    OptionSpecification(
                        long: "from-start",
                        help: "Print all events, including those already shown.",
                        group: .output
                    ),
                    .help,
                ]
            ),
            CommandSpecification(
                name: "pause",
                summary: "Stop a transfer and keep its resume data",
                operands: [identifier],
                options: [.help]
            ),
            CommandSpecification(
                name: "resume",
                summary: "Continue a transfer in the background, or from a file of resume data",
                operands: [
                    OperandSpecification(
                        value: ValueSpecification(name: "ID|FILE", completion: .file)
                    )
                ],
                options: [
                    OptionSpecification(
                        long: "explain",
                        help: """
                            Only say what is stored, whether it can be resumed with the files as \
                            they are, and what the first request would be. The exit code is 1 if \
                            the transfer would start from zero.
                            """,
                        group: .output
                    ),
                    OptionSpecification(
                        long: "now",
                        help: """
                            Do not wait for a better path or a turn: lift --no-constrained, \
                            --no-expensive and --discretionary, as --user-initiated does. Also \
                            works on a running transfer.
                            """,
                        group: .path
                    ),
                    .help,
                ]
            ),
            CommandSpecification(
                name: "remove",
                summary: "Forget transfers that are not running; transferred files are kept",
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
                summary: "Run a transfer in this process (what --background starts)",
                operands: [identifier],
                options: [.help]
            ),
        ],
        defaultSubcommand: "list"
    )
}
