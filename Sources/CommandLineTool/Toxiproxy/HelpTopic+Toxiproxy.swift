extension HelpTopic {
    static let movingFromToxiproxy = HelpTopic(
        name: "moving-from-toxiproxy",
        summary: "Which profile or fault does what a toxic does",
        introduction: [
            """
            `linkcond toxiproxy` takes the place of toxiproxy-server: clients, toxiproxy-cli and \
            configuration files stay as they are. From there each toxic can become part of a \
            profile or a fault, which hit the same byte in every run.
            """
        ],
        sections: [
            Section(
                heading: "Toxics",
                text: nil,
                entries: [
                    .init(
                        term: "latency",
                        meaning: """
                            --set down.delay=100ms for a downstream toxic of 100, and \
                            --set 'down.jitter={uniform: 20ms}'. It delays connecting, too, as a \
                            network does.
                            """
                    ),
                    .init(
                        term: "bandwidth",
                        meaning: """
                            --set down.rate=800kbit/s for rate=100 (KB/s times 8): one link that \
                            all connections share, as a phone's do.
                            """
                    ),
                    .init(
                        term: "timeout",
                        meaning: """
                            --fault 'c*:down+0=hole' for timeout=0; stall(5s) holds bytes back and \
                            then lets them go.
                            """
                    ),
                    .init(
                        term: "reset_peer",
                        meaning: "--fault 'c*:down+0=rst', or at any other byte."
                    ),
                    .init(
                        term: "limit_data",
                        meaning: "--fault 'c*:down+1000=fin' for bytes=1000."
                    ),
                    .init(
                        term: "slow_close",
                        meaning: "no need: a profile's delay holds for the end, too."
                    ),
                    .init(
                        term: "slicer",
                        meaning: """
                            --fault 'c*:down+0=slow(64kbit/s)': small pieces, one after the other, \
                            from any byte on.
                            """
                    ),
                    .init(
                        term: "enabled: false",
                        meaning: """
                            --fault 'c*:connect=refuse' for a reset, 'c3:connect=down(5s)' for a \
                            listener that is gone for a while.
                            """
                    ),
                    .init(
                        term: "toxicity",
                        meaning: "c*?10% in place of c*: one connection in ten, by the seed."
                    ),
                ]
            ),
            Section(
                heading: "What is different",
                text: nil,
                entries: [
                    .init(
                        term: "seed",
                        meaning: """
                            What a toxic does to a connection depends on --seed and names alone; \
                            toxicity is drawn once for a connection and kept.
                            """
                    ),
                    .init(
                        term: "half-close",
                        meaning: "The end of one direction leaves the other one open."
                    ),
                    .init(
                        term: "all or nothing",
                        meaning: """
                            A call that fails changes nothing: attributes, populate, and a \
                            listener that cannot move.
                            """
                    ),
                    .init(
                        term: "loopback",
                        meaning: """
                            A listener without a host is 127.0.0.1 unless --allow-remote is given. \
                            Web pages, and hosts by other names than --allow-host, are refused.
                            """
                    ),
                    .init(
                        term: "toxics in JSON",
                        meaning: """
                            A proxy in POST /proxies, /populate or the file may have a list \
                            `toxics`: they are there before its first connection.
                            """
                    ),
                    .init(
                        term: "warnings",
                        meaning: "X-Linkcond-Warning tells of keys and values that mean nothing."
                    ),
                    .init(
                        term: "exit codes",
                        meaning: """
                            A port that is taken ends it with 69, a configuration file with 66 or \
                            78, signals with 130 or 143.
                            """
                    ),
                ]
            ),
        ]
    )
}
