internal import Basics
internal import Journal

// B7, B8, B9: which requests are retried, and what is asked first.

extension CheckRow {
    static let ofRetriedRequests = [
        CheckRow(
            .b7,
            "what cannot succeed is not repeated",
            measure: "400, 401, 403, 404, 405, 410, 415, 422, 501; for tus also 412",
            level: .warning,
            finding: .waste,
            source: "RFC 9110, section 15.5"
        ) { $0.checkHopeless() },
        CheckRow(
            .b8,
            "a creation whose response was lost is not repeated",
            measure: "unless it carries the same Idempotency-Key",
            level: .note,
            finding: .duplicate,
            source: "RFC 9110, section 9.2.2"
        ) { $0.checkLostCreations() },
        CheckRow(
            .b9,
            "after a failure the client asks for the offset",
            measure: "the first append after a failure uses an offset reported after it",
            level: .error,
            finding: .protocol,
            source: "draft-ietf-httpbis-resumable-upload; tus 1.0.0"
        ) { $0.checkResynchronisation() },
    ]
}

extension CheckContext {
    func checkHopeless() -> CheckResult {
        let limit = "not the same request again after a 4xx that will not change"
        var hopeless = 0
        for transfer in refused {
            for (place, attempt) in transfer.attempts.enumerated() {
                guard let exchange = exchange(attempt), isHopeless(exchange) else { continue }
                hopeless += 1
                let end = exchange.endedAt ?? .never
                let again = transfer.attempts[(place + 1)...].lazy.compactMap(self.exchange)
                    .first { $0.beganAt >= end && $0.isRepetition(of: exchange) }
                guard let again else { continue }
                return CheckResult(
                    .b7,
                    .fail,
                    observed: "\(exchange.method) again after a \(exchange.status ?? 0)",
                    limit: limit,
                    reason: "repeated-\(exchange.status ?? 0)",
                    lines: [exchange.request.line, again.request.line]
                )
            }
        }
        guard hopeless > 0 else { return skipped(.b7, "no such answer", limit: limit) }
        return CheckResult(.b7, .pass, observed: Words.count(hopeless, "such answer"), limit: limit)
    }

    private func isHopeless(_ exchange: Exchange) -> Bool {
        switch exchange.status {
        case 400, 401, 403, 404, 405, 410, 415, 422, 501: true
        case 412: exchange.request.value.fields["tus-resumable"] != nil
        default: false
        }
    }

    func checkLostCreations() -> CheckResult {
        let limit = "no second creation without an idempotency key"
        var lost = 0
        for transfer in uploads {
            let creations = transfer.attempts.filter { isCreation($0, of: transfer) }
                .compactMap(exchange)
            for (one, next) in zip(creations, creations.dropFirst()) {
                guard one.method == "POST", one.isRequestComplete, one.answers.isEmpty else {
                    continue
                }
                lost += 1
                let key = one.request.value.fields["idempotency-key"]
                guard key == nil || key != next.request.value.fields["idempotency-key"] else {
                    continue
                }
                return CheckResult(
                    .b8,
                    .fail,
                    observed: "a second creation, " + orphans(of: transfer),
                    limit: limit,
                    reason: "created-again",
                    lines: [one.request.line, next.request.line]
                )
            }
            if let last = creations.last, last.isRequestComplete, last.answers.isEmpty { lost += 1 }
        }
        guard lost > 0 else {
            return skipped(.b8, "no answer to a creation was lost", limit: limit)
        }
        return CheckResult(.b8, .pass, observed: Words.count(lost, "lost answer"), limit: limit)
    }

    func checkResynchronisation() -> CheckResult {
        let limit = "an offset that was received after the failure"
        var judged = 0
        for transfer in resumableUploads {
            for (place, failed) in transfer.attempts.enumerated() {
                guard let failure = failed.failure, failed.carriesData, failed.bytes > 0,
                    !failure.leavesOffset, let append = append(after: failure, place, in: transfer)
                else {
                    continue
                }
                judged += 1
                // The failure may be the very answer that tells the offset, as a 409 does.
                let answered = failed.learntOffsets.contains {
                    $0.status >= 200 && $0.at <= append.beganAt
                }
                let times = failure.at...append.beganAt
                let asked = transfer.attempts[(place + 1)...].lazy
                    .prefix { $0.beganAt <= append.beganAt }
                    .contains { attempt in
                        attempt.learntOffsets.contains {
                            $0.status != 104 && times.contains($0.at)
                        }
                    }
                guard !answered, !asked else { continue }
                return CheckResult(
                    .b9,
                    .fail,
                    observed: "offset \(append.start) after \(failure.words), unasked",
                    limit: limit,
                    reason: "blind",
                    lines: [failure.line, append.line]
                )
            }
        }
        guard judged > 0 else { return skipped(.b9, "nothing was appended to after a failure") }
        return CheckResult(.b9, .pass, observed: Words.count(judged, "append"), limit: limit)
    }

    /// The first append that answers a failure, unless a new resource was created first.
    private func append(
        after failure: Attempt.Failure,
        _ place: Int,
        in transfer: Transfer
    ) -> Attempt? {
        for attempt in transfer.attempts[(place + 1)...]
        where attempt.beganAt >= failure.at {
            if isCreation(attempt, of: transfer) { return nil }
            if attempt.carriesData || attempt.kind == .finish { return attempt }
        }
        return nil
    }
}

extension Exchange {
    /// Whether it asks for the very same thing: method, target, range, offset and credentials.
    fileprivate func isRepetition(of other: Exchange) -> Bool {
        let (mine, theirs) = (request.value, other.request.value)
        return mine.method == theirs.method && mine.target == theirs.target
            && ["range", "upload-offset", "authorization"].allSatisfy {
                mine.fields[$0] == theirs.fields[$0]
            }
    }
}
