internal import Basics

/// Looks for an end that still uses a connection that it should have given up (RFC 9000 §10.1).
///
/// It has at least three probe timeouts, which are not seen. The first ones take three round trips
/// (RFC 9002 §6.2), and each takes twice as long as the one before: none is taken to be shorter than
/// that, than twice the longest silence that was no mistake, or than a second.
struct IdleReading {
    /// The shorter of both ends' idle times as of the last packet; nil if none is known.
    private(set) var idleTime: Duration?
    /// Whether one was ever known.
    private(set) var hasIdleTime: Bool

    private let client: UInt64?
    private var hasServer = false
    private var longest: [Direction: Duration] = [:]
    private var delays: [Direction: AnswerDelay] = [:]

    /// - Parameter client: the idle time of the client of the first connection, in milliseconds.
    init(client: UInt64?) {
        self.client = client
        idleTime = client.map(Self.milliseconds)
        hasIdleTime = client != nil
    }

    /// Takes the next packet of the flow, and says whether it should not have been sent.
    mutating func isLate(_ packet: ReadPacket) -> Bool {
        takeIdleTime(of: packet)
        defer { takeDelays(of: packet) }
        let silence = packet.silence
        guard packet.is1RTT, silence > .zero else { return false }
        let earlier = longest[packet.direction] ?? .zero
        if let idleTime, silence > idleTime, !packet.isClosing {
            let quiet = Self.product(min(earlier, idleTime), 2)
            let probe = max(.seconds(1), quiet, Self.product(roundTrip, 3))
            if silence - idleTime > Self.product(probe, 3) { return true }
        }
        longest[packet.direction] = max(earlier, silence)
        return false
    }

    /// The idle time of the client is that of the first connection, whose server is the first one.
    private mutating func takeIdleTime(of packet: ReadPacket) {
        guard let announced = packet.serverIdleMilliseconds else { return }
        let server = announced > 0 ? announced : nil
        let both = hasServer ? [server] : [client, server]
        hasServer = true
        idleTime = both.compactMap(\.self).min().map(Self.milliseconds)
        if idleTime != nil { hasIdleTime = true }
    }

    private mutating func takeDelays(of packet: ReadPacket) {
        delays[packet.direction, default: .init()].sent(packet)
        delays[packet.direction.opposite, default: .init()].acknowledged(by: packet)
    }

    /// The longest way to one end and back and the longest way to the other; if one is not known, twice
    /// the other.
    private var roundTrip: Duration {
        let ways = delays.values.map(\.longest).filter { $0 > .zero }
        guard ways.count < 2 else { return Self.sum(ways[0], ways[1]) }
        return Self.product(ways.first ?? .zero, 2)
    }

    // A journal may have been tampered with: nothing overflows.

    private static func milliseconds(_ count: UInt64) -> Duration {
        product(.milliseconds(1), Int64(clamping: count))
    }

    private static func product(_ time: Duration, _ factor: Int64) -> Duration {
        let (product, overflow) = time.nanoseconds.multipliedReportingOverflow(by: factor)
        return .nanoseconds(overflow ? .max : product)
    }

    private static func sum(_ left: Duration, _ right: Duration) -> Duration {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return .nanoseconds(overflow ? .max : sum)
    }
}

/// How long it takes until packets of one end are acknowledged, from here to the other end and back.
private struct AnswerDelay {
    private(set) var longest = Duration.zero
    /// When those came that were not acknowledged, by number space and number.
    private var sent: [String: [UInt64: Instant]] = [:]

    mutating func sent(_ packet: ReadPacket) {
        sent[packet.numberSpace, default: [:]][packet.number] = packet.cameAt
    }

    /// As in RFC 9002 §5.1, the largest number counts, when it is acknowledged for the first time.
    mutating func acknowledged(by packet: ReadPacket) {
        for range in packet.acknowledged {
            guard let came = sent[packet.numberSpace]?.removeValue(forKey: range.upperBound),
                came <= packet.cameAt
            else { continue }
            longest = max(longest, packet.cameAt - came)
        }
    }
}
