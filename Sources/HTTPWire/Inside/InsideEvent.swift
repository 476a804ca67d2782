/// What the messages inside the content of a connection are.
package enum MessageKind: String, Hashable, Sendable {
    /// Messages of a WebSocket (RFC 6455 §5.4): one frame, or several fragments.
    case webSocket = "ws"
    /// Events of a `text/event-stream` (WHATWG HTML §9.2).
    case event = "sse"
    /// Messages of a gRPC call, each with its length before it.
    case grpc = "grpc"
}

/// What was seen inside a stream of messages.
///
/// Places are offsets in the stream of the side that sent the bytes.
package enum InsideEvent: Hashable, Sendable {
    /// Bytes of a message.
    case part(MessagePart)
    /// A frame of this message has begun, which has `from` bytes before; more of its header is to come.
    case begun(ordinal: UInt32, from: UInt64, at: UInt64)
    /// A message is whole, though one more byte may belong to its end.
    case whole(ordinal: UInt32, at: UInt64)
    /// A control frame of a WebSocket, whose header is complete; its end may be to come.
    case control(WebSocketControl, at: Range<UInt64>)
    /// A close frame is complete, before `at`; nil without a code (RFC 6455 §5.5.1).
    case close(code: UInt16?, at: UInt64)
    /// A block of lines has ended that says how to resume (WHATWG HTML §9.2.6): with the event of this
    /// ordinal, or without one.
    case told(ResumptionHint, ordinal: UInt32?, at: UInt64)
    /// How a gRPC call ended; its trailers are before `at`.
    case status(CallStatus, at: UInt64)
    /// No message follows the `count` ones that were complete.
    case end(count: UInt32, at: UInt64)
    /// From here on the messages cannot be told apart.
    case lost(at: UInt64)
}

/// What a stream of events says for the case that it ends.
package struct ResumptionHint: Hashable, Sendable {
    /// What the client is to say with its next request, as `Last-Event-ID`; nil if nothing was said.
    package var id: String?
    /// How many milliseconds it is to wait before that; nil if nothing was said.
    package var retryMilliseconds: UInt64?

    package init(id: String? = nil, retryMilliseconds: UInt64? = nil) {
        self.id = id
        self.retryMilliseconds = retryMilliseconds
    }

    /// Takes what was said later.
    package mutating func add(_ later: ResumptionHint) {
        id = later.id ?? id
        retryMilliseconds = later.retryMilliseconds ?? retryMilliseconds
    }

    package var isEmpty: Bool { id == nil && retryMilliseconds == nil }
}

/// Bytes of one message that follow each other.
package struct MessagePart: Hashable, Sendable {
    /// The message's ordinal in its direction, from 1.
    package let ordinal: UInt32
    package let bytes: Range<UInt64>
    /// Bytes of the message before these.
    package let from: UInt64
    /// Where it shows that they are a message's; 0 if that is where they begin.
    package let known: UInt64
    /// Whether the message ends with these.
    package let isLast: Bool
    /// Whether the message is compressed, so that others may depend on it (RFC 7692 §7.2.2).
    package let isCompressed: Bool
    /// Bytes of the whole message, once that was read; nil where only its end tells.
    package let size: UInt64?
    /// The bytes themselves, if they are kept.
    package let content: [UInt8]

    package init(
        _ ordinal: UInt32,
        _ bytes: Range<UInt64>,
        from: UInt64,
        known: UInt64 = 0,
        isLast: Bool,
        isCompressed: Bool = false,
        size: UInt64? = nil,
        content: [UInt8] = []
    ) {
        self.ordinal = ordinal
        self.bytes = bytes
        self.from = from
        self.known = known
        self.isLast = isLast
        self.isCompressed = isCompressed
        self.size = size
        self.content = content
    }

    /// Bytes of the message up to the end of these.
    package var upperBound: UInt64 { from + UInt64(bytes.count) }
}

/// A frame of a WebSocket that is no part of a message (RFC 6455 §5.5).
package enum WebSocketControl: UInt8, Hashable, Sendable {
    case close = 8
    case ping = 9
    case pong = 10
}

extension UInt32 {
    /// The ordinal after this one; the last one there is counts all that come later.
    package var successor: UInt32 { self == .max ? self : self + 1 }
}
