package import Basics

/// What became of one datagram of a flow.
package struct DatagramReport: Hashable, Sendable {
    package enum Fate: String, Hashable, Sendable {
        case delivered
        /// The link lost it.
        case link
        /// A fault did.
        case fault
        /// The byte budget was spent.
        case budget
        /// Too many are held back.
        case overflow
        /// The system did not take it.
        case system
        /// It was on its way when the flow ended.
        case pending
    }

    package var flow: ConnectionID
    package var direction: Direction
    /// Its number in this direction, from 1.
    package var number: UInt64
    package var bytes: UInt64
    /// The types of its QUIC packets, in their order; empty for another protocol.
    package var packets: [String]
    package var fate: Fate
    /// The fault that dropped it; nil if none did, or one that acts on all that follow.
    package var fault: String?
    /// When it came from its sender.
    package var cameAt: Instant
    /// Whether it is part of the canonical form.
    package var isDigested = false

    package init(
        flow: ConnectionID,
        direction: Direction,
        number: UInt64,
        bytes: UInt64,
        packets: [String] = [],
        fate: Fate,
        cameAt: Instant
    ) {
        self.flow = flow
        self.direction = direction
        self.number = number
        self.bytes = bytes
        self.packets = packets
        self.fate = fate
        self.cameAt = cameAt
    }

    var object: JSONObject {
        JournalRecord.members(
            "datagram",
            flow,
            [
                "dir": .string(direction.word), "k": .number(number), "bytes": .number(bytes),
                "packets": packets.isEmpty ? nil : .array(packets.map { .string($0) }),
                "fate": .string(fate.rawValue), "fault": fault.map { .string($0) },
                "came_ns": .number(cameAt.nanoseconds), "digested": isDigested ? .bool(true) : nil,
            ]
        )
    }

    init?(_ members: RecordMembers, _ flow: ConnectionID) {
        guard let direction = members.direction, let number: UInt64 = members.number("k"),
            let fate = members.text("fate").flatMap(Fate.init)
        else { return nil }
        self.init(
            flow: flow,
            direction: direction,
            number: number,
            bytes: members.datagramLength,
            packets: members.texts("packets"),
            fate: fate,
            cameAt: members.instant("came_ns") ?? .start
        )
        fault = members.text("fault")
        isDigested = members.isTrue("digested")
    }
}
