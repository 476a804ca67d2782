extension HelpTopic {
    static let configuration = HelpTopic(
        name: "config",
        summary: "Options in files: linkcond.yaml and others",
        introduction: [
            """
            `linkcond proxy`, `run`, `replay`, `plan` and `origin` take options from files, too: the \
            keys are the long names of the options. A value that is given in several places comes \
            from the first of them in the list below; of --set each key counts by itself. \
            `linkcond --dry-run` \
            prints every value with its origin; --no-config reads no file.
            """,
            """
            A flag is written yes or no, an option that may be repeated as a list, --set as a \
            mapping. What is for one command stands under its name; `origin` takes nothing else. \
            Unknown and duplicate keys are errors. A profile's path is relative to the file.
            """,
            """
            Not taken from files, so that a project's file cannot do it to whoever runs linkcond \
            there: \(onlyOnCommandLine).
            """,
        ],
        sections: [
            Section(
                heading: "Places, the one that counts most first",
                text: nil,
                entries: [
                    .init(term: "the command line", meaning: "--profile lte"),
                    .init(
                        term: "the environment",
                        meaning:
                            "LINKCOND_PROFILE, LINKCOND_UPSTREAM, LINKCOND_LISTEN, LINKCOND_SEED"
                    ),
                    .init(
                        term: "linkcond.yaml",
                        meaning: """
                            in the working folder or the nearest one above it, no further than the \
                            root of the repository; outside a repository in the working folder
                            """
                    ),
                    .init(
                        term: "~/.config/linkcond/config.yaml",
                        meaning: "or where XDG_CONFIG_HOME says"
                    ),
                    .init(term: "/etc/linkcond/config.yaml", meaning: "for all users"),
                ]
            ),
            Section(
                heading: "Example",
                text: nil,
                entries: [
                    .init(term: "profile: lte", meaning: "for every command"),
                    .init(term: "seed: 7", meaning: ""),
                    .init(term: "set: {delay: 80ms, down.loss: 1%}", meaning: ""),
                    .init(term: "proxy: {listen: [127.0.0.1:8000], verbose: yes}", meaning: ""),
                    .init(term: "plan: {bytes: 10MB}", meaning: ""),
                    .init(term: "origin: {listen: [127.0.0.1:8080], rufh: 6}", meaning: ""),
                ]
            ),
        ]
    )

    private static let onlyOnCommandLine: String = {
        var names: [String] = []
        for option in ConfigurationSchema.program.commands.flatMap(\.options)
        where !option.isConfigurable && option.group != .general && !names.contains(option.long) {
            names.append(option.long)
        }
        return names.map { "--\($0)" }.joined(separator: ", ")
    }()
}
