internal import Arguments

extension CommandTable {
    static let caCommand = CommandSpecification(
        name: "ca",
        summary: "The authority that lets linkcond open TLS connections",
        details: [
            """
            With --tls terminate, linkcond answers clients in place of the server, with certificates \
            that this authority signs. Clients must trust it. It is made on first use, or by \
            `ca create`, in $XDG_STATE_HOME/linkcond/tls (default: ~/.local/state), readable by you \
            alone.
            """,
            """
            `run --https` and `explore --https` need none of this: they make an authority for each \
            run, tell CMD to trust it, and forget it.
            """,
        ],
        examples: [
            .init(command: "linkcond ca create", meaning: "make it, and print where it is"),
            .init(command: "linkcond ca env", meaning: "variables that let programs trust it"),
        ],
        subcommands: [
            CommandSpecification(
                name: "create",
                summary: "Make the authority",
                options: [
                    OptionSpecification(
                        long: "force",
                        help: "Replace one that exists.",
                        isConfigurable: false
                    ), .help,
                ]
            ),
            CommandSpecification(
                name: "print",
                summary: "Print its certificate (PEM)",
                options: [.help]
            ),
            CommandSpecification(
                name: "path",
                summary: "Print where its certificate is",
                options: [.help]
            ),
            CommandSpecification(
                name: "env",
                summary: "Print shell commands that let programs trust it",
                options: [.help]
            ),
            CommandSpecification(
                name: "install-hints",
                summary: "Show how other programs and systems are told to trust it",
                options: [.help]
            ),
        ]
    )
}
