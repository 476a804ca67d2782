internal import Basics
internal import Journal

// R3, R4, R7, R9: what happens to the resources of uploads.

extension CheckRow {
    static let ofUploads = [
        CheckRow(
            .r3,
            "one upload creates one resource",
            measure: "a second one only if the URL of the first never arrived, or the first is"
                + " gone",
            level: .error,
            finding: .duplicate,
            source: "draft-ietf-httpbis-resumable-upload; tus 1.0.0"
        ) { $0.checkCreations() },
        CheckRow(
            .r4,
            "an upload completes exactly once, and success means that it did",
            measure: "as the origin reports; other servers must be checked separately",
            level: .error,
            finding: .duplicate,
            source: "draft-ietf-httpbis-resumable-upload; tus 1.0.0"
        ) { $0.checkCompletions() },
        CheckRow(
            .r7,
            "an upload has one request at a time",
            measure: "seen from the client, with a tolerance of 20 ms",
            level: .error,
            finding: .protocol,
            isOfTimes: true,
            source: "draft-ietf-httpbis-resumable-upload; tus 1.0.0"
        ) { $0.checkOneRequestAtATime() },
        CheckRow(
            .r9,
            "an abandoned upload is deleted",
            measure: "if the client failed permanently; a paused upload is not abandoned",
            level: .note,
            finding: .protocol,
            source: "draft-ietf-httpbis-resumable-upload; tus 1.0.0"
        ) { $0.checkDeletion() },
    ]
}

extension CheckContext {
    func checkCreations() -> CheckResult {
        let limit = "another resource only if the URL of the first never came or it is gone"
        let results = resumableUploads.map { transfer -> CheckResult in
            let again = transfer.attempts.filter { isCreation($0, of: transfer) }.dropFirst()
            let needless = again.filter { $0.kind == .restarted }
            return CheckResult(
                .r3,
                needless.isEmpty ? .pass : .fail,
                observed: Words.count(again.count + 1, "creation") + ", "
                    + orphans(of: transfer),
                limit: limit,
                reason: needless.isEmpty ? "" : "created-again",
                lines: needless.map(\.line)
            )
        }
        return .merged(results, else: skipped(.r3, "no resumable upload", limit: limit))
    }

    /// Whether an attempt asked for a resource, instead of using one.
    func isCreation(_ attempt: Attempt, of transfer: Transfer) -> Bool {
        guard let exchange = exchange(attempt) else { return false }
        let path = URLText.path(of: exchange.target, base: "/")
        return ["POST", "PUT", "PATCH"].contains(exchange.method)
            && !transfer.uploadPaths.contains(path)
    }

    /// How many resources there are for an upload, as the origin or the client heard.
    func created(for transfer: Transfer) -> Int {
        guard hasOwnOrigin, resumableUploads.count == 1 else { return transfer.uploadPaths.count }
        return transcript.originEvents.count { $0.value.event == .created }
    }

    /// How many resources of an upload were left behind: of another server only what the client heard.
    func orphans(of transfer: Transfer) -> String {
        let count = max(0, created(for: transfer) - 1)
        return count > 0 || hasOwnOrigin
            ? Words.count(count, "orphan") : "orphans cannot be known"
    }

    func checkCompletions() -> CheckResult {
        let limit = "one completion for each upload; success only if it happened"
        guard !uploads.isEmpty else { return skipped(.r4, "no upload", limit: limit) }
        guard hasOwnOrigin else {
            return evidence.serverCheck == .notRun && uploadsOnlyMessages
                ? skipped(.r4, "no uploads other than gRPC calls", limit: limit)
                : judgeServerCheck(limit: limit)
        }
        let plain = Set(uploads.filter { $0.kind == .plainUpload }.map(\.target))
        let completions = transcript.originEvents.filter {
            $0.value.event == .complete && !plain.contains($0.value.resource)
        }
        let resumable = resumableUploads.count
        let observed =
            Words.count(completions.count, "completion") + " of " + Words.count(resumable, "upload")
        let lines = completions.map(\.line)
        if resumable == 0 { return skipped(.r4, "no resumable upload", limit: limit) }
        if completions.count > resumable {
            return CheckResult(
                .r4,
                .fail,
                observed: observed,
                limit: limit,
                reason: "duplicate",
                lines: lines
            )
        }
        if completions.count < resumable, claimsSuccess ?? false {
            return CheckResult(.r4, .fail, observed: observed, limit: limit, reason: "lost")
        }
        if completions.count < resumable, claimsSuccess == nil {
            return CheckResult(
                .r4,
                .inconclusive,
                observed: observed,
                limit: limit,
                reason: "no-exit-code"
            )
        }
        return CheckResult(.r4, .pass, observed: observed, limit: limit, lines: lines)
    }

