internal import Analysis
internal import Journal

/// Judged runs for programs: one document.
enum RunReportJSON {
    static func document(_ runs: [JudgedRun], across: [CheckResult]) -> JSONValue {
        ["v": 1, "runs": .array(runs.map(value)), "across": .array(across.map(value))]
    }

    private static func value(_ run: JudgedRun) -> JSONValue {
        let report = run.report
        return [
            "journal": .string(run.name), "verdict": .string(run.verdict.rawValue),
            "reason": .string(run.reason), "exit": .optional(report.exitCode),
            "seed": .optional(report.transcript.start?.seed),
            "schedule": .optional(report.transcript.start?.schedule),
            "durationNanoseconds": .number(report.durationNanoseconds),
            "connections": .number(report.transcript.connections.count),
            "requests": .number(report.transcript.exchanges.count),
            "transfers": .array(report.transfers.map(value)),
            "checks": .array(report.checks.map(value)),
            "findings": .array(report.findings.map(value)),
            "expectations": .array(run.outcomes.map(value)),
            "repeat": .string(run.reproduction),
        ]
    }

    private static func value(_ transfer: Transfer) -> JSONValue {
        [
            "kind": .string(transfer.kind.rawValue), "target": .string(transfer.target),
            "bytes": .optional(transfer.size), "complete": .bool(transfer.isComplete),
            "tries": .number(transfer.tryCount),
            "payloadBytes": .number(transfer.figures.payload),
            "wireBytes": .number(transfer.figures.wire),
            "resentAvoidableBytes": .number(transfer.figures.resentAvoidable),
            "resentForcedBytes": .number(transfer.figures.resentForced),
            "abandonedBytes": .number(transfer.figures.abandoned),
            "gapNanoseconds": .array(transfer.gaps.map { .number($0.nanoseconds) }),
            "attempts": .array(transfer.attempts.map(value)),
        ]
    }

    private static func value(_ attempt: Attempt) -> JSONValue {
        [
            "kind": .string(attempt.kind.rawValue),
            "connection": .number(attempt.connection.ordinal),
            "listener": .number(attempt.connection.listener),
            "request": .optional(attempt.exchange?.ordinal),
            "method": .string(attempt.method), "target": .string(attempt.target),
            "status": .optional(attempt.status), "start": .number(attempt.start),
            "bytes": .number(attempt.bytes), "resentBytes": .number(attempt.resentBytes),
            "confirmedBefore": .number(attempt.confirmedBefore),
            "offsetsTold": .array(attempt.learntOffsets.map { .number($0.offset) }),
            "beganNanoseconds": .number(attempt.beganNanoseconds),
            "endedNanoseconds": .optional(attempt.endedNanoseconds),
            "failure": .optional(attempt.failure?.words), "line": .number(attempt.line),
        ]
    }

    private static func value(_ result: CheckResult) -> JSONValue {
        [
            "check": .string(result.check.rawValue), "title": .string(result.check.title),
            "advisory": .bool(result.check.isAdvisory),
            "verdict": .string(result.verdict.rawValue), "observed": .string(result.observed),
            "limit": .string(result.limit), "reason": .string(result.reason),
            "lines": .array(result.lines.map { .number($0) }),
        ]
    }

    private static func value(_ finding: Finding) -> JSONValue {
        [
            "class": .string(finding.kind.rawValue), "words": .string(finding.words),
            "check": .optional(finding.check?.rawValue),
            "lines": .array(finding.lines.map { .number($0) }),
        ]
    }

    private static func value(_ outcome: Expectation.Outcome) -> JSONValue {
        [
            "demand": .string(outcome.item.text), "verdict": .string(outcome.verdict.rawValue),
            "observed": .string(outcome.words),
        ]
    }
}
