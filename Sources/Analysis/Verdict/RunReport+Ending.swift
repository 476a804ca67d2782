internal import Basics
internal import HTTPWire
internal import Journal

// How far the command was when it ended.
extension RunReport {
    /// Tries that brought a transfer forward, from which on one may be on its way to the end.
    private static let fewestSteps = 3

    /// Whether try after try brought some transfer forward, up to the end of the run.
    ///
    /// Who is silent for much longer than between two steps before has stopped.
    package var isStillProgressing: Bool {
        let end = transcript.command?.at ?? transcript.lastTime
        return transfers.contains { transfer in
            let steps = transfer.attempts.filter { $0.progressBytes > 0 }
                .map { $0.endedAt ?? $0.beganAt }
            guard !transfer.isComplete, steps.count >= Self.fewestSteps, let last = steps.last
            else {
                return false
            }
            let pauses = zip(steps, steps.dropFirst()).map { $1.elapsed(since: $0) }
            return end.elapsed(since: last) <= (pauses.max() ?? .zero) * 2 + Self.patience
        }
    }

    /// Whether it was between two tries at the end, so that it is not known whether it would have given up.
    ///
    /// Many tries are no reason to wait longer, except where they are a fault of their own (B5).
    /// A distance may be several times the one before: delays mostly double, and are drawn.
    package var isStillRetrying: Bool {
        let end = transcript.command?.at ?? transcript.lastTime
        let tries = transcript.connections.map { $0.opened.at }
        guard tries.count > 1, tries.count <= Self.mostTries || hasTooManyTries,
            let last = tries.last
        else {
            return false
        }
        let pauses = zip(tries, tries.dropFirst()).map { $1.elapsed(since: $0) }
        return end.elapsed(since: last) <= (pauses.max() ?? .zero) * 3 + Self.patience
    }

    /// Whether B5 counts too many tries that brought nothing.
    private var hasTooManyTries: Bool {
        checks.contains { $0.check == .b5 && $0.reason == CheckResult.tooManyTries }
    }

    /// As B5 has it, and the first one.
    private static let mostTries = 21

    /// What a step may take besides.
    private static let patience = Duration.milliseconds(100)

    /// Whether the last request of some target is a POST without an idempotency key that did not get its
    /// whole answer and may have acted: a client may only repeat it if it knows better (RFC 9110
    /// §9.2.2).
    package var endsWithUnsafeRequest: Bool {
        let last = Dictionary(transcript.exchanges.map { ($0.target, $0) }) { $1 }
        return last.values.contains { exchange in
            exchange.method == "POST" && !exchange.isAnswered && exchange.status ?? 0 < 400
                && exchange.request.value.fields["idempotency-key"] == nil
                && !exchange.tellsWhereToGoOn
        }
    }
}

extension Exchange {
    /// Whether an interim answer told a client that asked for it where its upload is.
    fileprivate var tellsWhereToGoOn: Bool {
        request.value.fields.hasUploadFields
            && interims.contains { $0.value.fields["location"] != nil }
    }
}
