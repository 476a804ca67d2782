internal import Analysis
internal import Arguments
internal import Basics
internal import LinkProfile

/// Every command of the program.
enum CommandTable {
    /// What the program is, for someone who has never seen it.
    static let introduction = [
        """
        linkcond sits between a client and a server and behaves like a bad network: slow, distant, \
        lossy, cut off mid-transfer. It is an ordinary program that forwards TCP connections; it \
        needs no privileges and changes nothing on your machine.
        """,
        """
        A profile describes the network (`linkcond profiles` lists them); with `--profile none` it \
        is unimpaired, for comparison. A seed fixes everything random, so the same traffic meets \
        the same losses and faults every time: in your editor, in CI, on another machine.
        """,
    ]

    /// How to begin.
    private static let firstExamples: [CommandSpecification.Example] = [
        .init(
            command: "linkcond --profile lte",
            meaning: "then run the curl command it prints in another terminal"
        ),
        .init(
            command: "linkcond --profile lte --upstream 127.0.0.1:8080",
            meaning: "the same in front of your own server"
        ),
        .init(command: "linkcond profiles", meaning: "list the networks to choose from"),
        .init(
            command: "linkcond plan --profile 3g --bytes 1MB",
            meaning: "predict a transfer without a network"
        ),
    ]

    /// Every command with what it does, in the order of the overview.
    static let rows: [Command] = [
        Command(proxyCommand) { (invocation, context) throws(Failure) in
            try ProxyCommand(console: context.console, catalog: context.catalog).run(invocation)
        },
        Command(topCommand) { (invocation, context) throws(Failure) in
            try TopCommand(console: context.console).run(invocation)
        },
        Command(toxiproxyCommand) { (invocation, context) throws(Failure) in
            invocation.path.count > 1
                ? try ToxiproxyClientCommand(console: context.console).run(invocation)
                : try ToxiproxyCommand(console: context.console).run(invocation)
        },
        Command(startingProgram: runCommand) { (invocation, context) throws(Failure) in
            try RunCommand(console: context.console, catalog: context.catalog).run(invocation)
        },
        Command(startingProgram: replayCommand) { (invocation, context) throws(Failure) in
            try RunCommand(console: context.console, catalog: context.catalog).replay(invocation)
        },
        Command(exploreCommand) { (invocation, context) throws(Failure) in
            try ExploreCommand(console: context.console, catalog: context.catalog).run(invocation)
        },
        Command(reportCommand) { (invocation, context) throws(Failure) in
            invocation.path.count > 1
                ? try MergeCommand(console: context.console).run(invocation, invocation.operands)
                : try ReportCommand(console: context.console).run(invocation)
        },
        Command(probeCommand) { (invocation, context) throws(Failure) in
            try ProbeCommand(console: context.console).run(invocation)
        },
        Command(originCommand) { (invocation, context) throws(Failure) in
            try OriginCommand(console: context.console).run(invocation)
        },
        Command(startingProgram: dnsCommand) { (invocation, context) throws(Failure) in
            try DNSCommand(console: context.console).run(invocation)
        },
        Command(downloadCommand) { (invocation, context) throws(Failure) in
            try TransferCommand(console: context.console).download(invocation)
        },
        Command(uploadCommand) { (invocation, context) throws(Failure) in
            try TransferCommand(console: context.console).upload(invocation)
        },
        Command(transfersCommand) { (invocation, context) throws(Failure) in
            try TransfersCommand(console: context.console).run(invocation)
        },
        Command(profilesCommand) { (invocation, context) throws(Failure) in
            try ProfilesCommand(console: context.console, catalog: context.catalog).run(invocation)
        },
        Command(planCommand) { (invocation, context) throws(Failure) in
            try PlanCommand(console: context.console, catalog: context.catalog).run(invocation)
        },
        Command(journalCommand) { (invocation, context) throws(Failure) in
            try JournalCommand(console: context.console).run(invocation)
        },
        Command(caCommand) { (invocation, context) throws(Failure) in
            try CACommand(console: context.console).run(invocation)
        },
        Command(versionCommand) { (invocation, context) throws(Failure) in
            try ReferenceCommands(console: context.console).version(invocation)
        },
        Command(completionsCommand) { (invocation, context) throws(Failure) in
            try ReferenceCommands(console: context.console).completions(invocation)
        },
        Command(schemaCommand) { (invocation, context) throws(Failure) in
            try ReferenceCommands(console: context.console).schema(invocation)
        },
        Command(manCommand) { (_, context) throws(Failure) in
            try ReferenceCommands(console: context.console).man()
        },
        Command(helpCommand) { (invocation, context) throws(Failure) in
            try HelpCommand(console: context.console).run(invocation)
        },
    ]

    static let commands = rows.map(\.specification)

