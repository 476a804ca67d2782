package import Basics
package import LinkEngine

/// What became of the packets of a prediction.
package struct PacketCensus: Hashable, Sendable {
    package struct Counts: Hashable, Sendable {
        package var sent = 0
        /// Lost by the loss model.
        package var lost = 0
        /// Dropped because the queue was full.
        package var full = 0
        /// Dropped by an outage.
        package var outage = 0

        package var dropped: Int { lost + full + outage }
    }

    package var down = Counts()
    package var up = Counts()
    /// Packets that did not arrive, in the order in which they were lost; at most
    /// `Prediction.eventLimit`.
    package private(set) var losses: [PacketRecord] = []

    package subscript(direction: Direction) -> Counts {
        get { direction == .down ? down : up }
        set { if direction == .down { down = newValue } else { up = newValue } }
    }

    package mutating func add(_ record: PacketRecord) {
        self[record.stream.direction].add(record.fate)
        if record.fate != .delivered, losses.count < Prediction.eventLimit {
            losses.append(record)
        }
    }
}

extension PacketCensus.Counts {
    fileprivate mutating func add(_ fate: PacketRecord.Fate) {
        sent += 1
        switch fate {
        case .delivered: break
        case .lost: lost += 1
        case .full: full += 1
        case .outage: outage += 1
        }
    }
}
