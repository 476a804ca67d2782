internal import Arguments
internal import Proxy

// Options that `run`, `replay` and `explore` share.

extension CommandTable {
    /// The network and its faults.
    static let trialNetwork: [OptionSpecification] = [.profile, .set, .secondPath, .fault, .seed]

    /// The server that the proxy forwards to, and where clients connect.
    static let trialServer =
        ([trialUpstream, trialForward] + OptionSpecification.forwardLimits + [.via, .https, .http2]
        + OptionSpecification.toUpstream + trialOrigin).bearingOnResult

    private static let trialForward = OptionSpecification(
        long: "forward",
        help: """
            Act as a forward proxy (HTTP and SOCKS5), passed to CMD in http_proxy, https_proxy, \
            all_proxy and similar variables; {proxy} and {socks} are its URLs. {url} is then the \
            URL of the server itself. For clients whose URLs cannot be changed.
            """,
        group: .addresses,
        isConfigurable: false
    )

    private static let trialUpstream = OptionSpecification(
        long: "upstream",
        short: "u",
        value: ValueSpecification(
            name: "HOST:PORT",
            completion: .words(CompletionWords.upstreams)
        ),
        help: """
            Server: host:port, [IPv6]:port, http://host:port, unix:/path, or the port of a \
            server on this machine. Default: a test server for this run only, which serves \
            /bytes/N, accepts uploads at /files/ and keeps nothing.
            """,
        group: .addresses,
        environment: "LINKCOND_UPSTREAM",
        aliases: ["server": "%", "target": "%"]
    )

    private static let trialOrigin: [OptionSpecification] = [
        OptionSpecification(
            long: "serve",
            value: ValueSpecification(name: "DIR", completion: .file),
            help: """
                Make the test server serve this folder, like `linkcond origin DIR`, but without \
                writing to it: uploads are discarded after the run.
                """,
            group: .addresses,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "misbehave",
            value: ValueSpecification(name: "RULES"),
            help: "Misbehaviour of the test server; see `linkcond help misbehaviour`.",
            group: .addresses,
            isRepeatable: true
        ),
        framing,
        .originCommand(
            "for each run, started before CMD and stopped after it",
            """
            {dir} is the run's folder, for its state; its standard error goes to \
            {dir}/server-stderr. The fault `crash` kills and restarts it; see `linkcond help faults`.
            """
        ),
        OptionSpecification(
            long: "transport",
            value: ValueSpecification(
                name: "KIND",
                completion: .words(Transport.allCases.map(\.rawValue))
            ),
            help: """
                What to forward to the server of --origin-cmd: tcp, udp for datagrams, or udp+tcp \
                for both on one port. Default: tcp. If the server is already running, use \
                --upstream udp://HOST:PORT instead.
                """,
            group: .addresses,
            isConfigurable: false
        ),
        .originCrashCommand,
        OptionSpecification(
            long: "listen",
            short: "l",
            value: ValueSpecification(name: "ADDRESS"),
            help: """
                Address for CMD to connect to: 8000 or 127.0.0.1:8000, [::1]:8000 or unix:/path. \
                Port 0 picks a free port. Default: 127.0.0.1:0.
                """,
            group: .addresses,
            environment: "LINKCOND_LISTEN",
            aliases: ["port": "%"]
        ),
        OptionSpecification(
            long: "allow-remote",
            help: "Allow a --listen address that other machines can reach.",
            group: .addresses,
            isConfigurable: false
        ),
    ]

    /// What is compared with the result.
    static let trialChecks = comparisons.bearingOnResult

    private static let comparisons: [OptionSpecification] = [
        OptionSpecification(
            long: "same",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "Require the file that CMD creates to be identical to FILE.",
            group: .result,
            isRepeatable: true,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "sha256",
            value: ValueSpecification(name: "HEX"),
            help: "Require the file that CMD creates to have this SHA-256.",
            group: .result,
            isRepeatable: true,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "result",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                The file that CMD creates, for --same and --sha256. One value applies to all; \
                several are paired with them in order. Default: {out}.
                """,
            group: .result,
            isRepeatable: true,
            isConfigurable: false,
            former: ["as"]
        ),
        OptionSpecification(
            long: "fetch-check",
            value: ValueSpecification(name: "FILE=URL"),
            help: """
                Require the server to return the content of FILE for URL afterwards. URL is \
                http://... or a path, which is requested from the server directly.
                """,
            group: .result,
            isRepeatable: true,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "server-check",
            value: ValueSpecification(name: "COMMAND"),
            help: """
                Shell command that checks the state of the server: exit code 0 is pass, 1 fail, 125 \
                inconclusive. It gets the same placeholders and LINKCOND_* variables as CMD.
                """,
            group: .result,
            isRepeatable: true,
            isConfigurable: false
        ),
    ]

    static let trialRunning: [OptionSpecification] = [
        OptionSpecification(
            long: "deadline",
            value: ValueSpecification(name: "TIME"),
            help: """
                Kill CMD after this time, for example 30s: SIGTERM, then SIGKILL 2 s later. The \
                run then fails.
                """,
            group: .running,
            bearsOnResult: true
        ),
        OptionSpecification(
            long: "dir",
            value: ValueSpecification(name: "DIR", completion: .file),
            help: """
                Folder for {dir}; it is created if missing, and is kept. Default: a temporary \
                folder, removed after the run.
                """,
            group: .running,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "keep-uploads",
            value: ValueSpecification(name: "DIR", completion: .file),
            help: """
                Folder in which the test server keeps uploads, created if missing; another run \
                with the same folder continues unfinished ones. Default: uploads are deleted after \
                the run.
                """,
            group: .running,
            isConfigurable: false,
            bearsOnResult: true
        ),
        .maximumMemory,
        .readyFile(
            once: "connections are accepted",
            with: "url, host, port, control, pid, profile and seed"
        ),
        .readyDescriptor,
    ]
}

extension CommandTable {
    /// The forms in which `run` and `replay` report besides text.
    static let trialReports: [OptionSpecification] = [
        OptionSpecification(
            long: "junit",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "Write JUnit XML, with a case for each check, each demand and the run.",
            group: .output,
            isConfigurable: false,
            writesFile: true
        ),
        OptionSpecification(
            long: "html",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "Write a self-contained HTML page, as `linkcond report --html` does.",
            group: .output,
            isConfigurable: false,
            writesFile: true
        ),
        OptionSpecification(
            long: "github",
            help: """
                Print annotations for GitHub Actions on standard error if the run does not pass, \
                and append a summary to the file that GITHUB_STEP_SUMMARY names. Default: on if \
                GITHUB_ACTIONS is true.
                """,
            group: .output
        ),
    ]
}

extension OptionSpecification {
    static let trialJournal = OptionSpecification(
        long: "journal",
        value: ValueSpecification(name: "FILE", completion: .file),
        help: """
            Record the run as JSON Lines, compressed if the name ends in .zst; see `linkcond journal`.
            """,
        group: .output,
        isConfigurable: false,
        writesFile: true,
        former: ["record"]
    )

    static let trialJSON = OptionSpecification(
        long: "json",
        help: "Write JSON Lines to standard error; the last one is `summary`.",
        group: .output
    )

    static let trialQuiet = OptionSpecification(
        long: "quiet",
        short: "q",
        help: "Print problems only.",
        group: .output
    )
}
