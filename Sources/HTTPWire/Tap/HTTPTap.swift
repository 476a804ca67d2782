/// Follows the messages of one HTTP/1.x connection from beside it, without taking part.
///
/// Give it the bytes of both directions in the order in which they pass, in slices of any size; how
/// they are cut changes nothing but the ranges of `TapEvent.content`. Bytes are not kept, apart from an
/// unfinished head and framing, up to the limits. Content costs the same for any size of slice unless
/// it is chunked.
///
/// What it reports is certain: where parsers in use could see another boundary, it says
/// `TapEvent.opaque` before the byte that would tell them apart and no more of that direction. The
/// other direction goes on as far as it can be understood by itself: answers to requests that are known
/// stay known, and requests do not depend on answers that are not (RFC 9112 §6.3, §11.2).
package struct HTTPTap: Sendable {
    /// As much as servers accept: many stop at 8 KiB.
    package static let limits: MessageLimits = {
        var limits = MessageLimits()
        limits.startLine = 65_536
        limits.head = 131_072
        limits.fields = 1_000
        limits.chunkLine = 16_384
        return limits
    }()

    private var requests: RequestTap
    private var responses: ResponseTap
    private var exchanges = OpenExchanges()

    package init(limits: MessageLimits = HTTPTap.limits) {
        requests = RequestTap(limits: limits)
        responses = ResponseTap(limits: limits)
    }

    /// Reads the next bytes that `side` sent and adds what they complete to `events`.
    package mutating func read(
        _ bytes: Span<UInt8>,
        from side: TapSide,
        into events: inout [TapEvent]
    ) {
        switch side {
        case .client: requests.read(bytes, &exchanges, into: &events)
        case .server:
            responses.read(bytes, &exchanges, requests: requests.opaque, into: &events)
            requests.settle(exchanges, into: &events)
        }
    }

    /// Says that `side` sends nothing more, by a FIN if that was orderly, otherwise by a reset.
    ///
    /// A second time does nothing.
    package mutating func end(
        _ side: TapSide,
        isOrderly: Bool = true,
        into events: inout [TapEvent]
    ) {
        switch side {
        case .client: requests.end(exchanges, into: &events)
        case .server: responses.end(exchanges, isOrderly: isOrderly, into: &events)
        }
    }

    /// Bytes of `side` that were read.
    package func position(of side: TapSide) -> UInt64 {
        side == .client ? requests.position : responses.position
    }

    /// Where the head begins that `side` has begun and not completed; nil outside of a head.
    ///
    /// Nobody knows yet what the bytes from there on are: whoever acts on messages holds them.
    package func unfinishedHead(of side: TapSide) -> UInt64? {
        side == .client ? requests.unfinishedHead : responses.unfinishedHead
    }

    /// Where the line before a chunk begins that `side` has begun and not completed; nil outside of one.
    package func unfinishedChunkLine(of side: TapSide) -> UInt64? {
        side == .client ? requests.unfinishedChunkLine : responses.unfinishedChunkLine
    }

    /// Where a message inside the content begins that `side` has begun, and of which more must be read to
    /// tell what it is; nil if there is none.
    package func unfinishedMessage(of side: TapSide) -> UInt64? {
        side == .client ? requests.unfinishedMessage : responses.unfinishedMessage
    }

    /// Whether what is reported of messages inside the content has their bytes.
    package var keepsMessages: Bool {
        get { responses.keepsMessages }
        set {
            requests.keepsMessages = newValue
            responses.keepsMessages = newValue
        }
    }

    /// Why nothing more is said of `side`; nil as long as it is understood.
    package func opaqueReason(of side: TapSide) -> OpaqueReason? {
        side == .client ? requests.opaque : responses.opaque
    }

    /// Ordinals of the requests without a final response, the oldest first.
    package var unanswered: [Int] { exchanges.open.map(\.number) }

    /// Requests whose heads are complete.
    package var requestCount: Int { exchanges.count }
}
