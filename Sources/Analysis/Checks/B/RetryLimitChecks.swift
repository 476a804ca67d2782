internal import Basics
internal import Journal

// B2, B5, B6, B11: how soon and how often a client retries.

extension CheckRow {
    static let ofRetryLimits = [
        CheckRow(
            .b2,
            "a failing server is not retried at once",
            measure: "at least 50 ms after 429 and 5xx; after a failed connection, one immediate"
                + " retry is fine",
            level: .warning,
            finding: .protocol,
            isOfTimes: true,
            source: "practice"
        ) { $0.checkFloor() },
        CheckRow(
            .b5,
            "attempts and time are limited",
            measure: "at most 20 attempts in a row without progress, and an end before the"
                + " deadline",
            level: .error,
            finding: .waste,
            source: "RFC 9110, section 9.2.2"
        ) { $0.checkBudget() },
        CheckRow(
            .b6,
            "Retry-After is honoured",
            measure: "within 20 ms and 1 %, a date within 1 s; invalid values and more than a day"
                + " are ignored",
            level: .warning,
            finding: .protocol,
            isOfTimes: true,
            source: "RFC 9110, section 10.2.3"
        ) { $0.checkRetryAfter() },
        CheckRow(
            .b11,
            "few connection attempts during an outage",
            measure: "at most 6 a minute after the first 5",
            level: .note,
            finding: .waste,
            isOfTimes: true,
            source: "practice"
        ) { $0.checkOutage() },
    ]
}

extension CheckContext {
    /// What two times of the proxy's clock may be wrong by: 20 ms and 1 %.
    ///
    /// Timers of event loops begin with the time at which the loop woke up, which is earlier than the
    /// answer was read: Node.js was seen to be 26 ms early.
    private static func tolerance(_ time: Duration) -> Duration {
        .milliseconds(20) + time / 100
    }

    func checkFloor() -> CheckResult {
        let limit = "50 ms after a 429 or 5xx; one immediate retry after a failed connection"
        var judged = 0
        for transfer in interrupted {
            for stretch in transfer.stretches {
                var immediate = 0
                for gap in stretch {
                    judged += 1
                    let isShort =
                        gap.length + Self.tolerance(gap.length)
                        < BackoffStatistics.atOnce
                    guard isShort else { continue }
                    if gap.failure.isOfConnection {
                        immediate += 1
                        if immediate < 2 { continue }
                    } else if !gap.failure.isOfBusyServer {
                        continue
                    }
                    return CheckResult(
                        .b2,
                        .fail,
                        observed: "\(Words.time(gap.length)) after \(gap.failure.words)",
                        limit: limit,
                        reason: "at-once",
                        lines: gap.lines(of: transfer)
                    )
                }
            }
        }
        guard judged > 0 else { return skipped(.b2, "nothing was retried", limit: limit) }
        return CheckResult(.b2, .pass, observed: Words.count(judged, "gap"), limit: limit)
    }

    func checkBudget() -> CheckResult {
        let deadline = evidence.deadline.map { ", end within \(Words.time($0))" } ?? ""
        let limit =
            "at most \(Words.count(evidence.maximumTries, "fruitless attempt"))\(deadline)"
        let counts = transfers.indices.map { transfers[$0].vainTryCount }
        let count = counts.max() ?? 0
        // Too many tries are the reason why it still runs, if there are.
        if isTimedOut, count <= evidence.maximumTries {
            return CheckResult(
                .b5,
                .fail,
                observed: "still running at the deadline",
                limit: limit,
                reason: "deadline",
                lines: transcript.command.map { [$0.line] } ?? []
            )
        }
        guard !transfers.isEmpty else { return skipped(.b5, "no transfer", limit: limit) }
        let most = transfers[counts.firstIndex(of: count) ?? 0]
        let isOver = count > evidence.maximumTries
        let fruitless =
            count == 0 ? "no fruitless attempts" : Words.count(count, "fruitless attempt")
        return CheckResult(
            .b5,
            isOver ? .fail : .pass,
            observed: "\(fruitless) for \(most.name)",
            limit: limit,
            reason: isOver ? CheckResult.tooManyTries : "",
            lines: isOver ? most.gaps.flatMap { $0.lines(of: most) } : []
        )
    }

