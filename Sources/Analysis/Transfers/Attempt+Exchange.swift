internal import Basics
internal import Journal

extension Attempt {
    /// An attempt of which only the exchange is known yet.
    init(_ exchange: Exchange, _ transcript: Transcript) {
        kind = .probe
        connection = exchange.id.connection
        self.exchange = exchange.id
        method = exchange.method
        target = exchange.target
        status = exchange.status
        beganAt = exchange.beganAt
        connectedAt =
            exchange.id.ordinal == 1
            ? transcript.connection(exchange.id.connection)?.opened.at : nil
        endedAt = exchange.endedAt
        line = exchange.request.line
        lastLine = exchange.lastLine
        failure = Failure(exchange)
        isLeftInSilence = exchange.isLeftInSilence
        set(
            sentMessages: exchange.sentMessages?.value,
            receivedMessages: exchange.receivedMessages?.value
        )
    }

    /// A connection that carried no request, or nothing that can be understood.
    init(_ trace: ConnectionTrace, _ kind: Kind) {
        self.kind = kind
        connection = trace.id
        beganAt = trace.opened.at
        connectedAt = trace.opened.at
        endedAt = trace.end?.at
        line = trace.opened.line
        lastLine = trace.end?.line ?? trace.opened.line
        bytes = max(trace.end?.value.down.bytes ?? 0, trace.end?.value.up.bytes ?? 0).bounded
        guard let failure = trace.failure else { return }
        self.failure = Failure(
            cause: trace.isTurnedAway ? .turnedAway : .cut(failure.value),
            at: failure.at,
            line: failure.line
        )
    }
}

extension Attempt.Failure {
    /// What went wrong in an exchange, from the client's view; nil if nothing did.
    init?(_ exchange: Exchange) {
        if let response = exchange.response, Self.isFailure(response.value.status) {
            self.init(
                cause: .status(response.value.status),
                // What the client does about it may begin before the last of its content.
                at: response.at,
                line: response.line
            )
            if let retryAfter = response.value.fields.retryAfter {
                self.retryAfter = retryAfter.time
                isRetryAfterDate = retryAfter.isDate
            } else {
                isRetryAfterDate = response.value.fields.namesRetryDate
            }
            return
        }
        switch exchange.outcome {
        case .cut(let time, let line, let by):
            self.init(cause: .cut(by), at: time, line: line)
        case .abandoned(let time, let line):
            self.init(cause: .abandoned, at: time, line: line)
        case .answered, .open: return nil
        }
    }

    /// Whether a status says that the request did not do what it was for.
    ///
    /// Not so 401 and 407, which ask for credentials, and 416, which says that nothing is left.
    private static func isFailure(_ status: Int) -> Bool {
        status >= 400 && ![401, 407, 416].contains(status)
    }

    /// Whether it was a connection that failed, not an answer.
    var isOfConnection: Bool {
        switch cause {
        case .cut, .abandoned, .turnedAway: true
        case .status: false
        }
    }
}
