package import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// What came of a check, with all that was sent for it.
package struct ProbeResult: Sendable {
    package let check: ServerCheck
    package let verdict: ServerCheck.Verdict
    let course: ProbeCourse
}

/// What was done for a check so far.
struct ProbeCourse: Sendable {
    private(set) var exchanges: [(request: ProbeRequest, reply: ProbeReply)] = []
    /// One for each step; those that sent nothing have an empty one.
    private(set) var replies: [ProbeReply] = []

    func adding(_ request: ProbeRequest, _ reply: ProbeReply) -> ProbeCourse {
        var course = self
        course.exchanges.append((request, reply))
        course.replies.append(reply)
        return course
    }

    func addingPause() -> ProbeCourse {
        var course = self
        course.replies.append(ProbeReply())
        return course
    }
}

/// Sends the requests of checks, one after the other.
///
/// Everything happens on the client's loop. What is under way ends when the client is closed.
package final class ProbeRunner {
    /// Kills the server and starts it again; it is told why the server does not come back, or nil.
    package typealias Restart = (_ back: @escaping (String?) -> Void) -> Void

    private let client: HTTPClient
    /// Nil for a server of somebody else.
    private let restart: Restart?
    /// Why the server is not there any more, in words.
    package private(set) var restartProblem: String?
    /// What the last check has done, for the next of its scenario.
    private var last: (scenario: String, course: ProbeCourse)?
    /// Exchanges that hang until their check has ended.
    private var hanging: [ClientExchange] = []
    private var timer: Timer?

    /// How long an interrupted request waits for what the server says to the bytes it has got.
    private static let answerMilliseconds: UInt64 = 300
    private static let lookMilliseconds: UInt64 = 10
    private static let bodyLimit = ProbedObject.limit

    package init(_ client: HTTPClient, restart: Restart? = nil) {
        self.client = client
        self.restart = restart
    }

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
        let finish: (ProbeResult) -> Void = { result in
            for exchange in self.hanging { exchange.abort() }
            self.hanging = []
            self.last = check.scenario.map { ($0, result.course) }
            onResult(result)
            self.run(checks.dropFirst(), onResult: onResult, then: done)
        }
        var course = ProbeCourse()
        guard restartProblem == nil else {
            let verdict = ServerCheck.Verdict.doesNotApply("the server is not there any more")
            return finish(ProbeResult(check: check, verdict: verdict, course: course))
        }
        if let last, last.scenario == check.scenario { course = last.course }
        step(check, course, then: finish)
    }

    private func step(
        _ check: ServerCheck,
        _ course: ProbeCourse,
        then done: @escaping (ProbeResult) -> Void
    ) {
        switch check.next(course.replies) {
        case .ended(let verdict):
            done(ProbeResult(check: check, verdict: verdict, course: course))
        case .send(let request):
            send(request) { self.step(check, course.adding(request, $0), then: done) }
        case .wait(let milliseconds):
            wait(milliseconds) { self.step(check, course.addingPause(), then: done) }
        case .restart:
            crash { verdict in
                guard let verdict else {
                    return self.step(check, course.addingPause(), then: done)
                }
                done(ProbeResult(check: check, verdict: verdict, course: course))
            }
        }
    }

    /// Answers with nil, or with the verdict on a check whose crash was the last.
    private func crash(then done: @escaping (ServerCheck.Verdict?) -> Void) {
        guard let restart else { return done(.doesNotApply("the server cannot be restarted")) }
        restart { [weak self] problem in
            self?.restartProblem = problem
            done(problem.map { .failed("the server did not come back from a crash: \($0)") })
        }
    }

    private func wait(_ milliseconds: UInt64, then done: @escaping () -> Void) {
        do throws(SystemError) {
            let timer = try Timer(loop: client.loop) { [weak self] in
                self?.timer = nil
                done()
            }
            timer.start(afterMilliseconds: milliseconds)
            self.timer = timer
        } catch {
            done()
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
            reply.atSeconds = Int(WallClock.secondsSince1970)
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
