extension CommandTable {
    static let exploreCommand = CommandSpecification(
        name: "explore",
        summary: "Interrupt a command at every point that matters, and find where it goes wrong",
        details: [
            """
            Runs CMD twice without faults, to see which messages it makes; then once for each place \
            where they can be interrupted: edges of heads, contents and chunks, powers of two, \
            before and after interim responses. Where neighbours behave differently, the edge \
            between them is searched to the byte. Each run has a listener, a folder, a process group \
            and, without --upstream, a test server of its own.
            """,
            """
            A fault that passes must be outlasted: CMD succeeds, in time, with the right content. \
            One that does not pass must be failed honestly: another exit code than 0, before the \
            deadline, leaving nothing that looks like the result; and a run without faults in the \
            same folder afterwards must finish. What fails is made smaller, run three times more, \
            and printed with a line that repeats it. Give --same or --server-check, or it can only \
            judge exit codes.
            """,
            """
            Failures are remembered in .linkcond/failures, and run first the next time. Exit codes: \
            0 all passed and every fault acted, 1 findings, 2 inconclusive, 4 CMD fails without \
            faults, 5 it sent nothing through linkcond, 70 the exploration cannot be trusted: the \
            client with a known mistake was not found out.
            """,
        ],
        examples: [
            .init(
                command: "linkcond explore --upstream localhost:8080 --same big.iso"
                    + " -- wget -c -O {out} {url}/big.iso",
                meaning: "does wget resume rightly wherever it is cut?"
            ),
            .init(
                command: "linkcond explore --effects fin,rst --time 30s --junit explore.xml"
                    + " -- ./client --url {url}/bytes/100000 --output {out}",
                meaning: "half a minute, in CI, against a test server"
            ),
            .init(
                command: "linkcond explore --shard env --report shard.jsonl -- make test",
                meaning: "a share of the points, by the job system's numbers"
            ),
        ],
        options: exploreNetwork + exploreSearch
            + trialServer.filter { serverNames.contains($0.long) }
            + trialChecks.filter { !ownNames.contains($0.long) } + exploreDemands + exploreRunning
            + exploreOutput + [.noColor, .noConfiguration, .help],
        takesProgram: true,
        readsConfiguration: true
    )

    private static let serverNames = [
        "upstream", "serve", "misbehave", "framing", "origin-cmd", "origin-crash-cmd",
    ]
    /// Checks that mean something else here than for one run.
    private static let ownNames: Set<String> = ["expect", "max-wire", "require-resume"]

    private static let exploreNetwork: [OptionSpecification] = [.profile, .set, .seed(default: 1)]

    private static let exploreSearch: [OptionSpecification] = [
        search(
            "effects",
            "LIST",
            """
            What happens at each place, joined by commas: fin, rst, hole, stall, refuse, swallow \
            (these are `standard`, the default); silent, late, status, early, truncate, withhold, \
            dup, crash, mutate, range, expire, buffer; all.
            """
        ),
        search("depth", "1|2", "2: also a second fault inside each recovery. Default: 1."),
        search(
            "random",
            "N",
            """
            So many schedules of up to four faults afterwards, drawn by the seed. Default: none, or \
            as many as fit with --runs or --time.
            """
        ),
        search("runs", "N", "End the search after so many runs."),
        search("time", "TIME", "End the search after this time, such as 30s or 5min."),
        search(
            "shard",
            "I/N|env",
            """
            Only the points of share I of N, from 1. env: as JOB_COMPLETION_INDEX, \
            SLURM_ARRAY_TASK_ID or CI_NODE_INDEX say. `linkcond report merge` joins the reports.
            """
        ),
        search(
            "failures",
            "DIR",
            """
            Where failures are remembered. Default: .linkcond/failures beside the nearest \
            linkcond.yaml, else in the working folder.
            """,
            .file
        ),
        OptionSpecification(
            long: "forget",
            help: "Neither run remembered failures first nor remember new ones.",
            group: .link,
            isConfigurable: false
        ),
    ]

