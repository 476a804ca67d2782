internal import Journal

// R2, R10, R11 and H4: what the command says it has.

extension CheckRow {
    static let ofResults = [
        CheckRow(
            .r2,
            "the result is one whole version of the object",
            measure: "compared with the object; inconclusive without a comparison",
            level: .error,
            finding: .corrupt,
            source: "practice"
        ) { $0.checkResult() },
        CheckRow(
            .r10,
            "an incomplete message is not a success",
            measure: "shorter than its length, without its last chunk, or reset; under TLS also"
                + " without close_notify, if nothing else marks its end",
            level: .error,
            finding: .dishonest,
            source: "RFC 9112, section 8"
        ) { $0.checkIncompleteMessages() },
        CheckRow(
            .r11,
            "what comes whole is taken",
            measure: "fails if a command fails although, after an interruption, two responses"
                + " without a fault delivered one whole version",
            level: .warning,
            finding: .giveup,
            source: "practice"
        ) { $0.checkWholeAnswers() },
        CheckRow(
            .h4,
            "an incomplete stream is not a success",
            measure: "as R10, for streams: reset, or ended before its length or without its"
                + " trailers",
            level: .error,
            finding: .dishonest,
            source: "RFC 9113, section 8.1.1"
        ) { $0.checkIncompleteStreams() },
        CheckRow(
            .m1,
            "a broken stream of messages is not a success",
            measure: "as R10, for a WebSocket without a close frame, which is an abnormal closure"
                + " (1006), for events that a fault or the server cut off, and for a gRPC call"
                + " without the status in its trailers; needs a command that claims success",
            level: .error,
            finding: .dishonest,
            source: "RFC 6455, section 7.1.5; WHATWG HTML, section 9.2.3; gRPC over HTTP/2"
        ) { $0.checkBrokenMessages() },
    ]
}

extension CheckContext {
    func checkResult() -> CheckResult {
        let limit = "byte for byte one whole version"
        switch evidence.oracle {
        case .matches: return CheckResult(.r2, .pass, observed: "identical", limit: limit)
        case .differs(let words):
            let reason = claimsSuccess == false ? "left-behind" : "differs"
            return CheckResult(.r2, .fail, observed: words, limit: limit, reason: reason)
        case .beginning where claimsSuccess == false:
            return skipped(.r2, "the command failed and left a beginning", limit: limit)
        case .beginning(let words):
            return CheckResult(.r2, .fail, observed: words, limit: limit, reason: "partial")
        case .missing where claimsSuccess == false:
            return skipped(.r2, "the command failed and left no result", limit: limit)
        case .missing:
            return CheckResult(.r2, .fail, observed: "no result", limit: limit, reason: "missing")
        case .unknown
        where evidence.serverCheck == .pass && !transfers.contains { $0.kind == .download }:
            return skipped(.r2, "nothing was downloaded", limit: limit)
        case .unknown:
            return CheckResult(
                .r2,
                .inconclusive,
                observed: "not compared",
                limit: limit,
                reason: "no-oracle"
            )
        }
    }

    /// A client that holds on to the length or the beginning of an earlier version fails, however often the
    /// new one comes whole.
    func checkWholeAnswers() -> CheckResult {
        let limit = "at most one answer that is whole, and not taken"
        guard claimsSuccess == false else {
            return skipped(.r11, "the command did not fail", limit: limit)
        }
        let interrupted = Set(interrupted.map(\.target))
        let whole = transcript.exchanges.filter {
            interrupted.contains($0.target) && $0.isWholeAndUntouched
        }
        guard !whole.isEmpty else { return skipped(.r11, "nothing came whole", limit: limit) }
        let versions = Dictionary(grouping: whole) { exchange in
            "\(exchange.target) \(exchange.response?.value.fields["etag"] ?? "")"
        }
        let most = versions.values.max { ($0.count, $1[0].id) < ($1.count, $0[0].id) } ?? []
        let times = most.count == 1 ? "once" : "\(most.count) times"
        return CheckResult(
            .r11,
            most.count > 1 ? .fail : .pass,
            observed: "\(most[0].target) came whole \(times), and the command failed",
            limit: limit,
            reason: most.count > 1 ? "not-taken" : "",
            lines: most.map(\.request.line)
        )
    }

    func checkIncompleteMessages() -> CheckResult {
        checkIncompletion(
            .r10,
            limit: "no success with an incomplete message",
            none: "no message was incomplete",
            among: .messages
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

    func checkBrokenMessages() -> CheckResult {
        checkIncompletion(
            .m1,
            limit: "no success with a broken stream of messages",
            none: "no stream of messages broke",
            among: .streamsOfMessages
        )
    }

    /// Which answers may be incomplete.
    private enum Answers {
        case messages, streams
        /// WebSockets and streams of events.
        case streamsOfMessages

        init(_ exchange: Exchange) {
            self =
                exchange.receivedMessages != nil
                ? .streamsOfMessages : exchange.request.value.isStream ? .streams : .messages
        }
    }

    private func checkIncompletion(
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
        let unmended = evidence.oracle == .matches ? [] : incomplete.filter { !$0.isComplete }
        guard let first = unmended.first else {
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

extension Exchange {
    /// Whether all of an object came, as its server sent it.
    fileprivate var isWholeAndUntouched: Bool {
        method == "GET" && status == 200 && faults.isEmpty
            && response?.value.fields["content-encoding"] == nil
            && responseBody?.value.isComplete == true
    }
}
