/// Every command of the program.
enum CommandTable {
    static let program = "linkcond"

    static let tagline = "a bad network, the same one every time"

    /// What the program is, for someone who has never seen it.
    static let introduction = [
        """
        linkcond stands between a client and a server and behaves like a bad network: slow, far \
        away, lossy, cut off in the middle. It is an ordinary program that forwards TCP \
        connections; it needs no privileges and changes nothing on your machine.
        """,
        """
        A profile says what the network is like (`linkcond profiles` lists them). A seed fixes \
        everything that is random, so the same traffic meets the same losses and the same faults \
        again: in your editor, in CI, on another machine.
        """,
    ]

    /// The command that is meant when the first argument is an option.
    static let defaultCommand = "proxy"

    static let commands: [CommandSpecification] = [
        proxyCommand, topCommand, toxiproxyCommand, runCommand, replayCommand, exploreCommand,
        reportCommand,
        originCommand,
        downloadCommand, uploadCommand, transfersCommand, pauseCommand, resumeCommand,
        attachCommand,
        nudgeCommand, profilesCommand, planCommand, journalCommand, versionCommand,
        completionsCommand, manCommand, helpCommand,
    ]

    /// Whether the exit code of a command line is another program's, so that ours must not be
    /// taken for it.
    static func passesCodeOn(_ arguments: [String]) -> Bool {
        arguments.first.map { ["run", "replay"].contains($0) } ?? false
    }

    static func command(_ name: String) -> CommandSpecification? {
        commands.first { $0.name == name }
    }
}

/// Options that several commands share.
extension OptionSpecification {
    static let help = OptionSpecification(
        long: "help",
        short: "h",
        help: "Show help for this command.",
        isConfigurable: false
    )

    static let noConfiguration = OptionSpecification(
        long: "no-config",
        help: "Read no configuration files; see `linkcond help config`.",
        isConfigurable: false
    )

    static let noColor = OptionSpecification(
        long: "no-color",
        help: "No colour. Also: NO_COLOR set, or TERM=dumb. FORCE_COLOR turns it on.",
        group: .output
    )

    static let json = OptionSpecification(
        long: "json",
        help: "Write results as JSON on standard output.",
        group: .output
    )

    static let profile = OptionSpecification(
        long: "profile",
        value: ValueSpecification(name: "NAME|FILE", completion: .profile),
        help: """
            The network to imitate: a name from `linkcond profiles`, or a YAML file (a value with a \
            slash or ending in .yaml). Names are looked up in the working folder, the `profiles` \
            folder beside the nearest linkcond.yaml, $XDG_CONFIG_HOME/linkcond/profiles, \
            /etc/linkcond/profiles, then among the built-in ones.
            """,
        group: .link,
        environment: "LINKCOND_PROFILE"
    )

    static let set = OptionSpecification(
        long: "set",
        value: ValueSpecification(name: "KEY=VALUE"),
        help: """
            Change a number of the profile, with its unit: delay=80ms (one way), down.rate=2Mbit/s, \
            loss=1%. `linkcond profiles show NAME` lists every key with its value and range.
            """,
        group: .link,
        isRepeatable: true
    )

    static let seed = seed("Chosen and printed if not given.")

    /// For a command that comes to the same each time, unless asked otherwise.
    static func seed(default number: UInt64) -> OptionSpecification { seed("Default: \(number).") }

    private static func seed(_ fallback: String) -> OptionSpecification {
        OptionSpecification(
            long: "seed",
            value: ValueSpecification(name: "N"),
            help: "Fixes all that is random (0 to 2^64-1). \(fallback)",
            group: .link,
            environment: "LINKCOND_SEED"
        )
    }

    static let fault = OptionSpecification(
        long: "fault",
        value: ValueSpecification(name: "WHERE=EFFECT"),
        help: """
            What goes wrong, and at which byte. WHERE: c1 (first connection), c* (all), \
            c*/3 (every third), c*?10% (one in ten); then :down+N or :up+N (after exactly N bytes) \
            or :connect. EFFECT: rst, fin, hole, stall(2s), refuse, slow(64kbit/s), corrupt. Also in \
            HTTP, as in 'GET(/x)#1:resp.body+9=rst'. `linkcond help faults` explains each.
            """,
        group: .link,
        isRepeatable: true
    )
}
