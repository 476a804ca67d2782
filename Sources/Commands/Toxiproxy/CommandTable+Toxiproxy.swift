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
            The API listens on 127.0.0.1 and answers no web page. SIGTERM lets open connections \
            finish for 5 seconds, Control-C for 10; a second signal ends at once.
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
            option("host", "HOST", "Where the API listens. Default: localhost.", group: .addresses),
            option(
                "port",
                "PORT",
                "Its port; 0 takes a free one. Default: 8474.",
                group: .addresses
            ),
            OptionSpecification(
                long: "allow-remote",
                help: """
                    Let the API and proxies listen where other machines reach them; a proxy without a \
                    host listens everywhere then.
                    """,
                group: .addresses,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "allow-host",
                value: ValueSpecification(name: "NAME"),
                help: """
                    A further name that clients may call us by, such as that of a container. \
                    Addresses and localhost always do.
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
        takesSingleDashes: true
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