    /// What the parser, the help, the completions and the manual page work with.
    static let set = CommandSet(
        version: Version.number,
        tagline: "a bad network, the same one every time",
        introduction: introduction,
        firstExamples: firstExamples,
        commands: commands,
        defaultCommand: "proxy",
        commonOptions: ["profile", "upstream", "listen", "seed", "fault", "journal"],
        groups: OptionGroup.all,
        topics: HelpTopic.all,
        exitStatus: .exitCodes,
        formerCommands: [
            "pause": "transfers pause", "resume": "transfers resume",
            "attach": "transfers attach", "nudge": "transfers resume --now",
        ],
        foreignOptions: foreignOptions
    )

    private static let foreignOptions: [String: CommandSet.ForeignOption] = [
        "p": .init("write --listen PORT for a port, --profile NAME for a network", for: "profile"),
        "timeout": .init(
            "write --fault 'c*:down+0=hole(30s)' for silence, --duration TIME or --deadline TIME for"
                + " the end of a run",
            for: "fault"
        ),
        "reset": reset, "reset-peer": reset, "reset_peer": reset,
        "limit-data": limit, "limit_data": limit,
        "slow-close": toxic, "slow_close": toxic, "slicer": toxic,
    ]
    private static let reset = CommandSet.ForeignOption(
        "write --fault 'c*:down+N=rst' to reset after N bytes",
        for: "fault"
    )
    private static let limit = CommandSet.ForeignOption(
        "write --fault 'c*:down+N=fin' to end after N bytes",
        for: "fault"
    )
    private static let toxic = CommandSet.ForeignOption(
        "only linkcond toxiproxy has it",
        for: "fault"
    )

    /// Programs that linkcond replaces under their own name, with what that name means.
    private static let replacedPrograms = [
        "toxiproxy-server": ["toxiproxy"], "toxiproxy-cli": ["toxiproxy", "cli"],
    ]

    /// The words of a command line, given that of a link whose name is another program's.
    ///
    /// A profile's name where a command's should be is the profile of the default command.
    static func words(of commandLine: [String]) -> [String] {
        let name = commandLine.first?.split(separator: "/").last.map(String.init) ?? ""
        let words = (replacedPrograms[name] ?? []) + commandLine.dropFirst()
        guard let first = words.first, !first.hasPrefix("-"), set.command(first) == nil,
            set.formerCommands[first] == nil, ProfileLibrary.builtinOnly().means(first)
        else { return words }
        return [set.defaultCommand, "--profile"] + words
    }

    /// Whether the exit code of a command line is that of another program, so that a failure of
    /// linkcond needs a separate code.
    static func passesCodeOn(_ arguments: [String]) -> Bool {
        guard let command = arguments.first.flatMap(set.command) else { return false }
        // It may be a server by itself.
        let isServer = command.name == dnsCommand.name
        return command.passesExitCode || isServer && arguments.contains("--")
    }

    static func row(_ name: String) -> Command? { rows.first { $0.specification.name == name } }

}

/// Options that several commands share.
extension OptionSpecification {
    static let noColor = OptionSpecification(
        long: "no-color",
        help: "Turn colour off, as NO_COLOR and TERM=dumb do. FORCE_COLOR turns it on.",
        group: .output
    )

    static let json = OptionSpecification(
        long: "json",
        help: "Print results as JSON on standard output.",
        group: .output
    )

    static let profile = OptionSpecification(
        long: "profile",
        value: ValueSpecification(name: "NAME|FILE", completion: .profile),
        help: """
            Network to imitate: a name from `linkcond profiles`, or a YAML file (a value that \
            contains a slash or ends in .yaml). A name is looked up in the working folder, the \
            `profiles` folder next to the nearest linkcond.yaml, \
            $XDG_CONFIG_HOME/linkcond/profiles, /etc/linkcond/profiles, then among the built-in \
            profiles.
            """,
        group: .link,
        environment: "LINKCOND_PROFILE",
        bearsOnResult: true,
        aliases: ["network": "%"]
    )

    static let secondPath = OptionSpecification(
        long: "second-path",
        value: ValueSpecification(name: "PROFILE", completion: .profile),
        help: """
            Give the network a second path, like a phone's mobile data beside its Wi-Fi: connections \
            that open while the first path is in an outage use this profile.
            """,
        group: .link,
        bearsOnResult: true
    )

    static let set = OptionSpecification(
        long: "set",
        value: ValueSpecification(
            name: "KEY=VALUE",
            completion: .words(CompletionWords.settings)
        ),
        help: """
            Override a value of the profile, with its unit: delay=80ms (one way), \
            down.rate=2Mbit/s, loss=1%. `linkcond profiles show NAME` lists every key with its \
            value and range. Short forms: --delay or --latency (one way), --rtt, --rate or \
            --bandwidth, --loss, --jitter (uniform), --queue.
            """,
        group: .link,
        isRepeatable: true,
        takesSettings: true,
        bearsOnResult: true,
        aliases: [
            "delay": "delay=%", "latency": "delay=%", "rtt": "rtt=%", "ping": "rtt=%",
            "rate": "rate=%", "bandwidth": "rate=%", "throughput": "rate=%", "loss": "loss=%",
            "packet-loss": "loss=%", "jitter": "jitter={uniform: %}", "queue": "queue=%",
        ]
    )

