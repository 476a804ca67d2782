/// The server's direction of a tapped connection.
struct ResponseTap: Sendable {
    private var follower: MessageFollower<StatusLine>
    private(set) var opaque: OpaqueReason?
    private var isEnded = false
    /// The request that the current response answers.
    private var number = 0
    private var endsByClose = false
    /// Whether no response can follow.
    private var isLast = false
    /// Reads what follows the answer that opened a WebSocket.
    private var frames: WebSocketReader?
    /// Reads the content that is a stream of events.
    private var stream: EventStreamReader?
    /// Whether what is read inside has its bytes.
    var keepsMessages = false

    init(limits: MessageLimits) { follower = MessageFollower(limits: limits) }

    var position: UInt64 { follower.position }

    /// The offset from which on bytes wait for the head that they are part of to be complete.
    var unfinishedHead: UInt64? {
        opaque == nil && !isEnded && !follower.isInBody && !follower.isBetweenMessages
            ? follower.headStart : nil
    }

    /// The same of the line before a chunk.
    var unfinishedChunkLine: UInt64? {
        opaque == nil && !isEnded ? follower.chunkLineStart : nil
    }

    /// Reads the next bytes; `requests` is why the client's direction is not known, if it is not.
    mutating func read(
        _ bytes: Span<UInt8>,
        _ exchanges: inout OpenExchanges,
        requests: OpaqueReason?,
        into events: inout [TapEvent]
    ) {
        let end = follower.position + UInt64(bytes.count)
        defer { if opaque != nil || isEnded { follower.skip(to: end) } }
        guard !isEnded else { return }
        var index = 0
        do throws(MessageError) {
            while opaque == nil, index < bytes.count {
                if frames != nil {
                    try readFrames(bytes, &index, into: &events)
                } else if let reason = doubt(bytes[index], exchanges, requests) {
                    become(reason, into: &events)
                } else if follower.isInBody {
                    try readBody(bytes, &index, into: &events)
                } else {
                    try readHead(bytes, &index, &exchanges, into: &events)
                }
            }
        } catch {
            become(.malformed(error), into: &events)
        }
    }

    /// Ends the stream; it is orderly if that was a FIN and not a reset.
    mutating func end(
        _ exchanges: OpenExchanges,
        isOrderly: Bool,
        into events: inout [TapEvent]
    ) {
        guard opaque == nil, !isEnded else { return }
        isEnded = true
        if let frames {
            var found: [InsideEvent] = []
            if isOrderly { frames.end(at: follower.position, into: &found) }
            report(found, .webSocket, into: &events)
        } else if follower.isInBody {
            end(endsByClose && isOrderly ? .closeDelimited : .incomplete, into: &events)
        } else if !follower.isBetweenMessages {
            let range = follower.headStart..<follower.position
            let oldest = exchanges.open.first?.number ?? exchanges.count
            events.append(.incompleteHead(.server, r: oldest, at: range))
        }
    }

    /// Why the next byte cannot be understood, if it begins a message.
    private func doubt(_ byte: UInt8, _ exchanges: OpenExchanges, _ requests: OpaqueReason?)
        -> OpaqueReason?
    {
        guard follower.isBetweenMessages else { return nil }
        if follower.position == 0, byte == TLSRecord.alert { return .tls }
        if isLast { return .afterLastMessage }
        return exchanges.open.isEmpty ? requests ?? .responseWithoutRequest : nil
    }

    private mutating func readHead(
        _ bytes: Span<UInt8>,
        _ index: inout Int,
        _ exchanges: inout OpenExchanges,
        into events: inout [TapEvent]
    ) throws(MessageError) {
        guard let (line, fields, range) = try follower.readHead(bytes, from: &index),
            let exchange = exchanges.open.first
        else {
            return
        }
        let head = ResponseHead(
            line.status,
            reason: line.reason,
            version: line.version,
            fields: fields
        )
        number = exchange.number
        guard !(try head.contradictsItsStatus) else {
            return become(.contentWhereNoneCanBe, into: &events)
        }
        if head.isInterim {
            follower.acceptHead()
            let count = exchanges.count(interim: head.status)
            events.append(.interim(r: number, k: count, head, at: range))
        } else {
            try beginFinal(head, exchange.method, range, &exchanges, into: &events)
            try readBody(bytes, &index, into: &events)
            if exchanges.webSocket != nil {
                frames = WebSocketReader(isMasked: false)
            } else if let reason = exchanges.switched {
                become(reason, into: &events)
            }
        }
    }

