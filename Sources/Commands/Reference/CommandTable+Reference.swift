internal import Arguments

extension CommandTable {
    static let versionCommand = CommandSpecification(
        name: "version",
        summary: "Print the version, and the versions of linked libraries",
        options: [
            OptionSpecification(
                long: "verbose",
                short: "v",
                help: "Also print the linked libraries and their versions.",
                group: .output
            ),
            .json, .help,
        ]
    )

    static let completionsCommand = CommandSpecification(
        name: "completions",
        summary: "Print a completion script for a shell",
        examples: [
            .init(command: "source <(linkcond completions bash)", meaning: "for this shell"),
            .init(
                command: "linkcond completions fish > ~/.config/fish/completions/linkcond.fish",
                meaning: "for fish, permanently"
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

    static let schemaCommand = CommandSpecification(
        name: "schema",
        summary: "Print the JSON Schema of profiles or of linkcond.yaml, for editors",
        details: [
            """
            With the schema, an editor with a YAML language server completes keys and marks \
            mistakes. A comment on the first line of a file names its schema.
            """
        ],
        examples: [
            .init(
                command: "linkcond schema profile > linkcond-profile.schema.json",
                meaning: "save it next to the output of `linkcond profiles show`"
            ),
            .init(command: "linkcond schema config", meaning: "for linkcond.yaml"),
        ],
        operands: [
            OperandSpecification(
                value: ValueSpecification(
                    name: "FORM",
                    completion: .words(["profile", "config"])
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
                    completion: .helpSubject
                ),
                isOptional: true
            )
        ],
        options: [.help]
    )
}
