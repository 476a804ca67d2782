internal import Basics
internal import LinkEngine

/// What became of the packets of a prediction.
struct PacketCensus: Hashable, Sendable {
    struct Counts: Hashable, Sendable {
        var sent = 0
        /// Lost by the loss model.
        var lost = 0
        /// Dropped because the queue was full.
        var full = 0
        /// Dropped by an outage.
        var outage = 0

        var dropped: Int { lost + full + outage }
    }

    var down = Counts()
    var up = Counts()
    /// Packets that did not arrive, in the order in which they were lost; at most
    /// `Prediction.eventLimit`.
    private(set) var losses: [PacketRecord] = []

    subscript(direction: Direction) -> Counts {
        get { direction == .down ? down : up }
        set { if direction == .down { down = newValue } else { up = newValue } }
    }

    mutating func add(_ record: PacketRecord) {
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
