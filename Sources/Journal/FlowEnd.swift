package import Basics

/// How a flow of datagrams ended, and what became of its datagrams.
package struct FlowEnd: Hashable, Sendable {
    package enum Cause: String, Hashable, Sendable {
        /// Nothing came for longer than a flow is kept.
        case idle
        case shutdown
        /// The client has ended the connection that its relay went with.
        case association
    }

    /// The datagrams of one direction.
    package struct Tally: Hashable, Sendable {
        /// Those that came from the sender.
        package var count: UInt64 = 0
        /// Those that the receiver was sent, copies included.
        package var delivered: UInt64 = 0
        /// Their bytes.
        package var bytes: UInt64 = 0
        /// The numbers of those that the link lost, from 1, ascending; the first 10,000.
        package var lost = NumberRanges()
        /// QUIC packets by type, those that share a datagram apart; empty for another protocol.
        package var packets: [String: UInt64] = [:]
        /// QUIC packets that the secrets, where there were any, did not open.
        package var unopened: UInt64 = 0

        package init() {}
    }

    /// Bytes before a server knows that its answers arrive (RFC 9000 §8.1).
    package struct Unvalidated: Hashable, Sendable {
        package var received: UInt64
        package var sent: UInt64

        package init(received: UInt64, sent: UInt64) {
            self.received = received
            self.sent = sent
        }
    }

    package var flow: ConnectionID
    package var cause: Cause
    package var down: Tally
    package var up: Tally
    /// Of a QUIC connection: what had reached the server, and what it had sent, when it was nearest to
    /// the limit before it had validated the client's address; nil if it sent nothing then.
    package var unvalidated: Unvalidated?
    /// When the client was last sent a datagram, since the run began; nil for never.
    package var lastDownAt: Instant?
    /// When an outage of the link last swallowed one, since the run began; nil for never.
    package var lastOutageAt: Instant?

    package init(flow: ConnectionID, cause: Cause, down: Tally, up: Tally) {
        self.flow = flow
        self.cause = cause
        self.down = down
        self.up = up
    }
}

/// Ascending numbers, as `3,7-9`.
package struct NumberRanges: Hashable, Sendable {
    private var ranges: [ClosedRange<UInt64>] = []

    private static let limit = 10_000

    package init() {}

    package var isEmpty: Bool { ranges.isEmpty }

    /// Adds a number that is larger than all before it; numbers beyond the limit are left out.
    package mutating func append(_ number: UInt64) {
        if let last = ranges.last, last.upperBound + 1 == number {
            ranges[ranges.count - 1] = last.lowerBound...number
        } else if ranges.count < Self.limit, number > ranges.last?.upperBound ?? 0 {
            ranges.append(number...number)
        }
    }

    package var count: UInt64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound + 1 } }

    package var text: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    /// Nil for what `text` does not write.
    package init?(_ text: String) {
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-").map { UInt64($0) }
            guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1],
                low > ranges.last?.upperBound ?? 0, low <= high
            else { return nil }
            ranges.append(low...high)
        }
    }
}

extension FlowEnd {
    /// How many came depends on what the peers send again, and so on timing.
    var object: JSONObject {
        var own: JSONObject = ["by": .string(cause.rawValue)]
        for (name, tally) in [("down", down), ("up", up)] {
            own.append("\(name)_approx", .number(tally.count))
            own.append("\(name)_delivered_approx", .number(tally.delivered))
            own.append("\(name)_bytes_approx", .number(tally.bytes))
            if !tally.packets.isEmpty {
                var packets = JSONObject()
                for (type, count) in tally.packets.sorted(by: { $0.key < $1.key }) {
                    packets.append(type, .number(count))
                }
                own.append("\(name)_packets_approx", .object(packets))
            }
            if tally.unopened > 0 {
                own.append("\(name)_unopened_approx", .number(tally.unopened))
            }
            if !tally.lost.isEmpty {
                own.append("\(name)_lost_approx", .string(tally.lost.text))
            }
        }
        if let unvalidated {
            own.append("unvalidated_up_approx", .number(unvalidated.received))
            own.append("unvalidated_down_approx", .number(unvalidated.sent))
        }
        if let lastDownAt { own.append("down_last_ns", .number(lastDownAt.nanoseconds)) }
        if let lastOutageAt { own.append("outage_last_ns", .number(lastOutageAt.nanoseconds)) }
        return JournalRecord.members("flowend", flow, own)
    }

    init?(_ members: RecordMembers, _ flow: ConnectionID) {
        guard let cause = members.text("by").flatMap(Cause.init) else { return nil }
        self.init(flow: flow, cause: cause, down: Tally(members, "down"), up: Tally(members, "up"))
        if let received = members.number("unvalidated_up_approx") as UInt64?,
            let sent = members.number("unvalidated_down_approx") as UInt64?
        {
            unvalidated = Unvalidated(received: received, sent: sent)
        }
        lastDownAt = members.instant("down_last_ns")
        lastOutageAt = members.instant("outage_last_ns")
    }
}

extension FlowEnd.Tally {
    fileprivate init(_ members: RecordMembers, _ name: String) {
        count = members.number(JSONKey("\(name)_approx")) ?? 0
        delivered = members.number(JSONKey("\(name)_delivered_approx")) ?? 0
        bytes = members.number(JSONKey("\(name)_bytes_approx")) ?? 0
        unopened = members.number(JSONKey("\(name)_unopened_approx")) ?? 0
        lost = members.text(JSONKey("\(name)_lost_approx")).flatMap(NumberRanges.init) ?? .init()
        for member in members.object(JSONKey("\(name)_packets_approx")).members {
            if case .integer(let count) = member.value {
                packets[member.key] = UInt64(exactly: count)
            }
        }
    }
}
