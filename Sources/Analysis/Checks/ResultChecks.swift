internal import Journal

// R2 and R10: what the command says it has.
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

    func checkIncompleteMessages() -> CheckResult {
        let limit = "no success with an incomplete message"
        let incomplete = transfers.filter { transfer in
            transfer.kind != .opaque && transfer.attempts.contains { isIncomplete($0) }
        }
        guard !incomplete.isEmpty else {
            return skipped(.r10, "no message was incomplete", limit: limit)
        }
        // Whoever has the whole object needed nothing of what was cut.
        let unmended = evidence.oracle == .matches ? [] : incomplete.filter { !$0.isComplete }
        guard let first = unmended.first else {
            return CheckResult(
                .r10,
                .pass,
                observed: evidence.oracle == .matches
                    ? "the result is right"
                    : Words.count(incomplete.count, "transfer") + " completed later",
                limit: limit
            )
        }
        let lines = first.attempts.filter { isIncomplete($0) }.map(\.lastLine)
        switch claimsSuccess {
        case true:
            return CheckResult(
                .r10,
                .fail,
                observed: "success, but \(incompleteness(of: first))",
                limit: limit,
                reason: "false-success",
                lines: lines
            )
        case false:
            return CheckResult(.r10, .pass, observed: "it failed", limit: limit, lines: lines)
        default:
            return CheckResult(
                .r10,
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
    private func isIncomplete(_ attempt: Attempt) -> Bool {
        guard let place = place(of: attempt) else { return false }
        // A refusal that is cut is a refusal still.
        if let status = attempt.status, status >= 300 { return false }
        switch transcript.exchanges[place].outcome {
        case .cut: return !seemsComplete(transcript.exchanges[place])
        case .abandoned, .open:
            return transcript.connection(attempt.connection)?.isSilenced ?? false
        case .answered: return false
        }
    }

    /// Whether nothing tells a client that an answer was cut.
    ///
    /// Its content ends with its connection, which closed normally (RFC 9112 §8): only a comparison
    /// can decide then.
    private func seemsComplete(_ exchange: Exchange) -> Bool {
        exchange.response?.value.framing == .close
            && transcript.connection(exchange.id.connection)?.end?.value.how == .fin
    }
}
