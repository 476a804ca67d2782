/// One of the two ends of a connection, and the direction of the bytes that it sends.
package enum TapSide: String, Hashable, Sendable {
    case client, server
}

/// What `HTTPTap` saw.
///
/// Places are offsets in the stream of the side that sent the bytes, counted from 0; `r` is the
/// ordinal of the request on the connection, counted from 1, and a response has the ordinal of the
/// request that it answers.
package enum TapEvent: Hashable, Sendable {
    /// A request's head, the empty line behind it included and empty lines before it not.
    case requestHead(r: Int, RequestHead, MessageFraming, at: Range<UInt64>)
    /// An interim response, the `k`-th with its status for this request, counted from 1.
    case interim(r: Int, k: Int, ResponseHead, at: Range<UInt64>)
    /// The head of a final response, or of a 101.
    case responseHead(r: Int, ResponseHead, MessageFraming, at: Range<UInt64>)
    /// The line before a chunk is complete: `index` counts from 1, `contentOffset` is the content
    /// before it, `at` the line with its CR LF. The last chunk has size 0.
    case chunk(
        TapSide,
        r: Int,
        index: Int,
        contentOffset: UInt64,
        size: UInt64,
        at: Range<UInt64>
    )
    /// Content bytes, without chunk framing; `from` is the content before them. Content byte N of the
    /// message (counted from 1) ends at the stream offset `bytes.lowerBound + (N - from)`.
    case content(TapSide, r: Int, bytes: Range<UInt64>, from: UInt64)
    /// The message is over; `at` is behind its last byte, trailers and chunk framing included.
    case messageEnd(TapSide, r: Int, at: UInt64, contentBytes: UInt64, MessageEnding)
    /// The stream ended within a head that begins where the range does. A response's ordinal is that
    /// of the oldest request without a final response.
    case incompleteHead(TapSide, r: Int, at: Range<UInt64>)
    /// Something inside the content, or inside what a 101 began; it follows the events of its bytes.
    case inside(TapSide, r: Int, MessageKind, InsideEvent)
    /// From here on nothing is known of this direction, and no other event of it follows.
    case opaque(TapSide, at: UInt64, OpaqueReason)
}

/// How a message ended.
package enum MessageEnding: String, Hashable, Sendable {
    /// As its framing says.
    case complete
    /// The stream ended before the framing's end, or with a reset.
    case incomplete
    /// By the end of the stream, which its framing takes for the end: nobody knows whether it is whole
    /// (RFC 9112 §8).
    case closeDelimited
}
