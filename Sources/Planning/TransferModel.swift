package import Basics
package import Faults
package import LinkEngine
package import LinkProfile

/// What is asked of `plan`: equal transfers that start together on one link.
package struct TransferModel: Hashable, Sendable {
    package var settings: LinkSettings
    package var seed: UInt64
    /// Payload of each transfer.
    package var bytes: UInt64
    package var direction: Direction
    package var connections: UInt32
    /// Of the profile and of the command line.
    package var faults: [Fault] = []
    package var budget: DataBudget?
    /// What a slow name server costs before a connection opens.
    package var lookupDelay = Duration.zero
    /// What HTTP adds to each transfer; nil for plain bytes.
    package var http: HTTPHeads?

    package init(
        settings: LinkSettings,
        seed: UInt64,
        bytes: UInt64,
        direction: Direction,
        connections: UInt32
    ) {
        self.settings = settings
        self.seed = seed
        self.bytes = bytes
        self.direction = direction
        self.connections = connections
    }

    /// The sizes of a request and of the head of its response.
    package struct HTTPHeads: Hashable, Sendable {
        /// Of the request, without content.
        package var request: UInt64
        package var response: UInt64

        /// As curl and many servers have them, within 100 bytes.
        package static let usual = Self(request: 100, response: 250)
    }

    /// Bytes in the other direction that come before the transfer.
    package var bytesBefore: UInt64 { direction == .down ? http?.request ?? 0 : 0 }
    /// Bytes of the transfer's direction that come before its payload.
    package var headBytes: UInt64 {
        guard let http else { return 0 }
        return direction == .down ? http.response : http.request
    }
    /// Bytes in the other direction that end the transfer.
    package var bytesAfter: UInt64 { direction == .up ? http?.response ?? 0 : 0 }

    /// Virtual time after which a transfer counts as one that does not end.
    package static let timeLimit = Instant.start + .seconds(24 * 3_600)

    /// The most bytes of one plan, all connections together.
    ///
    /// Each packet takes about a microsecond to compute, so this is a matter of minutes.
    package static let byteLimit: UInt64 = 100_000_000_000

    /// Whether there are more bytes than can be computed in reasonable time.
    package var isTooLarge: Bool { bytes > Self.byteLimit / UInt64(max(1, connections)) }

    /// The round trip of an empty link.
    package var roundTrip: Duration { settings.down.delay + settings.up.delay }

    /// A gap between two deliveries longer than this is called a stall.
    ///
    /// Three round trips, since repairing a lost packet takes one or two; no less than Linux's
    /// shortest retransmission timeout of 200 ms, nor than four full packets take on the wire.
    package var stallThreshold: Duration {
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
