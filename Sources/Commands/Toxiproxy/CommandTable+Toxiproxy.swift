internal import Arguments

extension CommandTable {
    static let toxiproxyCommand = CommandSpecification(
        name: "toxiproxy",
        summary: "Serve the API of Toxiproxy 2.x: its clients work as they are",
        details: [
            """
            Clients of any language, toxiproxy-cli and configuration files work unchanged: named \
            proxies, the toxics latency, bandwidth, slow_close, timeout, reset_peer, slicer and \
            limit_data, and toxicity. Options may be written with one dash, too.
            """,
            """
            What is random depends on --seed, the names of proxy and toxic, and the number of the \
            connection alone, so a run can be repeated. Changes are made as a whole or not at all, \
            and no call waits for a connection. `linkcond help moving-from-toxiproxy` tells what else is \
            different, and which profile or fault does what each toxic does.
            """,
            """
            The API listens on 127.0.0.1 and refuses web pages. SIGTERM lets open connections finish \
            for 5 seconds and ends with 0, Control-C for 2; a second signal ends at once. LOG_LEVEL \
            sets the least level of the log: info, warn, error or disabled.
            """,
        ],
        examples: [
            .init(command: "linkcond toxiproxy", meaning: "the API at 127.0.0.1:8474"),
            .init(
                command: "linkcond toxiproxy -config toxiproxy.json -seed 7",
                meaning: "with the proxies of a file, the same way every time"
            ),
            .init(
                command: "linkcond toxiproxy -host 0.0.0.0 --allow-remote",
                meaning: "in a container, for other machines"
            ),
        ],
        options: [
            option(
                "config",
                "FILE",
                "Proxies to begin with: a JSON list, as for /populate.",
                .file
            ),
            option(
                "host",
                "HOST",
                """
                Where the API listens: an address, or 0.0.0.0 for all, which without --allow-remote \
                means 127.0.0.1 and [::1]. Default: localhost.
                """,
                group: .addresses
            ),
            option(
                "port",
                "PORT",
                "Its port; 0 takes a free one. Default: 8474.",
                group: .addresses
            ),
            OptionSpecification(
                long: "allow-remote",
                help: """
                    Let the API and proxies listen where other machines can reach them. A proxy \
                    without a host then listens at all addresses, and clients may call us by any name.
                    """,
                group: .addresses,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "allow-host",
                value: ValueSpecification(name: "NAME"),
                help: """
                    A further name that clients may call us by. Addresses, names without a dot \
                    (localhost, a container's) and below .internal, .local or .svc are always \
                    allowed.
                    """,
                group: .addresses,
                isRepeatable: true,
                isConfigurable: false
            ),
            .seed,
            flag("proxy-metrics", "Count bytes of each proxy at /metrics, for Prometheus."),
            flag("runtime-metrics", "Tell of the process at /metrics."),
            OptionSpecification(
                long: "journal",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    Record what happened as JSON Lines, with every decision of a toxic; see \
                    `linkcond journal`.
                    """,
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "quiet",
                short: "q",
                help: "No log on standard output, but for where the API listens.",
                group: .output
            ),
            flag("version", "Print which version of Toxiproxy this is like, and end.", .general),
            .noColor, .help,
        ],
        subcommands: [toxiproxyClientCommand],
        worksAlone: true,
        takesSingleDashes: true
    )

    private static let toxiproxyClientCommand = CommandSpecification(
        name: "cli",
        summary: "Steer a Toxiproxy server, as toxiproxy-cli does",
        details: [
            """
            COMMAND is one of list, inspect PROXY, create -l ADDR -u ADDR PROXY, toggle PROXY, \
            delete PROXY, toxic add -t TYPE [-n NAME] [-u|-d] [--toxicity NUMBER] \
            [-a KEY=VALUE]... PROXY, toxic update -n NAME [--toxicity NUMBER] [-a KEY=VALUE]... \
            PROXY, and toxic remove -n NAME PROXY; the short forms of toxiproxy-cli work, too.
            """,
            """
            A link to linkcond that is named toxiproxy-cli acts as this command, and one named \
            toxiproxy-server as `linkcond toxiproxy`.
            """,
        ],
        examples: [
            .init(
                command: "linkcond toxiproxy cli create -l localhost:26379 -u localhost:6379 db",
                meaning: "make a proxy"
            ),
            .init(
                command: "linkcond toxiproxy cli toxic add -t latency -a latency=100 db",
                meaning: "delay what the server sends by 100 ms"
            ),
        ],
        operands: [
            OperandSpecification(
                value: ValueSpecification(name: "COMMAND"),
                isRepeatable: true
            )
        ],
        options: [
            OptionSpecification(
                long: "host",
                short: "h",
                value: ValueSpecification(name: "URL"),
                help: "Where the server is. Default: http://localhost:8474.",
                group: .addresses,
                environment: "TOXIPROXY_URL",
                isConfigurable: false
            ),
            .noColor,
            OptionSpecification(
                long: "help",
                help: "Show help for this command.",
                isConfigurable: false
            ),
        ],
        endsOptionsAtOperand: true
    )

    private static func option(
        _ name: String,
        _ value: String,
        _ help: String,
        _ completion: ValueSpecification.Completion = .nothing,
        group: OptionGroup = .running
    ) -> OptionSpecification {
        OptionSpecification(
            long: name,
            value: ValueSpecification(name: value, completion: completion),
            help: help,
            group: group,
            isConfigurable: false
        )
    }

    private static func flag(
        _ name: String,
        _ help: String,
        _ group: OptionGroup = .running
    ) -> OptionSpecification {
        OptionSpecification(long: name, help: help, group: group, isConfigurable: false)
    }
}
