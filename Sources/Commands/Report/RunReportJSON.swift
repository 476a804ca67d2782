internal import Analysis
internal import Basics
internal import Journal

/// Judged runs for programs: one document.
enum RunReportJSON {
    static func document(_ runs: [JudgedRun], across: [CheckResult]) -> JSONValue {
        ["v": 1, "runs": .array(runs.map(value)), "across": .array(across.map(\.document))]
    }

    private static func value(_ run: JudgedRun) -> JSONValue {
        let report = run.report
        let changes = report.transcript.changes
        return [
            "journal": .string(run.name), "verdict": .string(run.verdict.rawValue),
            "reason": .string(run.reason), "exit": .optional(report.exitCode),
            "seed": .optional(report.transcript.start?.seed),
            "schedule": .optional(report.transcript.schedule),
            "durationNanoseconds": .number(report.duration.nanoseconds),
            "connections": .number(report.transcript.connections.count),
            "requests": .number(report.transcript.exchanges.count),
            "path": changes.path.start?.document ?? .null,
            "pathAtEnd": changes.path.end?.document ?? .null,
            "metered": document(report.metered),
            "changes": .array(changes.list.map(\.document)),
            "changesLeftOut": .number(changes.leftOut),
            "transfers": .array(report.transfers.map(\.document)),
            "checks": .array(report.checks.map(\.document)),
            "findings": .array(report.findings.map(\.document)),
            "expectations": .array(run.outcomes.map(value)),
            "repeat": .string(run.reproduction), "unrepeated": .optional(run.unrepeated),
        ]
    }

    /// Requests and bytes that were started on an expensive or constrained path.
    static func document(_ metered: MeteredTraffic) -> JSONValue {
        func count(_ count: MeteredTraffic.Count) -> JSONValue {
            ["requests": .number(count.requests), "bytes": .number(count.bytes)]
        }
        return [
            "expensive": count(metered.expensive), "constrained": count(metered.constrained),
        ]
    }

    private static func value(_ outcome: Expectation.Outcome) -> JSONValue {
        [
            "demand": .string(outcome.item.text), "verdict": .string(outcome.verdict.rawValue),
            "observed": .string(outcome.words),
        ]
    }
}
