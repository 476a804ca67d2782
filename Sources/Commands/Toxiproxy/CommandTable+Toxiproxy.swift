internal import Arguments

extension CommandTable {
    static let toxiproxyCommand = CommandSpecification(
        name: "toxiproxy",
        summary: "Serve the API of Toxiproxy 2.x: its clients work unchanged",
        details: [
            """
            Clients in any language, toxiproxy-cli and configuration files work unchanged: named \
            proxies, the toxics latency, bandwidth, slow_close, timeout, reset_peer, slicer and \
            limit_data, and toxicity. Options may be written with one dash, too.
            """,
            """
            Every random decision depends only on --seed, the names of the proxy and the toxic, \
            and the number of the connection, so a run can be repeated. A change is made \
            completely or not at all, and no call waits for a connection. `linkcond help \
            moving-from-toxiproxy` lists the other differences, and the profile or fault that \
            replaces each toxic.
            """,
            """
            The API listens on 127.0.0.1 and rejects requests from web pages. SIGTERM gives open \
            connections 5 seconds to finish and exits with 0; Control-C gives them 2. A second \
            signal exits at once. LOG_LEVEL sets the minimum log level: info, warn, error or \
            disabled.
            """,
        ],
        examples: [
            .init(command: "linkcond toxiproxy", meaning: "the API at 127.0.0.1:8474"),
            .init(
                command: "linkcond toxiproxy -config toxiproxy.json -seed 7",
                meaning: "with the proxies in a file, the same way every time"
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
                "Initial proxies: a JSON list, as for /populate.",
                .file
            ),
            option(
                "host",
                "HOST",
                """
                Where the API listens: an address, or 0.0.0.0 for all. Without --allow-remote, \
                0.0.0.0 means 127.0.0.1 and [::1]. Default: localhost.
                """,
                group: .addresses
            ),
            option(
                "port",
                "PORT",
                "Port of the API; 0 picks a free port. Default: 8474.",
                group: .addresses
            ),
            OptionSpecification(
                long: "allow-remote",
                help: """
                    Let the API and proxies listen where other machines can reach them. A proxy \
                    without a host then listens on all addresses, and requests may use any host \
                    name.
                    """,
                group: .addresses,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "allow-host",
                value: ValueSpecification(name: "NAME"),
                help: """
                    Another host name to accept in requests. Addresses, names without a dot \
                    (localhost, a container's) and names under .internal, .local or .svc are \
                    always allowed.
                    """,
                group: .addresses,
                isRepeatable: true,
                isConfigurable: false
            ),
            .seed,
            flag("proxy-metrics", "Report the bytes of each proxy at /metrics, for Prometheus."),
            flag("runtime-metrics", "Add process metrics to /metrics."),
            OptionSpecification(
                long: "journal",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    Record what happened, including every decision of a toxic, as JSON Lines; \
                    compressed if the name ends in .zst. See `linkcond journal`.
                    """,
                group: .output,
                isConfigurable: false
            ),
            .journalLimit, .journalKeep,
            OptionSpecification(
                long: "quiet",
                short: "q",
                help: "Print only the API's address on standard output, and no log.",
                group: .output
            ),
            flag("version", "Print the emulated version of Toxiproxy, and exit.", .general),
            .noColor, .help,
        ],
        subcommands: [toxiproxyClientCommand],
        worksAlone: true,
        takesSingleDashes: true
    )

    private static let toxiproxyClientCommand = CommandSpecification(
        name: "cli",
        summary: "Control a Toxiproxy server, as toxiproxy-cli does",
        details: [
            """
            COMMAND is one of list, inspect PROXY, create -l ADDR -u ADDR PROXY, toggle PROXY, \
            delete PROXY, toxic add -t TYPE [-n NAME] [-u|-d] [--toxicity NUMBER] \
            [-a KEY=VALUE]... PROXY, toxic update -n NAME [--toxicity NUMBER] [-a KEY=VALUE]... \
            PROXY, and toxic remove -n NAME PROXY; the short forms of toxiproxy-cli work, too.
            """,
            """
            A symbolic link to linkcond named toxiproxy-cli acts as this command, and one named \
            toxiproxy-server as `linkcond toxiproxy`.
            """,
        ],
        examples: [
            .init(
                command: "linkcond toxiproxy cli create -l localhost:26379 -u localhost:6379 db",
                meaning: "create a proxy"
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
