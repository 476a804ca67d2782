internal import LinkEngine

/// What is asked of `plan`: equal transfers that start together on one link.
struct TransferModel: Hashable, Sendable {
    var settings: LinkSettings
    var seed: UInt64
    /// Payload of each transfer.
    var bytes: UInt64
    var direction: Direction
    var connections: UInt32

    /// Virtual time after which a transfer counts as one that does not end.
    static let timeLimit = Instant.start + .seconds(24 * 3_600)

    /// The round trip of an empty link.
    var roundTrip: Duration { settings.down.delay + settings.up.delay }

    /// A gap between two deliveries longer than this is called a stall.
    ///
    /// Three round trips, since repairing a lost packet takes one or two, and no less than Linux's
    /// shortest retransmission timeout of 200 ms.
    var stallThreshold: Duration {
        max(.milliseconds(200), Duration(nanoseconds: 3 * roundTrip.nanoseconds))
    }
}
