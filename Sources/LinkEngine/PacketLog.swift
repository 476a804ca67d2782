package import Basics

/// One packet and what the link did with it.
package struct PacketRecord: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case syn, synAck = "syn-ack", ack, data, fin, probe, reset, datagram
    }
    package enum Fate: String, Hashable, Sendable {
        case delivered, lost
        /// The queue was full.
        case full
        case outage
    }

    package var stream: Stream
    /// The index under which the link decided; see `PacketIndexing`.
    package var index: UInt64
    package var kind: Kind
    /// Of the payload in its stream, in bytes; of a datagram its number, from 0.
    package var offset: Int64
    package var length: Int
    package var fate: Fate
    package var enter: Instant
    /// Nil unless delivered.
    package var leave: Instant?

    /// The index as people count: from 0 among packets of its kind, and how often its bytes had
    /// been sent before; each packet of data by its place in the stream.
    package var place: (number: UInt64, resends: UInt64) {
        if index == .max { return (0, 0) }
        let kindRange = UInt64(1) << 60
        guard index < kindRange else { return (index % kindRange, 0) }
        return (index & 0xFFFF_FFFF, index >> 32)
    }

    /// The columns of `line`.
    package static let header =
        "connection direction kind number resends offset length fate enter_ns leave_ns"

    /// One line of the packet log; connections count from 1, as everywhere in text.
    package var line: String {
        let direction = stream.direction == .down ? "down" : "up"
        let end = leave.map { String($0.nanoseconds) } ?? "-"
        return """
            \(stream.name) \(direction) \(kind.rawValue) \(place.number) \
            \(place.resends) \(offset) \(length) \(fate.rawValue) \(enter.nanoseconds) \(end)
            """
    }
}

extension PacketRecord.Kind {
    init(_ kind: Packet.Kind) {
        switch kind {
        case .syn: self = .syn
        case .synAck: self = .synAck
        case .ack: self = .ack
        case .data: self = .data
        case .fin: self = .fin
        case .probe: self = .probe
        case .reset: self = .reset
        case .datagram: self = .datagram
        }
    }
}
