internal import Basics
internal import Journal

/// A call that its client says is another attempt, and the one that it repeats.
struct CallRetry {
    let exchange: Exchange
    /// Nil if no earlier call can be it.
    let call: Exchange?
    /// Whether calls were left out that it may repeat.
    let mayBeOfAnother: Bool

    /// How many calls that were not tried again are kept for each method.
    private static let maximumOpen = 16

    /// The retries of a run in their order.
    ///
    /// Where several calls can be the one that is repeated, the one is chosen that permits it.
    static func all(in transcript: Transcript) -> [CallRetry] {
        var open: [String: [Exchange]] = [:]
        var crowded: Set<String> = []
        var retries: [CallRetry] = []
        for exchange in transcript.exchanges where exchange.isCall {
            let target = exchange.target
            if exchange.previousAttempts > 0 {
                let calls = open[target] ?? []
                let place = place(of: exchange, among: calls)
                retries.append(
                    CallRetry(
                        exchange: exchange,
                        call: place.map { calls[$0] },
                        mayBeOfAnother: crowded.contains(target)
                    )
                )
                if let place { open[target]?.remove(at: place) }
            }
            open[target, default: []].append(exchange)
            guard open[target]?.count ?? 0 > maximumOpen else { continue }
            open[target]?.removeAll { $0.hasSucceeded(before: exchange) }
            if open[target]?.count ?? 0 > maximumOpen {
                open[target]?.removeFirst()
                crowded.insert(target)
            }
        }
        return retries
    }

    /// The call that a retry repeats, if one of them can be it.
    private static func place(of retry: Exchange, among calls: [Exchange]) -> Int? {
        calls.indices.filter { calls[$0].mayBeRepeated(by: retry) }
            .min { doubts(of: retry, after: calls[$0]) < doubts(of: retry, after: calls[$1]) }
    }

    /// What speaks against a call: what forbids a retry most, then that it was not counted, then that it
    /// was under way.
    private static func doubts(of retry: Exchange, after call: Exchange) -> Int {
        let isCounted = call.previousAttempts < retry.previousAttempts
        let retry = CallRetry(exchange: retry, call: call, mayBeOfAnother: false)
        return (retry.isEarly ? 4 : 0) + (retry.isHopeless ? 4 : 0) + (isCounted ? 0 : 1)
            + (retry.ended == nil ? 2 : 0)
    }

    /// The first that is surely one, else the first.
    static func worst(of retries: [CallRetry]) -> CallRetry? {
        retries.first { !$0.mayBeOfAnother } ?? retries.first
    }

    /// The call that it repeats, if that was over: hedging does not wait for that (gRFC A6).
    var ended: Exchange? { call.flatMap { $0.hasEnded(before: exchange) ? $0 : nil } }

    /// Whether the server wanted it later, or not at all.
    var isEarly: Bool {
        guard let call = ended, let pushback = call.pushbackMilliseconds else { return false }
        guard pushback >= 0 else { return true }
        let wait = Self.wait(pushback)
        return waited(after: call) + wait / 100 + Self.tolerance < wait
    }

    /// Whether it has no chance: what the server says of such a call depends on nothing that passes.
    var isHopeless: Bool { Self.hopeless.contains(ended?.callStatus ?? 0) }

    /// How long its client has waited, but for more than any server may want.
    func waited(after call: Exchange) -> Duration {
        min(exchange.beganAt.elapsed(since: call.endedAt ?? .start), Self.longest)
    }

    /// INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED, FAILED_PRECONDITION, OUT_OF_RANGE,
    /// UNIMPLEMENTED, DATA_LOSS and UNAUTHENTICATED.
    private static let hopeless: Set<UInt32> = [3, 5, 6, 7, 9, 11, 12, 15, 16]
    private static let tolerance = Duration.milliseconds(20)
    /// Twice what is taken of a server's word.
    private static let longest = Duration.seconds(172_800)

    static func wait(_ milliseconds: Int64) -> Duration {
        .milliseconds(max(0, min(milliseconds, 86_400_000)))
    }
}

extension Exchange {
    fileprivate func hasEnded(before other: Exchange) -> Bool {
        endedAt.map { $0 <= other.beganAt } ?? false
    }

    fileprivate func hasSucceeded(before other: Exchange) -> Bool {
        callStatus == 0 && hasEnded(before: other)
    }

    /// Whether another one can be its next attempt: it had not succeeded by then, and was counted, or need
    /// not be.
    fileprivate func mayBeRepeated(by other: Exchange) -> Bool {
        guard !hasSucceeded(before: other) else { return false }
        let (next, isTooMany) = previousAttempts.addingReportingOverflow(1)
        if !isTooMany, next == other.previousAttempts { return true }
        return previousAttempts == other.previousAttempts && mayBeUnprocessed
    }

    /// Whether its client may have learnt that the server has done nothing; such a call is repeated
    /// without being counted (gRFC A6).
    private var mayBeUnprocessed: Bool {
        isPromisedUnprocessed
            || answers.isEmpty && !faults.contains { $0.value.endsStreamOfClient }
    }
}
