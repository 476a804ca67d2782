internal import Journal

// R10, H4 and M1 ask the same: whether the command takes something incomplete for success.
extension CheckContext {
    /// Which answers may be incomplete.
    enum Answers {
        case messages, streams
        /// WebSockets and streams of events.
        case streamsOfMessages

        init(_ exchange: Exchange) {
            self =
                exchange.receivedMessages != nil
                ? .streamsOfMessages : exchange.request.value.isStream ? .streams : .messages
        }
    }

    func checkIncompletion(
        _ check: Check,
        limit: String,
        none: String,
        among answers: Answers
    ) -> CheckResult {
        let incomplete = transfers.filter { transfer in
            transfer.kind != .opaque
                && transfer.attempts.contains { isIncomplete($0, among: answers) }
        }
        guard !incomplete.isEmpty else { return skipped(check, none, limit: limit) }
        // Whoever has the whole object needed nothing of what was cut.
        let unresolved = evidence.oracle == .matches ? [] : incomplete.filter { !$0.isComplete }
        guard let first = unresolved.first else {
            return CheckResult(
                check,
                .pass,
                observed: evidence.oracle == .matches
                    ? "the result is right"
                    : Words.count(incomplete.count, "transfer") + " completed later",
                limit: limit
            )
        }
        let lines = first.attempts.filter { isIncomplete($0, among: answers) }.map(\.lastLine)
        switch claimsSuccess {
        case true:
            return CheckResult(
                check,
                .fail,
                observed: "success, but \(incompleteness(of: first))",
                limit: limit,
                reason: "false-success",
                lines: lines
            )
        case false:
            return CheckResult(check, .pass, observed: "it failed", limit: limit, lines: lines)
        default:
            return CheckResult(
                check,
                .inconclusive,
                observed: incompleteness(of: first),
                limit: limit,
                reason: "no-exit-code",
                lines: lines
            )
        }
    }

    /// What a transfer lacks: bytes, or bytes of the version that came last.
    private func incompleteness(of transfer: Transfer) -> String {
        guard transfer.attempts.contains(where: \.isOtherVersion), let size = transfer.size else {
            return "\(transfer.name) is incomplete"
        }
        let missing = size - transfer.coverage.count(in: 0..<size)
        return "no version of \(transfer.name) came whole, the last one lacks"
            + " \(Words.bytes(missing))"
    }

    /// Whether a message of an attempt was cut short of its declared end.
    ///
    /// A client may leave on its own, but not one that a fault left without the rest.
    private func isIncomplete(_ attempt: Attempt, among answers: Answers) -> Bool {
        guard let place = place(of: attempt),
            Answers(transcript.exchanges[place]) == answers,
            transcript.followsMessages(of: transcript.exchanges[place])
        else { return false }
        // A refusal that is cut is a refusal still.
        if let status = attempt.status, status >= 300 { return false }
        if transcript.exchanges[place].endsWithoutStatus { return true }
        switch transcript.exchanges[place].outcome {
        // The end of its connection is not the end of a stream of messages.
        case .cut:
            return answers == .streamsOfMessages || !seemsComplete(transcript.exchanges[place])
        case .abandoned, .open:
            return transcript.connection(attempt.connection)?.isSilenced ?? false
        case .answered: return false
        }
    }

    /// Whether nothing tells a client that an answer was cut.
    ///
    /// Its content ends with its connection, which closed normally (RFC 9112 §8): only a comparison
    /// can decide then. Under TLS, close_notify tells (RFC 9112 §9.8), and a fault sends none.
    private func seemsComplete(_ exchange: Exchange) -> Bool {
        exchange.response?.value.framing == .close
            && transcript.connection(exchange.id.connection)?.end?.value.endsUntold ?? false
    }
}

extension ConnectionEnd {
    /// Whether it closed in such a way that a cut looks like the end.
    fileprivate var endsUntold: Bool { how == .fin && !(isSealed && by == .fault) }
}
