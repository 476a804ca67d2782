internal import Basics
internal import Faults
internal import Journal

// H1, H2, H3, H4, H5: what a client does about streams of HTTP/2 that end early.

extension CheckRow {
    static let ofStreams = [
        CheckRow(
            .h1,
            "a stream that was not processed is tried again",
            measure: "after REFUSED_STREAM, or a GOAWAY that leaves it unprocessed",
            level: .note,
            finding: .giveup,
            source: "RFC 9113, section 8.7"
        ) { $0.checkRefusedStreams() },
        CheckRow(
            .h2,
            "a request that may have been processed is not repeated blindly",
            measure: "for POST and PATCH, unless the stream was refused, the request carries the"
                + " same Idempotency-Key, or it belongs to a resumable upload",
            level: .error,
            finding: .duplicate,
            source: "RFC 9113, section 8.7"
        ) { $0.checkBlindRepetition() },
        CheckRow(
            .h3,
            "a connection that goes away gets no new stream",
            measure: "counted from 20 ms after the answer to a PING that goes with the GOAWAY",
            level: .error,
            finding: .protocol,
            source: "RFC 9113, section 6.8"
        ) { $0.checkLateStreams() },
        CheckRow(
            .h4,
            "an incomplete stream is not a success",
            measure: "as in R10, for streams: reset, or ended before its length or without its"
                + " trailers",
            level: .error,
            finding: .dishonest,
            source: "RFC 9113, section 8.1.1"
        ) { $0.checkIncompleteStreams() },
        CheckRow(
            .h5,
            "retries of refused streams are limited",
            measure: "at most 20 for one request, as in B5",
            level: .error,
            finding: .waste,
            source: "RFC 9113, section 8.7"
        ) { $0.checkRefusedTries() },
    ]
}

extension CheckContext {
    func checkRefusedStreams() -> CheckResult {
        let limit = "another try of a stream that was not processed"
        let refused = transcript.exchanges.filter(\.isPromisedUnprocessed)
        guard !refused.isEmpty else { return skipped(.h1, "no stream was refused", limit: limit) }
        let later = LaterRequests(transcript)
        let tries = refused.map { (exchange: $0, next: repetition(of: $0, later)) }
        // How often a request is tried that is always refused is limited by H5.
        let isTriedAgain = Set(tries.compactMap { $0.next?.request.line })
        let ends = tries.filter { $0.next == nil }.map(\.exchange)
        // Calls of one method of gRPC have one target, whatever they are for.
        let lost = ends.first { $0.isCall || !isTriedAgain.contains($0.request.line) }
        guard let lost else {
            let observed = "\(Words.count(refused.count, "refused stream")), all tried again"
            return CheckResult(.h1, .pass, observed: observed, limit: limit)
        }
        return CheckResult(
            .h1,
            .fail,
            observed: "\(lost.method) \(lost.target) was not tried again",
            limit: limit,
            reason: "not-retried",
            lines: [lost.request.line, lost.ending?.line ?? 0]
        )
    }

    func checkBlindRepetition() -> CheckResult {
        let limit = "no second request that may do twice what was asked for once"
        let doubtful = transcript.exchanges.filter { $0.mayHaveBeenProcessed && !$0.mayBeRepeated }
        guard !doubtful.isEmpty else {
            return skipped(.h2, "no such request was cut", limit: limit)
        }
        let later = LaterRequests(transcript)
        for exchange in doubtful {
            guard let again = repetition(of: exchange, later), !exchange.sharesKey(with: again)
            else {
                continue
            }
            return CheckResult(
                .h2,
                .fail,
                observed: "\(exchange.method) \(exchange.target) again after"
                    + " \(exchange.ending?.value.effect ?? "its end")",
                limit: limit,
                reason: "repeated",
                lines: [exchange.request.line, again.request.line]
            )
        }
        let observed = "\(Words.count(doubtful.count, "such request")), none repeated"
        return CheckResult(.h2, .pass, observed: observed, limit: limit)
    }

