internal import HTTPTransport
package import HTTPWire
package import SystemIO

/// A listener for administration: HTTP/1.1 on a loopback address or a Unix socket.
///
/// It holds the policy of access and the limits, reads each request as a whole, and hands it on.
/// Everything happens on the thread of its loop. Call `stop` before the loop ends.
package final class ControlServer {
    /// Where it listens, with the port that was found.
    package private(set) var address: SocketAddress
    /// Applied to each request, before anything of it is looked at.
    package var policy: AccessPolicy
    /// Whether a request shows in another way than by the token that its sender knows it.
    package var hasSession: (RequestHead) -> Bool = { _ in false }
    package let limits: ControlLimits
    /// Answers that stay open now.
    package private(set) var openStreams = 0
    /// Requests that were refused by the policy.
    package private(set) var refusals: UInt64 = 0
    private let onRequest: (ControlRequest) -> ControlAnswer
    private var http: HTTPServer?

    /// Listens.
    ///
    /// - Parameters:
    ///   - loop: where everything happens.
    ///   - address: port 0 takes a free one; of a Unix socket, only the file's owner can connect. A
    ///     socket's file that no process listens on goes away.
    ///   - policy: who may send requests.
    ///   - limits: what it takes at most.
    ///   - onRequest: answers each request that the policy lets in.
    /// - Throws: what the system says, such as "address already in use".
    package init(
        loop: EventLoop,
        address: SocketAddress,
        policy: AccessPolicy,
        limits: ControlLimits = ControlLimits(),
        onRequest: @escaping (ControlRequest) -> ControlAnswer
    ) throws(SystemError) {
        self.address = address
        self.policy = policy
        self.limits = limits
        self.onRequest = onRequest
        if case .unix(let path) = address {
            switch try SocketFile.state(at: path) {
            case .absent: break
            case .stale: SocketFile.remove(path)
            case .live, .notSocket: throw .addressInUse
            }
        }
        let server = try HTTPServer(loop: loop, limits: limits.http) { [weak self] in
            self?.take($0)
        }
        http = server
        do throws(SystemError) {
            self.address = try server.listen(on: address, isPrivate: true)
        } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    /// Closes the listener and all connections.
    package func stop() {
        http?.stop()
        http = nil
    }

    package var openConnections: Int { http?.openConnections ?? 0 }

    // MARK: Requests

    private func take(_ exchange: ServerExchange) {
        let head = exchange.head
        let problem = policy.objection(
            to: head,
            port: address.port,
            hasSession: hasSession(head)
        )
        if let problem {
            refusals += 1
            respond(.problem(problem), to: exchange)
            return
        }
        exchange.collect(limit: limits.bodyBytes) { [weak self] body in
            guard let self else { return }
            guard case .complete(let bytes, _) = body else {
                let detail = "The content has more than \(limits.bodyBytes) bytes."
                return respond(.problem(Problem(413, "too-large", detail)), to: exchange)
            }
            respond(answer(head, bytes), to: exchange)
        }
    }

    private func answer(_ head: RequestHead, _ body: [UInt8]) -> ControlAnswer {
        do throws(Problem) {
            return onRequest(try ControlRequest(head, body: body))
        } catch {
            return .problem(error)
        }
    }

    // MARK: Answers

    private func respond(_ answer: ControlAnswer, to exchange: ServerExchange) {
        switch answer {
        case .complete(let head, let body): give(head, .bytes(body), to: exchange)
        case .stream(let head, let begin): stream(head, begin, to: exchange)
        case .later(let begin): wait(begin, exchange)
        }
    }

    private func give(_ head: ResponseHead, _ body: MessageBody, to exchange: ServerExchange) {
        do throws(MessageWriteError) {
            try exchange.respond(head, body)
        } catch {
            // A field that cannot be written is a mistake of ours, and there is still an answer.
            try? exchange.respond(ResponseHead(500))
        }
    }

    private func stream(
        _ head: ResponseHead,
        _ begin: (EventFeed) -> Void,
        to exchange: ServerExchange
    ) {
        guard exchange.head.method != "HEAD" else { return give(head, .none, to: exchange) }
        guard openStreams < limits.streams else { return give(Self.busy, to: exchange) }
        openStreams += 1
        let feed = EventFeed(exchange, limit: limits.streamBytes)
        exchange.onAbort = { _ in feed.gone() }
        // Who sends nothing more has gone, or is about to: only what is sent in vain would tell.
        exchange.onPeerEnd = { _ in feed.end() }
        exchange.onEnd = { [weak self] _ in
            feed.gone()
            self?.openStreams -= 1
        }
        give(head, .generated(length: nil) { feed.generate(into: $0, $1) }, to: exchange)
        begin(feed)
    }

    private func wait(_ begin: (PendingAnswer) -> Void, _ exchange: ServerExchange) {
        guard openStreams < limits.streams else { return give(Self.busy, to: exchange) }
        openStreams += 1
        let pending = PendingAnswer { [weak self] answer in
            exchange.onPeerEnd = nil
            self?.respond(answer, to: exchange)
        }
        exchange.onAbort = { _ in pending.gone() }
        exchange.onPeerEnd = { _ in
            pending.gone()
            exchange.reset()
        }
        exchange.onEnd = { [weak self] _ in self?.openStreams -= 1 }
        begin(pending)
    }

    private func give(_ problem: Problem, to exchange: ServerExchange) {
        respond(.problem(problem), to: exchange)
    }

    private static let busy = Problem(
        503,
        "busy",
        "As many streams and waits as allowed are open; end one, or try again.",
        fields: ["Retry-After": "1"]
    )
}
