internal import Journal

// B1, B3, B4, B10, B12: the distances between tries.
extension CheckContext {
    /// Gaps of one transfer without progress between them.
    struct Stretch {
        let transfer: Transfer
        let gaps: [RetryGap]

        var nanoseconds: [UInt64] { gaps.map(\.nanoseconds) }
        var lines: [Int] { gaps.flatMap { $0.lines(of: transfer) } }
    }

    func checkGrowth() -> CheckResult {
        judge(.b1, stretches, limit: "distances that grow") {
            BackoffStatistics.growth($0, cap: evidence.capNanoseconds)
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
            BackoffStatistics.growth($0, cap: evidence.capNanoseconds)
        }
    }

    private func judge(
        _ check: Check,
        _ stretches: [Stretch],
        limit: String,
        by rule: ([UInt64]) -> BackoffStatistics.Judgement
    ) -> CheckResult {
        let results = stretches.map { stretch in
            let judgement = rule(stretch.nanoseconds)
            return CheckResult(
                check,
                judgement.verdict,
                observed: Words.count(stretch.gaps.count, "gap") + ": "
                    + Words.times(stretch.nanoseconds),
                limit: limit,
                reason: judgement.reason,
                lines: stretch.lines
            )
        }
        return .merged(results, else: skipped(check, "nothing was retried", limit: limit))
    }

    /// The cap of whoever declares none.
    private static var defaultCapNanoseconds: UInt64 { 600_000_000_000 }

    func checkCap() -> CheckResult {
        let cap = evidence.capNanoseconds ?? Self.defaultCapNanoseconds
        let allowed = cap + cap / 20 + 1_000_000_000
        let limit = "at most \(Words.time(cap))"
        let gaps = stretches.flatMap(\.gaps)
        guard let longest = gaps.map(\.nanoseconds).max() else {
            return skipped(.b3, "nothing was retried", limit: limit)
        }
        let beyond = stretches.flatMap { stretch in
            stretch.gaps.filter { $0.nanoseconds > allowed }.flatMap {
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
