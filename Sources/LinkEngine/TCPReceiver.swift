internal import Basics

/// The receiving end of one stream: puts segments in order and decides when to acknowledge.
struct TCPReceiver {
    /// Linux's least delay; the RFC allows 500 ms (RFC 9293 §3.8.6.3).
    static let acknowledgementDelay = Duration.milliseconds(40)
    /// Linux acknowledges so many data packets of a connection at once.
    private static let quickAcknowledgements = 16

    /// What one arrival did.
    struct Arrival {
        /// Bytes that are now in order.
        var delivered = 0
        var finished = false
    }

    /// The next segment and the next byte wanted (RCV.NXT).
    private(set) var nextSegment = 0
    private(set) var nextOffset: Int64 = 0
    /// An acknowledgement is owed at this time, or never.
    private(set) var acknowledgeAt = Instant.never
    private(set) var window: ReceiveWindow

    private var outOfOrder = OutOfOrderQueue()
    private var finSegment = Int.max
    /// Nil until the first data.
    private var quickLeft: Int?
    private var unacknowledgedBytes: Int64 = 0
    private var lastAcknowledged = 0
    /// When the packet that last advanced the stream was sent (RFC 7323 §4.3).
    private var echo = Instant.start
    private var measured = ReceiverRoundTrip()

    init(behaviour: TCPSettings.Behaviour) { window = ReceiveWindow(behaviour: behaviour) }

    /// The connection is open: the first round of the window begins.
    mutating func begin(at now: Instant) { window.begin(at: now) }

    /// Remembers the time stamp of a packet without data, unless an older one waits to be answered.
    mutating func noteControlPacket(sentAt: Instant) {
        if nextSegment == lastAcknowledged, outOfOrder.isEmpty { echo = sentAt }
    }

    /// Takes a data segment or FIN.
    mutating func receive(_ packet: Packet, roundTrip: Duration?, at now: Instant) -> Arrival {
        quickLeft = quickLeft ?? Self.quickAcknowledgements
        if packet.carriesFIN { finSegment = packet.segment }
        if packet.segment <= lastAcknowledged { echo = packet.sentAt }
        if packet.payload == WireSize.fullSegment {
            measured.sample(
                echo: packet.acknowledgement.echo,
                hasReadAll: window.hasTaken(all: nextOffset),
                at: now
            )
        }
        if packet.segment == nextSegment {
            return advance(packet, roundTrip: roundTrip, at: now)
        }
        acknowledgeAt = now
        guard packet.segment > nextSegment else { return Arrival() }
        let end = packet.offset + Int64(packet.payload)
        if outOfOrder.insert(packet.segment, bytes: packet.offset..<end) {
            _ = window.noteArrival()
            window.noteOutOfOrder(bytes: end - nextOffset)
        }
        return Arrival()
    }

    private mutating func advance(
        _ packet: Packet,
        roundTrip: Duration?,
        at now: Instant
    ) -> Arrival {
        let before = nextOffset
        let filledGap = !outOfOrder.isEmpty
        nextSegment += 1
        nextOffset += Int64(packet.payload)
        if filledGap, let block = outOfOrder.removeBlock(startingAt: nextSegment) {
            nextSegment = block.segments.upperBound
            nextOffset = block.bytes.upperBound
        }
        let delivered = nextOffset - before
        unacknowledgedBytes += delivered
        // Linux acknowledges at once while its window still grows.
        if window.noteArrival() { quickLeft = max(quickLeft ?? 0, 1) }
        window.noteDelivery(
            total: nextOffset,
            outOfOrderBytes: outOfOrder.bytes,
            roundTrip: measured.forWindow(roundTrip),
            at: now
        )
        let finished = nextSegment > finSegment
        if filledGap || finished || quickLeft != 0
            || unacknowledgedBytes > Int64(WireSize.fullSegment)
        {
            acknowledgeAt = now
        } else if acknowledgeAt == .never {
            acknowledgeAt = now + Self.acknowledgementDelay
        }
        return Arrival(delivered: Int(delivered), finished: finished)
    }

    /// Says how much the real receiver has not taken of what was delivered so far.
    mutating func noteBacklog(_ bytes: Int) { window.setBacklog(Int64(bytes), of: nextOffset) }

    /// Whether an announcement would open the window by two segments or more.
    var wouldOpenWindow: Bool {
        window.wouldOpen(next: nextOffset, outOfOrderBytes: outOfOrder.bytes)
    }

    mutating func acknowledgeSoon(at now: Instant) { acknowledgeAt = now }

    /// The acknowledgement to put on a packet that leaves now; its SACK blocks go into the pool.
    mutating func makeAcknowledgement(sacks: inout SACKPool) -> Acknowledgement {
        acknowledgeAt = .never
        unacknowledgedBytes = 0
        lastAcknowledged = nextSegment
        if let left = quickLeft, left > 0 { quickLeft = left - 1 }
        var acknowledgement = Acknowledgement()
        acknowledgement.cumulative = nextSegment
        acknowledgement.windowEdge = window.announce(
            next: nextOffset,
            outOfOrderBytes: outOfOrder.bytes
        )
        acknowledgement.echo = echo
        if !outOfOrder.isEmpty {
            acknowledgement.sackSlot = sacks.store(outOfOrder.sackBlocks)
        }
        return acknowledgement
    }
}
