internal import Analysis
internal import Arguments
internal import Basics
internal import Faults
internal import Journal
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

// What people and programs are told, on standard error.
extension ClientRun {
    /// Whether there is a command of ours; else somebody else starts a client.
    var hasCommand: Bool { !plan.options.program.isEmpty }

    private var ownServer: String {
        plan.options.server.command == nil ? "a test server" : "the server of --origin-cmd"
    }

    /// A line for people, which is told from the command's own by its beginning.
    func tell(_ line: String) {
        guard !plan.options.isJSON, !plan.options.isQuiet else { return }
        console.log("\(CommandSet.program): \(line)")
    }

    func tellStart() {
        if plan.options.isJSON { return console.log(description.json.text) }
        let route = description.routes[0]
        let server = route.upstream.map(\.description) ?? ownServer
        let isForward = plan.trial.forward != nil
        tell(
            "\(route.listen) through \(description.networkText), seed \(description.seed), "
                + (isForward ? "as a forward proxy; {url} is \(server)" : "to \(server)")
        )
        if let lookups = description.lookups {
            let isPrivate = plan.trial.lookups?.isPrivate == true
            tell("dns \(lookups.text)" + (isPrivate ? "; the command asks nobody else" : ""))
        }
        for note in plan.notes { tell(note) }
    }

    func tellRecord(_ record: JournalRecord) {
        if plan.options.isJSON {
            if let line = RunSummary.event(record) { console.log(line.text) }
            return
        }
        let line = EventText.line(record, isVerbose: false)
        if let line = upstreamNotices.line(line, of: record, now: loop.now) {
            tell(line)
        }
    }

    func tellEnd(
        _ outcome: TrialOutcome,
        _ judgement: RunJudgement?,
        digest: (path: String, digest: String?)?
    ) {
        let summary = self.summary(outcome, judgement, digest)
        if plan.options.isJSON { return console.log(summary.json.text) }
        if !plan.options.isQuiet {
            for line in summary.lines(style: console.errorStyle) { console.log(line) }
        }
        for line in differences { tell(line) }
        let line = "\(CommandSet.program): \(result(outcome, judgement))"
        if !plan.options.isQuiet || !isClean(outcome, judgement) { console.log(line) }
        if judgement == nil, isClean(outcome, nil), hasFailures(summary) {
            tell("not judged: add --expect pass to fail a run with such findings")
        }
    }

    /// Whether the run reported a finding, which is easily missed beside an exit code of 0.
    private func hasFailures(_ summary: RunSummary) -> Bool {
        summary.details.contains { $0.name == Self.found }
    }

    /// What introduces a finding.
    private static let found = "found"

    private func isClean(_ outcome: TrialOutcome, _ judgement: RunJudgement?) -> Bool {
        if let judgement { return judgement.verdict == .pass }
        return outcome.ending.isSuccess && doubts(outcome).isEmpty
    }

    /// The last line: the reason for the exit code.
    private func result(_ outcome: TrialOutcome, _ judgement: RunJudgement?) -> String {
        if let judgement { return judgement.line }
        let prefix = missingProof(outcome).isEmpty ? "" : "\(Verdict.inconclusive.rawValue): "
        return prefix + reason(outcome)
    }

    /// Why there is this exit code, where nothing was demanded.
    private func reason(_ outcome: TrialOutcome) -> String {
        let words =
            if !hasCommand {
                hasRunItsTime
                    ? "the deadline came" : signal.map { "ended by signal \($0)" } ?? "ended"
            } else if outcome.isTimedOut {
                "the deadline came; \(RunJudgement.words(outcome.ending))"
            } else {
                RunJudgement.words(outcome.ending) + unreached(outcome)
            }
        let missingProof = missingProof(outcome)
        if !missingProof.isEmpty { return "\(words), but " + missingProof.joined(separator: "; ") }
        let doubts = doubts(outcome)
        return doubts.isEmpty
            ? words : "\(words); it proves nothing: " + doubts.joined(separator: "; ")
    }

    /// The server that could not be reached, where the command has failed.
    private func unreached(_ outcome: TrialOutcome) -> String {
        guard !outcome.ending.isSuccess else { return "" }
        for case .upstream(_, _, let words) in outcome.records.lazy.map(\.record) {
            return "; \(words)"
        }
        return ""
    }

    /// The run as `report` would show it, with what it came to here.
    func judged(_ outcome: TrialOutcome, _ judgement: RunJudgement?) -> JudgedRun {
        let isClean = isClean(outcome, judgement)
        let isDoubtful = judgement == nil && outcome.ending.isSuccess
        // Jobs that differ in their faults alone need names of their own.
        let faults = plan.description.faults.map(\.canonicalText).joined(separator: "; ")
        let words =
            ["linkcond", "run"] + plan.options.program + (faults.isEmpty ? [] : ["with", faults])
        return JudgedRun(
            name: words.joined(separator: " "),
            report: judgement?.report
                ?? RunReport(outcome.timedRecords, evidence: Evidence(outcome)),
            expectation: plan.options.demands?.expectation,
            truncatedBytes: 0,
            decision: (
                judgement?.verdict ?? (isClean ? .pass : isDoubtful ? .inconclusive : .fail),
                judgement?.reason ?? reason(outcome)
            )
        )
    }

