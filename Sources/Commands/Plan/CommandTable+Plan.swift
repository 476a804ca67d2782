internal import Arguments

extension CommandTable {
    static let planCommand = CommandSpecification(
        name: "plan",
        summary: "Predict a transfer without a network",
        details: [
            """
            Runs the link model of `proxy` in virtual time and prints how long the transfer takes, \
            its throughput over time, every loss and every stall. The same profile, seed and size \
            always give the same output, down to the last byte of the packet log.
            """,
            """
            Faults that no transfer reaches are listed with the reason. Bytes flow in one \
            direction only; in the other direction, only faults that end the connection at byte 0 \
            are predicted.
            """,
        ],
        examples: [
            .init(
                command: "linkcond plan --profile lte --bytes 10MB",
                meaning: "a 10 MB download over LTE"
            ),
            .init(
                command: "linkcond plan --profile 3g --bytes 500kB --connections 4",
                meaning: "four downloads that share the link"
            ),
            .init(
                command: "linkcond plan --profile edge --bytes 100kB --http",
                meaning: "a download over HTTP, with its request"
            ),
            .init(
                command: "linkcond plan --profile lossy --bytes 1MB --runs 200 --seed 1",
                meaning: "percentiles over 200 seeds"
            ),
            .init(
                command: "linkcond plan --profile lte --datagrams 64kbit/s --length 160B",
                meaning: "a call of ten seconds: loss, delay and jitter"
            ),
        ],
        options: [
            .profile, .set, .fault,
            OptionSpecification(
                long: "seed",
                value: OptionSpecification.seed.value,
                help: """
                    Seed for all random decisions (0 to 2^64-1). Default: 1, so the same command \
                    always prints the same output.
                    """,
                group: .link,
                environment: OptionSpecification.seed.environment
            ),
            OptionSpecification(
                long: "bytes",
                value: ValueSpecification(name: "SIZE"),
                help: """
                    Size of each transfer, for example 500kB or 10MiB; at most 100GB over all \
                    connections. Default: 1MB.
                    """,
                group: .transfer
            ),
            OptionSpecification(
                long: "direction",
                value: ValueSpecification(name: "WAY", completion: .words(["down", "up"])),
                help: "Direction of the bytes: down (server to client) or up. Default: down.",
                group: .transfer
            ),
            OptionSpecification(
                long: "connections",
                value: ValueSpecification(name: "K"),
                help: "Parallel transfers (1 to 1000). Default: 1.",
                group: .transfer
            ),
            OptionSpecification(
                long: "http",
                help: """
                    Include the bytes of HTTP: a request of 100 bytes before a download and a \
                    response head of 250 bytes, or the response after an upload. The time is then \
                    that of a whole request, like curl's time_total.
                    """,
                group: .transfer
            ),
            OptionSpecification(
                long: "datagrams",
                value: ValueSpecification(name: "RATE"),
                help: """
                    Instead of a transfer, predict a constant stream of datagrams (UDP) with this \
                    payload rate, such as a call or a game sends. --connections sets the number of \
                    streams.
                    """,
                group: .transfer
            ),
            OptionSpecification(
                long: "length",
                value: ValueSpecification(name: "SIZE"),
                help: "Payload of each datagram, 1B to 65507B. Default: 1200B.",
                group: .transfer
            ),
            OptionSpecification(
                long: "time",
                value: ValueSpecification(name: "TIME"),
                help: "How long the stream lasts. Default: 10s.",
                group: .transfer
            ),
            OptionSpecification(
                long: "runs",
                value: ValueSpecification(name: "N"),
                help: "Repeat with N consecutive seeds (1 to 100000) and print percentiles.",
                group: .transfer
            ),
            OptionSpecification(
                long: "packets",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Write what happened to each packet, one per line. - is standard output.",
                group: .output,
                isConfigurable: false,
                writesFile: true
            ),
            .json, .noColor, .noConfiguration, .help,
        ],
        readsConfiguration: true
    )
}
