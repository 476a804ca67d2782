package import Basics
package import Journal

/// What of a journal is needed to judge a run, so that its records need not be kept.
package struct RunReading {
    fileprivate var transcript: Transcript
    fileprivate var metered = MeteredTraffic()

    /// - Parameter isForArchive: whether the report's transcript has to have all that an archive tells.
    package init(isForArchive: Bool = true) { transcript = Transcript(needsDates: isForArchive) }

    /// Adds the next record.
    package mutating func add(_ record: Timed<JournalRecord>) {
        transcript.add(record)
        metered.take(record.value)
    }
}

/// What a run shows: its transfers, what each check found, and what follows.
package struct RunReport: Hashable, Sendable {
    package let transcript: Transcript
    package let transfers: [Transfer]
    package let evidence: Evidence
    /// One for each check, in their order.
    package let checks: [CheckResult]
    /// The worst first.
    package let findings: [Finding]
    package let exitCode: Int?
    /// What was asked for on an expensive or constrained path.
    package let metered: MeteredTraffic
    /// Whether the command was ended at its deadline.
    package let isTimedOut: Bool
    /// How the result certainly came past the proxy, in a sentence without a full stop; nil if it is
    /// not known to have.
    package let certainDetour: String?
    /// The records that findings and checks point at, unless the journal was read record by record.
    package private(set) var cited: [Timed<JournalRecord>] = []

    /// Judges a run.
    ///
    /// - Parameters:
    ///   - records: its journal.
    ///   - evidence: what the journal does not say.
    package init(_ records: [Timed<JournalRecord>], evidence: Evidence = Evidence()) {
        var reading = RunReading()
        for record in records { reading.add(record) }
        self.init(emptying: &reading, evidence: evidence)
        let lines = citedLines
        if !lines.isEmpty { cited = records.filter { lines.contains($0.line) } }
    }

    /// The lines of the journal that findings point at, and checks that failed or are open.
    package var citedLines: Set<Int> {
        let open = checks.filter { $0.verdict == .fail || $0.verdict == .inconclusive }
        return Set(findings.flatMap(\.lines) + open.flatMap(\.lines))
    }

    /// Judges a run whose journal was read record by record.
    ///
    /// - Parameters:
    ///   - readings: what was read. It is taken out, so that there are never two of it.
    ///   - evidence: what the journal does not say.
    package init(emptying readings: inout RunReading, evidence: Evidence = Evidence()) {
        var reading = RunReading()
        swap(&reading, &readings)
        reading.transcript.conclude()
        transcript = reading.transcript
        metered = reading.metered
        transfers = TransferReader.transfers(in: transcript)
        self.evidence = evidence
        let context = CheckContext(transcript, transfers, evidence)
        checks = Check.judge(context)
        exitCode = context.exitCode
        isTimedOut = context.isTimedOut
        certainDetour = context.findCertainDetour()
        let failed = checks.filter { !$0.check.isAdvisory }.compactMap(\.finding)
        let others =
            Self.findWaste(metered, evidence) + context.findEscapes() + context.findVacuousFaults()
            + context.findDishonesty()
        findings = (failed + others).enumerated()
            .sorted { ($0.element.kind, $0.offset) < ($1.element.kind, $1.offset) }
            .map(\.element)
    }

    /// More on a metered path than somebody allowed.
    private static func findWaste(_ metered: MeteredTraffic, _ evidence: Evidence) -> [Finding] {
        guard let limit = evidence.maximumMeteredBytes, metered.either.bytes > limit else {
            return []
        }
        return [Finding(.waste, "\(metered.words); \(Words.bytes(limit)) are allowed")]
    }

    package func result(_ check: Check) -> CheckResult {
        checks.first { $0.check == check }
            ?? CheckResult(check, .skipped, observed: "", limit: "")
    }

    /// What the run proves: `fail` if a required check fails; `inconclusive` if one is, if a fault did
    /// not act, or if linkcond itself had trouble; else `pass`.
    package var verdict: Verdict {
        if findings.contains(where: \.kind.isFailure) { return .fail }
        return doubts.isEmpty ? .pass : .inconclusive
    }

    /// Why the run proves nothing, in sentences without full stops.
    package var doubts: [String] {
        var doubts = findings.filter { !$0.kind.isFailure }.map(\.words)
        doubts += checks.filter { $0.verdict == .inconclusive && !$0.check.isAdvisory }
            .map { "\($0.check.rawValue), \($0.check.title): \($0.observed)" }
        if troubleCount > 0 {
            doubts.append("linkcond itself had trouble, " + Words.count(troubleCount, "time"))
        }
        return doubts
    }

    /// Whether nothing is wrong and nothing in doubt, but that nobody compared the result.
    package var lacksOnlyComparison: Bool {
        evidence.oracle == .unknown && verdict == .inconclusive && doubts.count == 1
            && result(.r2).verdict == .inconclusive
    }

    /// How often linkcond had trouble besides the machine's with times.
    var troubleCount: Int { transcript.troubles.count { !$0.value.isDisturbance } }

    /// Whether times are not what they should be; nothing else depends on it.
    package var isDisturbed: Bool { transcript.troubles.contains(where: \.value.isDisturbance) }

    /// What to say of a run whose times are wrong.
    package static let disturbance =
        "packets left late or a clock was set, on a busy machine: times prove nothing"

    /// The reason for the verdict, in a sentence without a full stop.
    package var reason: String {
        switch verdict {
        case .fail: findings.first.map { "\($0.kind.rawValue): \($0.words)" } ?? ""
        case .inconclusive: doubts.first ?? ""
        case .pass, .skipped: passing
        }
    }

    /// That no check stands against the run, with those that are only notes, in words.
    package var passing: String {
        let notes = checks.filter { $0.check.isAdvisory && $0.verdict == .fail }
            .map(\.check.rawValue)
        return notes.isEmpty
            ? "no check has failed"
            : "no error or warning; \(notes.count == 1 ? "note" : "notes"): "
                + notes.joined(separator: ", ")
    }
}

