package import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// What came of a check, with all that was sent for it.
package struct ProbeResult: Sendable {
    package let check: ServerCheck
    package let verdict: ServerCheck.Verdict
    package let requests: [ProbeRequest]
    package let replies: [ProbeReply]
}

/// Sends the requests of checks, one after the other.
///
/// Everything happens on the client's loop. What is under way ends when the client is closed.
package final class ProbeRunner {
    private let client: HTTPClient
    /// Exchanges that hang until their check has ended.
    private var hanging: [ClientExchange] = []
    private var timer: Timer?

    /// How long an interrupted request waits for what the server says to the bytes it has got.
    private static let answerMilliseconds: UInt64 = 300
    private static let lookMilliseconds: UInt64 = 10
    private static let bodyLimit = ProbedObject.limit

    package init(_ client: HTTPClient) { self.client = client }

    /// Runs checks in order.
    ///
    /// - Parameters:
    ///   - checks: what to check.
    ///   - onResult: called after each of them.
    ///   - done: called after the last.
    package func run(
        _ checks: ArraySlice<ServerCheck>,
        onResult: @escaping (ProbeResult) -> Void,
        then done: @escaping () -> Void
    ) {
        guard let check = checks.first else { return done() }
        step(check, [], []) { result in
            for exchange in self.hanging { exchange.abort() }
            self.hanging = []
            onResult(result)
            self.run(checks.dropFirst(), onResult: onResult, then: done)
        }
    }

    private func step(
        _ check: ServerCheck,
        _ requests: [ProbeRequest],
        _ replies: [ProbeReply],
        then done: @escaping (ProbeResult) -> Void
    ) {
        switch check.next(replies) {
        case .ended(let verdict):
            done(ProbeResult(check: check, verdict: verdict, requests: requests, replies: replies))
        case .send(let request):
            send(request) { self.step(check, requests + [request], replies + [$0], then: done) }
        }
    }

    /// Sends one request and waits for its answer, or for its interruption.
    package func send(_ request: ProbeRequest, then done: @escaping (ProbeReply) -> Void) {
        let exchange = client.start(
            ClientRequest(
                request.method,
                request.url,
                fields: request.fields,
                body: Self.body(of: request)
            )
        )
        var reply = ProbeReply()
        var isDone = false
        let finish = { [weak self] in
            guard !isDone else { return }
            isDone = true
            self?.timer = nil
            done(reply)
        }
        exchange.onInterim = { reply.interims.append($0) }
        exchange.onFailure = { failure in
            reply.failure = "\(failure)"
            finish()
        }
        exchange.onResponse = { [weak exchange] head in
            reply.status = head.status
            reply.fields = head.fields
            exchange?.collect(limit: Self.bodyLimit) { body in
                switch body {
                case .complete(let bytes, trailers: _): reply.body = bytes
                case .tooLarge:
                    reply.failure = "the response has more than \(Self.bodyLimit >> 20) MiB"
                }
                finish()
            }
        }
        guard let interruption = request.interruption else { return }
        interrupt(exchange, interruption, then: finish)
    }

    private static func body(of request: ProbeRequest) -> MessageBody {
        guard let interruption = request.interruption else { return .bytes(request.body) }
        let first = Array(request.body.prefix(interruption.bytes))
        let rest = UInt64(request.body.count - first.count)
        return MessageBody([.bytes(first), .generated(length: rest) { _, _ in .later }])
    }

    /// Ends an exchange, or leaves it, once the server has what it is to get and has had time to say
    /// something to it.
    private func interrupt(
        _ exchange: ClientExchange,
        _ interruption: ProbeRequest.Interruption,
        then finish: @escaping () -> Void
    ) {
        var waited: UInt64 = 0
        let look = { [weak self] in
            guard let self, exchange.requestBytesSent > interruption.bytes else { return }
            guard exchange.unacknowledgedBytes == 0 else { return }
            waited += Self.lookMilliseconds
            guard waited >= Self.answerMilliseconds else { return }
            switch interruption {
            case .cut: exchange.abort()
            case .hang: hanging.append(exchange)
            }
            finish()
        }
        do throws(SystemError) {
            let timer = try Timer(loop: client.loop, onFire: look)
            timer.start(
                afterMilliseconds: Self.lookMilliseconds,
                repeatMilliseconds: Self.lookMilliseconds
            )
            self.timer = timer
        } catch {
            exchange.abort()
            finish()
        }
    }
}
