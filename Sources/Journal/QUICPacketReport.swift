package import Basics

/// A QUIC packet that was opened with the secrets of its connection; never in the canonical form.
package struct QUICPacketReport: Hashable, Sendable {
    package var flow: ConnectionID
    package var direction: Direction
    /// The number of its datagram in this direction, from 1, and how long that is.
    package var datagram: UInt64
    package var bytes: UInt64
    /// `initial`, `0rtt`, `handshake` or `1rtt`.
    package var type: String
    package var number: UInt64
    /// By the names of RFC 9000 in lower case, some with a value after `=`.
    ///
    /// The last one is `unknown` or `cut` if others may follow it that were not read.
    package var frames: [String]
    /// How often the flow had changed its address.
    package var path: UInt32 = 0
    /// When the datagram came from its sender.
    package var cameAt: Instant
    /// How long its sender had neither sent nor been sent a datagram; nil for a short time.
    package var silence: Duration?
    /// Where it is known with this packet: after how long without anything the server ends the
    /// connection; 0 for never.
    package var idleMilliseconds: UInt64?

    package init(
        flow: ConnectionID,
        direction: Direction,
        datagram: UInt64,
        bytes: UInt64,
        type: String,
        number: UInt64,
        frames: [String],
        cameAt: Instant
    ) {
        self.flow = flow
        self.direction = direction
        self.datagram = datagram
        self.bytes = bytes
        self.type = type
        self.number = number
        self.frames = frames
        self.cameAt = cameAt
    }

    var object: JSONObject {
        JournalRecord.members(
            "qpacket",
            flow,
            [
                "dir": .string(direction.word), "k": .number(datagram), "bytes": .number(bytes),
                "packet": .string(type), "number": .number(number),
                "frames": .array(frames.map { .string($0) }),
                "path": path > 0 ? .number(path) : nil, "came_ns": .number(cameAt.nanoseconds),
                "silence_ns": silence.map { .number($0.nanoseconds) },
                "max_idle_ms": idleMilliseconds.map { .number($0) },
            ]
        )
    }

    init?(_ members: RecordMembers, _ flow: ConnectionID) {
        guard let direction = members.direction, let datagram: UInt64 = members.number("k"),
            let type = members.text("packet"), let number: UInt64 = members.number("number")
        else { return nil }
        self.init(
            flow: flow,
            direction: direction,
            datagram: datagram,
            bytes: members.datagramLength,
            type: type,
            number: number,
            frames: members.texts("frames"),
            cameAt: members.instant("came_ns") ?? .start
        )
        path = members.number("path") ?? 0
        silence = members.instant("silence_ns").map { $0 - .start }
        idleMilliseconds = members.number("max_idle_ms")
    }
}

extension Direction {
    /// As in the places of faults.
    var word: String { self == .up ? "up" : "down" }
}

extension RecordMembers {
    /// Of a datagram.
    var direction: Direction? {
        let word = text("dir")
        return Direction.allCases.first { $0.word == word }
    }

    /// How long a datagram is; none is longer than its length field can say (RFC 768).
    var datagramLength: UInt64 { min(number("bytes") ?? 0, 65_535) }
}
