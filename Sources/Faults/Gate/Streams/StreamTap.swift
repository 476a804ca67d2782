internal import HTTPWire

/// What is seen of the messages of one stream of HTTP/2: the same events that `HTTPTap` finds in bytes.
///
/// Offsets count the fields of a head as RFC 9113 §10.5.1 does, and the content: neither the compression
/// of fields, which depends on what was sent before, nor frames and padding.
final class StreamTap {
    private final class Lane {
        var position: UInt64 = 0
        var content: UInt64 = 0
        var framing: MessageFraming?
        var isOver = false
        /// Reads the messages inside the content, if it has any.
        var inside: InsideReader?
        /// Where the next content to read is; of a frame, the length is known before.
        var read: UInt64 = 0
        /// Whether the message ends with the content that was announced.
        var endsWhenRead = false
    }

    /// Ordinal of the request on its connection, from 1.
    let number: UInt32
    private var asked: RequestHead?
    /// What follows the head of the final answer; nil for no messages.
    private(set) var messages: MessageKind?
    private let client = Lane()
    private let server = Lane()
    private var interims: [Int: Int] = [:]

    /// Whether parts of messages have their bytes.
    private let keepsMessages: Bool

    init(_ number: UInt32, keepsMessages: Bool) {
        self.number = number
        self.keepsMessages = keepsMessages
    }

    private var r: Int { Int(number) }

    func position(of side: TapSide) -> UInt64 { self[side].position }

    /// The longest content that is kept of a message until it is whole.
    static let keptBytes: UInt64 = 1_048_576

    /// Whether more content of a side was seen than is kept.
    func isTooLong(_ side: TapSide) -> Bool { self[side].content > Self.keptBytes }

    /// Takes a request's head.
    func request(_ head: RequestHead, size: Int, isWhole: Bool) -> [TapEvent] {
        asked = head
        let length = (try? head.fields.contentLength()) ?? nil
        let framing: MessageFraming = isWhole ? .none : length.map { .length($0) } ?? .chunked
        let range = begin(.client, framing, size)
        if head.isCall { client.inside = reader(.grpc, isClient: true) }
        if head.asksForWebSocket { client.inside = reader(.webSocket, isClient: true) }
        return [.requestHead(r: r, head, framing, at: range)] + (isWhole ? end(.client) : [])
    }

    /// Takes the head of an interim or final response.
    func response(_ head: ResponseHead, size: Int, isWhole: Bool) -> [TapEvent] {
        if head.isInterim {
            let range = advance(.server, size)
            interims[head.status, default: 0] += 1
            return [.interim(r: r, k: interims[head.status] ?? 1, head, at: range)]
        }
        messages = asked.flatMap { head.messages(answering: $0) }
        let framing = framing(of: head, isWhole: isWhole)
        let range = begin(.server, framing, size)
        server.inside = messages.map { reader($0, isClient: false) }
        let refused = client.inside?.kind == .webSocket && messages == nil ? loseClient() : []
        // An answer of trailers alone has the status in its head.
        let status = isWhole ? self.status(head.fields) : []
        return [.responseHead(r: r, head, framing, at: range)] + refused + status
            + (isWhole ? end(.server) : [])
    }

    private func reader(_ kind: MessageKind, isClient: Bool) -> InsideReader {
        InsideReader(kind, isClient: isClient, keepsContent: keepsMessages)
    }

    /// Reads no further in what is no WebSocket; its end may have been announced.
    private func loseClient() -> [TapEvent] {
        client.inside = nil
        return client.endsWhenRead ? end(.client) : []
    }

    /// How a gRPC call has ended, if the fields before here say so.
    private func status(_ fields: HeaderFields) -> [TapEvent] {
        guard messages == .grpc, let status = CallStatus(fields) else { return [] }
        return inside([.status(status, at: server.position)], .server)
    }

    /// Content has an end of its own in frames, as it has in chunks.
    private func framing(of head: ResponseHead, isWhole: Bool) -> MessageFraming {
        if messages == .webSocket, !isWhole { return .chunked }
        return switch try? head.framing(answering: asked?.method ?? "") {
        case .length(let count)?: .length(count)
        case MessageFraming.none?: .none
        case .chunked?, .untilClose?, nil: isWhole ? .none : .chunked
        }
    }

    /// Takes content of a side's message, and its end if that is behind it.
    func content(_ count: Int, of side: TapSide, isLast: Bool) -> [TapEvent] {
        let range = advance(side, count)
        guard self[side].framing != nil, !self[side].isOver else { return [] }
        let from = self[side].content
        self[side].read = range.lowerBound
        self[side].content += UInt64(count)
        let content: [TapEvent] =
            count > 0 ? [.content(side, r: r, bytes: range, from: from)] : []
        self[side].endsWhenRead = isLast && count > 0 && self[side].inside != nil
        return content + (isLast && !self[side].endsWhenRead ? end(side) : [])
    }

    /// Reads content that was announced.
    func read(_ content: Span<UInt8>, of side: TapSide) -> [TapEvent] {
        guard self[side].inside != nil, !self[side].isOver else { return [] }
        var found: [InsideEvent] = []
        let position = self[side].read
        self[side].inside?.read(content, at: position, into: &found)
        self[side].read = position + UInt64(content.count)
        let isEnd = self[side].endsWhenRead && self[side].read == self[side].position
        return inside(found, side) + (isEnd ? end(side) : [])
    }

    /// Where a message begins of which more must be read; nil if there is none.
    func unfinishedMessage(of side: TapSide) -> UInt64? {
        self[side].isOver ? nil : self[side].inside?.unfinished
    }

    private func inside(_ found: [InsideEvent], _ side: TapSide) -> [TapEvent] {
        guard let kind = self[side].inside?.kind else { return [] }
        return found.map { .inside(side, r: r, kind, $0) }
    }

    /// Takes trailers, which end a message.
    func trailers(_ fields: HeaderFields, of side: TapSide, size: Int) -> [TapEvent] {
        _ = advance(side, size)
        let status = side == .server && !server.isOver ? self.status(fields) : []
        return status + end(side)
    }

    /// Takes the end of a message that is not whole.
    func abort(_ side: TapSide) -> [TapEvent] {
        guard self[side].framing != nil, !self[side].isOver else { return [] }
        return end(side, .incomplete)
    }

    private func begin(
        _ side: TapSide,
        _ framing: MessageFraming,
        _ size: Int
    ) -> Range<UInt64> {
        self[side].framing = framing
        return advance(side, size)
    }

    private func advance(_ side: TapSide, _ count: Int) -> Range<UInt64> {
        let start = self[side].position
        self[side].position += UInt64(count)
        return start..<self[side].position
    }

    private func end(
        _ side: TapSide,
        _ how: MessageEnding = .complete
    ) -> [TapEvent] {
        guard !self[side].isOver else { return [] }
        self[side].isOver = true
        let (place, size) = (self[side].position, self[side].content)
        var found: [InsideEvent] = []
        self[side].inside?.end(at: place, into: &found)
        let last = TapEvent.chunk(
            side,
            r: r,
            index: 1,
            contentOffset: size,
            size: 0,
            at: place..<place
        )
        let end = TapEvent.messageEnd(side, r: r, at: place, contentBytes: size, how)
        let hasLast = self[side].framing == .chunked && how == .complete
        let told = inside(found, side)
        self[side].inside = nil
        return told + (hasLast ? [last, end] : [end])
    }

    private subscript(side: TapSide) -> Lane { side == .client ? client : server }
}
