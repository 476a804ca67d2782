internal import Basics

/// Sizes of packets on the link, in bytes from the IP header up.
enum WireSize {
    /// Payload of a full segment: 1,500 less 20 IP, 20 TCP and 12 timestamps (RFC 7323 §3.2).
    static let fullSegment = 1_448
    /// Headers of a data packet; a pure ACK and a lone FIN are nothing else.
    static let headers = 52
    /// SYN and SYN-ACK carry their options.
    static let syn = 60
    /// Headers of a datagram over IPv4: 20 IP and 8 UDP (RFC 768).
    static let datagramHeaders = 28
    /// A SACK option (RFC 2018 §3): two bytes of padding, two of head, eight for each block.
    static func sackOption(blocks: Int) -> Int { blocks == 0 ? 0 : 4 + 8 * blocks }
}

/// The most recent news first (RFC 2018 §4); with timestamps three blocks fit.
struct SACKBlocks {
    static let maximumCount = 3

    private(set) var count = 0
    private var first = 0..<0
    private var second = 0..<0
    private var third = 0..<0

    subscript(index: Int) -> Range<Int> {
        switch index {
        case 0: first
        case 1: second
        default: third
        }
    }

    mutating func append(_ block: Range<Int>) {
        switch count {
        case 0: first = block
        case 1: second = block
        case 2: third = block
        default: return
        }
        count += 1
    }
}

/// What a packet says of the other direction's stream, as of the moment it was sent.
struct Acknowledgement {
    /// The next segment the receiver waits for.
    var cumulative = 0
    /// Byte offset in the stream up to which the sender may send.
    var windowEdge: Int64 = 0
    /// When the packet that caused this one was sent (timestamp echo, RFC 7323 §4).
    var echo = Instant.start
    /// Place of its SACK blocks in the link's pool, or -1.
    var sackSlot: Int32 = -1
}

/// One packet on its way: 80 bytes, since thousands are on their way at once.
struct Packet {
    enum Kind: UInt8 {
        case syn, synAck, ack, data, fin, probe, reset, datagram
    }

    var acknowledgement = Acknowledgement()
    let kind: Kind
    /// Whether the segment ends the stream.
    var carriesFIN = false
    /// Size on the link, headers included.
    var wireBytes: UInt16
    /// Slot and generation of the connection.
    var slot: Int32 = 0
    var generation: UInt32 = 0
    /// Number of the segment, for data and FIN.
    var segment = 0
    /// Offset of the payload in the stream; of a datagram its number in the flow.
    var offset: Int64 = 0
    var sentAt = Instant.start
    /// When the packet reaches the queue, later when it has left it.
    var due = Instant.start
    /// Index under which the link decided on the packet.
    var index: UInt64 = 0

    init(kind: Kind) {
        self.kind = kind
        wireBytes = UInt16(kind == .syn || kind == .synAck ? WireSize.syn : WireSize.headers)
    }

    /// Bytes of the stream that the packet carries.
    var payload: Int {
        get {
            switch kind {
            case .data: Int(wireBytes) - WireSize.headers
            case .datagram: Int(wireBytes) - WireSize.datagramHeaders
            case .syn, .synAck, .ack, .fin, .probe, .reset: 0
            }
        }
        set { wireBytes = UInt16(WireSize.headers + newValue) }
    }
}

/// A packet that an end puts on the link.
struct Outgoing {
    var packet: Packet
    /// How often the segment's slot was sent before; see `PacketIndexing.offset`.
    var earlierSends: UInt32 = 0
}
