internal import Arguments
internal import Exploration
internal import Faults

extension CommandTable {
    static let exploreCommand = CommandSpecification(
        name: "explore",
        summary: "Interrupt a command at every interesting point and find where it fails",
        details: [
            """
            Runs CMD twice without faults to record the HTTP messages it exchanges, then once for \
            each place where they can be interrupted: the boundaries of heads, header lines, \
            bodies and chunks, offsets that are powers of two, and the places before and after \
            interim responses. If CMD behaves differently at neighbouring places, the boundary \
            between them is located to the byte. Each run has its own listener, folder, process \
            group and, without --upstream, test server.
            """,
            """
            A transient fault must be survived: CMD succeeds, in time, with the right content. A \
            permanent one must be reported: CMD exits with a non-zero code before the deadline, \
            leaves nothing that looks like the result, and later succeeds in the same folder \
            without faults. Wherever CMD fails and leaves partial data, it is also started again \
            without faults. If CMD is seen to resume, then between the cut and the request for the \
            rest, the test server also changes the object or sends wrong ranges. Rules about \
            retries are warnings, which count as failures with --strict. A failure is minimized, \
            confirmed three times, and printed with a command that repeats it. The result must be \
            the same as in the runs without faults, unless --same, --sha256, --fetch-check or \
            --server-check defines it.
            """,
            """
            Failures are stored in .linkcond/failures and repeated first next time. Exit codes: 0 \
            all runs passed and every fault fired, 1 findings, 2 inconclusive, 4 CMD fails without \
            faults, 5 CMD sent nothing through linkcond, 70 the exploration cannot be trusted, \
            since it did not detect the known bug of the canary client.
            """,
        ],
        examples: [
            .init(
                command: "linkcond explore --upstream localhost:8080 --same big.iso"
                    + " -- wget -c -O {out} {url}/big.iso",
                meaning: "does wget resume correctly wherever it is cut?"
            ),
            .init(
                command: "linkcond explore --effects fin,rst --time 30s --junit explore.xml"
                    + " -- ./client --url {url}/bytes/100000 --output {out}",
                meaning: "30 seconds in CI, against the test server"
            ),
            .init(
                command: "linkcond explore --forward --pytest --time 5min -- tests/",
                meaning: "every test in a suite, in five minutes in total"
            ),
            .init(
                command: "linkcond explore --shard env --report shard.jsonl -- make test",
                meaning: "one shard of the points, numbered by the job scheduler"
            ),
        ],
        options: exploreNetwork + exploreTests + exploreSearch + OptionSpecification.lookups
            + trialServer.filter { serverNames.contains($0.long) }
            + trialChecks + exploreDemands + exploreRunning
            + exploreOutput + [.noColor, .noConfiguration, .help],
        takesProgram: true,
        readsConfiguration: true
    )

    private static let serverNames =
        OptionSpecification.upstreamNames + [
            "forward", "allow", "allow-all-hosts", "route", "via", "https", "http2", "serve",
            "misbehave",
            "framing",
            "origin-cmd", "transport", "origin-crash-cmd",
        ]

    private static let exploreNetwork: [OptionSpecification] = [
        .profile, .set, .secondPath,
        OptionSpecification(
            long: "fault",
            value: ValueSpecification(
                name: "WHERE=EFFECT",
                completion: .words(QueryEffect.names.map { "A(*)#1=\($0)" })
            ),
            help: """
                Break name lookups in every run, including those without other faults, as in \
                'A(cdn.test)#1=servfail'. Needs --dns.
                """,
            group: .link,
            isRepeatable: true,
            isConfigurable: false,
            bearsOnResult: true
        ),
        .seed(default: 1),
    ]

    private static let exploreTests: [OptionSpecification] = [
        OptionSpecification(
            long: "each",
            value: ValueSpecification(name: "LIST"),
            help: """
                Explore each test in a list: the lines that a shell command prints, or, with \
                @FILE, the lines of a file. CMD must contain {test}, which stands for the test's \
                name. Tests without traffic are skipped; the others share --runs and --time in \
                proportion to their traffic.
                """,
            group: .link,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "pytest",
            help: """
                Explore each test that pytest collects; the words after -- are pytest's arguments. \
                The tests reach the server through LINKCOND_URL or, with --forward, through the \
                proxy.
                """,
            group: .link,
            isConfigurable: false
        ),
    ]

    private static func names(_ effects: [Effect.Kind]) -> String {
        effects.map(\.name).joined(separator: ", ")
    }

