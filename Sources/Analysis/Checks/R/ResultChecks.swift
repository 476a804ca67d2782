internal import Journal

// R2, R10, R11: what the command says it has.

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
            "what arrives complete is accepted",
            measure: "fails if a command fails although, after an interruption, two responses"
                + " without a fault each delivered the same version in full",
            level: .warning,
            finding: .giveup,
            source: "practice"
        ) { $0.checkWholeAnswers() },
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
}

extension Exchange {
    /// Whether all of an object came, as its server sent it.
    fileprivate var isWholeAndUntouched: Bool {
        method == "GET" && status == 200 && faults.isEmpty
            && response?.value.fields["content-encoding"] == nil
            && responseBody?.value.isComplete == true
    }
}