    private static let exploreDemands: [OptionSpecification] = [
        demand(
            "expect",
            "LIST",
            """
            What must hold besides, joined by commas: checks such as R1 or B4, quantities such as \
            wire<=1.25, attempts<=8, resent=0.
            """
        ),
        OptionSpecification(
            long: "require-resume",
            help: "What is there already may not be sent again: short for --expect R1.",
            group: .result
        ),
        demand("max-wire", "RATIO", "Short for --expect 'wire<=RATIO'."),
        demand(
            "accept",
            "LIST",
            "Kinds of findings that are all right, joined by commas, such as giveup,waste."
        ),
        demand("allow-unreached", "N", "So many faults may not act. Default: 0."),
        OptionSpecification(
            long: "require-complete",
            help: "A search that --runs, --time or a signal cut short is inconclusive.",
            group: .result
        ),
        OptionSpecification(
            long: "check-determinism",
            help: """
                Run every tenth point twice and compare the journals: a client that does something \
                else under the same faults makes the exploration inconclusive.
                """,
            group: .result
        ),
        OptionSpecification(
            long: "no-canary",
            help: """
                Leave out the client with a known mistake that runs beside each exploration, to see \
                that mistakes are seen.
                """,
            group: .result
        ),
        OptionSpecification(
            long: "self-test",
            help: """
                Instead of CMD explore twelve clients with planted mistakes and a good one, which \
                takes a minute: all must be found, and nothing else. --runs: of the good one; \
                default: 1000.
                """,
            group: .result,
            isConfigurable: false
        ),
    ]

    private static let exploreRunning: [OptionSpecification] = [
        OptionSpecification(
            long: "jobs",
            short: "j",
            value: ValueSpecification(name: "N"),
            help: """
                Runs at once; those that mostly wait are not counted. They share the working folder: \
                what CMD keeps belongs in {dir}. Default: twice the number of processors, or 1 with \
                --reset.
                """,
            group: .running
        ),
        running("deadline", "TIME", "How long one run may take. Default: 60s."),
        running("setup", "COMMAND", "A shell command before everything; it must succeed."),
        running(
            "reset",
            "COMMAND",
            """
            A shell command before each run, to set a server back; it is told LINKCOND_RUN, _DIR, \
            _SEED and _SCHEDULE.
            """
        ),
        running(
            "collect",
            "COMMAND",
            "A shell command after each run, with its folder still there."
        ),
        running("teardown", "COMMAND", "A shell command after everything."),
        OptionSpecification(
            long: "traces",
            value: ValueSpecification(name: "DIR", completion: .file),
            help: "Keep the folders of failed runs here.",
            group: .running,
            isConfigurable: false
        ),
    ]

    private static let exploreOutput: [OptionSpecification] =
        [output("report", "Write every run and finding as JSON Lines, as it ends.")] + exploreForms
        + [
            OptionSpecification(
                long: "quiet",
                short: "q",
                help: "No progress on standard error.",
                group: .output
            )
        ]

    /// The forms that a report has besides text.
    static let exploreForms: [OptionSpecification] = [
        output("junit", "Write a JUnit report: each point is a test case."),
        output("html", "Write one self-contained HTML page."),
        OptionSpecification(
            long: "github",
            help: """
                Annotations for GitHub Actions on standard output (with --json on standard error), \
                and a summary in GITHUB_STEP_SUMMARY.
                """,
            group: .output
        ),
        .json,
    ]

    private static func search(
        _ name: String,
        _ value: String,
        _ help: String,
        _ completion: ValueSpecification.Completion = .nothing
    ) -> OptionSpecification {
        OptionSpecification(
            long: name,
            value: ValueSpecification(name: value, completion: completion),
            help: help,
            group: .link,
            isConfigurable: name != "failures"
        )
    }

    private static func demand(
        _ name: String,
        _ value: String,
        _ help: String
    ) -> OptionSpecification {
        OptionSpecification(
            long: name,
            value: ValueSpecification(name: value),
            help: help,
            group: .result
        )
    }

    private static func running(
        _ name: String,
        _ value: String,
        _ help: String
    ) -> OptionSpecification {
        OptionSpecification(
            long: name,
            value: ValueSpecification(name: value),
            help: help,
            group: .running,
            isConfigurable: name == "deadline"
        )
    }

    private static func output(_ name: String, _ help: String) -> OptionSpecification {
        OptionSpecification(
            long: name,
            value: ValueSpecification(name: "FILE", completion: .file),
            help: help,
            group: .output,
            isConfigurable: false
        )
    }
}