    func checkLateStreams() -> CheckResult {
        let limit = "no new stream once GOAWAY is read"
        let leaving = transcript.connections.filter { connection in
            connection.faults.contains { $0.value.isFired && $0.value.isGoAway }
        }
        guard !leaving.isEmpty else { return skipped(.h3, "no GOAWAY", limit: limit) }
        guard let late = leaving.first(where: { $0.end?.value.lateStreams ?? 0 > 0 }) else {
            let observed = Words.count(leaving.count, "connection") + " left alone"
            return CheckResult(.h3, .pass, observed: observed, limit: limit)
        }
        let count = late.end?.value.lateStreams ?? 0
        return CheckResult(
            .h3,
            .fail,
            observed: "\(Words.count(count, "stream")) on c\(late.id.ordinal) after GOAWAY",
            limit: limit,
            reason: "late-stream",
            lines: [late.end?.line ?? 0]
        )
    }

    func checkIncompleteStreams() -> CheckResult {
        checkIncompletion(
            .h4,
            limit: "no success with an incomplete stream",
            none: "no stream was incomplete",
            among: .streams
        )
    }

    func checkRefusedTries() -> CheckResult {
        let most = evidence.maximumTries
        let limit = "at most \(Words.count(most, "try", "tries")) of a request that is refused"
        var counts: [String: Int] = [:]
        for exchange in transcript.exchanges where exchange.isPromisedUnprocessed {
            counts["\(exchange.method) \(exchange.target)", default: 0] += 1
        }
        guard let worst = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
            return skipped(.h5, "no stream was refused", limit: limit)
        }
        let isOver = worst.value > most
        return CheckResult(
            .h5,
            isOver ? .fail : .pass,
            observed: "\(Words.count(worst.value, "refused try", "refused tries")) of \(worst.key)",
            limit: limit,
            reason: isOver ? "too-many-tries" : "",
            lines: isOver ? transcript.exchanges.last.map { [$0.request.line] } ?? [] : []
        )
    }

    /// The first request for the same after another one has ended.
    private func repetition(of exchange: Exchange, _ later: LaterRequests) -> Exchange? {
        guard let ending = exchange.ending else { return nil }
        return later.first(for: exchange, from: ending.at) {
            $0.method == exchange.method
        }
    }
}

extension Exchange {
    /// The fault that has ended its stream, for the client.
    fileprivate var ending: Timed<FaultReport>? {
        guard request.value.isStream else { return nil }
        return faults.first { $0.value.endsStreamOfClient }
    }

    /// Whether the server has promised that it has done nothing (RFC 9113 §8.7).
    var isPromisedUnprocessed: Bool {
        guard answers.isEmpty, let ending else { return false }
        return ending.value.isGoAway || ending.value.effect == Self.refusal
    }

    private static let refusal = "\(Effect.Kind.resetStream.name)(REFUSED_STREAM)"

    /// Whether its client cannot know what the server has done.
    fileprivate var mayHaveBeenProcessed: Bool {
        ending != nil && !isPromisedUnprocessed && status == nil
    }

    /// Whether it does the same when it is done twice (RFC 9110 §9.2.2), or knows how far it came.
    fileprivate var mayBeRepeated: Bool {
        // Which calls may be repeated is the policy of their service (gRFC A6).
        guard method == "POST" || method == "PATCH", !isCall else { return true }
        let fields = request.value.fields
        return [
            "upload-offset", "tus-resumable", "upload-draft-interop-version", "upload-complete",
        ]
        .contains { fields[$0] != nil }
    }

    fileprivate func sharesKey(with other: Exchange) -> Bool {
        guard let key = request.value.fields["idempotency-key"] else { return false }
        return key == other.request.value.fields["idempotency-key"]
    }
}

extension FaultReport {
    var isGoAway: Bool { effectName == Effect.Kind.goAway.name }
}