    private static let exploreSearch: [OptionSpecification] = [
        search(
            "effects",
            "LIST",
            """
            Effects to try at each place, separated by commas: standard \
            (\(names(Effect.Kind.standard))), \
            \(names(Effect.Kind.searched.filter { !Effect.Kind.standard.contains($0) })), or all. \
            Default: standard.
            """,
            .words(CompletionWords.effects)
        ),
        search(
            "depth",
            "1|2",
            "Faults per run; 2 adds a second fault within each recovery. Default: 1."
        ),
        search(
            "random",
            "N",
            """
            Number of random schedules, with up to four faults each, to run afterwards. Default: \
            none.
            """
        ),
        search(
            "runs",
            "N",
            """
            Stop after this number of runs. Runs left over are spent on second faults where CMD \
            behaved differently, and on untried places.
            """
        ),
        search(
            "time",
            "TIME",
            "Stop after this time, for example 30s or 5min. Time left over is used as with --runs."
        ),
        search(
            "warp",
            "N",
            """
            Run the clocks of CMD and of the network N times as fast (2 to 100), with libfaketime; \
            findings are confirmed at real speed. Statically linked programs and Go programs are \
            refused, since libfaketime does not affect them.
            """
        ),
        search(
            "shard",
            "I/N|env",
            """
            Run only shard I of N (from 1). env: take both from the variables of Kubernetes, \
            GitLab, CircleCI, Buildkite or Slurm. `linkcond report merge` joins the reports.
            """
        ),
        search(
            "failures",
            "DIR",
            """
            Folder for known failures. Default: .linkcond/failures next to the nearest \
            linkcond.yaml, else in the working folder.
            """,
            .file
        ),
        OptionSpecification(
            long: "forget",
            help: "Do not run known failures first, and do not store new ones.",
            group: .link,
            isConfigurable: false
        ),
    ]

    private static let exploreDemands: [OptionSpecification] = [
        .expect(" They are added to what every run must satisfy."),
        OptionSpecification(
            long: "require-resume",
            help: "Forbid sending stored bytes again: short for --expect R1.",
            group: .result
        ),
        demand(
            "max-wire",
            "RATIO",
            """
            Maximum number of bytes on the wire per byte of content, such as 1.25: short for \
            --expect 'wire<=RATIO'.
            """
        ),
        demand(
            "accept",
            "LIST",
            "Kinds of findings to accept, or checks to leave out, separated by commas, such as giveup,B1."
        ),
        OptionSpecification(
            long: "strict",
            help: "Also fail on warnings; see `linkcond help checks`.",
            group: .result
        ),
        .probeServer,
        demand("allow-unreached", "N", "Faults that may fail to fire. Default: 0."),
        OptionSpecification(
            long: "require-complete",
            help: "Treat a search as inconclusive if --runs, --time or a signal cut it short.",
            group: .result
        ),
        OptionSpecification(
            long: "check-determinism",
            help: """
                Run every tenth point twice and compare the journals. A client that behaves \
                differently under the same faults makes the exploration inconclusive.
                """,
            group: .result
        ),
        OptionSpecification(
            long: "no-canary",
            help: """
                Leave out the canary: a client with a known bug, which each exploration must \
                detect to be trusted.
                """,
            group: .result
        ),
        OptionSpecification(
            long: "self-test",
            help: """
                Instead of CMD, explore 42 clients with planted bugs and some without: exactly \
                those bugs must be found. Takes a minute. --runs sets the number of runs for \
                correct clients that retry (default: 1000).
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
                Parallel runs, not counting those that mostly wait. All share the working folder, \
                so CMD must keep its files in {dir}. Default: twice the number of processors, or 1 \
                with --reset.
                """,
            group: .running
        ),
        .maximumMemory,
        running(
            "deadline",
            "TIME",
            """
            Time limit for each run. Default: 20 times as long as a run without faults, but at \
            least 20 s, longer than any time in seconds in CMD, and long enough for a timeout of \
            up to 75 s that CMD is seen to wait for.
            """
        ),
        running("setup", "COMMAND", "Shell command to run first; it must succeed."),
        running(
            "reset",
            "COMMAND",
            """
            Shell command to run before each run, to reset a server. Its environment has \
            LINKCOND_RUN, LINKCOND_DIR, LINKCOND_SEED and LINKCOND_SCHEDULE.
            """
        ),
        running(
            "collect",
            "COMMAND",
            "Shell command to run after each run, while its folder still exists."
        ),
        running("teardown", "COMMAND", "Shell command to run last."),
        OptionSpecification(
            long: "traces",
            value: ValueSpecification(name: "DIR", completion: .file),
            help: "Folder in which to keep the folders of failed runs, each with its journal.",
            group: .running,
            isConfigurable: false
        ),
    ]

    private static let exploreOutput: [OptionSpecification] =
        [output("report", "Write each run and finding as JSON Lines as it completes.")]
        + exploreForms
        + [
            OptionSpecification(
                long: "quiet",
                short: "q",
                help: "Print no progress on standard error.",
                group: .output
            )
        ]

    /// The forms that a report has besides text.
    static let exploreForms: [OptionSpecification] = [
        OptionSpecification(
            long: "baseline-report",
            value: ValueSpecification(name: "OLD", completion: .file),
            help: """
                Compare with an earlier --report: exit with 1 only for findings whose failure and \
                cause it does not contain, and list where the client behaves differently without \
                failing.
                """,
            group: .result,
            isConfigurable: false
        ),
        output("junit", "Write JUnit XML, one test case per point."),
        output("html", "Write a self-contained HTML page."),
        OptionSpecification(
            long: "github",
            help: """
                Print annotations for GitHub Actions on standard output (with --json on standard \
                error), and append a summary to the file that GITHUB_STEP_SUMMARY names. Default: \
                on if GITHUB_ACTIONS is true.
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
            isConfigurable: false,
            writesFile: true
        )
    }
}
