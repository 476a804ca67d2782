internal import Basics

/// The packets of one direction that reach its queue in the order in which they entered.
///
/// With a constant delay these are all packets of all connections. One that overtakes (by its
/// jitter, or because the delay became shorter) does not fit in and waits in its own path.
struct ArrivalLine {
    private var packets = Ring<Packet>()
    /// When the first packet arrives.
    private(set) var next = Instant.never
    private var lastTime = Instant.start
    private var lastConnection: UInt32 = 0

    /// Slot and generation of the first packet's connection.
    var nextOwner: (slot: Int, generation: UInt32) {
        (Int(packets[packets.first].slot), packets[packets.first].generation)
    }

    /// Takes a packet of `connection` that arrives at its `due`; false if that is before the last
    /// one's turn.
    ///
    /// Equal times are ordered by connection.
    mutating func append(_ packet: Packet, of connection: UInt32) -> Bool {
        if packets.isEmpty {
            next = packet.due
        } else if packet.due < lastTime
            || (packet.due == lastTime && connection < lastConnection)
        {
            return false
        }
        lastTime = packet.due
        lastConnection = connection
        packets.append(packet)
        return true
    }

    mutating func arrive() -> Packet {
        let packet = packets.removeFirst()
        next = packets.isEmpty ? .never : packets[packets.first].due
        return packet
    }
}
