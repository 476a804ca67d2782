/// Finds responses in the bytes that a server sends (RFC 9112).
///
/// Tell it the method of each request before the response comes (`expect(method:)`): the end of a
/// response depends on it. Otherwise it is used as `RequestParser` is. An interim response is a head
/// without an end; the next event is another head. Behind a 101 and behind the answer that opens a
/// CONNECT tunnel comes `MessageEvent.opaque`, again and again: HTTP ends there, and the bytes from
/// there on are another protocol's.
package struct ResponseParser: Sendable {
    private let limits: MessageLimits
    private var head: HeadReader<StatusLine>
    private var phase = Phase.head
    /// Methods of the requests without a final response, the oldest first.
    private var expected: [String] = []

    private enum Phase {
        case head
        case body(BodyReader, MessageFraming)
        case opaque
        case failed(MessageError)
    }

    package init(limits: MessageLimits = MessageLimits()) {
        self.limits = limits
        head = HeadReader(limits: limits)
    }

    /// Says that a request was sent.
    package mutating func expect(method: String) { expected.append(method) }

    /// The method of the request whose final response comes next.
    var nextMethod: String? { expected.first }

    /// Says that the final response to that request was read elsewhere, all of it.
    mutating func skipResponse() { expected.removeFirst() }

    /// Requests whose final response has not begun.
    package var expectedCount: Int { expected.count }

    /// Whether the bytes so far end with a whole response, interim ones included, or there were none.
    package var isBetweenMessages: Bool {
        if case .head = phase { return head.isIdle }
        return false
    }

    /// Reads until something is complete or all bytes are used.
    ///
    /// - Parameter bytes: those behind the ones that were consumed.
    /// - Returns: how many bytes were consumed, and what is complete; ranges count from the first of
    ///   the given bytes.
    /// - Throws: why this is not HTTP/1.1; also for bytes that no request asked for.
    package mutating func next(
        _ bytes: Span<UInt8>
    ) throws(MessageError) -> MessageStep<ResponseHead> {
        do throws(MessageError) {
            var index = 0
            let event = try read(bytes, &index)
            return MessageStep(consumed: index, event: event)
        } catch {
            phase = .failed(error)
            throw error
        }
    }

    /// Says that the connection closed normally.
    ///
    /// - Returns: whether that ended a response whose length nothing else tells, so that nobody knows
    ///   whether it is whole (RFC 9112 §8).
    /// - Throws: `MessageError.incomplete` within a response; what was wrong if that is known. That
    ///   requests are left without a response is no error here: see `expectedCount`.
    package mutating func finish() throws(MessageError) -> Bool {
        switch phase {
        case .failed(let error): throw error
        case .opaque: return false
        case .body(_, .untilClose):
            phase = .head
            return true
        case .head where head.isIdle: return false
        case .head, .body:
            phase = .failed(.incomplete)
            throw .incomplete
        }
    }

    private mutating func read(
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) throws(MessageError) -> MessageEvent<ResponseHead>? {
        switch phase {
        case .failed(let error): throw error
        case .opaque: return .opaque
        case .head: return try readHead(bytes, &index)
        case .body(let body, let framing): return try readBody(body, framing, bytes, &index)
        }
    }

    private mutating func readBody(
        _ reader: BodyReader,
        _ framing: MessageFraming,
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) throws(MessageError) -> MessageEvent<ResponseHead>? {
        var body = reader
        phase = .head
        while true {
            switch try body.read(bytes, from: &index) {
            case .end(let trailers): return .end(trailers: trailers)
            case .chunk: continue
            case .content(let range):
                phase = .body(body, framing)
                return .body(range)
            case nil:
                phase = .body(body, framing)
                return nil
            }
        }
    }

    private mutating func readHead(
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) throws(MessageError) -> MessageEvent<ResponseHead>? {
        guard let method = expected.first else {
            guard bytes.isEmpty else { throw .malformed("a response without a request") }
            return nil
        }
        guard let (line, fields, _) = try head.read(bytes, from: &index) else { return nil }
        let response = ResponseHead(
            line.status,
            reason: line.reason,
            version: line.version,
            fields: fields
        )
        guard !response.isInterim else { return .head(response) }
        expected.removeFirst()
        let framing = try response.framing(answering: method)
        phase =
            response.opensTunnel(answering: method)
            ? .opaque : .body(BodyReader(framing, limits: limits), framing)
        return .head(response)
    }
}