    func checkRetryAfter() -> CheckResult {
        let limit = "not before the server's Retry-After, unless that is more than a day"
        var observed: [String] = []
        var lines: [Int] = []
        for transfer in interrupted {
            for gap in transfer.gaps {
                guard gap.failure.saysWhen, let asked = gap.failure.retryAfter else {
                    continue
                }
                let tolerance =
                    gap.failure.isRetryAfterDate ? .seconds(1) : Self.tolerance(asked)
                let form = gap.failure.isRetryAfterDate ? ", by a date" : ""
                let words =
                    "\(Words.time(gap.length)) where \(Words.time(asked)) was asked\(form)"
                guard gap.length + tolerance >= asked else {
                    return CheckResult(
                        .b6,
                        .fail,
                        observed: words,
                        limit: limit,
                        reason: "too-early",
                        lines: gap.lines(of: transfer)
                    )
                }
                let isLate = gap.length > asked.addingSlack
                observed.append(isLate ? "\(words), rather late" : words)
                lines += gap.lines(of: transfer)
            }
            let waiting = transfer.attempts.last?.failure
            if let asked = waiting?.retryAfter {
                let isLong = asked > Attempt.Failure.longestWait
                let words = isLong ? "more than a day" : Words.time(asked)
                observed.append("no further try where \(words) was asked")
                lines += waiting.map { [$0.line] } ?? []
            }
        }
        guard !observed.isEmpty else { return skipped(.b6, "no valid Retry-After", limit: limit) }
        return CheckResult(
            .b6,
            .pass,
            observed: observed.prefix(4).joined(separator: "; "),
            limit: limit,
            lines: lines
        )
    }

    func checkOutage() -> CheckResult {
        let limit =
            "6 connects a minute after the first 5; then "
            + (evidence.offersPathSource ? "one within 5 s of the end" : "one within the cap")
        let turnedAway = transcript.connections.filter(\.isTurnedAway)
        guard !turnedAway.isEmpty else { return skipped(.b11, "no outage", limit: limit) }
        let times = turnedAway.map(\.opened.at).dropFirst(5)
        let minute = Duration.seconds(60)
        for (place, time) in zip(times.indices, times) {
            let within = times[place...].prefix { $0 - time < minute }
            guard within.count > 6 else { continue }
            return CheckResult(
                .b11,
                .fail,
                observed: "\(within.count) connects within a minute",
                limit: limit,
                reason: "too-many-connects",
                lines: turnedAway.dropFirst(5).map(\.opened.line)
            )
        }
        return judgeReturn(after: turnedAway, limit: limit)
    }

    private func judgeReturn(after turnedAway: [ConnectionTrace], limit: String) -> CheckResult {
        let observed = Words.count(turnedAway.count, "connect") + " turned away"
        guard let last = turnedAway.last,
            let next = transcript.connections.first(where: {
                $0.opened.at > last.opened.at && !$0.isTurnedAway
            })
        else {
            return CheckResult(.b11, .pass, observed: observed, limit: limit)
        }
        let end = last.end?.at ?? last.opened.at
        let wait = next.opened.at.elapsed(since: end)
        let allowed: Duration =
            evidence.offersPathSource
            ? .seconds(5) : (evidence.cap ?? .seconds(600)) + .seconds(1)
        return CheckResult(
            .b11,
            wait <= allowed ? .pass : .fail,
            observed: "\(observed); back after \(Words.time(wait))",
            limit: limit,
            reason: wait <= allowed ? "" : "late-return",
            lines: [last.opened.line, next.opened.line]
        )
    }
}

extension Duration {
    /// A Retry-After and what a client may add to it unnoticed: 2 s and a quarter.
    fileprivate var addingSlack: Duration { self + .seconds(2) + self / 4 }
}

extension Attempt.Failure {
    /// Whether the server said that it cannot now: 429 or 5xx, but not 501.
    var isOfBusyServer: Bool {
        if case .status(let status) = cause {
            return status == 429 || status >= 500 && status != 501
        }
        return false
    }

    /// What happened, as in `a 503` or `a cut (rst)`.
    package var words: String {
        switch cause {
        case .cut(let by): "a cut (\(by))"
        case .abandoned: "giving up waiting"
        case .status(let status): "a \(status)"
        case .turnedAway: "a refused connection"
        }
    }
}

extension CheckResult {
    /// The reason of B5 for more tries than are allowed.
    static let tooManyTries = "too-many-tries"
}