    private mutating func beginFinal(
        _ head: ResponseHead,
        _ method: String,
        _ range: Range<UInt64>,
        _ exchanges: inout OpenExchanges,
        into events: inout [TapEvent]
    ) throws(MessageError) {
        let framing = try head.framing(answering: method)
        exchanges.answer(head)
        endsByClose = framing == .untilClose
        isLast = !head.keepsConnection(answering: method, framing)
        events.append(.responseHead(r: number, head, framing, at: range))
        follower.beginBody(framing)
        stream = head.hasEvents && framing != .none ? EventStreamReader() : nil
    }

    private mutating func readBody(
        _ bytes: Span<UInt8>,
        _ index: inout Int,
        into events: inout [TapEvent]
    ) throws(MessageError) {
        let start = follower.position - UInt64(index)
        while let part = try follower.readBody(bytes, from: &index) {
            if part.report(.server, number, follower.contentBytes, into: &events) {
                if stream != nil, case .content(let range, _) = part {
                    let place = Int(range.lowerBound - start)
                    readEvents(
                        bytes.extracting(place..<place + range.count),
                        at: range.lowerBound,
                        into: &events
                    )
                }
                continue
            }
            return end(.complete, into: &events)
        }
    }

    /// Where a message begins of which more must be read; nil if there is none.
    var unfinishedMessage: UInt64? {
        opaque == nil && !isEnded ? frames?.unfinished ?? stream?.unfinished : nil
    }

    private mutating func readFrames(
        _ bytes: Span<UInt8>,
        _ index: inout Int,
        into events: inout [TapEvent]
    ) throws(MessageError) {
        frames?.keepsContent = keepsMessages
        var found: [InsideEvent] = []
        defer { report(found, .webSocket, into: &events) }
        try follower.readRest(of: bytes, &index, with: &frames, into: &found)
    }

    private mutating func readEvents(
        _ bytes: Span<UInt8>,
        at position: UInt64,
        into events: inout [TapEvent]
    ) {
        stream?.keepsContent = keepsMessages
        var found: [InsideEvent] = []
        do throws(MessageError) {
            try stream?.read(bytes, at: position, into: &found)
        } catch {
            found.append(.lost(at: stream?.limit ?? position))
            stream = nil
        }
        report(found, .event, into: &events)
    }

    private func report(
        _ found: [InsideEvent],
        _ kind: MessageKind,
        into events: inout [TapEvent]
    ) {
        events += found.map { .inside(.server, r: number, kind, $0) }
    }

    private mutating func end(_ how: MessageEnding, into events: inout [TapEvent]) {
        if stream != nil {
            var found: [InsideEvent] = []
            stream?.end(at: follower.position, into: &found)
            report(found, .event, into: &events)
            stream = nil
        }
        let size = follower.contentBytes
        events.append(
            .messageEnd(.server, r: number, at: follower.position, contentBytes: size, how)
        )
    }

    private mutating func become(_ reason: OpaqueReason, into events: inout [TapEvent]) {
        opaque = reason
        let start = follower.isInBody ? follower.boundary : follower.headStart
        let place = frames.map { $0.unfinished ?? follower.position } ?? start
        events.append(.opaque(.server, at: place, reason))
    }
}

extension ResponseHead {
    /// Whether it declares content although its status allows none.
    ///
    /// Some parsers look for the content nevertheless. A 304 may declare what a 200 would have had
    /// (RFC 9110 §8.6).
    ///
    /// - Throws: for a length that is no length, also where it would mean nothing.
    fileprivate var contradictsItsStatus: Bool {
        get throws(MessageError) {
            let length = try fields.contentLength() ?? 0
            guard isInterim || status == 204 else { return false }
            return length > 0 || fields.contains("Transfer-Encoding")
        }
    }
}