    private func doubts(_ outcome: TrialOutcome) -> [String] {
        RunJudgement.doubts(outcome, hasCommand: hasCommand)
    }

    /// Why a success proves nothing, although no check was asked for; empty if it does.
    func missingProof(_ outcome: TrialOutcome) -> [String] {
        RunJudgement.missingProof(
            outcome,
            hasCommand: hasCommand,
            optional: plan.optionalFaults
        )
    }

    private func summary(
        _ outcome: TrialOutcome,
        _ judgement: RunJudgement?,
        _ journal: (path: String, digest: String?)?
    ) -> RunSummary {
        var snapshot = ProxySnapshot()
        snapshot.up.bytes = outcome.upBytes
        snapshot.down.bytes = outcome.downBytes
        snapshot.totalConnections = outcome.connections
        snapshot.flows = outcome.flows
        snapshot.faults = outcome.faults
        snapshot.lateness = outcome.lateness
        var summary = RunSummary(
            description: description,
            tally: tally,
            snapshot: snapshot,
            elapsed: outcome.elapsed,
            journal: journal
        )
        let report =
            judgement?.report
            ?? RunReport(outcome.timedRecords, evidence: Evidence(outcome))
        summary.isForTerminal = console.errors.isTerminal
        summary.details = details(outcome, report)
        summary.members = members(outcome, judgement, report)
        return summary
    }

    private func details(
        _ outcome: TrialOutcome,
        _ report: RunReport
    ) -> [(name: String, text: String)] {
        var details: [(name: String, text: String)] = []
        if hasCommand {
            let ending =
                (outcome.isTimedOut ? "ended at the deadline, " : "")
                + RunJudgement.words(outcome.ending)
                + (outcome.leftProcesses ? "; what it left running was ended" : "")
            details.append(("command", ending))
        }
        for (oracle, result) in zip(plan.options.oracles, outcome.oracles) {
            let reason = result.words.isEmpty ? "" : ", \(result.words)"
            details.append(
                ("check", "\(OracleOptions.text(oracle)): \(result.verdict.rawValue)\(reason)")
            )
        }
        // Oracles have been told of.
        for finding in report.findings where finding.kind.isFailure && finding.check != .r2 {
            let rule = finding.check.map { "\($0.rawValue), " } ?? ""
            details.append((Self.found, "\(rule)\(finding.kind.rawValue): \(finding.words)"))
        }
        if let refusal = refusal(report) { details.append(("note", refusal)) }
        // It went well this time, and goes wrong as soon as the object changes.
        if let finding = report.result(.r5).finding {
            details.append(("note", "R5: \(finding.words)"))
        }
        return details
    }

    /// What the server itself answered with an error, which many clients take without a word.
    private func refusal(_ report: RunReport) -> String? {
        let refused = report.transcript.exchanges.filter {
            ($0.status ?? 0) >= 400 && $0.faults.isEmpty
        }
        guard let first = refused.first, let status = first.status else { return nil }
        let more = refused.count - 1
        return "the server answered \(status) to"
            + " \(PrintableText.escaped("\(first.method) \(first.target)"))"
            + (more == 0 ? "" : ", and \(Figures.count(more, "more request")) with an error")
    }

    private func members(
        _ outcome: TrialOutcome,
        _ judgement: RunJudgement?,
        _ report: RunReport
    ) -> JSONObject {
        let isUnproven = judgement == nil && !missingProof(outcome).isEmpty
        let verdict = isUnproven ? Verdict.inconclusive : judgement?.verdict
        return [
            "command": .array(plan.options.program.map { .string($0) }),
            "exit": .number(outcome.ending.exitCode),
            "ending": .string(RunJudgement.words(outcome.ending)),
            "timedOut": .bool(outcome.isTimedOut || hasRunItsTime),
            "checks": .array(
                zip(plan.options.oracles, outcome.oracles).map { oracle, result in
                    [
                        "check": .string(result.name), "what": .string(OracleOptions.text(oracle)),
                        "verdict": .string(result.verdict.rawValue), "found": .string(result.words),
                    ]
                }
            ),
            "findings": .array(
                report.findings.map { finding in
                    [
                        "kind": .string(finding.kind.rawValue),
                        "check": .optional(finding.check?.rawValue),
                        "found": .string(finding.words),
                    ]
                }
            ),
            "verdict": .optional(verdict?.rawValue),
            "reasons": .array(
                ((judgement?.failures ?? []) + (judgement?.doubts ?? doubts(outcome)))
                    .map { .string($0) }
            ),
        ]
    }

    /// How this run differs from the recorded one that it repeats.
    private var differences: [String] {
        guard let recorded = plan.recorded else { return [] }
        let (differences, further) = JournalDiff.compare(recorded, canonical)
        guard !differences.isEmpty else { return ["the same happened as in the recorded run"] }
        var lines = ["it was different from the recorded run (the first):"]
        for difference in differences {
            lines.append("  \(difference.place), record \(difference.record):")
            lines += difference.explanation.map { "    \($0)" }
        }
        if further > 0 { lines.append("  and \(Figures.count(further, "more difference"))") }
        return lines
    }
}
