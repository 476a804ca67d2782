internal import Journal

// G1, G2 and G3: what a client of gRPC tries again (gRFC A6).
extension CheckContext {
    func checkRetriedStatuses() -> CheckResult {
        let limit = "no retry of a call that will fail again"
        let retries = callRetries.filter { $0.call != nil }
        guard !retries.isEmpty else { return skipped(.g1, "no call was retried", limit: limit) }
        for retry in retries {
            guard let call = retry.call, let status = call.callStatus, retry.isHopeless else {
                continue
            }
            return CheckResult(
                .g1,
                .fail,
                observed: "\(call.target) again after status \(status)",
                limit: limit,
                reason: "hopeless",
                lines: [call.lastLine, retry.exchange.request.line]
            )
        }
        let observed = "\(Words.count(retries.count, "retry", "retries"))"
        return CheckResult(.g1, .pass, observed: observed, limit: limit)
    }

    func checkPushback() -> CheckResult {
        let limit = "no retry before the time that the server names, or none at all"
        let told = transcript.exchanges.filter { $0.isCall && $0.pushbackMilliseconds != nil }
        guard !told.isEmpty else { return skipped(.g2, "no server named a time", limit: limit) }
        for retry in callRetries {
            guard let call = retry.call, let pushback = call.pushbackMilliseconds, retry.isEarly
            else { continue }
            let end = call.endedNanoseconds ?? 0
            let wait = retry.exchange.beganNanoseconds - min(retry.exchange.beganNanoseconds, end)
            return CheckResult(
                .g2,
                .fail,
                observed: "\(call.target) again after \(Words.time(wait))",
                limit: pushback < 0
                    ? "no retry" : "at least \(Words.time(CallRetry.wait(pushback)))",
                reason: pushback < 0 ? "retried" : "too-early",
                lines: [call.lastLine, retry.exchange.request.line]
            )
        }
        let observed = Words.count(told.count, "call") + " told when to retry"
        return CheckResult(.g2, .pass, observed: observed, limit: limit)
    }

    func checkCountedRetries() -> CheckResult {
        let limit = "one more previous attempt with each retry"
        let retries = callRetries
        guard !retries.isEmpty else { return skipped(.g3, "no call was retried", limit: limit) }
        // An attempt that found no connection counts, too, and was not seen.
        guard !transcript.connections.contains(where: { $0.requestCount == 0 }),
            let lost = retries.first(where: { $0.call == nil })
        else {
            let observed = "\(Words.count(retries.count, "retry", "retries"))"
            return CheckResult(.g3, .pass, observed: observed, limit: limit)
        }
        return CheckResult(
            .g3,
            .fail,
            observed: "\(lost.exchange.target) with \(lost.exchange.previousAttempts) before it",
            limit: limit,
            reason: "miscounted",
            lines: [lost.exchange.request.line]
        )
    }

    private var callRetries: [CallRetry] { CallRetry.all(in: transcript) }
}

/// A call that its client says is another attempt, and the one that it repeats.
private struct CallRetry {
    let exchange: Exchange
    /// Nil if no earlier call can be it.
    let call: Exchange?

    /// So many calls that nobody has tried again are kept for each method.
    private static let maximumOpen = 16

    /// The retries of a run in their order.
    ///
    /// Where several calls can be the one that is repeated, the one is chosen that permits it.
    static func all(in transcript: Transcript) -> [CallRetry] {
        var open: [String: [Exchange]] = [:]
        var retries: [CallRetry] = []
        for exchange in transcript.exchanges where exchange.isCall {
            if exchange.previousAttempts > 0 {
                let calls = open[exchange.target] ?? []
                let place = calls.indices.filter { calls[$0].mayBeRepeated(by: exchange) }.min {
                    objections(to: exchange, after: calls[$0])
                        < objections(to: exchange, after: calls[$1])
                }
                retries.append(CallRetry(exchange: exchange, call: place.map { calls[$0] }))
                if let place { open[exchange.target]?.remove(at: place) }
            }
            open[exchange.target, default: []].append(exchange)
            if open[exchange.target]?.count ?? 0 > maximumOpen {
                open[exchange.target]?.removeFirst()
            }
        }
        return retries
    }

    private static func objections(to retry: Exchange, after call: Exchange) -> Int {
        let retry = CallRetry(exchange: retry, call: call)
        return (retry.isEarly ? 1 : 0) + (retry.isHopeless ? 1 : 0)
    }

    /// Whether the server wanted it later, or not at all.
    var isEarly: Bool {
        guard let call, let pushback = call.pushbackMilliseconds else { return false }
        guard pushback >= 0, let end = call.endedNanoseconds else { return true }
        let wait = Self.wait(pushback)
        return exchange.beganNanoseconds + wait / 100 + Self.toleranceNanoseconds < end + wait
    }

    /// Whether it has no chance: what the server says of such a call depends on nothing that passes.
    var isHopeless: Bool { Self.hopeless.contains(call?.callStatus ?? 0) }

    /// INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED, FAILED_PRECONDITION, OUT_OF_RANGE,
    /// UNIMPLEMENTED, DATA_LOSS and UNAUTHENTICATED.
    private static let hopeless: Set<UInt32> = [3, 5, 6, 7, 9, 11, 12, 15, 16]
    private static let toleranceNanoseconds: UInt64 = 20_000_000

    static func wait(_ milliseconds: Int64) -> UInt64 {
        UInt64(clamping: min(milliseconds, 86_400_000)) * 1_000_000
    }
}

extension Exchange {
    /// Whether it is a gRPC call.
    var isCall: Bool {
        request.value.isStream && method == "POST"
            && request.value.fields["content-type"]?.hasPrefix("application/grpc") ?? false
    }

    /// How it ended; nil if its client was not told.
    fileprivate var callStatus: UInt32? {
        receivedMessages?.value.status
            ?? response?.value.fields["grpc-status"].flatMap { UInt32($0) }
    }

    /// What its server says of another attempt: milliseconds, negative for none.
    fileprivate var pushbackMilliseconds: Int64? {
        receivedMessages?.value.pushbackMilliseconds
            ?? response?.value.fields["grpc-retry-pushback-ms"].map { Int64($0) ?? -1 }
    }

    fileprivate var previousAttempts: UInt32 {
        request.value.fields["grpc-previous-rpc-attempts"].flatMap { UInt32($0) } ?? 0
    }

    /// Whether it has failed, with fewer attempts before it, when another one began.
    fileprivate func mayBeRepeated(by other: Exchange) -> Bool {
        guard callStatus != 0, previousAttempts < other.previousAttempts,
            let end = endedNanoseconds
        else { return false }
        return end <= other.beganNanoseconds
    }
}
