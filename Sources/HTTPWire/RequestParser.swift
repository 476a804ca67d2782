/// Finds requests, one behind the other, in the bytes that a client sends (RFC 9112).
///
/// Give the bytes as they come. Each call uses some of them and says what they completed; call again
/// with the rest until the event is nil, which means that more bytes are needed. Do so also when the
/// rest is empty: a request without content ends without a further byte. How the bytes are cut changes
/// nothing but the ranges of content. Content is never copied; an unfinished head is kept, up to the
/// limits.
///
/// After an error every call throws the same error. What the parser cannot know is when to stop: behind
/// a request that does not keep the connection (`RequestHead.keepsConnection`) nothing is to be
/// processed, and behind one with the method CONNECT or with `Upgrade` the bytes may be another
/// protocol's, which is for the response to say (`ResponseHead.opensTunnel`).
package struct RequestParser: Sendable {
    private let limits: MessageLimits
    private var head: HeadReader<RequestLine>
    private var body: BodyReader?
    private var failure: MessageError?

    package init(limits: MessageLimits = MessageLimits()) {
        self.limits = limits
        head = HeadReader(limits: limits)
    }

    /// Whether the bytes so far end with a whole request, or there were none.
    package var isBetweenMessages: Bool { failure == nil && body == nil && head.isIdle }

    /// Reads until something is complete or all bytes are used.
    ///
    /// - Parameter bytes: those behind the ones that were consumed.
    /// - Returns: how many bytes were consumed, and what is complete; ranges count from the first of
    ///   the given bytes.
    /// - Throws: why this is not HTTP/1.1.
    package mutating func next(
        _ bytes: Span<UInt8>
    ) throws(MessageError) -> MessageStep<RequestHead> {
        if let failure { throw failure }
        do throws(MessageError) {
            var index = 0
            let event = try body == nil ? readHead(bytes, &index) : readBody(bytes, &index)
            return MessageStep(consumed: index, event: event)
        } catch {
            failure = error
            throw error
        }
    }

    /// Says that the connection ended.
    ///
    /// - Throws: `MessageError.incomplete` within a request; what was wrong if that is known.
    package mutating func finish() throws(MessageError) {
        if let failure { throw failure }
        guard isBetweenMessages else {
            failure = .incomplete
            throw .incomplete
        }
    }

    private mutating func readHead(
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) throws(MessageError) -> MessageEvent<RequestHead>? {
        guard let (line, fields, _) = try head.read(bytes, from: &index) else { return nil }
        let request = RequestHead(
            line.method,
            line.target,
            version: line.version,
            fields: fields
        )
        try HostField.check(request)
        body = BodyReader(try request.framing(), limits: limits)
        return .head(request)
    }

    private mutating func readBody(
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) throws(MessageError) -> MessageEvent<RequestHead>? {
        while true {
            switch try body?.read(bytes, from: &index) {
            case .content(let range): return .body(range)
            case .chunk: continue
            case .end(let trailers):
                body = nil
                return .end(trailers: trailers)
            case nil: return nil
            }
        }
    }
}
