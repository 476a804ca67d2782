package import Basics

// Flows of datagrams: each datagram is one packet, without a TCP in between.
extension Link {
    /// Opens a flow, which has numbers of its own and shares rates, queues and outages with all others.
    ///
    /// Nothing is sent. `remove` forgets it.
    ///
    /// - Parameters:
    ///   - number: among flows, from 0, used once.
    ///   - time: now.
    /// - Returns: what the link calls the flow where it speaks of connections.
    package mutating func openFlow(_ number: UInt32, at time: Instant) -> UInt32 {
        advance(to: time)
        let flow = Stream.firstFlow + number
        precondition(slotOfConnection[flow] == nil, "a flow is opened once")
        let slot = takeSlot(for: flow)
        for direction in Direction.allCases { endpoints[index(slot, direction)].close() }
        adjustCrossTraffic()
        return flow
    }

    /// Lets a datagram enter; `arrived` or `lost` follows, unless the flow is removed before.
    ///
    /// Whether the profile's loss takes it depends on flow, direction and `number` alone.
    ///
    /// - Parameters:
    ///   - number: from 0 among the flow's datagrams of this direction, those included that never
    ///     come here; it rises from call to call.
    ///   - payload: its bytes, without headers; at most 65,507.
    ///   - stream: flow and direction.
    ///   - time: now.
    package mutating func sendDatagram(
        _ number: UInt64,
        payload: Int,
        on stream: Stream,
        at time: Instant
    ) {
        advance(to: time)
        guard let end = endpoint(of: stream) else { return }
        var packet = Packet(kind: .datagram)
        packet.wireBytes = UInt16(clamping: payload + WireSize.datagramHeaders)
        packet.offset = Int64(number)
        packet.sentAt = now
        packet.slot = Int32(end / 2)
        packet.generation = slots[end / 2].generation
        var outgoing = Outgoing(packet: packet)
        enter(&outgoing, path: end, connection: stream.connection)
    }
}

extension Stream {
    /// The link's number of the first flow; those below are connections.
    package static let firstFlow: UInt32 = 1 << 31

    /// As people count: `c1` for the first connection, `u1` for the first flow.
    var name: String {
        connection < Self.firstFlow
            ? "c\(connection + 1)" : "u\(connection - Self.firstFlow + 1)"
    }
}
