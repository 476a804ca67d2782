internal import Basics
internal import Journal

// B1, B3, B4, B10, B12: the delays between retries.

extension CheckRow {
    static let ofBackoff = [
        CheckRow(
            .b1,
            "delays between retries grow",
            measure: "fails if 4 or more retries each follow within 50 ms, or 5 or more after"
                + " nearly equal delays",
            level: .warning,
            finding: .protocol,
            isOfTimes: true,
            source: "practice"
        ) { $0.checkGrowth() },
        CheckRow(
            .b3,
            "no retry is delayed beyond the cap",
            measure: "the cap that the client declares, or 10 minutes",
            level: .note,
            finding: .protocol,
            isOfTimes: true,
            source: "practice"
        ) { $0.checkCap() },
        CheckRow(
            .b4,
            "retries are randomized",
            measure: "fails if 4 or more delays all grow by the same factor; better judged over 8"
                + " runs",
            level: .note,
            finding: .protocol,
            isOfTimes: true,
            source: "practice"
        ) { $0.checkJitter() },
        CheckRow(
            .b10,
            "an attempt that stores nothing does not reset the delays",
            measure: "as in B1, over all attempts that started but stored nothing",
            level: .warning,
            finding: .protocol,
            isOfTimes: true,
            source: "practice"
        ) { $0.checkStartsWithoutProgress() },
        CheckRow(
            .b12,
            "one layer retries, not several",
            measure: "fails if all attempts come in bursts of one size",
            level: .warning,
            finding: .waste,
            isOfTimes: true,
            source: "practice"
        ) { $0.checkLayers() },
    ]
}

extension CheckContext {
    /// Gaps of one transfer without progress between them.
    struct Stretch {
        let transfer: Transfer
        let gaps: [RetryGap]

        var lengths: [Duration] { gaps.map(\.length) }
        var lines: [Int] { gaps.flatMap { $0.lines(of: transfer) } }
    }

    func checkGrowth() -> CheckResult {
        judge(.b1, stretches, limit: "distances that grow") {
            BackoffStatistics.growth($0, cap: evidence.cap)
        }
    }

    func checkJitter() -> CheckResult {
        judge(.b4, stretches, limit: "distances that differ from client to client") {
            BackoffStatistics.jitter($0)
        }
    }

    func checkLayers() -> CheckResult {
        judge(.b12, stretches, limit: "no three bursts of equal size") {
            BackoffStatistics.layers($0)
        }
    }

    /// The stretches in which some request started, over several connections or with a HEAD between.
    func checkStartsWithoutProgress() -> CheckResult {
        let started = stretches.filter { stretch in
            guard let first = stretch.gaps.first, let last = stretch.gaps.last else { return false }
            let attempts = stretch.transfer.attempts[first.failed...last.next]
            let connections = Set(attempts.map(\.connection))
            return attempts.contains { $0.exchange != nil }
                && (connections.count > 1 || attempts.contains { $0.method == "HEAD" })
        }
        return judge(.b10, started, limit: "distances that grow over all starts without progress") {
            BackoffStatistics.growth($0, cap: evidence.cap)
        }
    }

    private func judge(
        _ check: Check,
        _ stretches: [Stretch],
        limit: String,
        by rule: ([Duration]) -> BackoffStatistics.Judgement
    ) -> CheckResult {
        let results = stretches.map { stretch in
            let judgement = rule(stretch.lengths)
            return CheckResult(
                check,
                judgement.verdict,
                observed: Words.count(stretch.gaps.count, "gap") + ": "
                    + Words.times(stretch.lengths),
                limit: limit,
                reason: judgement.reason,
                lines: stretch.lines
            )
        }
        return .merged(results, else: skipped(check, "nothing was retried", limit: limit))
    }

    /// The cap of whoever declares none.
    private static var defaultCap: Duration { .seconds(600) }

    func checkCap() -> CheckResult {
        let cap = evidence.cap ?? Self.defaultCap
        let allowed = cap + cap / 20 + .seconds(1)
        let limit = "at most \(Words.time(cap))"
        let gaps = stretches.flatMap(\.gaps)
        guard let longest = gaps.map(\.length).max() else {
            return skipped(.b3, "nothing was retried", limit: limit)
        }
        let beyond = stretches.flatMap { stretch in
            stretch.gaps.filter { $0.length > allowed }.flatMap {
                $0.lines(of: stretch.transfer)
            }
        }
        return CheckResult(
            .b3,
            beyond.isEmpty ? .pass : .fail,
            observed: "longest \(Words.time(longest))",
            limit: limit,
            reason: beyond.isEmpty ? "" : "beyond-the-cap",
            lines: beyond
        )
    }
}
