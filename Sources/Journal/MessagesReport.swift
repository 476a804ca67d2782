/// What was inside a stream, after its end or after it was cut off.
package struct MessagesReport: Hashable, Sendable {
    /// What the messages are.
    package enum Kind: String, Hashable, Sendable {
        case webSocket = "ws"
        case event = "sse"
        case grpc = "grpc"
    }

    package var exchange: ExchangeID
    /// The side that sent them.
    package var side: MessageSide
    package var kind: Kind
    /// Messages that the other side has as a whole.
    package var count: UInt32
    /// Bytes that it has of one more.
    package var partialBytes: UInt64
    /// Whether these numbers are the same in equal runs.
    package var isExact: Bool
    /// Whether the messages came to their own end.
    package var isWhole: Bool
    /// The code of the close frame that it has, 1005 for one without a code; nil without a close frame.
    package var closeCode: UInt16?
    /// The last event's `id`, by which a client resumes; nil if there was none.
    package var lastID: String?
    /// How many milliseconds a client should wait before it connects again, if that was said.
    package var retryMilliseconds: UInt64?

    /// The code with which a gRPC call ended, if its client was told.
    package var status: UInt32?
    /// How many milliseconds the client should wait before another attempt, negative for none; nil if
    /// nothing was said.
    package var pushbackMilliseconds: Int64?

    package init(
        _ exchange: ExchangeID,
        _ side: MessageSide,
        _ kind: Kind,
        count: UInt32,
        partialBytes: UInt64 = 0,
        isExact: Bool = true,
        isWhole: Bool,
        closeCode: UInt16? = nil,
        lastID: String? = nil,
        retryMilliseconds: UInt64? = nil
    ) {
        self.exchange = exchange
        self.side = side
        self.kind = kind
        self.count = count
        self.partialBytes = partialBytes
        self.isExact = isExact
        self.isWhole = isWhole
        self.closeCode = closeCode
        self.lastID = lastID
        self.retryMilliseconds = retryMilliseconds
    }
}
