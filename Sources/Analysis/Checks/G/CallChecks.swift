internal import Basics
internal import HTTPWire
internal import Journal

// G1, G2, G3: what a client of gRPC tries again (gRFC A6).

extension CheckRow {
    static let ofCalls = [
        CheckRow(
            .g1,
            "a call that will fail again is not retried",
            measure: "after INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED,"
                + " FAILED_PRECONDITION, OUT_OF_RANGE, UNIMPLEMENTED, DATA_LOSS or"
                + " UNAUTHENTICATED, by grpc-previous-rpc-attempts",
            level: .note,
            finding: .waste,
            source: "gRFC A6"
        ) { $0.checkRetriedStatuses() },
        CheckRow(
            .g2,
            "a call is not retried before its server allows it",
            measure: "by grpc-retry-pushback-ms, with a tolerance of 20 ms and 1 %; never after a"
                + " negative or unreadable value",
            level: .warning,
            finding: .protocol,
            isOfTimes: true,
            source: "gRFC A6"
        ) { $0.checkPushback() },
        CheckRow(
            .g3,
            "retries of a call are counted",
            measure: "by grpc-previous-rpc-attempts; inconclusive if attempts may not have been"
                + " seen",
            level: .note,
            finding: .protocol,
            source: "gRFC A6"
        ) { $0.checkCountedRetries() },
    ]
}

extension CheckContext {
    func checkRetriedStatuses() -> CheckResult {
        let limit = "no retry of a call that will fail again"
        let retries = callRetries.filter { $0.ended != nil }
        guard !retries.isEmpty else { return skipped(.g1, "no call was retried", limit: limit) }
        let hopeless = retries.filter(\.isHopeless)
        guard let retry = CallRetry.worst(of: hopeless), let call = retry.ended else {
            let observed = "\(Words.count(retries.count, "retry", "retries"))"
            return CheckResult(.g1, .pass, observed: observed, limit: limit)
        }
        let status = call.callStatus ?? 0
        return CheckResult(
            .g1,
            retry.mayBeOfAnother ? .inconclusive : .fail,
            observed: "\(call.target) again after status \(status)",
            limit: limit,
            reason: "hopeless",
            lines: [call.lastLine, retry.exchange.request.line]
        )
    }

    func checkPushback() -> CheckResult {
        let limit = "no retry before the time that the server names, or none at all"
        let told = transcript.exchanges.filter { $0.isCall && $0.pushbackMilliseconds != nil }
        guard !told.isEmpty else { return skipped(.g2, "no server named a time", limit: limit) }
        guard let retry = CallRetry.worst(of: callRetries.filter(\.isEarly)),
            let call = retry.ended, let pushback = call.pushbackMilliseconds
        else {
            let observed = Words.count(told.count, "call") + " told when to retry"
            return CheckResult(.g2, .pass, observed: observed, limit: limit)
        }
        return CheckResult(
            .g2,
            retry.mayBeOfAnother ? .inconclusive : .fail,
            observed: "\(call.target) again after \(Words.time(retry.waited(after: call)))",
            limit: pushback < 0
                ? "no retry" : "at least \(Words.time(CallRetry.wait(pushback)))",
            reason: pushback < 0 ? "retried" : "too-early",
            lines: [call.lastLine, retry.exchange.request.line]
        )
    }

    func checkCountedRetries() -> CheckResult {
        let limit = "one more previous attempt with each retry"
        let retries = callRetries
        guard !retries.isEmpty else { return skipped(.g3, "no call was retried", limit: limit) }
        let lost = retries.filter { $0.call == nil }
        let certain = lost.first {
            !$0.mayBeOfAnother && !transcript.mayHideAttempts(before: $0.exchange.beganAt)
        }
        guard let worst = certain ?? lost.first else {
            let observed = "\(Words.count(retries.count, "retry", "retries"))"
            return CheckResult(.g3, .pass, observed: observed, limit: limit)
        }
        return CheckResult(
            .g3,
            certain == nil ? .inconclusive : .fail,
            observed: "\(worst.exchange.target) with \(worst.exchange.previousAttempts) before it",
            limit: limit,
            reason: certain == nil ? "attempts-unseen" : "miscounted",
            lines: [worst.exchange.request.line]
        )
    }

    private var callRetries: [CallRetry] { CallRetry.all(in: transcript) }
}

extension Transcript {
    /// Whether a client may have made attempts before a moment that were not seen: on a connection without a
    /// request, on one that broke before it had read them, or where the content is not known.
    fileprivate func mayHideAttempts(before time: Instant) -> Bool {
        connections.contains { connection in
            guard connection.opened.at <= time else { return false }
            if connection.requestCount == 0 || isOpaque(connection) { return true }
            if let end = connection.end, end.at <= time,
                end.value.how != .fin || end.value.by != .client
            {
                return true
            }
            return connection.faults.contains {
                let endsAll = $0.value.isClosing && $0.value.request == nil
                return $0.at <= time
                    && (endsAll || $0.value.isSilencing || $0.value.isGoAway && $0.value.isFired)
            }
        }
    }
}

extension Exchange {
    /// Whether it is a gRPC call.
    var isCall: Bool {
        request.value.isStream && method == "POST"
            && request.value.fields["content-type"].map(MediaType.isOfCalls) ?? false
    }

    /// How it ended; nil if its client was not told.
    var callStatus: UInt32? {
        receivedMessages?.value.status
            ?? response?.value.fields["grpc-status"].flatMap { UInt32($0) }
    }

    /// What its server says of another attempt: milliseconds, negative for none.
    var pushbackMilliseconds: Int64? {
        receivedMessages?.value.pushbackMilliseconds
            ?? response?.value.fields["grpc-retry-pushback-ms"].map { Int64($0) ?? -1 }
    }

    var previousAttempts: UInt32 {
        request.value.fields["grpc-previous-rpc-attempts"].flatMap { UInt32($0) } ?? 0
    }
}
