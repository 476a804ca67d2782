/// What a parser found in the bytes of one direction of a connection.
package enum MessageEvent<Head: Hashable & Sendable>: Hashable, Sendable {
    /// A head is complete. An interim response has no `end`: the next event is another head.
    case head(Head)
    /// Content bytes, by their place in the bytes that were given; chunk framing is not among them.
    case body(Range<Int>)
    /// The message is complete.
    case end(trailers: HeaderFields)
    /// HTTP ends here: the bytes that follow are another protocol's. Only a response says so, behind
    /// the head of a 101 or of the answer that opens a CONNECT tunnel.
    case opaque
}

/// One step of a parser: how many of the given bytes it used, and what they completed.
package struct MessageStep<Head: Hashable & Sendable>: Hashable, Sendable {
    package var consumed: Int
    /// nil if all bytes were used and more are needed.
    package var event: MessageEvent<Head>?

    package init(consumed: Int, event: MessageEvent<Head>?) {
        self.consumed = consumed
        self.event = event
    }
}

/// Why bytes are not an HTTP/1.1 message.
package enum MessageError: Error, Hashable, Sendable {
    /// Not by the grammar, or ambiguous in a way that invites smuggling (RFC 9112 §6.3, §11.2).
    case malformed(String)
    case startLineTooLong
    case headTooLarge
    case versionNotSupported
    case transferCodingNotSupported
    /// The connection ended within a message.
    case incomplete

    /// What a server answers to a request that failed so.
    package var status: Int {
        switch self {
        case .malformed, .incomplete: 400
        case .startLineTooLong: 414
        case .headTooLarge: 431
        case .versionNotSupported: 505
        case .transferCodingNotSupported: 501
        }
    }
}

/// What a parser accepts at most.
package struct MessageLimits: Hashable, Sendable {
    /// Bytes of method, target and version.
    package var startLine = 8_192
    /// Bytes of a head or of trailers, start line included.
    package var head = 16_384
    /// Fields of a head or of trailers.
    package var fields = 128
    /// Bytes of one chunk-size line with its extensions.
    package var chunkLine = 1_024

    package init() {}
}
