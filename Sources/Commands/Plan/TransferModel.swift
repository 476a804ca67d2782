internal import Basics
internal import Faults
internal import LinkEngine
internal import LinkProfile

/// What is asked of `plan`: equal transfers that start together on one link.
struct TransferModel: Hashable, Sendable {
    var settings: LinkSettings
    var seed: UInt64
    /// Payload of each transfer.
    var bytes: UInt64
    var direction: Direction
    var connections: UInt32
    /// Of the profile and of the command line.
    var faults: [Fault] = []
    var budget: DataBudget?
    /// What a slow name server costs before a connection opens.
    var lookupDelay = Duration.zero

    /// Virtual time after which a transfer counts as one that does not end.
    static let timeLimit = Instant.start + .seconds(24 * 3_600)

    /// The most bytes of one plan, all connections together.
    ///
    /// Each packet takes about a microsecond to compute, so this is a matter of minutes.
    static let byteLimit: UInt64 = 100_000_000_000

    /// Whether there are more bytes than can be computed in reasonable time.
    var isTooLarge: Bool { bytes > Self.byteLimit / UInt64(max(1, connections)) }

    /// The round trip of an empty link.
    var roundTrip: Duration { settings.down.delay + settings.up.delay }

    /// A gap between two deliveries longer than this is called a stall.
    ///
    /// Three round trips, since repairing a lost packet takes one or two; no less than Linux's
    /// shortest retransmission timeout of 200 ms, nor than four full packets take on the wire.
    var stallThreshold: Duration {
        max(
            .milliseconds(200),
            Duration(nanoseconds: 3 * roundTrip.nanoseconds),
            slowestRate?.serializationTime(bytes: 4 * 1_500) ?? .zero
        )
    }

    private var slowestRate: BitRate? {
        var rates = [budget?.rateAfterSoftLimit].compactMap { $0 }
        if case .rate(let rate) = settings[direction].capacity { rates.append(rate) }
        return rates.min()
    }
}
