internal import Arguments

extension CommandTable {
    static let runCommand = CommandSpecification(
        name: "run",
        summary: "Run a command on a bad network and judge the result",
        details: [
            """
            Starts a listener and, without --upstream, a test server, then runs CMD with {url} \
            {host} {port} {control} {dir} {out} {ca} {run} {seed} replaced in its arguments and the same \
            values in its environment as LINKCOND_URL and so on. When CMD exits, linkcond judges \
            the run and stops everything. {dir} is a folder for this run only; {out} is a file in \
            it for the result of CMD.
            """,
            """
            Standard output belongs to CMD; linkcond writes to standard error. The exit code is \
            that of CMD, 128 + N if signal N killed it, 126 if it cannot be started, 127 if it \
            does not exist, and 125 if linkcond itself failed. If CMD exits with 0, but a fault \
            that you gave never fired or CMD sent nothing through linkcond, the exit code is 2: \
            inconclusive. Faults in a profile do not count here.
            """,
            """
            With --expect or a check of the result (--same, --sha256, --fetch-check, \
            --server-check) the exit code is the verdict: 0 pass, 1 fail, 2 inconclusive. A fault \
            that never fired, a command that sent nothing through linkcond, and a problem in \
            linkcond itself make a run inconclusive, never a pass. A failed check (see `linkcond \
            help checks`) is reported, but fails the run only if --expect names it; --expect pass \
            names all checks whose level is error or warning, as `linkcond report` does.
            """,
            """
            CMD runs in its own session and process group; any processes that it leaves running \
            are killed. SIGINT, SIGTERM, SIGHUP and SIGQUIT are forwarded to it, and the journal \
            and summary are completed once it has exited; a second signal exits at once. Without \
            CMD, linkcond runs until a signal or --deadline, for a client that you start \
            elsewhere; the exit code is then 128 + N for signal N.
            """,
        ],
        examples: [
            .init(
                command: "linkcond run --profile lte -- curl -o {out} {url}/bytes/1000000",
                meaning: "download from the test server over LTE"
            ),
            .init(
                command: "linkcond run --fault 'c1:down+500000=rst' --expect pass --same big.iso"
                    + " --upstream 127.0.0.1:8080 -- wget -O {out} {url}/big.iso",
                meaning: "your server: does wget resume where it was cut, with the right bytes?"
            ),
            .init(
                command: "linkcond run --profile 3g --deadline 5min -- make integration-test",
                meaning: "tests that read LINKCOND_URL"
            ),
        ],
        options: trialNetwork + OptionSpecification.lookups + trialServer + trialChecks
            + runDemands + [.probeServer] + trialRunning + trialReports
            + [
                .trialJournal, .journalLimit, .journalKeep,
            ] + OptionSpecification.trialDatagramRecords + [
                .trialJSON, .trialQuiet, .noColor, .noConfiguration, .help,
            ],
        takesProgram: true,
        passesExitCode: true,
        readsConfiguration: true
    )

    static let replayCommand = CommandSpecification(
        name: "replay",
        summary: "Repeat a run with its faults, seed and network",
        details: [
            """
            SCHEDULE is a line such as 'lc1;seed=7;c1:down+1048576=rst', as `run` prints it. \
            With --from-journal the schedule, seed and profile come from the recorded run, and \
            differences from it are listed at the end. Everything else is as in `run`.
            """
        ],
        examples: [
            .init(
                command: "linkcond replay 'lc1;seed=7;c1:down+1048576=rst'"
                    + " -- curl -o {out} {url}/bytes/2000000",
                meaning: "repeat the same faults"
            ),
            .init(
                command: "linkcond replay --from-journal failed.jsonl -- ./client {url}",
                meaning: "repeat a recorded run"
            ),
        ],
        operands: [
            OperandSpecification(value: ValueSpecification(name: "SCHEDULE"), isOptional: true)
        ],
        options: [
            OptionSpecification(
                long: "from-journal",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Repeat the run that this journal recorded, instead of SCHEDULE.",
                group: .link,
                isConfigurable: false
            ),
            .profile, .set, .secondPath,
            OptionSpecification(
                long: "fault",
                value: ValueSpecification(
                    name: "WHERE=EFFECT",
                    completion: .words(CompletionWords.faults)
                ),
                help: "A fault in addition to the repeated ones.",
                group: .link,
                isRepeatable: true,
                isConfigurable: false
            ),
            .seed,
        ] + OptionSpecification.lookups + trialServer + trialChecks + runDemands + trialRunning
            + trialReports
            + [
                .trialJournal, .journalLimit, .journalKeep,
            ] + OptionSpecification.trialDatagramRecords + [
                .trialJSON, .trialQuiet, .noColor, .noConfiguration, .help,
            ],
        takesProgram: true,
        passesExitCode: true,
        readsConfiguration: true
    )
}
