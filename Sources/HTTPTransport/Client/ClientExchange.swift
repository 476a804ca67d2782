package import HTTPWire
package import SystemIO

/// One request and its response, from the client's side.
///
/// No closure is called before `HTTPClient.start` has returned. The exchange ends with
/// `BodyPiece.end` from `read`, or with `onFailure`, or silently by `abort()`; then all closures are
/// let go. A response without content ends by itself, though `read` still answers.
package final class ClientExchange {
    package let request: ClientRequest

    /// Called once when there is a connection, before anything is sent.
    package var onConnection: ((ClientConnectionFacts) -> Void)?
    /// Called for each interim response, in order, also while the request is being sent.
    package var onInterim: ((ResponseHead) -> Void)?
    /// Called once for the final response.
    ///
    /// If the request is still being sent, sending stops: the answer is early, and the connection
    /// ends after it.
    package var onResponse: ((ResponseHead) -> Void)?
    /// Called once if the exchange cannot be completed; no `read` is answered after it.
    package var onFailure: ((ClientFailure) -> Void)?

    weak var connection: (any ClientCarrier)?
    var connector: Connector?
    var pull: BodyPull?
    var sentBefore = 0
    var isReused = false
    /// Nil once nobody needs it any more; who reads on may outlive it.
    private weak var client: HTTPClient?
    /// Of a response that ended before anybody read it.
    private var unreadEnd: HeaderFields?
    private var finalSentBytes = 0

    package private(set) var response: ResponseHead?
    /// Interim responses that came.
    package internal(set) var interimCount = 0
    /// Whether the kernel has taken the whole request.
    package internal(set) var isRequestSent = false
    /// Bytes of content that were handed over.
    package internal(set) var receivedContentBytes = 0
    /// False for a response whose end nothing but the end of the connection told (RFC 9112 §8).
    package internal(set) var isLengthProven = true
    package private(set) var isOver = false

    init(_ request: ClientRequest, client: HTTPClient) {
        self.request = request
        self.client = client
    }

    /// Bytes of the request that the kernel took, heads and framing included; with TLS, ciphertext.
    package var requestBytesSent: Int {
        connection.map { $0.sentBytes - sentBefore } ?? finalSentBytes
    }

    /// Bytes that the kernel took and that the server's has not acknowledged.
    package var unacknowledgedBytes: Int { connection?.unacknowledgedBytes ?? 0 }

    /// Asks for content of the response: at most `limit` bytes, put into `buffer` from `start` on.
    ///
    /// Nothing is received that is not asked for. One call at a time. The buffer belongs to the
    /// exchange until `done`. Behind the last bytes comes `BodyPiece.end`.
    ///
    /// - Parameters:
    ///   - buffer: where the bytes go; chunk framing passes through it too.
    ///   - start: the place of the first one.
    ///   - limit: how many at most, from 1.
    ///   - done: called on the loop, not before this returns; never after `onFailure`.
    package func read(
        into buffer: TransferBuffer,
        from start: Int = 0,
        limit: Int,
        then done: @escaping (BodyPiece) -> Void
    ) {
        precondition(pull == nil, "one read at a time")
        precondition(limit > 0 && start >= 0 && start + limit <= buffer.capacity)
        if let trailers = unreadEnd {
            unreadEnd = nil
            client?.later { done(.end(trailers: trailers)) }
            return
        }
        guard !isOver else { return }
        pull = BodyPull(buffer: buffer, start: start, limit: limit, done: done)
        connection?.wake()
    }

    /// Says that a source that answered `.later` has bytes again.
    package func resume() { connection?.wake() }

    /// Ends the exchange at once, with a reset if it has a connection; no closure is called any
    /// more.
    package func abort() {
        guard !isOver else { return }
        let (connection, connector) = (connection, connector)
        finish()
        connector?.cancel()
        connection?.reset()
    }

    // MARK: For the connection

    func interim(_ head: ResponseHead) {
        interimCount += 1
        onInterim?(head)
    }

    func responded(_ head: ResponseHead) {
        response = head
        onResponse?(head)
    }

    /// Ends a response that has no content, or none that is left.
    func complete(trailers: HeaderFields) {
        guard !isOver else { return }
        let waiting = pull
        finish()
        guard let waiting else {
            unreadEnd = trailers
            return
        }
        waiting.done(.end(trailers: trailers))
    }

    func fail(_ reason: ClientFailure.Reason) {
        guard !isOver else { return }
        let failure = ClientFailure(
            reason,
            requestBytesSent: requestBytesSent,
            isReused: isReused,
            hasResponse: response != nil
        )
        let onFailure = onFailure
        finish()
        onFailure?(failure)
    }

    private func finish() {
        finalSentBytes = requestBytesSent
        isOver = true
        connection = nil
        connector = nil
        pull = nil
        onConnection = nil
        onInterim = nil
        onResponse = nil
        onFailure = nil
        client?.ended(self)
    }
}

/// Facts about the connection that a request got.
package struct ClientConnectionFacts: Hashable, Sendable {
    package let address: SocketAddress?
    package let isReused: Bool
    package let isSecure: Bool
    package let isHTTP2: Bool
}
