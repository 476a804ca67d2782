internal import Basics
internal import Journal

// M1, M2, M3, M4: what a client does once a WebSocket or a stream of events has broken.

extension CheckRow {
    static let ofMessages = [
        CheckRow(
            .m1,
            "a broken stream of messages is not a success",
            measure: "as in R10, for a WebSocket without a close frame, which is an abnormal"
                + " closure (1006), for events that a fault or the server cut off, and for a gRPC"
                + " call without the status in its trailers; needs a command that claims success",
            level: .error,
            finding: .dishonest,
            source: "RFC 6455, section 7.1.5; WHATWG HTML, section 9.2.3; gRPC over HTTP/2"
        ) { $0.checkBrokenMessages() },
        CheckRow(
            .m2,
            "an event client resumes after the last event",
            measure: "by Last-Event-ID in the next request for the stream, if an id had arrived",
            level: .warning,
            finding: .protocol,
            source: "WHATWG HTML, section 9.2.3"
        ) { $0.checkResumedEvents() },
        CheckRow(
            .m3,
            "a message client comes back after a cut",
            measure: "fails if a command fails without another request after such a cut",
            level: .note,
            finding: .giveup,
            source: "RFC 6455, section 7.2.3; WHATWG HTML, section 9.2.3"
        ) { $0.checkReturn() },
        CheckRow(
            .m4,
            "an event client waits for as long as it is told",
            measure: "after `retry`, with a tolerance of 20 ms and 1 %",
            level: .warning,
            finding: .protocol,
            isOfTimes: true,
            source: "WHATWG HTML, section 9.2.6"
        ) { $0.checkRetryTime() },
    ]
}

extension CheckContext {
    func checkBrokenMessages() -> CheckResult {
        checkIncompletion(
            .m1,
            limit: "no success with a broken stream of messages",
            none: "no stream of messages broke",
            among: .streamsOfMessages
        )
    }

    func checkResumedEvents() -> CheckResult {
        let limit = "Last-Event-ID with the last id that arrived"
        let later = LaterRequests(transcript)
        let resumed = broken.compactMap { exchange in
            exchange.lastID.flatMap { id in next(after: exchange, later).map { (exchange, id, $0) }
            }
        }
        guard !resumed.isEmpty else { return skipped(.m2, "no events were resumed", limit: limit) }
        for (exchange, id, next) in resumed {
            let said = next.request.value.fields["last-event-id"]
            guard said != id else { continue }
            return CheckResult(
                .m2,
                .fail,
                observed: said.map { "\($0), not \(id)" } ?? "none, not \(id)",
                limit: limit,
                reason: said == nil ? "no-id" : "other-id",
                lines: [exchange.lastLine, next.request.line]
            )
        }
        let observed = Words.count(resumed.count, "stream") + " resumed"
        return CheckResult(.m2, .pass, observed: observed, limit: limit)
    }

    func checkReturn() -> CheckResult {
        let limit = "another connection before it gives up"
        guard !broken.isEmpty else {
            return skipped(.m3, "no stream of messages broke", limit: limit)
        }
        let later = LaterRequests(transcript)
        let tried = Set(broken.filter { next(after: $0, later) != nil }.map(later.name))
        guard let left = broken.first(where: { !tried.contains(later.name(of: $0)) }),
            claimsSuccess == false
        else {
            let observed = Words.count(broken.count, "broken stream")
            return CheckResult(.m3, .pass, observed: observed, limit: limit)
        }
        return CheckResult(
            .m3,
            .fail,
            observed: "the command failed without another try of \(left.target)",
            limit: limit,
            reason: "not-retried",
            lines: [left.lastLine]
        )
    }

    func checkRetryTime() -> CheckResult {
        let limit = "the time that the stream names"
        var observed: Duration?
        let later = LaterRequests(transcript)
        for exchange in broken {
            guard let wanted = exchange.retryTime, let end = exchange.endedAt,
                let next = next(after: exchange, later)
            else { continue }
            let wait = began(next).elapsed(since: end)
            observed = min(observed ?? wait, wait)
            guard wait + wanted / 100 + Self.tolerance < wanted else { continue }
            return CheckResult(
                .m4,
                .fail,
                observed: Words.time(wait),
                limit: "at least \(Words.time(wanted))",
                reason: "too-early",
                lines: [exchange.lastLine, next.request.line]
            )
        }
        guard let observed else { return skipped(.m4, "no stream names a time", limit: limit) }
        return CheckResult(.m4, .pass, observed: Words.time(observed), limit: limit)
    }

    private static var tolerance: Duration { .milliseconds(20) }

    /// Exchanges whose messages broke off; a call that its server has begun to answer is not retried (gRFC
    /// A6).
    private var broken: [Exchange] {
        transcript.exchanges.filter { exchange in
            guard let messages = exchange.receivedMessages, messages.value.kind != .grpc,
                case .cut = exchange.outcome
            else {
                return false
            }
            return transcript.followsMessages(of: exchange)
        }
    }

    /// The first request for the same after an exchange has ended.
    private func next(after exchange: Exchange, _ later: LaterRequests) -> Exchange? {
        exchange.endedAt.flatMap { later.first(for: exchange, from: $0) }
    }

    /// When a client set out for a request: with its connection, if it is the first there.
    private func began(_ exchange: Exchange) -> Instant {
        guard exchange.id.ordinal == 1,
            let connection = transcript.connection(exchange.id.connection)
        else { return exchange.beganAt }
        return connection.opened.at
    }
}

extension Exchange {
    /// The last id of an event that arrived; nil if there was none, or it was taken back.
    fileprivate var lastID: String? {
        receivedMessages?.value.lastID.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// How long its stream wants its client to wait.
    fileprivate var retryTime: Duration? {
        receivedMessages?.value.retryMilliseconds.map { .milliseconds(Int64(min($0, 86_400_000))) }
    }
}
