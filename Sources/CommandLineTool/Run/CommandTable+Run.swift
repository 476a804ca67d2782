extension CommandTable {
    static let runCommand = CommandSpecification(
        name: "run",
        summary: "Run a command behind a bad network, and judge what came of it",
        details: [
            """
            Starts a listener and, without --upstream, a test server; then CMD with \
            {url} {host} {port} {control} {dir} {out} {run} {seed} replaced in its words, and the \
            same as LINKCOND_URL and so on in its environment; waits for its end, judges, and stops \
            everything. {dir} is a folder of this run alone, {out} a file in it for what CMD makes.
            """,
            """
            Standard output is CMD's; all that linkcond says goes to standard error. The exit code \
            is CMD's own, 128 + N if signal N killed it, 126 if it cannot be started, 127 if it is \
            not there, and 125 for trouble of linkcond's own.
            """,
            """
            With a check (--same, --sha256, --fetch-check, --server-check) or --expect the exit \
            code is the verdict: 0 pass, 1 fail, 2 inconclusive. A fault that never fired, a \
            command that sent nothing through linkcond, and trouble of linkcond's own make a run \
            inconclusive: they are never a pass. A rule that CMD breaks (linkcond help checks) is \
            told, but fails the run only if --expect asks for it; `report` judges by all of them.
            """,
            """
            CMD is in a session and process group of its own; what it leaves behind is ended with \
            it. SIGINT, SIGTERM, SIGHUP and SIGQUIT are passed on to it, and the journal and the \
            summary are finished when it has ended; a second signal ends at once. Without CMD it \
            runs until a signal or --deadline, for a client that you start elsewhere; the exit code \
            is then 128 + N for signal N.
            """,
        ],
        examples: [
            .init(
                command: "linkcond run --profile lte -- curl -o {out} {url}/bytes/1000000",
                meaning: "a download over LTE from a test server"
            ),
            .init(
                command: "linkcond run --fault 'c1:down+500000=rst' --expect pass --same big.iso"
                    + " --upstream 127.0.0.1:8080 -- wget -O {out} {url}/big.iso",
                meaning: "your server; does wget go on where it was cut, with the right bytes?"
            ),
            .init(
                command: "linkcond run --profile 3g --deadline 5min -- make integration-test",
                meaning: "tests that read LINKCOND_URL"
            ),
        ],
        options: trialNetwork + trialServer + trialChecks + trialRunning + [
            .trialJournal, .trialJSON, .trialQuiet, .noColor, .noConfiguration, .help,
        ],
        takesProgram: true,
        readsConfiguration: true
    )

    static let replayCommand = CommandSpecification(
        name: "replay",
        summary: "Repeat a run: its faults, its seed and its network",
        details: [
            """
            SCHEDULE is one line such as 'lc1;seed=7;c1:down+1048576=rst', as `run` prints it. \
            With --journal the schedule, the seed and the profile come from the recorded run, and \
            what is different this time is told at the end. Everything else is as in `run`.
            """
        ],
        examples: [
            .init(
                command: "linkcond replay 'lc1;seed=7;c1:down+1048576=rst'"
                    + " -- curl -o {out} {url}/bytes/2000000",
                meaning: "the same faults again"
            ),
            .init(
                command: "linkcond replay --journal failed.jsonl -- ./client {url}",
                meaning: "a recorded run again"
            ),
        ],
        operands: [
            OperandSpecification(value: ValueSpecification(name: "SCHEDULE"), isOptional: true)
        ],
        options: [
            OptionSpecification(
                long: "journal",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: """
                    The journal of the run to repeat, instead of SCHEDULE. (To write the journal of \
                    this run, use --record.)
                    """,
                group: .link,
                isConfigurable: false
            ),
            .profile, .set, .seed,
        ] + trialServer + trialChecks + trialRunning + [
            OptionSpecification(
                long: "record",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Record what happened as JSON Lines; see `linkcond journal`.",
                group: .output,
                isConfigurable: false
            ),
            .trialJSON, .trialQuiet, .noColor, .noConfiguration, .help,
        ],
        takesProgram: true,
        readsConfiguration: true
    )

    /// The network and what goes wrong in it.
    static let trialNetwork: [OptionSpecification] = [.profile, .set, .fault, .seed]

    /// What answers behind the proxy, and where clients connect.
    static let trialServer: [OptionSpecification] = [
        OptionSpecification(
            long: "upstream",
            value: ValueSpecification(name: "HOST:PORT"),
            help: """
                The server: host:port, [IPv6]:port or unix:/path. Default: a test server of this run \
                alone, which answers /bytes/N, takes uploads at /files/ and forgets everything.
                """,
            group: .addresses,
            environment: "LINKCOND_UPSTREAM"
        ),
        OptionSpecification(
            long: "serve",
            value: ValueSpecification(name: "DIR", completion: .file),
            help: """
                The test server serves this folder, as `linkcond origin DIR` does, but writes nothing \
                to it: uploads are forgotten with the run.
                """,
            group: .addresses,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "misbehave",
            value: ValueSpecification(name: "RULES"),
            help: "What the test server does wrong; see `linkcond origin`. Several add up.",
            group: .addresses,
            isRepeatable: true
        ),
        framing,
        OptionSpecification(
            long: "origin-cmd",
            value: ValueSpecification(name: "COMMAND"),
            help: """
                A shell command that is the server of each run, started before CMD and ended after \
                it: it has to listen on {port} of 127.0.0.1 within ten seconds. {dir} is the run's \
                folder, for its state; what it says is in {dir}/server-stderr. The fault `crash` \
                kills it and starts it again; see `linkcond help faults`.
                """,
            group: .addresses,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "origin-crash-cmd",
            value: ValueSpecification(name: "COMMAND"),
            help: """
                A shell command that runs between a crash of that server and its next start, and \
                takes away what LINKCOND_LOSS (none, uncommitted, tail, meta, all) and \
                LINKCOND_LOSS_BYTES (of tail) say. Without it a crash loses what the server had \
                not stored.
                """,
            group: .addresses,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "listen",
            value: ValueSpecification(name: "ADDRESS"),
            help: """
                Where CMD connects: 127.0.0.1:8000, [::1]:8000 or unix:/path; port 0 takes a free \
                one. Default: 127.0.0.1:0.
                """,
            group: .addresses,
            environment: "LINKCOND_LISTEN"
        ),
        OptionSpecification(
            long: "allow-remote",
            help: "Allow a --listen address that other machines can reach.",
            group: .addresses,
            isConfigurable: false
        ),
    ]

    /// What the result must be like.
    static let trialChecks: [OptionSpecification] = [
        OptionSpecification(
            long: "same",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "The file that CMD makes has the content of FILE.",
            group: .result,
            isRepeatable: true,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "sha256",
            value: ValueSpecification(name: "HEX"),
            help: "The file that CMD makes has this SHA-256.",
            group: .result,
            isRepeatable: true,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "as",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                The file that CMD makes, for --same and --sha256; one serves all, several belong to \
                them in their order. Default: {out}.
                """,
            group: .result,
            isRepeatable: true,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "fetch-check",
            value: ValueSpecification(name: "FILE=URL"),
            help: """
                What the server gives for URL has the content of FILE. URL is http://... or a path \
                of the server, which is asked directly.
                """,
            group: .result,
            isRepeatable: true,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "server-check",
            value: ValueSpecification(name: "COMMAND"),
            help: """
                A shell command that looks whether the server has what it should: exit code 0 pass, \
                1 fail, 125 cannot tell. Placeholders and LINKCOND_* are those of CMD.
                """,
            group: .result,
            isRepeatable: true,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "expect",
            value: ValueSpecification(name: "LIST"),
            help: """
                What must hold, joined by commas: pass (CMD succeeds with a result that was \
                compared, and keeps all rules of resuming and retrying), exit=0, one rule such as \
                R5, or a limit such as attempts<=8, wire<=1.25, time<=30s. Default with a check: \
                exit=0.
                """,
            group: .result,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "require-resume",
            help: "CMD goes on where it was cut at least once, instead of beginning again.",
            group: .result
        ),
        OptionSpecification(
            long: "max-wire",
            value: ValueSpecification(name: "RATIO"),
            help: "Bytes on the wire for each byte of payload, for example 1.25.",
            group: .result
        ),
        OptionSpecification(
            long: "max-resent",
            value: ValueSpecification(name: "SIZE"),
            help: "Bytes that a download may fetch again for each cut. Default: 64KiB.",
            group: .result
        ),
        OptionSpecification(
            long: "max-attempts",
            value: ValueSpecification(name: "N"),
            help: "Tries in a row that may bring a transfer no further. Default: 20.",
            group: .result
        ),
        OptionSpecification(
            long: "max-metered",
            value: ValueSpecification(name: "SIZE"),
            help: """
                Content of requests that begin while the path is expensive or constrained, for \
                example 2MB. More is waste, and the run fails (exit code 1).
                """,
            group: .result
        ),
        OptionSpecification(
            long: "cap",
            value: ValueSpecification(name: "TIME"),
            help: "The longest wait between two tries that CMD claims to have.",
            group: .result
        ),
    ]

    static let trialRunning: [OptionSpecification] = [
        OptionSpecification(
            long: "deadline",
            value: ValueSpecification(name: "TIME"),
            help: """
                End CMD after this time, for example 30s: SIGTERM, and SIGKILL two seconds later. \
                The run has failed then.
                """,
            group: .running
        ),
        OptionSpecification(
            long: "dir",
            value: ValueSpecification(name: "DIR", completion: .file),
            help: """
                The folder that {dir} means; it is made if it is missing, and stays. Default: a new \
                one that goes with the run.
                """,
            group: .running,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "ready-file",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                Write a JSON file with url, host, port, control, pid, profile and seed once \
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
    ]
}

extension OptionSpecification {
    static let trialJournal = OptionSpecification(
        long: "journal",
        value: ValueSpecification(name: "FILE", completion: .file),
        help: "Record what happened as JSON Lines; see `linkcond journal`.",
        group: .output,
        isConfigurable: false
    )

    static let trialJSON = OptionSpecification(
        long: "json",
        help: "Say everything as JSON Lines, on standard error: the end is `summary`.",
        group: .output
    )

    static let trialQuiet = OptionSpecification(
        long: "quiet",
        short: "q",
        help: "Say only what went wrong.",
        group: .output
    )
}