extension MeteredTraffic {
    /// `3 requests, 4,100,000 bytes requested while the path was constrained or expensive`.
    var words: String {
        let count = Words.count(either.requests, "request")
        return "\(count), \(Words.bytes(either.bytes)) requested while the path was constrained or"
            + " expensive"
    }
}

extension RunReport {
    /// Bytes of all transfers together.
    package var figures: Transfer.Figures {
        transfers.filter { $0.kind != .opaque }.map(\.figures).reduce(into: .init()) { sum, one in
            sum.payload.add(one.payload)
            sum.wire.add(one.wire)
            sum.resentAvoidable.add(one.resentAvoidable)
            sum.resentForced.add(one.resentForced)
        }
    }

    /// Bytes on the wire for each byte of payload; nil without payload.
    package var wireRatio: Double? {
        let figures = figures
        return figures.payload > 0 ? Double(figures.wire) / Double(figures.payload) : nil
    }

    /// The most tries of one transfer.
    package var tryCount: Int { transfers.map(\.tryCount).max() ?? 0 }

    /// Attempts that went on where one had failed, and moved bytes.
    package var resumeCount: Int {
        transfers.reduce(0) { sum, transfer in
            sum + transfer.attempts.count { $0.kind == .resumed && $0.bytes > 0 }
        }
    }

    /// The gaps of each stretch without progress, for comparison with other runs.
    package var stretches: [[Duration]] {
        transfers.filter { $0.kind != .opaque }.flatMap(\.stretches).map { $0.map(\.length) }
    }

    /// From the start to the last record, or as long as the command ran.
    package var duration: Duration {
        guard let command = transcript.command else { return transcript.lastTime - .start }
        return command.at.elapsed(since: command.value.startedAt)
    }
}

extension RunReport {
    /// B1 and B4 over runs with the same faults and different seeds, from the longest stretch of each.
    ///
    /// - Returns: nothing for fewer runs than such a comparison needs.
    package static func compare(_ reports: [RunReport]) -> [CheckResult] {
        let runs = reports.compactMap { report in
            report.stretches.max { $0.count < $1.count }
        }
        guard runs.count >= BackoffStatistics.runsNeeded else { return [] }
        let observed = Words.count(runs.count, "run")
        let judgements: [(Check, BackoffStatistics.Judgement, String)] = [
            (.b1, BackoffStatistics.growth(over: runs), "mean distances that grow by 1.3 each"),
            (.b4, BackoffStatistics.jitter(over: runs), "a spread of 10 %"),
        ]
        return judgements.map { check, judgement, limit in
            CheckResult(
                check,
                judgement.verdict,
                observed: observed,
                limit: limit,
                reason: judgement.reason
            )
        }
    }
}
