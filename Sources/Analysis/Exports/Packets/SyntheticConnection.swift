internal import Basics
internal import Journal

/// The packets of one connection: a handshake, what it carried, its end.
///
/// Content is acknowledged by whatever its receiver sends next, not by packets of their own.
struct SyntheticConnection {
    private(set) var packets: [SyntheticPacket] = []

    private let connection: ConnectionTrace
    private let segments: StreamSegments
    /// Number of the next byte of each side; the first one counts for its SYN (RFC 9293 §3.4).
    private var next: [MessageSide: UInt64] = [.request: 0, .response: 0]

    init(_ connection: ConnectionTrace, _ exchanges: [Exchange]) {
        self.connection = connection
        segments = StreamSegments(exchanges, on: connection)
        begin()
        let first = packets.count
        for segment in segments.all { add(segment) }
        let last = packets.count
        for side in [MessageSide.request, .response] {
            next[side] = 1 &+ (segments.lengths[side] ?? 0)
        }
        end()
        let places = FaultPlaces(
            segments: segments.all,
            first: first,
            end: packets.count > last ? last : nil
        )
        for fault in connection.faults where fault.value.isFired {
            for place in places.packets(touchedBy: fault) {
                packets[place].comments.append(Self.words(fault.value))
            }
        }
    }

    private mutating func begin() {
        let time = connection.opened.at
        send(.request, .syn, at: time, comment: "\(connection.id.harName): connect")
        next[.request] = 1
        send(.response, [.syn, .ack], at: time)
        next[.response] = 1
        send(.request, .ack, at: time)
    }

    private mutating func add(_ segment: StreamSegments.Segment) {
        next[segment.side] = 1 &+ segment.streamOffset
        send(
            segment.side,
            [.push, .ack],
            segment.bytes,
            at: segment.at,
            comment: segment.label
        )
        next[segment.side, default: 0] &+= UInt64(segment.bytes)
    }

    /// As the client saw it; a silence without an end has no packet.
    private mutating func end() {
        guard let end = connection.end else { return }
        var words = "\(connection.id.harName): end by \(end.value.by.rawValue)"
        words += ", \(end.value.how.rawValue)"
        let time = max(end.at, packets.last?.at ?? .start)
        let side = end.value.by == .client ? MessageSide.request : .response
        switch end.value.how {
        case .fin: finish(side, at: time, words)
        case .rst, .refused, .timeout: send(side, [.rst, .ack], at: time, comment: words)
        case .hole:
            guard end.value.by == .client || end.value.clientEndedAt != nil else { return }
            send(.request, [.fin, .ack], at: time, comment: words)
        }
    }

    private mutating func finish(_ first: MessageSide, at time: Instant, _ words: String) {
        let second = first == .request ? MessageSide.response : .request
        send(first, [.fin, .ack], at: time, comment: words)
        next[first, default: 0] &+= 1
        send(second, [.fin, .ack], at: time)
        next[second, default: 0] &+= 1
        send(first, .ack, at: time)
    }

    private mutating func send(
        _ side: MessageSide,
        _ flags: SyntheticPacket.Flags,
        _ bytes: Int = 0,
        at time: Instant,
        comment: String? = nil
    ) {
        let client = SyntheticEndpoint.client(connection.id)
        let listener = SyntheticEndpoint.listener(connection.id)
        let other = side == .request ? MessageSide.response : .request
        packets.append(
            SyntheticPacket(
                at: max(time, packets.last?.at ?? .start),
                from: side == .request ? client : listener,
                to: side == .request ? listener : client,
                flags: flags,
                sequence: UInt32(truncatingIfNeeded: next[side] ?? 0),
                acknowledgement: flags.contains(.ack)
                    ? UInt32(truncatingIfNeeded: next[other] ?? 0) : 0,
                contentBytes: bytes,
                comments: comment.map { [$0] } ?? []
            )
        )
    }

    static func words(_ fault: FaultReport) -> String {
        var words = "fault \(fault.id): \(fault.effect) at \(fault.address)"
        if fault.state == .undelivered {
            words += ", without proof that all bytes before it arrived"
        }
        if fault.isByHand { words += ", by hand" }
        return words
    }
}
