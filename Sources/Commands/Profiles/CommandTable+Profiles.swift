internal import Arguments

extension CommandTable {
    private static let profileName = OperandSpecification(
        value: ValueSpecification(name: "NAME", completion: .profile)
    )
    private static let file = OperandSpecification(
        value: ValueSpecification(name: "FILE", completion: .file)
    )

    static let profilesCommand = CommandSpecification(
        name: "profiles",
        summary: "List, show, check or import profiles",
        details: [
            """
            A profile is a YAML file with rates, delays, loss, queue, outages, faults and a byte \
            budget, each with its unit, and the source of the numbers. `profiles show lte` prints \
            one to copy and edit, and every key that --set accepts, with its value and range.
            """
        ],
        examples: [
            .init(command: "linkcond profiles", meaning: "list all profiles"),
            .init(command: "linkcond profiles satellite", meaning: "those that contain this word"),
            .init(command: "linkcond profiles show lte", meaning: "one profile in full"),
            .init(command: "linkcond profiles check mine.yaml", meaning: "find mistakes in a file"),
            .init(
                command: "linkcond profiles import presets.plist",
                meaning: "presets of Apple's Network Link Conditioner"
            ),
        ],
        subcommands: [
            CommandSpecification(
                name: "list",
                summary: "List all profiles, or those that contain every SEARCH word",
                operands: [
                    OperandSpecification(
                        value: ValueSpecification(name: "SEARCH"),
                        isOptional: true,
                        isRepeatable: true
                    )
                ],
                options: [
                    OptionSpecification(
                        long: "names",
                        help: "Print names only, one per line.",
                        group: .output
                    ),
                    .json, .noColor, .help,
                ]
            ),
            CommandSpecification(
                name: "show",
                summary: "Print a profile and every value that --set can change",
                operands: [profileName],
                options: [.set, .json, .noColor, .help]
            ),
            CommandSpecification(
                name: "check",
                summary: "Check a profile file and report mistakes with line, column and remedy",
                operands: [file],
                options: [.set, .noColor, .help]
            ),
            CommandSpecification(
                name: "import",
                summary: "Convert presets of Apple's Network Link Conditioner to profiles",
                details: [
                    """
                    FILE is a property list, XML or binary. A Mac keeps the presets in \
                    ~/Library/Preferences, in the file whose name ends in prefPaneSimulate.plist. \
                    Each preset becomes a profile that you can use by either name: --profile "Very \
                    Bad Network" or --profile very-bad-network.
                    """
                ],
                operands: [file],
                options: [
                    OptionSpecification(
                        long: "output",
                        short: "o",
                        value: ValueSpecification(name: "FOLDER", completion: .file),
                        help: """
                            Folder to write the profiles to; - is standard output. Default: \
                            ~/.config/linkcond/profiles.
                            """,
                        group: .output,
                        isConfigurable: false
                    ),
                    OptionSpecification(
                        long: "force",
                        help: "Replace existing profiles that differ.",
                        group: .output,
                        isConfigurable: false
                    ),
                    .noColor, .help,
                ]
            ),
        ],
        defaultSubcommand: "list"
    )
}
