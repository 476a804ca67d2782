internal import FaultInjection
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

    /// Faults that a transfer of plain bytes does not meet, or that wait for other traffic.
    var unpredictedFaults: [String] {
        faults.filter { fault in
            if fault.address.isOfRequests || fault.effect.event != nil { return true }
            switch fault.effect {
            case .silent, .down: return true
            default: return false
            }
        }.map(\.canonicalText)
    }

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
