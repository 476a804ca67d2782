internal import HTTPWire

/// What is seen of the messages of one stream of HTTP/2: the same events that `HTTPTap` finds in bytes.
///
/// Offsets count the fields of a head as RFC 9113 §10.5.1 does, and the content: neither the compression
/// of fields, which depends on what was sent before, nor frames and padding.
struct StreamTap: Sendable {
    private struct Lane {
        var position: UInt64 = 0
        var content: UInt64 = 0
        var framing: MessageFraming?
        var isOver = false
    }

    /// Ordinal of the request on its connection, from 1.
    let number: UInt32
    private var method = ""
    private var client = Lane()
    private var server = Lane()
    private var interims: [Int: Int] = [:]

    init(_ number: UInt32) { self.number = number }

    private var r: Int { Int(number) }

    func position(of side: TapSide) -> UInt64 { self[side].position }

    /// Takes a request's head.
    mutating func request(_ head: RequestHead, size: Int, isWhole: Bool) -> [TapEvent] {
        method = head.method
        let length = (try? head.fields.contentLength()) ?? nil
        let framing: MessageFraming = isWhole ? .none : length.map { .length($0) } ?? .chunked
        let range = begin(.client, framing, size)
        return [.requestHead(r: r, head, framing, at: range)] + (isWhole ? end(.client) : [])
    }

    /// Takes the head of an interim or final response.
    mutating func response(_ head: ResponseHead, size: Int, isWhole: Bool) -> [TapEvent] {
        if head.isInterim {
            let range = advance(.server, size)
            interims[head.status, default: 0] += 1
            return [.interim(r: r, k: interims[head.status] ?? 1, head, at: range)]
        }
        let framing = framing(of: head, isWhole: isWhole)
        let range = begin(.server, framing, size)
        return [.responseHead(r: r, head, framing, at: range)] + (isWhole ? end(.server) : [])
    }

    /// Content has an end of its own in frames, as it has in chunks.
    private func framing(of head: ResponseHead, isWhole: Bool) -> MessageFraming {
        switch try? head.framing(answering: method) {
        case .length(let count)?: .length(count)
        case MessageFraming.none?: .none
        case .chunked?, .untilClose?, nil: isWhole ? .none : .chunked
        }
    }

    /// Takes content of a side's message, and its end if that is behind it.
    mutating func content(_ count: Int, of side: TapSide, isLast: Bool) -> [TapEvent] {
        guard self[side].framing != nil else { return [] }
        let from = self[side].content
        let range = advance(side, count)
        self[side].content += UInt64(count)
        let content: [TapEvent] =
            count > 0 ? [.content(side, r: r, bytes: range, from: from)] : []
        return content + (isLast ? end(side) : [])
    }

    /// Takes trailers, which end a message.
    mutating func trailers(of side: TapSide, size: Int) -> [TapEvent] {
        _ = advance(side, size)
        return end(side)
    }

    /// Takes the end of a message that is not whole.
    mutating func abort(_ side: TapSide) -> [TapEvent] {
        guard self[side].framing != nil, !self[side].isOver else { return [] }
        return end(side, .incomplete)
    }

    private mutating func begin(
        _ side: TapSide,
        _ framing: MessageFraming,
        _ size: Int
    ) -> Range<UInt64> {
        self[side].framing = framing
        return advance(side, size)
    }

    private mutating func advance(_ side: TapSide, _ count: Int) -> Range<UInt64> {
        let start = self[side].position
        self[side].position += UInt64(count)
        return start..<self[side].position
    }

    private mutating func end(
        _ side: TapSide,
        _ how: MessageEnding = .complete
    ) -> [TapEvent] {
        guard !self[side].isOver else { return [] }
        self[side].isOver = true
        let (place, size) = (self[side].position, self[side].content)
        let last = TapEvent.chunk(
            side,
            r: r,
            index: 1,
            contentOffset: size,
            size: 0,
            at: place..<place
        )
        let end = TapEvent.messageEnd(side, r: r, at: place, contentBytes: size, how)
        return self[side].framing == .chunked && how == .complete ? [last, end] : [end]
    }

    private subscript(side: TapSide) -> Lane {
        get { side == .client ? client : server }
        set { if side == .client { client = newValue } else { server = newValue } }
    }
}
