extension CommandTable {
    static let proxyCommand = CommandSpecification(
        name: "proxy",
        summary: "Forward connections through a bad network (the default command)",
        details: [
            """
            Connect your client to the address in the first line of output instead of to the \
            server. Without --upstream, linkcond forwards to a small test server inside itself: \
            GET /bytes/N answers N bytes of known content and understands ranges.
            """,
            """
            All connections share one link, as all connections of a phone share one radio. A fault \
            is addressed by connection and byte, as in c1:down+1048576=rst: the client of the \
            first connection receives exactly 1,048,576 bytes, then a reset.
            """,
            """
            Control-C ends it: no new connections, open ones may finish for 10 seconds; a second \
            Control-C ends at once. SIGTERM waits 5 seconds at most. SIGHUP reads the profile \
            again; if it has a mistake, the old one stays.
            """,
            """
            Under systemd it is a service of Type=notify, and takes sockets from a socket unit \
            (Accept=no) instead of --listen.
            """,
        ],
        examples: [
            .init(command: "linkcond --profile lte", meaning: "LTE in front of a test server"),
            .init(
                command: "linkcond --profile lte --upstream 127.0.0.1:8080",
                meaning: "LTE in front of your server"
            ),
            .init(
                command: "linkcond --profile 3g --seed 7 --upstream example.org:80",
                meaning: "the same losses every time"
            ),
            .init(
                command: "linkcond --profile lte --set delay=80ms --set loss=1%",
                meaning: "LTE from further away, both ways, with losses"
            ),
            .init(
                command: "linkcond --profile wifi --set down.rate=2Mbit/s --set queue=64KiB",
                meaning: "a slow way down with a short queue"
            ),
            .init(
                command: "linkcond --profile drop-after-n-bytes --set bytes=100kB",
                meaning: "a parameter that this profile has; `profiles show` lists them"
            ),
            .init(
                command: "linkcond --profile lte --fault 'c1:down+1048576=rst'",
                meaning: "reset the first download after exactly 1 MiB"
            ),
            .init(
                command: "linkcond --profile lte --listen 127.0.0.1:8000 --journal run.jsonl",
                meaning: "a fixed port, and a record of what happened"
            ),
        ],
        options: [
            .profile, .set,
            .fault, .seed,
            OptionSpecification(
                long: "hints",
                help: """
                    On an expensive or constrained path tell servers: ECT, RTT and Downlink, and \
                    Save-Data if it is constrained, go behind the fields of requests that have none. \
                    The journal notes them.
                    """,
                group: .link
            ),
            OptionSpecification(
                long: "max-metered",
                value: ValueSpecification(name: "SIZE"),
                help: """
                    Say when requests that begin while the path is expensive or constrained have more \
                    content than this, for example 2MB; a run that ends by itself has exit code 1 then.
                    """,
                group: .link
            ),
            OptionSpecification(
                long: "upstream",
                value: ValueSpecification(name: "HOST:PORT"),
                help: """
                    Where to forward: host:port, [IPv6]:port or unix:/path. Several belong to the \
                    --listen options in order; one serves all. Default: a test server of our own.
                    """,
                group: .addresses,
                isRepeatable: true,
                environment: "LINKCOND_UPSTREAM"
            ),
            OptionSpecification(
                long: "listen",
                value: ValueSpecification(name: "ADDRESS"),
                help: """
                    Where clients connect: 127.0.0.1:8000, [::1]:8000 or unix:/path; port 0 takes \
                    a free one. Default: 127.0.0.1:0.
                    """,
                group: .addresses,
                isRepeatable: true,
                environment: "LINKCOND_LISTEN"
            ),
            OptionSpecification(
                long: "allow-remote",
                help: "Allow --listen addresses that other machines can reach.",
                group: .addresses,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "control",
                value: ValueSpecification(name: "ADDRESS"),
                help: """
                    Listen for control of the running proxy: 127.0.0.1:0 or unix:/path. Profiles, \
                    faults, cuts, pauses and events over HTTP, see `linkcond help control`. The \
                    second line of output says where, and with which token \
                    (LINKCOND_CONTROL_TOKEN sets it).
                    """,
                group: .addresses
            ),
            OptionSpecification(
                long: "ui",
                help: """
                    Show the run in a browser: rates, connections, transfers, faults, and buttons for \
                    everything that can be done to it. Prints where; --control chooses the port.
                    """,
                group: .addresses
            ),
            OptionSpecification(
                long: "allow-host",
                value: ValueSpecification(name: "NAME"),
                help: """
                    A host name, or NAME:PORT, under which control is reached beside 127.0.0.1 and \
                    localhost; as of a container.
                    """,
                group: .addresses,
                isRepeatable: true
            ),
            OptionSpecification(
                long: "duration",
                value: ValueSpecification(name: "TIME"),
                help: "End after this time, for example 30s or 5min.",
                group: .running
            ),
            OptionSpecification(
                long: "dry-run",
                short: "n",
                help: "Check everything, print the settings and where they come from, and end.",
                group: .running,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "ready-file",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    Write a JSON file with url, host, port, pid, profile and seed once \
                    connections are accepted; it appears complete.
                    """,
                group: .running,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "ready-fd",
                value: ValueSpecification(name: "N"),
                help: "The same JSON on an open descriptor, which is then closed.",
                group: .running,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "path-socket",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    A Unix socket that tells whoever connects what the path is like, now and after \
                    each change by a profile or an outage: one JSON line each, for \
                    `download --path FILE` or the code under test.
                    """,
                group: .running
            ),
            OptionSpecification(
                long: "journal",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    Record what happened as JSON Lines; see `linkcond journal`. - is standard \
                    output, where the journal follows the `listening` line; the summary then \
                    goes to standard error.
                    """,
                group: .output,
                isConfigurable: false
            ),
            OptionSpecification(
                long: "live",
                help: "The live view. It is on when standard output is a terminal.",
                group: .output,
                isConfigurable: false
            ),
            .json,
            OptionSpecification(
                long: "quiet",
                short: "q",
                help: "Only the first line on standard output, and errors.",
                group: .output
            ),
            OptionSpecification(
                long: "verbose",
                short: "v",
                help: "Also a line for each connection.",
                group: .output
            ),
            .noColor, .noConfiguration, .help,
        ],
        readsConfiguration: true
    )
}
