/// The client's direction of a tapped connection.
struct RequestTap: Sendable {
    private var follower: MessageFollower<RequestLine>
    private(set) var opaque: OpaqueReason?
    private var isEnded = false
    /// The request that was read last.
    private var number = 0
    /// Whether the client said that no request follows.
    private var isLast = false
    /// Reads what follows the request that opened a WebSocket.
    private var frames: WebSocketReader?
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

    mutating func read(
        _ bytes: Span<UInt8>,
        _ exchanges: inout OpenExchanges,
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
                } else if let reason = doubt(bytes[index], exchanges) {
                    become(reason, into: &events)
                } else if follower.isInBody {
                    try readBody(bytes, &index, into: &events)
                } else {
                    try readHead(bytes, &index, &exchanges, into: &events)
                }
            }
        } catch {
            become(reason(error), into: &events)
        }
        settle(exchanges, into: &events)
    }

    /// Ends with HTTP if an answer ended it and the request is complete.
    mutating func settle(_ exchanges: OpenExchanges, into events: inout [TapEvent]) {
        guard let reason = exchanges.switched, follower.isBetweenMessages, opaque == nil,
            frames == nil
        else { return }
        if exchanges.webSocket == nil {
            become(reason, into: &events)
        } else {
            frames = WebSocketReader(isMasked: true)
        }
    }

    mutating func end(_ exchanges: OpenExchanges, into events: inout [TapEvent]) {
        guard opaque == nil, !isEnded else { return }
        isEnded = true
        if let frames {
            var found: [InsideEvent] = []
            frames.end(at: follower.position, into: &found)
            report(found, into: &events)
        } else if follower.isInBody {
            end(.incomplete, into: &events)
        } else if !follower.isBetweenMessages {
            let range = follower.headStart..<follower.position
            events.append(.incompleteHead(.client, r: exchanges.count + 1, at: range))
        }
    }

    /// Where a message begins of which more must be read; nil if there is none.
    var unfinishedMessage: UInt64? { opaque == nil && !isEnded ? frames?.unfinished : nil }

    private mutating func readFrames(
        _ bytes: Span<UInt8>,
        _ index: inout Int,
        into events: inout [TapEvent]
    ) throws(MessageError) {
        frames?.keepsContent = keepsMessages
        var found: [InsideEvent] = []
        defer { report(found, into: &events) }
        try follower.readRest(of: bytes, &index, with: &frames, into: &found)
    }

    private func report(_ found: [InsideEvent], into events: inout [TapEvent]) {
        events += found.map { .inside(.client, r: number, .webSocket, $0) }
    }

    /// Why the next byte may mean more than one thing.
    private func doubt(_ byte: UInt8, _ exchanges: OpenExchanges) -> OpaqueReason? {
        if follower.isInBody {
            let isRefused = exchanges.refused == number && follower.isAtStartOfBody
            return isRefused ? .refusedExpectation : nil
        }
        guard follower.isBetweenMessages else { return nil }
        if exchanges.count == 0, follower.position == 0, byte == TLSRecord.handshake { return .tls }
        if let reason = exchanges.switched { return reason }
        if isLast { return .afterLastMessage }
        if exchanges.open.last?.maySwitch == true { return .beforeSwitchWasAnswered }
        return exchanges.open.count < OpenExchanges.limit ? nil : .tooManyRequests
    }

    private func reason(_ error: MessageError) -> OpaqueReason {
        let isPreface = follower.startLine.elementsEqual("PRI * HTTP/2.0".utf8)
        return error == .versionNotSupported && isPreface ? .http2 : .malformed(error)
    }

    private mutating func readHead(
        _ bytes: Span<UInt8>,
        _ index: inout Int,
        _ exchanges: inout OpenExchanges,
        into events: inout [TapEvent]
    ) throws(MessageError) {
        guard let (line, fields, range) = try follower.readHead(bytes, from: &index) else { return }
        let head = RequestHead(line.method, line.target, version: line.version, fields: fields)
        let framing = try head.framing()
        guard head.method != "CONNECT" || framing == .none || framing == .length(0) else {
            return become(.contentWhereNoneCanBe, into: &events)
        }
        number = exchanges.add(head)
        isLast = !head.keepsConnection
        events.append(.requestHead(r: number, head, framing, at: range))
        follower.beginBody(framing)
        try readBody(bytes, &index, into: &events)
    }

    private mutating func readBody(
        _ bytes: Span<UInt8>,
        _ index: inout Int,
        into events: inout [TapEvent]
    ) throws(MessageError) {
        while let part = try follower.readBody(bytes, from: &index) {
            if part.report(.client, number, follower.contentBytes, into: &events) { continue }
            return end(.complete, into: &events)
        }
    }

    private func end(_ how: MessageEnding, into events: inout [TapEvent]) {
        let size = follower.contentBytes
        events.append(
            .messageEnd(.client, r: number, at: follower.position, contentBytes: size, how)
        )
    }

    private mutating func become(_ reason: OpaqueReason, into events: inout [TapEvent]) {
        opaque = reason
        let start = follower.isInBody ? follower.boundary : follower.headStart
        let place = frames.map { $0.unfinished ?? follower.position } ?? start
        events.append(.opaque(.client, at: place, reason))
    }
}
