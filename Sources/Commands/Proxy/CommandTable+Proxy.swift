internal import Arguments

extension CommandTable {
    static let proxyCommand = CommandSpecification(
        name: "proxy",
        summary: "Forward connections through a bad network (default command)",
        details: [
            """
            Connect your client to the address on the first line of output instead of to the \
            server. Without --upstream, linkcond forwards to a small built-in test server: \
            GET /bytes/N returns N bytes of known content and supports ranges.
            """,
            """
            All connections share one link, as the connections of a phone share its radio. A fault \
            is placed by connection and byte: with c1:down+1048576=rst the first connection \
            delivers exactly 1,048,576 bytes to the client and is then reset.
            """,
            """
            Control-C refuses new connections, closes idle ones and gives the others up to 2 \
            seconds to finish; a second Control-C ends at once. SIGTERM waits up to 5 seconds. \
            SIGHUP reloads the profile; if it contains a mistake, the old one stays in use.
            """,
            """
            Under systemd, linkcond supports Type=notify and uses the sockets of a socket unit \
            (Accept=no) instead of --listen.
            """,
        ],
        examples: [
            .init(command: "linkcond --profile lte", meaning: "LTE in front of the test server"),
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
                meaning: "LTE with more delay in both directions, and loss"
            ),
            .init(
                command: "linkcond --profile wifi --set down.rate=2Mbit/s --set queue=64KiB",
                meaning: "a slow download direction with a short queue"
            ),
            .init(
                command: "linkcond --profile drop-after-n-bytes --set bytes=100kB",
                meaning: "a parameter of this profile; `profiles show` lists them"
            ),
            .init(
                command: "linkcond --profile lte --fault 'c1:down+1048576=rst'",
                meaning: "reset the first download after exactly 1 MiB"
            ),
            .init(
                command: "linkcond --profile lte --listen 127.0.0.1:8000 --journal run.jsonl",
                meaning: "a fixed port, and a journal of the run"
            ),
        ],
        options: [
            .profile, .set, .secondPath,
            .fault, .seed,
            OptionSpecification(
                long: "hints",
                help: """
                    On an expensive or constrained path, add client hints to requests that have \
                    none: ECT, RTT and Downlink, and Save-Data if the path is constrained. The \
                    journal records them.
                    """,
                group: .link,
                bearsOnResult: true
            ),
            OptionSpecification(
                long: "max-metered",
                value: ValueSpecification(name: "SIZE"),
                help: """
                    Warn when requests started on an expensive or constrained path carry more \
                    content than this in total, for example 2MB. If the run then ends by itself, \
                    the exit code is 1.
                    """,
                group: .link
            ),
            OptionSpecification(
                long: "upstream",
                short: "u",
                value: ValueSpecification(
                    name: "HOST:PORT",
                    completion: .words(CompletionWords.upstreams)
                ),
                help: """
                    Server to forward to: host:port, [IPv6]:port, unix:/path, http://host:port, \
                    the port of a server on this machine, or https://host:port for a server that \
                    speaks TLS. udp://host:port forwards datagrams, udp+tcp://host:port both on \
                    one port. One value applies to all --listen options; several are paired with \
                    them in order. Default: the built-in test server.
                    """,
                group: .addresses,
                isRepeatable: true,
                environment: "LINKCOND_UPSTREAM",
                bearsOnResult: true,
                aliases: ["server": "%", "target": "%"]
            ),
            OptionSpecification(
                long: "listen",
                short: "l",
                value: ValueSpecification(name: "ADDRESS"),
                help: """
                    Address for clients: 8000 or 127.0.0.1:8000, [::1]:8000 or unix:/path. Port 0 \
                    picks a free port. Default: 127.0.0.1:0.
                    """,
                group: .addresses,
                isRepeatable: true,
                environment: "LINKCOND_LISTEN",
                bearsOnResult: true,
                aliases: ["port": "%"]
            ),
            OptionSpecification(
                long: "proxies",
                value: ValueSpecification(name: "NAME={...}"),
                help: """
                    Another proxy with its own link: 'api={upstream: 127.0.0.1:9001, profile: \
                    lte}'. Keys: listen, upstream, profile, set, fault, seed. In a configuration \
                    file, write a mapping of names. Profiles must be given by name.
                    """,
                group: .addresses,
                isRepeatable: true,
                takesSettings: true,
                bearsOnResult: true
            ),
        ] + OptionSpecification.lookups + OptionSpecification.forward + [.via]
            + OptionSpecification.tls + [
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
                        Serve the control API at 127.0.0.1:PORT or unix:/path: profiles, faults, cuts, \
                        pauses and events over HTTP; see `linkcond help control`. The second line of \
                        output shows the address and the token (set it with LINKCOND_CONTROL_TOKEN).
                        """,
                    group: .addresses
                ),
                OptionSpecification(
                    long: "ui",
                    help: """
                        Serve a dashboard for a browser: rates, connections, transfers, faults, and \
                        buttons for every action. Prints its URL; --control chooses the port.
                        """,
                    group: .addresses
                ),
                OptionSpecification(
                    long: "allow-host",
                    value: ValueSpecification(name: "NAME"),
                    help: """
                        Another host name, or NAME:PORT, that the control API accepts besides \
                        127.0.0.1 and localhost, such as a container's.
                        """,
                    group: .addresses,
                    isRepeatable: true
                ),
                OptionSpecification(
                    long: "duration",
                    value: ValueSpecification(name: "TIME"),
                    help: "Exit after this time, for example 30s or 5min.",
                    group: .running
                ),
                .maximumMemory,
                OptionSpecification(
                    long: "dry-run",
                    short: "n",
                    help: "Check everything, print each setting with its source, and exit.",
                    group: .running,
                    isConfigurable: false
                ),
                .readyFile(
                    once: "connections are accepted",
                    with: "url, host, port, pid, profile and seed"
                ),
                .readyDescriptor,
                OptionSpecification(
                    long: "path-socket",
                    value: ValueSpecification(name: "FILE", completion: .file),
                    help: """
                        Publish the status of the network path on a Unix socket: one JSON line on \
                        connecting and one after each change by a profile or an outage, for \
                        `download --path FILE` or the code under test.
                        """,
                    group: .running
                ),
                .serviceJournal, .journalLimit, .journalKeep,
            ] + OptionSpecification.datagramRecords + [
                OptionSpecification(
                    long: "live",
                    help: "Require the live view, which is on by default on a terminal.",
                    group: .output,
                    isConfigurable: false
                ),
                .json,
                .serviceQuiet,
                OptionSpecification(
                    long: "verbose",
                    short: "v",
                    help: "Also print a line for each connection.",
                    group: .output
                ),
                .noColor, .noConfiguration, .help,
            ],
        readsConfiguration: true
    )
}