    static let seed = seed("Default: random, and printed.")

    /// For a command whose output is the same every time by default.
    static func seed(default number: UInt64) -> OptionSpecification { seed("Default: \(number).") }

    private static func seed(_ fallback: String) -> OptionSpecification {
        OptionSpecification(
            long: "seed",
            value: ValueSpecification(name: "N"),
            help: "Seed for all random decisions (0 to 2^64-1). \(fallback)",
            group: .link,
            environment: "LINKCOND_SEED"
        )
    }

    private static let quantities = Expectation.Quantity.allCases.map(\.rawValue).listed()

    /// `--expect`, with a sentence about what holds besides.
    static func expect(_ besides: String = "") -> OptionSpecification {
        OptionSpecification(
            long: "expect",
            value: ValueSpecification(
                name: "DEMANDS",
                completion: .words(CompletionWords.demands)
            ),
            help: """
                Demands on the result, separated by commas: pass, fail, a check such as R5, a \
                limit on \(quantities), as in attempts<=8, or a property: backoff=exponential, jitter=present, \
                retry-after=honoured. See `linkcond help checks`.
                """ + besides,
            group: .result,
            isConfigurable: false
        )
    }

    /// `--ready-file` of a command that takes clients.
    ///
    /// - Parameters:
    ///   - moment: when it appears, as in "connections are accepted".
    ///   - members: of the object in it.
    /// - Returns: the option.
    static func readyFile(once moment: String, with members: String) -> OptionSpecification {
        OptionSpecification(
            long: "ready-file",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                Once \(moment), create a JSON file with \(members). It appears atomically, already \
                complete.
                """,
            group: .running,
            isConfigurable: false,
            writesFile: true
        )
    }

    /// Beside `readyFile`.
    static let readyDescriptor = OptionSpecification(
        long: "ready-fd",
        value: ValueSpecification(name: "N"),
        help: "Write the same JSON to this open descriptor, then close it.",
        group: .running,
        isConfigurable: false
    )

    /// `--journal` of a command that prints where it listens.
    static let serviceJournal = OptionSpecification(
        long: "journal",
        value: ValueSpecification(name: "FILE", completion: .file),
        help: """
            Record the run as JSON Lines, compressed if the name ends in .zst; see `linkcond journal`. \
            - is standard output, where the journal follows the `listening` line and the summary moves \
            to standard error.
            """,
        group: .output,
        isConfigurable: false,
        writesFile: true
    )

    /// `--quiet` of a command that prints where it listens.
    static let serviceQuiet = OptionSpecification(
        long: "quiet",
        short: "q",
        help: "Print only the first line on standard output, and errors.",
        group: .output
    )

    static let fault = OptionSpecification(
        long: "fault",
        value: ValueSpecification(
            name: "WHERE=EFFECT",
            completion: .words(CompletionWords.faults)
        ),
        help: """
            Inject a fault. WHERE is a connection, c1 (the first), c* (all), c*/3 (every third) or \
            c*?10% (one in ten), then :down+N or :up+N (after exactly N bytes) or :connect. EFFECT \
            is, for example, rst, fin, hole, stall(2s), refuse, slow(64kbit/s) or corrupt. Faults \
            can also act in HTTP messages, as in 'GET(/x)#1:resp.body+9=rst', and with --dns on \
            name lookups, as in 'A(api.test)#1=servfail'. See `linkcond help faults`.
            """,
        group: .link,
        isRepeatable: true
    )
}

extension OptionGroup {
    static let link = OptionGroup("The network")
    static let addresses = OptionGroup("Addresses")
    static let tls = OptionGroup("TLS")
    static let transfer = OptionGroup("The transfer")
    static let request = OptionGroup("The request")
    static let retry = OptionGroup("Retries")
    static let path = OptionGroup("The network path")
    static let answers = OptionGroup("Answers")
    static let objects = OptionGroup("Downloads")
    static let uploads = OptionGroup("Uploads")
    static let result = OptionGroup("The result")
    static let running = OptionGroup("Running")
    static let output = OptionGroup("Output")

    /// In the order of help.
    static let all: [OptionGroup] = [
        link, answers, addresses, tls, transfer, request, retry, path, objects, uploads, result,
        running,
        output,
        general,
    ]
}

extension ArgumentParser {
    /// Understands a command line of this program.
    static func parse(
        _ arguments: [String],
        environment: @escaping (String) -> String?
    ) throws(Failure) -> Invocation {
        try parse(arguments, of: CommandTable.set, environment: environment)
    }
}

extension ConfigurationSchema {
    static let program = ConfigurationSchema(commands: CommandTable.commands)
}
