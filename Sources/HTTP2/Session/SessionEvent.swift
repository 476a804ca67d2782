/// What the peer of a session has done.
package enum SessionEvent: Hashable, Sendable {
    /// A whole field block: of a request, of a response, interim or final, or trailers.
    ///
    /// One that is larger than was allowed has only its first fields, and `isTooLarge`; after one that
    /// ends the stream comes `end`.
    case fields(stream: Int32, [BlockField], isTooLarge: Bool, endsStream: Bool)
    /// Bytes of content; `giveBack` lets the peer send as many again.
    case data(stream: Int32, [UInt8])
    /// The peer sends no more on the stream.
    case end(stream: Int32)
    /// The stream is over, on both sides; with an error for one that was reset.
    case closed(stream: Int32, ErrorCode)
    /// The peer begins no more streams, or takes none.
    case goAway(ErrorCode)
}

/// What there is to send of a message's content.
package enum SessionContent {
    /// Of them at most as many as were asked for.
    case bytes([UInt8])
    /// The last ones, and trailers.
    case last([UInt8], trailers: [BlockField])
    /// None yet: `resume` says when to ask again.
    case later
    /// There should be more and they cannot be had: the stream is reset.
    case failed
}

/// What a session allows its peer.
package struct SessionLimits: Hashable, Sendable {
    /// Streams that the peer may have open at the same time.
    package var streams: UInt32 = 100
    /// Bytes of content on their way in each stream, from the start.
    package var window: UInt32 = 65_535
    /// Fields of one block, by the count of RFC 9113 §6.5.2.
    package var listSize = 16_384
    package var fields = 128
    /// Frames that serve no message (resets, pings, settings, priorities, empty ones) beyond those that
    /// content has made up for; more are a flood.
    package var idleFrames = 1_000

    package init() {}
}

/// What was written of the messages of a stream.
package struct WrittenFrames: Hashable, Sendable {
    /// The frames' headers included.
    package var bytes = 0
    /// Whether the message is complete.
    package var isLast = false
}
