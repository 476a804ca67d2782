internal import Analysis
package import Basics
internal import Faults
internal import Journal

/// A report as JSON Lines: `start`, `baseline`, `run` for each run, `minimum`, `finding`, `end`.
///
/// In a report of a list of tests each has a `start` and an `end`, and what is one test's names it.
///
/// Everything but `finding` and `end` is what happened; those two are what it comes to, and are
/// left out when lines are read, since several files together may come to something else.
package enum ReportLines {
    package static let version = 1

    package static func start(_ settings: ReportSettings, _ shard: Shard) -> JSONObject {
        [
            "v": .number(version), "t": .string("start"), "test": test(settings),
            "tool": .string(settings.tool),
            "command": .array(settings.command.map { .string($0) }),
            "shard": .string(shard.text), "seed": .number(settings.seed),
            "effects": .array(settings.effects.map { .string($0.name) }),
            "depth": .number(settings.depth), "repeat": .string(settings.replay),
            "deadline_ms": settings.deadlineMilliseconds.map { .number($0) },
            "allow_unreached": .number(settings.allowedUnreached),
            "require_complete": .bool(settings.requiresComplete),
            "warp": settings.warp > 1 ? .number(settings.warp) : nil,
        ]
    }

    private static func test(_ settings: ReportSettings) -> JSONValue? {
        settings.test.map { .string($0) }
    }

    package static func baseline(
        _ baseline: BaselineSummary,
        _ settings: ReportSettings
    ) -> JSONObject {
        [
            "t": .string("baseline"), "test": test(settings), "base": .string(baseline.base),
            "stable": .bool(baseline.isStable), "exchanges": strings(baseline.exchanges),
            "oracle": .string(baseline.oracle.rawValue),
            "sha256": baseline.digest.map { .string($0) },
            "object": baseline.object.map { .string($0) },
            "uploads": baseline.uploads.isEmpty ? nil : strings(baseline.uploads),
            "ignored_checks": strings(baseline.ignoredChecks),
            "refusal": baseline.refusal.map { .string($0) },
            "alteration": baseline.alteration.map { .string($0) },
            "elapsed_ms": .number(baseline.milliseconds),
        ]
    }

    package static func run(_ record: PointRecord, _ settings: ReportSettings) -> JSONObject {
        [
            "t": .string("run"), "test": test(settings), "id": .string(record.point.identity.text),
            "schedule": .string(record.point.schedule),
            "purpose": .string(record.purpose.rawValue),
            "verdict": .string(record.judgement.word),
            "reason": record.judgement.reason.isEmpty ? nil : .string(record.judgement.reason),
            "ending": .string(record.signature.ending),
            "content": .string(record.signature.content),
            "later": record.signature.later.map { .string($0) },
            "again": record.triesAgain ? .bool(true) : nil,
            "requests": strings(record.signature.requests),
            "positions": strings(record.positions), "series": record.series.map { .string($0) },
            "at": record.at.map { .number($0) },
            "advice": record.advice.isEmpty
                ? nil : strings(record.advice.map { "\($0.check.rawValue): \($0.words)" }),
            "evidence": record.evidence.isEmpty ? nil : strings(record.evidence),
            "elapsed_ms": .number(record.milliseconds),
            "corrects": record.corrects ? .bool(true) : nil,
            "env": record.trace.map { .object(["trace": .string($0)]) },
        ]
    }

    package static func minimum(_ minimum: Minimum, _ settings: ReportSettings) -> JSONObject {
        [
            "t": .string("minimum"), "test": test(settings), "of": .string(minimum.of.schedule),
            "class": .string(minimum.kind.rawValue), "schedule": .string(minimum.point.schedule),
            "positions": strings(minimum.positions), "tests": .number(minimum.tests),
        ]
    }

    package static func finding(_ shared: SharedFinding, of report: SuiteReport) -> JSONObject {
        let finding = shared.finding
        let names = shared.tests.compactMap { report.tests[$0].settings.test }
        return [
            "t": .string("finding"), "test": test(report.tests[shared.smallest].settings),
            "tests": names.isEmpty ? nil : strings(names),
            "known": report.isKnown(shared) ? .bool(true) : nil, "id": .string(finding.id),
            "class": .string(finding.kind.rawValue), "outcome": .string(finding.outcome),
            "failure": finding.kind == finding.failure ? nil : .string(finding.failure.rawValue),
            "positions": strings(finding.positions),
            "schedule": .string(finding.minimal.schedule), "reason": .string(finding.reason),
            "confirmed": .string(finding.confirmations.text),
            "others": finding.others.isEmpty ? nil : strings(finding.others),
            "schedules": .number(finding.schedules),
            "places": .array(finding.places.map { .object(place($0)) }),
            "evidence": strings(finding.evidence),
            "env": finding.trace.map { .object(["trace": .string($0)]) },
        ]
    }

    private static func place(_ place: FindingPlace) -> JSONObject {
        [
            "positions": strings(place.positions), "deeds": strings(place.deeds),
            "intervals": .array(place.intervals.map { .object(interval($0)) }),
        ]
    }

    private static func interval(_ interval: Interval) -> JSONObject {
        [
            "effect": .string(interval.deed), "first": .string(interval.first),
            "last": .string(interval.last), "positions": .number(interval.length),
            "exact": .bool(interval.isExact),
        ]
    }

    /// All that is known only at the end: the findings, what differs, and the ends.
    package static func ending(_ report: SuiteReport, exitCode: Int) -> [JSONObject] {
        let lines =
            report.findings.map { finding($0, of: report) }
            + (report.comparison.map { [comparison($0)] } ?? [])
        guard report.isOfTests else {
            return lines + [end(report.tests[0], report.verdict.reason, exitCode: exitCode)]
        }
        return lines + report.tests.map { end($0, $0.verdict.reason, exitCode: nil) } + [
            [
                "t": .string("suite"), "tests": .number(report.tests.count),
                "exit": .number(exitCode), "reason": .string(report.verdict.reason),
            ]
        ]
    }

    /// The end of one test; the exit code is that of all of them together.
    private static func end(
        _ report: CampaignReport,
        _ reason: String,
        exitCode: Int?
    ) -> JSONObject {
        let counts = report.counts
        return [
            "t": .string("end"), "test": test(report.settings),
            "exit": exitCode.map { .number($0) }, "reason": .string(reason),
            "problem": report.problem.map { .object(object(of: $0)) },
            "complete": .bool(report.isComplete),
            "remaining": report.remainingPoints > 0 ? .number(report.remainingPoints) : nil,
            "elapsed_ms": report.elapsedMilliseconds.map { .number($0) },
            "passed": .number(counts.passed), "honest": .number(counts.honest),
            "failed": .number(counts.failed), "inconclusive": .number(counts.inconclusive),
            "unreached": .number(counts.unreached), "idle": .number(counts.idle),
            "missing_shards": report.missingShards.isEmpty
                ? nil : .array(report.missingShards.map { .number($0) }),
        ]
    }

    private static func comparison(_ comparison: ReportComparison) -> JSONObject {
        [
            "t": .string("comparison"), "with": .string(comparison.name),
            "known": strings(comparison.known.sorted()),
            "fixed": strings(comparison.fixed.map(\.id)),
            "untried": strings(comparison.unseen.map(\.id)),
            "differs": .array(
                comparison.changes.map { change in
                    .object([
                        "test": change.test.map { .string($0) },
                        "position": .string(change.position), "was": .string(change.before),
                        "is": .string(change.now), "schedule": .string(change.schedule),
                        "points": .number(change.points),
                    ])
                }
            ),
            "states": .array(
                comparison.states.map { state in
                    .object([
                        "test": state.test.map { .string($0) }, "state": .string(state.text),
                        "schedule": .string(state.schedule),
                    ])
                }
            ),
        ]
    }

    private static func object(of problem: BaselineProblem) -> JSONObject {
        switch problem {
        case .failed(let reason): ["kind": "failed", "reason": .string(reason)]
        case .disturbed(let reason): ["kind": "disturbed", "reason": .string(reason)]
        case .unreachable(let reason): ["kind": "unreachable", "reason": .string(reason)]
        case .noTraffic: ["kind": "no-traffic"]
        }
    }

    private static func strings(_ values: [String]) -> JSONValue {
        .array(values.map { .string($0) })
    }

    /// A whole report, in the order in which an exploration writes it.
    package static func all(_ report: SuiteReport, exitCode: Int) -> [JSONObject] {
        report.tests.flatMap(body) + ending(report, exitCode: exitCode)
    }

    private static func body(_ report: CampaignReport) -> [JSONObject] {
        let settings = report.settings
        return report.shards.map { start(settings, $0) }
            + (report.baseline.map { [baseline($0, settings)] } ?? [])
            + report.records.map { run($0, settings) }
            + report.minima.map { minimum($0, settings) }
    }
}
