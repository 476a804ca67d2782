internal import Arguments

extension CommandTable {
    static let caCommand = CommandSpecification(
        name: "ca",
        summary: "Manage the certificate authority for decrypting TLS",
        details: [
            """
            With --tls terminate, linkcond answers clients in place of the server, with \
            certificates that this authority signs. Clients must trust it. It is created on first \
            use, or by `ca create`, in $XDG_STATE_HOME/linkcond/tls (default: ~/.local/state), \
            readable only by you.
            """,
            """
            `run --https` and `explore --https` need none of this: they create an authority for \
            each run, make CMD trust it, and discard it.
            """,
        ],
        examples: [
            .init(command: "linkcond ca create", meaning: "create it, and print where it is"),
            .init(command: "linkcond ca env", meaning: "variables that make programs trust it"),
        ],
        subcommands: [
            CommandSpecification(
                name: "create",
                summary: "Create the authority",
                options: [
                    OptionSpecification(
                        long: "force",
                        help: "Replace an existing one.",
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
                summary: "Print shell commands that make programs trust it",
                options: [.help]
            ),
            CommandSpecification(
                name: "install-hints",
                summary: "Show how to make other programs and systems trust it",
                options: [.help]
            ),
        ]
    )
}
