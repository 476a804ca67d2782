package import Basics

/// One exchange of a connection: a request and everything that answers it.
package struct ExchangeID: Hashable, Comparable, Sendable {
    package let connection: ConnectionID
    /// Ordinal of the request on its connection, from 1.
    package let ordinal: UInt32

    package init(_ connection: ConnectionID, ordinal: UInt32) {
        self.connection = connection
        self.ordinal = ordinal
    }

    package static func < (a: ExchangeID, b: ExchangeID) -> Bool {
        (a.connection, a.ordinal) < (b.connection, b.ordinal)
    }
}

/// How the end of a message's content is known (RFC 9112 §6.3).
package enum ReportedFraming: Hashable, Sendable {
    case none
    /// So many bytes, declared in front.
    case length(UInt64)
    case chunked
    /// Up to the end of the connection.
    case close
}

/// A request whose head is complete.
package struct RequestReport: Hashable, Sendable {
    package var exchange: ExchangeID
    package var method: String
    /// As `Redaction.target` gives it.
    package var target: String
    package var framing: ReportedFraming
    /// Bytes of start line and fields with the empty line behind them.
    package var headBytes: UInt64
    package var fields: ReportedFields
    /// Whether timing decided which request of the run this is.
    package var isRacy: Bool
    /// Whether it is a stream of HTTP/2.
    package var isStream: Bool

    package init(
        _ exchange: ExchangeID,
        method: String,
        target: String,
        framing: ReportedFraming,
        headBytes: UInt64,
        fields: ReportedFields,
        isRacy: Bool = false,
        isStream: Bool = false
    ) {
        self.exchange = exchange
        self.method = method
        self.target = target
        self.framing = framing
        self.headBytes = headBytes
        self.fields = fields
        self.isRacy = isRacy
        self.isStream = isStream
    }
}

/// A response whose head is complete, interim or final, as the client got it.
package struct ResponseReport: Hashable, Sendable {
    package var exchange: ExchangeID
    package var status: Int
    package var framing: ReportedFraming
    package var headBytes: UInt64
    package var fields: ReportedFields
    /// Of an interim response: its ordinal among those of the same status, from 1.
    ///
    /// Nil for a final one.
    package var interimOrdinal: UInt32?
    /// Whether a fault made it up or changed it.
    package var isByFault: Bool
    /// Offsets in the head where clients may take a part for the whole; of a journal that was read, none.
    package var headEdges: [UInt64] = []

    package init(
        _ exchange: ExchangeID,
        status: Int,
        framing: ReportedFraming = .none,
        headBytes: UInt64,
        fields: ReportedFields,
        interimOrdinal: UInt32? = nil,
        isByFault: Bool = false
    ) {
        self.exchange = exchange
        self.status = status
        self.framing = framing
        self.headBytes = headBytes
        self.fields = fields
        self.interimOrdinal = interimOrdinal
        self.isByFault = isByFault
    }
}

/// The side of an exchange that a message comes from.
package enum MessageSide: String, Hashable, Sendable {
    case request = "req"
    case response = "resp"
}

/// The content of one message, after its end or after it was cut off.
package struct BodyReport: Hashable, Sendable {
    package var exchange: ExchangeID
    package var side: MessageSide
    /// Content bytes delivered: of a request to the server, of a response to the client.
    package var bytes: UInt64
    /// Whether the count is the same in equal runs: the message is complete, or a fault cut it at an
    /// exact byte.
    package var isExact: Bool
    /// Whether the message came to its own end.
    ///
    /// False for one that was cut short of its length or of its last chunk. Content up to the end of
    /// the connection is complete by a FIN.
    package var isComplete: Bool
    /// SHA-256 of the content in lower-case hexadecimal; written only if the count is exact.
    package var digest: String?
    /// Of a request: SHA-256 of the first 64 KiB, or of all if there are fewer.
    ///
    /// It tells a repeated creation from another one.
    package var prefixDigest: String?
    /// Content offsets of the ends of chunks, at most `maximumChunkEdges`.
    package var chunkEdges: [UInt64]
    /// When its first byte passed, on the journal's clock; nil if none did.
    package var firstByteAt: Instant?

    package static let maximumChunkEdges = 64

    package init(
        _ exchange: ExchangeID,
        _ side: MessageSide,
        bytes: UInt64,
        isExact: Bool = true,
        isComplete: Bool,
        digest: String? = nil,
        prefixDigest: String? = nil,
        chunkEdges: [UInt64] = [],
        firstByteAt: Instant? = nil
    ) {
        self.exchange = exchange
        self.side = side
        self.bytes = bytes
        self.isExact = isExact
        self.isComplete = isComplete
        self.digest = digest
        self.prefixDigest = prefixDigest
        self.chunkEdges = Array(chunkEdges.prefix(Self.maximumChunkEdges))
        self.firstByteAt = firstByteAt
    }
}

/// From here on nothing is known of what a connection carries.
package struct OpaqueReport: Hashable, Sendable {
    package var connection: ConnectionID
    /// The side on which it was noticed; both are opaque from then on.
    package var side: MessageSide
    /// Words that are the same in equal runs, such as `upgrade` or `malformed`.
    package var reason: String

    package init(_ connection: ConnectionID, _ side: MessageSide, reason: String) {
        self.connection = connection
        self.side = side
        self.reason = reason
    }
}
