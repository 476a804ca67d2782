internal import Analysis
internal import Arguments
internal import Basics
internal import Journal

/// A journal, what it shows, and what was demanded of it.
struct JudgedRun {
    /// The file's name as it was given.
    let name: String
    let report: RunReport
    let expectation: Expectation?
    /// Bytes after the last complete line.
    let truncatedBytes: Int
    /// Whether parts of the journal are missing, its end among them.
    var isPartial = false
    /// What the run that has just ended came to, of which its journal is only a part.
    var decision: (verdict: Verdict, reason: String)?
    /// What findings point at; nil for what the report itself has kept of it.
    var evidence: EvidenceRecords?

    var outcomes: [Expectation.Outcome] { expectation?.outcomes(of: report) ?? [] }

    /// What decides the exit code.
    ///
    /// Of a journal alone nobody can tell what the result was like, so that is no reason to doubt it.
    var verdict: Verdict {
        if let decision { return decision.verdict }
        return found == .pass && gap != nil ? .inconclusive : found
    }

    /// What is seen, whether or not that is all.
    private var found: Verdict {
        expectation?.verdict(of: report) ?? (isSoundAsFarAsSeen ? .pass : report.verdict)
    }

    /// Why what is seen is not all, so that it is no pass.
    private var gap: String? {
        if isPartial { return "parts of the journal are missing" }
        return truncatedBytes > 0 ? "the journal ends in the middle of a line" : nil
    }

    private var isSoundAsFarAsSeen: Bool {
        report.lacksOnlyComparison && truncatedBytes == 0 && !isPartial
    }

    /// Why, in a sentence without a full stop.
    var reason: String {
        if let decision { return decision.reason }
        if found == .pass, let gap { return gap }
        guard expectation != nil else {
            return isSoundAsFarAsSeen
                ? "\(report.passing); the result was not compared" : report.reason
        }
        let outcomes = outcomes
        switch verdict {
        case .pass, .skipped: return "all demands are met"
        case .fail, .inconclusive:
            if let outcome = outcomes.first(where: { $0.verdict == verdict }) {
                return "\(outcome.item.text): \(outcome.words)"
            }
            return report.doubts.first ?? "linkcond itself had trouble"
        }
    }

    /// What was done by hand and that command does not do; nil for nothing.
    var unrepeated: String? { report.transcript.end?.value.unrepeated }

    /// A command that repeats the run.
    var reproduction: String {
        if let line = report.transcript.end?.value.reproduction { return line }
        guard let start = report.transcript.start else { return "" }
        if case .string(let line) = start.environment["repeat"] { return line + laterFaults }
        let schedule = report.transcript.schedule ?? start.schedule
        let arguments = report.transcript.command?.value.arguments ?? []
        let command = arguments.isEmpty ? [] : ["--"] + arguments
        return ShellText.line([CommandSet.program, "replay", schedule] + command)
    }

    /// Options for the faults that a proxy got while it ran, of a run that could not say so at its end.
    private var laterFaults: String {
        let faults = report.transcript.changes.addedFaults
        guard report.transcript.end == nil, !faults.isEmpty else { return "" }
        return " " + ShellText.line(faults.flatMap { ["--fault", $0] })
    }
}