    /// Whether all that was sent are the messages of calls, whose status says what became of them.
    private var uploadsOnlyMessages: Bool {
        let calls = Set(transcript.exchanges.lazy.filter(\.isCall).map(\.target))
        return uploads.allSatisfy { calls.contains($0.target) }
    }

    private func judgeServerCheck(limit: String) -> CheckResult {
        switch evidence.serverCheck {
        case .pass: CheckResult(.r4, .pass, observed: "the server has it", limit: limit)
        case .fail where claimsSuccess == false:
            CheckResult(.r4, .pass, observed: "neither success nor completion", limit: limit)
        case .fail:
            CheckResult(
                .r4,
                .fail,
                observed: "the server does not have it",
                limit: limit,
                reason: "lost"
            )
        case .unknown, .notRun:
            CheckResult(
                .r4,
                .inconclusive,
                observed: "the server was not asked",
                limit: limit,
                reason: "no-server-check"
            )
        }
    }

    func checkOneRequestAtATime() -> CheckResult {
        let limit = "no request on an upload while an earlier one is open"
        var worst: CheckResult?
        var count = 0
        for transfer in resumableUploads {
            let requests = transfer.attempts.compactMap(exchange).filter {
                transfer.uploadPaths.contains(URLText.path(of: $0.target, base: "/"))
                    && ["HEAD", "GET", "PATCH", "PUT", "POST"].contains($0.method)
            }
            count += requests.count
            guard var longest = requests.first else { continue }
            for later in requests.dropFirst() {
                if let result = judgeOverlap(longest, later, limit: limit) {
                    if result.verdict == .fail { return result }
                    worst = worst ?? result
                }
                if later.endOrNever > longest.endOrNever { longest = later }
            }
        }
        guard count > 1 else { return skipped(.r7, "fewer than two requests", limit: limit) }
        return worst
            ?? CheckResult(.r7, .pass, observed: Words.count(count, "request"), limit: limit)
    }

    /// Which of two events came first cannot be told within this time.
    private static var orderTolerance: Duration { .milliseconds(20) }

    /// Nil if the earlier request was over when the later one began.
    private func judgeOverlap(_ earlier: Exchange, _ later: Exchange, limit: String) -> CheckResult?
    {
        let end = earlier.endOrNever
        guard end > later.beganAt else { return nil }
        let overlap = end - later.beganAt
        let isClear = overlap > Self.orderTolerance && !earlier.isLeftInSilence
        return CheckResult(
            .r7,
            isClear ? .fail : .inconclusive,
            observed: "\(later.method) while \(earlier.method) was open"
                + (end == .never ? "" : ", for \(Words.time(overlap))"),
            limit: limit,
            reason: isClear
                ? "two-at-once" : earlier.isLeftInSilence ? "left-in-silence" : "too-close",
            lines: [earlier.request.line, later.request.line]
        )
    }

    func checkDeletion() -> CheckResult {
        let limit = "a DELETE within 5 s of the client's end"
        let left = resumableUploads.filter {
            !$0.isComplete && !$0.uploadPaths.isEmpty && !isGone($0)
        }
        guard let first = left.first else {
            return skipped(.r9, "no upload was left", limit: limit)
        }
        guard let exitCode else {
            return CheckResult(
                .r9,
                .inconclusive,
                observed: "\(first.name) left incomplete",
                limit: limit,
                reason: "no-exit-code"
            )
        }
        // 75 is EX_TEMPFAIL of sysexits.h: to be continued.
        guard !isTimedOut, exitCode != 0, exitCode != 75, exitCode < 128 else {
            return skipped(.r9, "not given up", limit: limit)
        }
        let kept = left.filter { transfer in
            !transfer.attempts.contains { $0.method == "DELETE" }
        }
        return CheckResult(
            .r9,
            kept.isEmpty ? .pass : .fail,
            observed: kept.isEmpty ? "deleted" : "\(Words.count(kept.count, "upload")) left behind",
            limit: limit,
            reason: kept.isEmpty ? "" : "left-behind",
            lines: kept.compactMap { $0.attempts.last?.line }
        )
    }

    private func isGone(_ transfer: Transfer) -> Bool {
        transfer.attempts.contains { $0.status == 404 || $0.status == 410 }
    }
}

extension Exchange {
    fileprivate var endOrNever: Instant { endedAt ?? .never }
}
