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

    /// A packet that did not arrive.
    struct Loss: Hashable, Sendable {
        var at: Instant
        var stream: Stream
        /// As in the packet log: `lost`, `full` or `outage`.
        var fate: String
        /// As in the packet log: `data`, `ack` and so on.
        var kind: String
        /// Place in the stream, for data.
        var offset: UInt64
        var length: Int
    }

    var down = Counts()
    var up = Counts()
    /// In order of time, at most `Prediction.eventLimit`.
    var losses: [Loss] = []

    subscript(direction: Direction) -> Counts {
        get { direction == .down ? down : up }
        set { if direction == .down { down = newValue } else { up = newValue } }
    }
}
