/// Gives each packet of one stream the index under which the link decides on it.
struct PacketIndexer {
    /// Kinds other than data count in ranges of their own, far above any slot of data.
    private enum Base {
        static let syn: UInt64 = 1 << 60
        static let ack: UInt64 = 2 << 60
        static let fin: UInt64 = 3 << 60
        static let probe: UInt64 = 4 << 60
        static let reset: UInt64 = 5 << 60
    }

    private let indexing: PacketIndexing
    private var acks: UInt64 = 0
    private var packets: UInt64 = 0
    private var syns: UInt64 = 0
    private var fins: UInt64 = 0
    private var probes: UInt64 = 0
    private var resets: UInt64 = 0

    init(indexing: PacketIndexing) { self.indexing = indexing }

    mutating func next(for outgoing: borrowing Outgoing) -> UInt64 {
        if indexing == .packet, outgoing.packet.kind != .datagram {
            return count(&packets, from: 0)
        }
        switch outgoing.packet.kind {
        case .data:
            let slot = UInt64(outgoing.packet.offset) / UInt64(WireSize.fullSegment)
            return UInt64(outgoing.earlierSends) << 32 + slot
        case .syn, .synAck: return count(&syns, from: Base.syn)
        case .ack: return count(&acks, from: Base.ack)
        case .fin: return count(&fins, from: Base.fin)
        case .probe: return count(&probes, from: Base.probe)
        case .reset: return count(&resets, from: Base.reset)
        // Its number says which one it is, also after others that never entered.
        case .datagram: return UInt64(outgoing.packet.offset)
        }
    }

    private func count(_ counter: inout UInt64, from base: UInt64) -> UInt64 {
        defer { counter += 1 }
        return base + counter
    }
}
